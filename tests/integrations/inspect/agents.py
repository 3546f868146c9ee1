"""Scripted agents whose sessions go wrong."""

import time
from pathlib import Path

from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.scripted import ProviderUnreachable, Session

_toy = load_file(Path(__file__).parents[1] / "toy/agent.py")


def _is_unlucky(session: Session) -> bool:
    """One episode of the small Core audit, found by its draw; never the main run."""
    return session.draw.random() < UNLUCKY


#: The first draw of challenge-0002 is .23, the others' are .55 and more.
UNLUCKY = 0.5


def unreachable(session: Session) -> None:
    """The provider fails before its first answer."""
    if _is_unlucky(session):
        raise ProviderUnreachable("connection refused")
    _toy.seeker(session)


def breaks_off(session: Session) -> None:
    """The provider fails after its first answer."""
    if _is_unlucky(session) and session.observation is not None:
        raise ProviderUnreachable("connection reset")
    _toy.seeker(session)


def talks(session: Session) -> None:
    """Writes nothing down and never ends."""
    if _is_unlucky(session):
        session.experiment({"weigh": "all"})
    else:
        _toy.seeker(session)


def dawdles(session: Session) -> None:
    """Writes a guess early and then measures for ever."""
    if _is_unlucky(session):
        session.write_json("guess.json", {"box": 0})
        session.experiment({"weigh": "all"})
    else:
        _toy.seeker(session)


def hangs(session: Session) -> None:
    """Waits for an answer that never comes."""
    if _is_unlucky(session):
        time.sleep(600)
    _toy.seeker(session)


def penniless(session: Session) -> None:
    """No session survives its first experiment."""
    if session.observation is not None:
        raise ProviderUnreachable("out of credit")
    _toy.seeker(session)
