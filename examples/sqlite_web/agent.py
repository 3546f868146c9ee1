"""A research agent without a model: reads the documentation, tries plans, keeps what the feedback recommends.

It sees its workspace and nothing else. Where the feedback says nothing, because it is withheld or the same
for every family, what remains is a guess from public knowledge: kinds with many events are probably asked for
often.
"""

from dcp_lang.integrations.scripted import Session

PAGES = ("https://sqlite.org/partialindex.html", "https://sqlite.org/eqp.html")
JOURNAL = "journal.json"


def index_designer(session: Session) -> None:
    """One turn: read the pages, then two experiments on different families, then the final plan."""
    if not session.exists(JOURNAL) and not _has_pages(session):
        session.fetch(*PAGES, query="when does a partial index pay")
        return
    journal = session.read_json(JOURNAL) if session.exists(JOURNAL) else _opening(session)
    work = (session.observation or {}).get("weighted_work")
    if journal["tried"] and work is not None:
        journal["work"] = {name: max(value, journal["work"].get(name, 0)) for name, value in work.items()}
    withheld = bool(journal["tried"]) and work is None
    tried = len(journal["tried"])
    if withheld or tried == 2:
        _finish(session, journal)
        return
    plan = journal["guess"][4 * tried : 4 * tried + 4]
    journal["tried"].append(plan)
    session.write_json(JOURNAL, journal)
    session.write_json("plan.json", {"indexes": plan})
    session.experiment({"indexes": plan})


def _has_pages(session: Session) -> bool:
    """A challenger has the pages in its packet; the main run and its branches have them as an observation."""
    return session.exists("WEB_PRIVILEGED.json") or "results" in (session.observation or {})


def _opening(session: Session) -> dict:
    """Order the families by a guess: a weighted draw without replacement that favours kinds with many events.

    The weight is the fourth root of the number of events: the agent trusts the proxy, but not much.
    """
    events = session.read_json("families.json")
    guess = sorted(events, key=lambda name: session.draw.random() ** (events[name] ** -0.25), reverse=True)
    return {"guess": guess, "tried": [], "work": {}}


def _finish(session: Session, journal: dict) -> None:
    """The four families with most work left to save: stated traffic first, then feedback, then the guess."""
    stated = session.read_json("traffic.json") if session.exists("traffic.json") else {}
    value = stated or journal["work"]
    best = sorted(journal["guess"], key=lambda name: -value.get(name, 0))[:4]
    session.write_json("plan.json", {"indexes": sorted(best)})
    session.finish()
