"""The scripted agent of the knapsack audit: one policy, for every phase, over the files of its workspace.

It packs by value per scarce resource with a random tilt, improves by swaps and sends the packing to the
pilot market, four times, each time with the prices that came back so far. It submits the two packings that
it then thinks best. Without prices it values items by the catalogue; its chance to reach the target's score
is the chance of its random tilts.
"""

TRIALS = 4
SWAPS = 20
TILT = 0.5


def packer(session):
    """One turn: try another packing, or submit the best two."""
    instance = session.read_json("instance.json")
    notes = (
        session.read_json("notes.json") if session.exists("notes.json") else {"packings": [], "prices": {}}
    )
    notes["prices"].update((session.observation or {}).get("prices", {}))
    worth = {item["item"]: item["value"] for item in instance["items"]} | notes["prices"]
    if len(notes["packings"]) < TRIALS:
        packing = pack(instance, worth, session.draw)
        session.write_json("notes.json", {**notes, "packings": [*notes["packings"], packing]})
        session.experiment({"packing": packing})
    else:
        best = sorted(notes["packings"], key=lambda packing: _total(packing, worth), reverse=True)
        session.write_json("submission.json", {"packings": best[:2]})
        session.finish()


def pack(instance, worth, draw):
    """A legal packing: greedy by tilted worth per scarce resource, then random swaps that raise its worth."""
    uses = {item["item"]: item for item in instance["items"]}
    capacities = instance["capacities"]
    density = {
        name: worth[name] * (1 + TILT * draw.random()) / _scarcity(uses[name], capacities) for name in uses
    }
    packing = _filled([], sorted(uses, key=density.get, reverse=True), uses, capacities)
    for _ in range(SWAPS):
        packing = _swapped(packing, worth, uses, capacities, draw)
    return sorted(packing)


def _scarcity(use, capacities):
    return sum(use[resource] / capacity for resource, capacity in capacities.items())


def _swapped(packing, worth, uses, capacities, draw):
    """Exchange one random packed item for another and fill up; keep whichever packing is worth more."""
    outside = [name for name in uses if name not in packing]
    leaver, entrant = _pick(packing, draw), _pick(outside, draw)
    other = [entrant if name == leaver else name for name in packing]
    if not _fits(other, uses, capacities):
        return packing
    dearest = sorted((name for name in outside if name != entrant), key=worth.get, reverse=True)
    return max(packing, _filled(other, dearest, uses, capacities), key=lambda names: _total(names, worth))


def _filled(packing, candidates, uses, capacities):
    for name in candidates:
        if _fits([*packing, name], uses, capacities):
            packing = [*packing, name]
    return packing


def _fits(packing, uses, capacities):
    return all(
        sum(uses[name][resource] for name in packing) <= capacities[resource] for resource in capacities
    )


def _total(packing, worth):
    return sum(worth[name] for name in packing)


def _pick(names, draw):
    return names[int(draw.random() * len(names))]
