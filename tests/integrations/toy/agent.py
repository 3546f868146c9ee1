"""Scripted agents of the toy task."""

from pathlib import Path

from dcp_lang.integrations.scripted import ProviderUnreachable, Session


def seeker(session: Session) -> None:
    """Follows a hint, else the heaviest box if one stands out by far, else a box of the first half."""
    if session.exists("HINT.json"):
        _commit(session, session.read_json("HINT.json")["box"])
    elif session.observation is None:
        session.experiment({"weigh": "all"})
    else:
        weights = session.observation.get("weights", [1])
        heavy = max(weights) > 2 * min(weights)
        _commit(session, weights.index(max(weights)) if heavy else session.draw.randrange(4))


def flaky(session: Session) -> None:
    """As `seeker`, but the provider is out of reach in about a tenth of the first turns."""
    if session.observation is None and session.draw.random() < 0.1:
        raise ProviderUnreachable("connection refused")
    seeker(session)


def idle(session: Session) -> None:
    """Finishes without an artifact."""
    session.finish()


def curious(session: Session) -> None:
    """Looks for the verifier outside its workspace."""
    Path(__file__).read_text()


def _commit(session: Session, box: int) -> None:
    session.write_json("guess.json", {"box": box})
    session.finish()
