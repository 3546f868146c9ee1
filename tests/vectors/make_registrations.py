"""Write the vectors that are whole registrations: `python tests/vectors/make_registrations.py`.

`registrations/sound.json` is what `registration.dcp` freezes to (a test holds it to that, and rewrites it with
`--accept`); every other file is that one with one thing changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOLDER = HERE / "registrations"
SOUND = FOLDER / "sound.json"
EPISODES = "gate.recovery.episodes"
SIZE = f"/plan/sizes/{EPISODES}"
OTHER = "sha256:" + hashlib.sha256(b"other").hexdigest()

Change = Callable[[dict[str, Any]], Any]


def _value(path: str, to: Any) -> Change:
    return lambda v: v["fields"][path].update(value=to)


def _size(**to: Any) -> Change:
    return lambda v: v["plan"]["sizes"][EPISODES].update(to)


def _certificate(**to: Any) -> Change:
    return lambda v: v["plan"]["sizes"][EPISODES]["certificate"].update(to)


def _part(which: str, **to: Any) -> Change:
    return lambda v: v["plan"]["sizes"][EPISODES]["certificate"][which][0].update(to)


def _declare(n: int) -> Change:
    """n throughout, as someone would write who edits the file with care; only the source is left as it was."""

    def change(v: dict[str, Any]) -> None:
        v["fields"][EPISODES]["value"] = n
        v["plan"]["sizes"][EPISODES].update(declared=n, used=n)
        v["plan"]["sizes"][EPISODES]["certificate"]["planned"] = n
        v["plan"]["sessions"] += n - 96

    return change


def _source(old: str, new: str) -> Change:
    return lambda v: v.update(source=v["source"].replace(old, new, 1))


#: kind: {name: (change, JSON pointer of what a reader reports, why)}
REJECT: dict[str, dict[str, tuple[Change, str, str]]] = {
    "digest": {
        "profile-edited": (
            lambda v: v["profiles"][0].update(source=v["profiles"][0]["source"].replace("5%", "50%", 1)),
            "/profiles/0/sha256",
            "the rules in force are not those of their digest",
        ),
        "profile-digest": (
            lambda v: v["profiles"][0].update(sha256=OTHER),
            "/profiles/0/sha256",
            "the digest of another text",
        ),
        "manifest-file-edited": (
            lambda v: v["fields"]["information.given.workspace"]["value"]["files"][0].update(sha256=OTHER),
            "/fields/information.given.workspace/value/sha256",
            "a file of the folder was exchanged",
        ),
        "manifest-size": (
            lambda v: v["fields"]["information.given.workspace"]["value"]["files"][0].update(size=2),
            "/fields/information.given.workspace/value/sha256",
            "the manifest is hashed with the sizes",
        ),
    },
    "certificate": {
        "rho-edited": (_value("thresholds.rho", "0.049"), SIZE, "the certificate is of another threshold"),
        "alpha-edited": (_value("errors.recovery", "0.009"), SIZE, "the certificate is of another alpha"),
        "least-less": (_size(least=89), SIZE, "the certificate is of another n"),
        "used-less": (_size(used=95), SIZE, "another n is registered"),
        "base-smaller": (_part("at_n", p="0.94"), SIZE, "true, but not what is needed"),
        "base-larger": (_part("at_n", p="0.951"), SIZE, "(951/1000)^90 > 1/100"),
        "bound-larger": (_part("at_n", bound="0.02"), SIZE, "true, but not what is needed"),
        "relation-turned": (_part("below", relation="<="), SIZE, "(19/20)^89 > 1/100"),
        "below-missing": (_certificate(below=[]), SIZE, "nothing shows that 89 do not suffice"),
        "limit-too-good": (_certificate(bound="0.0468"), SIZE, "(1 - 0.0468)^96 > 1/100"),
        "limit-beyond": (_certificate(bound="0.06"), SIZE, "0.06 does not reach 0.05"),
        "below-the-least": (_declare(89), SIZE, "89 is below the least n, 90"),
        "missing": (
            lambda v: v["plan"]["sizes"][EPISODES].pop("certificate"),
            SIZE,
            "every size has a certificate",
        ),
    },
    "sum": {
        "overspent-by-little": (
            _value("errors.neutral", "0.005000000001"),
            "/fields/errors.total/value",
            "sums are exact: no tolerance",
        ),
        "sessions": (lambda v: v["plan"].update(sessions=1), "/plan/sessions", "both arms of a pair count"),
    },
    "field": {
        "percent": (_value("thresholds.rho", "5%"), "/fields/thresholds.rho/value", "0.05 is its spelling"),
        "trailing-zero": (_value("thresholds.rho", "0.050"), "/fields/thresholds.rho/value", "is 0.05"),
        "not-reduced": (_value("thresholds.epsilon", "2/140"), "/fields/thresholds.epsilon/value", "is 1/70"),
        "decimal-as-ratio": (_value("thresholds.rho", "1/20"), "/fields/thresholds.rho/value", "is 0.05"),
        "integer-for-number": (_value("thresholds.rho", 1), "/fields/thresholds.rho/value", "is a text"),
        "rho-1": (_value("thresholds.rho", "1"), "/fields/thresholds.rho/value", "a bar that nothing fails"),
        "recall-0": (_value("thresholds.recall_min", "0"), "/fields/thresholds.recall_min/value", "likewise"),
        "gain-0": (_value("thresholds.delta_min", "0"), "/fields/thresholds.delta_min/value", "likewise"),
        "count-text": (_value(EPISODES, "96"), f"/fields/{EPISODES}/value", "counts are integers"),
        "count-true": (_value(EPISODES, True), f"/fields/{EPISODES}/value", "true is not 1"),
        "count-0": (_value(EPISODES, 0), f"/fields/{EPISODES}/value", "at least one"),
        "unit": (
            _value("budget.session.time", {"amount": "30", "unit": "min"}),
            "/fields/budget.session.time/value",
            "time is in seconds",
        ),
        "choice": (_value("mode", {"choice": "later"}), "/fields/mode/value", "no such mode"),
        "origin": (
            lambda v: v["fields"]["title"].update(origin="guessed"),
            "/fields/title/origin",
            "no such origin",
        ),
        "unknown-field": (
            lambda v: v["fields"].update(rho=v["fields"]["thresholds.rho"]),
            "/fields/rho",
            "no such field",
        ),
        "unknown-key": (lambda v: v.update(note=""), "", "no key is optional, none may be added"),
        "missing-key": (lambda v: v.pop("waivers"), "", "no key is optional"),
        "other-schema": (lambda v: v.update(schema="dcp-lang/registration/2"), "/schema", "another format"),
        "digest-newline": (
            lambda v: v["slot"].update(receipt=v["slot"]["receipt"] + "\n"),
            "/slot/receipt",
            "passes `$` in many regular expressions",
        ),
        "item-twice": (
            _value("model.tools", ["read", "read"]),
            "/fields/model.tools/value/1",
            "a list has no item twice",
        ),
        "manifest-order": (
            lambda v: v["fields"]["information.given.workspace"]["value"].update(
                files=[
                    {"path": "b", "sha256": OTHER, "size": 1},
                    {"path": "a", "sha256": OTHER, "size": 1},
                ]
            ),
            "/fields/information.given.workspace/value/files",
            "files stand in the order of their paths",
        ),
    },
    "stale": {
        "source-edited": (
            _source("rho = 0.05", "rho = 0.049"),
            "/fields/thresholds.rho/value",
            "the source says 0.049, the field 0.05",
        ),
        "source-comment": (
            _source("registration vector", "# a comment\nregistration vector"),
            "/source",
            "the source is the normal form, which has no comments",
        ),
        "title-edited": (_value("title", "Another"), "/fields/title/value", "the source says another title"),
        "default-as-declared": (
            lambda v: v["fields"]["gate.recovery.valid_rate"].update(origin="declared"),
            "/fields/gate.recovery.valid_rate/origin",
            "nobody declared it",
        ),
        "more-in-all-places-but-the-source": (
            _declare(97),
            f"/fields/{EPISODES}/value",
            "the certificate holds, the source says 96",
        ),
        "rule-proved": (
            lambda v: next(r for r in v["rules"] if r["status"] != "proved").update(status="proved"),
            "/rules/#/status",
            "it depends on x",
        ),
        "rule-left-out": (lambda v: v["rules"].pop(), "/rules", "every rule has its status"),
        "obligation-left-out": (
            lambda v: v["obligations"].pop(),
            "/obligations",
            "the verifier would not discharge it",
        ),
        "contract-edited": (
            lambda v: v["contracts"].update(interface=OTHER),
            "/contracts/interface",
            "not the digest of the contract that the fields give",
        ),
        "slot-edited": (lambda v: v["slot"].update(id="another"), "/slot/id", "nobody reserved it"),
        "waiver-added": (
            lambda v: v["waivers"].append(dict.fromkeys(("code", "name", "message", "reason"), "W204")),
            "/waivers",
            "the source allows nothing",
        ),
    },
}


def build() -> dict[str, bytes]:
    """All files by name below `registrations/`, the index included."""
    sound = SOUND.read_bytes()
    files, rows = {"sound.json": sound}, []
    for kind, cases in REJECT.items():
        for name, (change, pointer, why) in cases.items():
            value = json.loads(sound)
            change(value)
            text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            files[f"{kind}-{name}.json"] = text.encode()
            rows.append({"file": f"{kind}-{name}.json", "kind": kind, "pointer": pointer, "why": why})
    digest = "sha256:" + hashlib.sha256(sound).hexdigest()
    index = {
        "format": "dcp-lang/vectors-1",
        "accept": [{"file": "sound.json", "digest": digest}],
        "reject": rows,
    }
    files["index.json"] = json.dumps(index, indent=1, ensure_ascii=False).encode() + b"\n"
    return files


def write() -> None:
    """Replace the vectors beside `sound.json`."""
    files = build()
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name, data in files.items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    write()
