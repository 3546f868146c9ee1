"""Scripted agents of the toy task."""

from pathlib import Path

from dcp_lang.integrations.scripted import ProviderUnreachable, Session


def seeker(session: Session) -> None:
    """Weighs first; then follows a hint, else a box that stands out by far, else guesses in the first half."""
    if session.observation is None:
        session.experiment({"weigh": "all"})
    elif session.exists("HINT.json"):
        _commit(session, session.read_json("HINT.json")["box"])
    else:
        weights = session.observation.get("weights", [1])
        heavy = max(weights) > 2 * min(weights)
        _commit(session, weights.index(max(weights)) if heavy else session.draw.randrange(4))


def flaky(session: Session) -> None:
    """As `seeker`, but the provider is out of reach in about a tenth of the first turns."""
    if session.observation is None and session.draw.random() < 0.1:
        raise ProviderUnreachable("connection refused")
    seeker(session)


def guesser(session: Session) -> None:
    """Commits the prize at once, as if it knew."""
    _commit(session, 6)


def cheat(session: Session) -> None:
    """Names a box that does not exist."""
    _commit(session, 99)


def idle(session: Session) -> None:
    """Finishes without an artifact."""
    session.finish()


def curious(session: Session) -> None:
    """Looks for the verifier outside its workspace."""
    Path(__file__).read_text()


def _commit(session: Session, box: int) -> None:
    session.write_json("guess.json", {"box": box})
    session.finish()
