"""The worst inputs that anyone has thought of: as large as the cap on a source allows, or extreme in a number.

A shape of text fills what the cap leaves inside a sound registration, or is the whole input. `bench/run.py` measures
them; a test runs them under a limit on memory.
"""

from __future__ import annotations

from pathlib import Path

from dcp_lang.syntax import MAX_BYTES

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sqlite_web" / "registration.dcp"

#: Repeated to the cap inside the registration's block.
INSIDE = {
    "requires": "  require ε < x - score(no_index)\n",
    "requires that fail": "  require ρ < 1%\n",
    "requires that repeat a long sum": "  require 0 < " + "ρ + " * 100 + "1\n",
    "requires on unknown names": "  require episods < 5\n",
    "nested sums": "  require 0 < (((((((((((1)))))))))))\n",
    "unknown fields": "  a = 1\n",
    "nearly known fields": "  titel = 1\n",
    "unknown blocks": "  a { }\n",
    "same fields": '  id = "a"\n',
    "same blocks": "  thresholds { ρ = 5% }\n",
    "waivers": '  allow W501 because "it is so"\n',
    "attestations": "  attestations = [materials_readable, materials_readable]\n",
    "comments": "  # nothing\n",
    "empty lines": "\n",
    "empty fields": "  a =\n",
    "long texts": '  claim = "' + "a" * 4000 + '"\n',
}

#: Repeated to the cap as the whole input.
WHOLE = {
    **{f"only {mark!r}": mark for mark in "[({])}\"',=:.-#%;\\\r\n"},
    "words": "a ",
    "one word": "a",
    "digits": "1",
    "sum": "1+",
    "open calls": "a=f(1\n",
    "open blocks": "a{\n",
    "open strings": 'a="\n',
    "registrations": "registration r : core { }\n",
    "uses": 'use "dcp.kernel/2"\n',
    "editions": "dcp 1\n",
    "look-alikes": "с ",
    "invisible": "\u200b",
    "not composed": 'a="e\u0301"\n',
    "too deep": "a=" + "[" * 33 + "]" * 33 + "\n",
    "NUL": "\0",
}

#: What lets any number of sessions through: money without end, and as many candidates as follow.
_RICH = (
    ("audit { cost = 5_000 USD", "audit { cost = 999_999_999_999_999 USD"),
    ("candidates = 162", "candidates = auto"),
)

#: Numbers at the ends of their ranges: what is written in the example, and what instead.
NUMBERS = {
    "ten million units": (("exhaustive(1 unit,", "exhaustive(10_000_000 units,"),),
    "ten million episodes": (("episodes = 96", "episodes = 10_000_000"), *_RICH),
    "ten million positive controls": (("positive_controls = 45", "positive_controls = 10_000_000"), *_RICH),
    "ten million pairs": (("    pairs = 30", "    pairs = 10_000_000"), *_RICH),
    "ten million null pairs": (("null_pairs = 60", "null_pairs = 10_000_000"), *_RICH),
    "the greatest count": (("episodes = 96", "episodes = 999_999_999_999_999"), *_RICH),
    "a tiny ρ": (("ρ = 5%", "ρ = 0.000001"), ("episodes = 96", "episodes = auto"), *_RICH),
    "a recall of nearly 1": (
        ("recall_min = 0.8", "recall_min = 0.99999"),
        ("controls = 45", "controls = auto"),
        *_RICH,
    ),
    "a tiny sham band": (
        ("δ_sham = 0.17", "δ_sham = 0.0001"),
        ("null_pairs = 60", "null_pairs = auto"),
        *_RICH,
    ),
    "a tiny error": (("sham = 1%", "sham = 0.0000000001%"), ("null_pairs = 60", "null_pairs = auto"), *_RICH),
    "a fine lattice": (("    evaluator =", "    lattice = 1/999_999_999_999_999\n    evaluator ="),),
}


def shapes() -> dict[str, bytes]:
    """Every shape by its name; each at most as large as the cap on a source."""
    text = EXAMPLE.read_text("utf-8")
    found = {name: _inside(text, unit) for name, unit in INSIDE.items()}
    found |= {name: _repeated(unit, MAX_BYTES) for name, unit in WHOLE.items()}
    return found | {name: _edited(text, edits) for name, edits in NUMBERS.items()}


def _inside(text: str, unit: str) -> bytes:
    head, tail = text.rstrip()[:-1].encode(), b"}\n"
    return head + _repeated(unit, MAX_BYTES - len(head) - len(tail)) + tail


def _repeated(unit: str, room: int) -> bytes:
    return unit.encode() * (room // len(unit.encode()))


def _edited(text: str, edits: tuple[tuple[str, str], ...]) -> bytes:
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.encode()
