"""The scripted agent of the device audit: one policy, for every phase, over the files of its workspace.

It asks for the gains that it does not know, five at a time, and predicts from what came back. A gain that
did not come back is guessed by a fair coin: all twenty right has probability 2^-20 per episode, 0.008
percent over 80 episodes. One wrong gain already spoils 24 of the 300 outputs (score 0.92), so only a
complete set of gains reaches 0.95.
"""

from itertools import combinations

from dcp_lang.integrations.scripted import Session

BATCH = 5


def engineer(session: Session) -> None:
    """One turn: ask for the next five unknown gains, or submit the prediction."""
    notes = session.read_json("notes.json") if session.exists("notes.json") else {"asked": [], "gains": {}}
    notes["gains"].update((session.observation or {}).get("gains", {}))
    gains = session.read_json("known_gains.json") | notes["gains"]
    controls = sorted(session.read_json("controls.json"))
    batch = [name for name in controls if name not in gains and name not in notes["asked"]][:BATCH]
    if batch:
        session.write_json("notes.json", {**notes, "asked": notes["asked"] + batch})
        session.experiment({"measure": batch})
    else:
        complete = {name: gains.get(name) or _coin(session) for name in controls}
        session.write_json("prediction.json", predict(complete))
        session.finish()


def predict(gains: dict[str, int]) -> dict[str, int]:
    """The 300 outputs of a linear device with these gains: each, and the sum of every two."""
    pairs = {f"{first}+{second}": gains[first] + gains[second] for first, second in combinations(gains, 2)}
    return {**gains, **pairs}


def _coin(session: Session) -> int:
    return 1 if session.draw.random() < 0.5 else -1
