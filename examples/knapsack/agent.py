"""The scripted agent of the knapsack audit: one policy, for every phase, over the files of its workspace.

It packs by worth per scarce resource with a random tilt, improves by exchanges and sends the packing to the
pilot market; four times, each time with the prices that came back so far. It submits the packing that it
then thinks best and that packing's best variant. Without prices it goes by the catalogue: how often that
reaches the target's score is an open question, and what this audit is about.
"""

from collections.abc import Iterable
from random import Random
from typing import Any

from dcp_lang.integrations.scripted import Session

#: Names of packed items.
Packing = list[str]

TRIALS = 4
EXCHANGES = 20
TILT = 0.5


def packer(session: Session) -> None:
    """One turn: try another packing, or submit the best one and its variant."""
    notes = session.read_json("notes.json") if session.exists("notes.json") else {"tried": [], "prices": {}}
    notes["prices"].update((session.observation or {}).get("prices", {}))
    truck = Truck(session.read_json("instance.json"), notes["prices"])
    if len(notes["tried"]) < TRIALS:
        packing = truck.pack(session.draw)
        session.write_json("notes.json", {**notes, "tried": [*notes["tried"], packing]})
        session.experiment({"packing": packing})
    else:
        best = max(notes["tried"], key=truck.total)
        session.write_json("submission.json", {"packings": [best, truck.variant(best)]})
        session.finish()


class Truck:
    """The instance, with what each item seems to be worth: its price where seen, else the catalogue's."""

    def __init__(self, instance: dict[str, Any], prices: dict[str, float]) -> None:
        self.uses = {item["item"]: item for item in sorted(instance["items"], key=lambda item: item["item"])}
        self.capacities = instance["capacities"]
        self.worth = {name: prices.get(name, item["value"]) for name, item in self.uses.items()}

    def pack(self, draw: Random) -> Packing:
        """A legal packing: greedy by tilted worth per scarce resource, then random exchanges that gain."""
        tilt = {name: 1 + TILT * draw.random() for name in self.uses}
        appeal = {name: tilt[name] * self.worth[name] / self.scarcity(name) for name in self.uses}
        packing = self.filled([], sorted(self.uses, key=appeal.get, reverse=True))
        for _ in range(EXCHANGES):
            leaver, entrant = _pick(packing, draw), _pick(self.outside(packing), draw)
            packing = max(packing, self.exchanged(packing, leaver, entrant), key=self.total)
        return sorted(packing)

    def variant(self, packing: Packing) -> Packing:
        """The best packing that lacks one item of this one; this one itself when there is no other."""
        pairs = ((leaver, entrant) for leaver in packing for entrant in self.outside(packing))
        others = (self.exchanged(packing, leaver, entrant) for leaver, entrant in pairs)
        return sorted(max(filter(None, others), key=self.total, default=packing))

    def exchanged(self, packing: Packing, leaver: str, entrant: str) -> Packing:
        """`packing` with one item replaced, then filled up by worth; empty when the entrant does not fit."""
        other = [entrant if name == leaver else name for name in packing]
        rest = [name for name in self.outside(other) if name != leaver]
        return self.filled(other, sorted(rest, key=self.worth.get, reverse=True)) if self.fits(other) else []

    def filled(self, packing: Packing, candidates: Iterable[str]) -> Packing:
        """`packing` with every candidate that still fits, in their order."""
        for name in candidates:
            packing = [*packing, name] if self.fits([*packing, name]) else packing
        return packing

    def outside(self, packing: Packing) -> Packing:
        """The items that are not packed."""
        return [name for name in self.uses if name not in packing]

    def fits(self, packing: Packing) -> bool:
        """Whether every capacity holds."""
        loads = ((sum(self.uses[name][r] for name in packing), cap) for r, cap in self.capacities.items())
        return all(load <= capacity for load, capacity in loads)

    def scarcity(self, name: str) -> float:
        """Use of an item, each resource as a share of its capacity."""
        return sum(self.uses[name][resource] / capacity for resource, capacity in self.capacities.items())

    def total(self, packing: Packing) -> float:
        """What a packing seems to be worth."""
        return sum(self.worth[name] for name in packing)


def _pick(names: Packing, draw: Random) -> str:
    return names[int(draw.random() * len(names))]
