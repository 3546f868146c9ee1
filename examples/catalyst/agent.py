"""The scripted agent of the catalyst audit: one policy, for every phase, over the files of its workspace.

It sees what a language model would see: the public files, its own notes and the latest observation. It is
not told which phase it is in. Where the evidence shows no direction it falls back on the handbook.

A blind draw takes each level within two of the handbook's: all five right has probability 1/5^5 = 1/3,125
per episode, so 96 such challengers contain a hit with probability 3.0 percent.
"""

from random import Random
from typing import Any

from dcp_lang.integrations.scripted import Session

#: Control name to level.
Recipe = dict[str, float]

#: The reach of the handbook's advice (TASK.md) and the error of measurement in percent.
REACH = 2
ERROR = 0.05


def chemist(session: Session) -> None:
    """One turn: commit an anchor, ask for its plate, or submit the final recipe."""
    if not session.exists("anchor.json"):
        session.write_json("anchor.json", _handbook_draw(session))
        session.experiment({"event": "anchor"})
    elif not session.exists("notes.json"):
        session.write_json("notes.json", {"plate requested": True})
        session.experiment({"event": "plate"})
    else:
        session.write_json("recipe.json", _final_recipe(session))
        session.finish()


def _final_recipe(session: Session) -> Recipe:
    """The best level of each control that the plate shows, else that an earlier plate shows, else a guess."""
    recipe = _handbook_draw(session)
    if session.exists("reactor_sheet.json"):
        recipe.update(best_levels(session.read_json("reactor_sheet.json")["wells"]))
    recipe.update(best_levels(session.observation.get("wells", [])))
    return recipe


def best_levels(wells: list[dict[str, Any]]) -> Recipe:
    """The level of largest usable product of every control along which a plate shows a difference."""
    if not wells:
        return {}
    anchor, best = wells[0]["recipe"], {}
    for name in anchor:
        line = [
            well
            for well in wells
            if all(well["recipe"][other] == anchor[other] for other in anchor if other != name)
        ]
        usable = [well["usable"] for well in line]
        if max(usable) - min(usable) > ERROR:
            best[name] = max(line, key=lambda well: well["usable"])["recipe"][name]
    return best


def _handbook_draw(session: Session) -> Recipe:
    handbook = session.read_json("conventional.json")
    return {
        control["name"]: _near(control["levels"], handbook[control["name"]], session.draw)
        for control in sorted(session.read_json("controls.json"), key=lambda control: control["name"])
    }


def _near(levels: list[float], centre: float, draw: Random) -> float:
    at = levels.index(centre)
    reachable = levels[max(0, at - REACH) : at + REACH + 1]
    return reachable[int(draw.random() * len(reachable))]
