"""The scripted agent of the device audit: one policy, for every phase, over the files of its workspace.

It asks for the gains that it does not know, five at a time, and predicts from what came back. A gain that
did not come back is guessed by a fair coin: all twenty right has probability 2^-20 per episode, 0.008
percent over 80 episodes. One wrong gain already spoils 24 of the 300 outputs (score 0.92), so only a
complete set of gains reaches 0.95.
"""

from itertools import combinations

from dcp_lang.integrations.scripted import Session

CONTROLS = [f"c{number:02d}" for number in range(1, 25)]
BATCH = 5


def engineer(session: Session) -> None:
    """One turn: ask for the next five unknown gains, or submit the prediction."""
    notes = session.read_json("notes.json") if session.exists("notes.json") else {"asked": [], "gains": {}}
    notes["gains"].update((session.observation or {}).get("gains", {}))
    gains = session.read_json("known_gains.json") | notes["gains"]
    batch = [name for name in CONTROLS if name not in gains and name not in notes["asked"]][:BATCH]
    if batch:
        session.write_json("notes.json", {**notes, "asked": notes["asked"] + batch})
        session.experiment({"measure": batch})
    else:
        session.write_json(
            "prediction.json", predict({name: gains.get(name) or _coin(session) for name in CONTROLS})
        )
        session.finish()


def predict(gains: dict[str, int]) -> dict[str, int]:
    """The 300 outputs of a linear device with these gains: each, and the sum of every two."""
    pairs = {f"{first}+{second}": gains[first] + gains[second] for first, second in combinations(CONTROLS, 2)}
    return {**gains, **pairs}


def _coin(session: Session) -> int:
    return 1 if session.draw.random() < 0.5 else -1
