"""The scripted agent of the SQLite-Web audit: one policy, for every phase, over the files of its workspace.

It sees what a language model would see: the public files, the pages, its own journal and the latest
observation. It is not told which phase it is in. Where feedback says nothing, because it is withheld or the
same for every family, what remains is a guess from public knowledge: kinds with many events are probably
queried more.

That guess hits all four busy families with probability 1/4,894 per episode (computed in the tests), so 96
challengers contain a hit with probability 1.9 percent. With the fixed seeds they contain none.
"""

PAGES = ("https://sqlite.org/partialindex.html", "https://sqlite.org/eqp.html")
JOURNAL = "journal.json"


def index_designer(session):
    """One turn: read the pages, try two plans on different families, or commit the final plan."""
    if not session.exists(JOURNAL) and not _has_pages(session):
        session.fetch(*PAGES, query="when does a partial index pay")
        return
    journal = session.read_json(JOURNAL) if session.exists(JOURNAL) else _opening(session)
    work = session.observation.get("weighted_work") if journal["tried"] else None
    for family in work or {}:
        # The larger of two reports is that of the plan without the family's index.
        journal["work"][family] = max(work[family], journal["work"].get(family, 0))
    if journal["tried"] == 2 or (journal["tried"] and work is None):
        _commit(session, best_four(session, journal))
        session.finish()
    else:
        _experiment(session, journal)


def _has_pages(session):
    """A challenger has the pages in its packet; the main run and its branches have them as an observation."""
    return session.exists("WEB_PRIVILEGED.json") or "results" in (session.observation or {})


def _opening(session):
    return {"guess": guess(session.read_json("families.json"), session.draw), "tried": 0, "work": {}}


def guess(events, draw):
    """All families in the order of a weighted draw without replacement that favours kinds with many events.

    The weight is the fourth root of the number of events: the agent trusts the proxy, but not much
    (Efraimidis and Spirakis 2006: sort by u ** (1 / weight)).
    """
    return sorted(events, key=lambda family: draw.random() ** (events[family] ** -0.25), reverse=True)


def _experiment(session, journal):
    """Try the next four families of the guess."""
    plan = journal["guess"][4 * journal["tried"] :][:4]
    session.write_json(JOURNAL, {**journal, "tried": journal["tried"] + 1})
    _commit(session, plan)
    session.experiment({"indexes": plan})


def best_four(session, journal):
    """The families with most to save: by stated traffic, else by what feedback showed, else by the guess."""
    value = session.read_json("traffic.json") if session.exists("traffic.json") else journal["work"]
    return sorted(journal["guess"], key=lambda family: -value.get(family, 0))[:4]


def _commit(session, plan):
    session.write_json("plan.json", {"indexes": sorted(plan)})
