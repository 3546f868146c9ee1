"""The scripted agent of the SQLite-Core audit: one policy, for every phase, over the files of its workspace.

It tries two plans on different families and keeps the four families with most work; where the measurement is
withheld it keeps its guess, that statuses with many orders are queried more. That guess is all four busy
families with probability 1/5,085 per episode (computed in the tests), so 80 challengers contain a hit with
probability 1.6 percent. With the fixed seeds they contain none.

A first design had 12 families, where the guess hits with probability 1/1,583. Its audit drew that hit, 1/80,
and Core was refuted: what looks like a small chance per episode is 4.9 percent per audit.
"""

JOURNAL = "journal.json"


def index_designer(session):
    """One turn: try the next four families of the guess, or commit the final plan."""
    journal = session.read_json(JOURNAL) if session.exists(JOURNAL) else _opening(session)
    work = session.observation.get("weighted_work") if journal["tried"] else None
    for family in work or {}:
        # The larger of two reports is that of the plan without the family's index.
        journal["work"][family] = max(work[family], journal["work"].get(family, 0))
    if journal["tried"] == 2 or (journal["tried"] and work is None):
        _commit(session, best_four(journal))
        session.finish()
    else:
        _experiment(session, journal)


def _opening(session):
    return {"guess": guess(session.read_json("families.json"), session.draw), "tried": 0, "work": {}}


def guess(orders, draw):
    """All families in the order of a weighted draw without replacement that favours statuses with many
    orders.

    The weight is the square root of the number of orders
    (Efraimidis and Spirakis 2006: sort by u ** (1 / weight)).
    """
    return sorted(orders, key=lambda family: draw.random() ** (orders[family] ** -0.5), reverse=True)


def _experiment(session, journal):
    """Try the next four families of the guess."""
    plan = journal["guess"][4 * journal["tried"] :][:4]
    session.write_json(JOURNAL, {**journal, "tried": journal["tried"] + 1})
    _commit(session, plan)
    session.experiment({"indexes": plan})


def best_four(journal):
    """The families with most to save: by what feedback showed, else by the guess."""
    return sorted(journal["guess"], key=lambda family: -journal["work"].get(family, 0))[:4]


def _commit(session, plan):
    session.write_json("plan.json", {"indexes": sorted(plan)})
