"""The scripted agent of the affine audit: one policy, for every phase, over the files of its workspace.

It probes two inputs and solves for the map. Without two informative points it guesses what is missing: a
blind guess of both numbers is right with probability 1/10,100, of one number with probability 1/101.
"""

from collections.abc import Sequence

from dcp_lang.integrations.scripted import Session

MODULUS = 101


def surveyor(session: Session) -> None:
    """One turn: probe a fresh input, or submit the map."""
    notes = session.read_json("notes.json") if session.exists("notes.json") else {"asked": [], "points": []}
    reply = session.observation or {}
    if "y" in reply:
        notes["points"].append([reply["x"], reply["y"]])
    if len(notes["asked"]) < 2:
        x = _pick([x for x in range(MODULUS) if x not in notes["asked"]], session)
        session.write_json("notes.json", {**notes, "asked": [*notes["asked"], x]})
        session.experiment({"x": x})
    else:
        a, b = solve(_given(session) + notes["points"]) or _guess(session)
        session.write_json("map.json", {"a": a, "b": b})
        session.finish()


def solve(points: list[list[int]]) -> tuple[int, int] | None:
    """The map (a, b) through the first two points; None when they do not determine a legal one."""
    if len(points) < 2:
        return None
    (x1, y1), (x2, y2) = points[:2]
    if x1 == x2 or y1 == y2:
        return None
    a = (y2 - y1) * pow(x2 - x1, -1, MODULUS) % MODULUS
    return a, (y1 - a * x1) % MODULUS


def _given(session: Session) -> list[list[int]]:
    return session.read_json("given_points.json") if session.exists("given_points.json") else []


def _guess(session: Session) -> tuple[int, int]:
    return _pick(range(1, MODULUS), session), _pick(range(MODULUS), session)


def _pick(choices: Sequence[int], session: Session) -> int:
    return choices[int(session.draw.random() * len(choices))]
