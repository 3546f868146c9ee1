"""The worst inputs that anyone has thought of: as large as the cap on a source allows, or extreme in a number.

A shape of text fills what the caps on bytes and on tokens leave inside a sound registration, or is the whole input.
`bench/run.py` measures them; a test runs them under a limit on memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice, permutations
from pathlib import Path
from typing import TypeVar

from dcp_lang.syntax import MAX_BYTES
from dcp_lang.syntax.layout import MAX_TOKENS, counted
from dcp_lang.syntax.lexer import lex

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sqlite_web" / "registration.dcp"

U = TypeVar("U")

#: What is left of the cap on tokens beside the example's own.
_TOKENS = MAX_TOKENS - 1000

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

_LEFT = "x + score(no_index)"

#: The same with another number for every `#`, so that nothing can be remembered.
NUMBERED = {
    "distinct nearly known fields": "  titel# = 1\n",
    "distinct unknown names": "  require episodes# < 5\n",
    "distinct requires that fail": "  require ρ < 1 / 100#\n",
    "distinct deep requires": "  require # < " + "(" * 20 + "ρ + 1" + ")" * 20 + "\n",
    "distinct waivers": '  allow W501 because "it is so, as # says"\n',
    "distinct conditions on one unknown": "  require x < 1 / #\n",
    "distinct ranges of one unknown": "  require x < 1 / # and x < 1 / 2#\n",
    "distinct regions of two unknowns": f"  require {_LEFT} < 1.# and 2 * {_LEFT} < 1.2#\n",
    "distinct regions of many sides": "  require "
    + " or ".join(f"x * {n} + score(no_index) < 1.{n}#" for n in range(1, 9))
    + "\n",
    "distinct guards": "  require ρ < 1 / # when x < 1 / #\n",
    "distinct long sums that fail": "  require 0 > #" + " + ρ" * 50 + "\n",
    "distinct sums that hold": "  require ρ + ε < 1#\n",
    "distinct paths": "  require " + ".".join(["a#"] * 50) + " < 1\n",
    "distinct unknown units": "  require ρ < # u#\n",
    "blocks in another case": "  Thresholds { ρ = # }\n",
    "nested blocks that differ": "  a#" + "{a" * 20 + "=1" + "}" * 20 + "\n",
}

#: Two of that kind, each to half of the caps, the second after the first.
BOTH = {
    "waivers of unknown fields": ("  a# = 1\n", '  allow E101 because "#"\n'),
    "waivers of what is declared twice": ('  id = "#"\n', '  allow E102 because "#"\n'),
    "waivers of what fails": ("  require ρ < 1 / #\n", '  allow E209 because "#"\n'),
    "waivers of nothing": ("  a# = 1\n", '  allow W# because "#"\n'),
}

#: The same with the letters of a word in another order for every `#`: each is much like several known words.
ANAGRAMS = {
    "names that resemble many": ("  require # < 5\n", "lltsdmte_arun"),
    "blocks that resemble many": ("  # { }\n", "eaitlnors"),
}

#: Repeated to the cap as the whole input.
WHOLE = {
    **{f"only {mark!r}": mark for mark in "[({])}\"',=:.-#%;\\\r\n \t"},
    "words": "a ",
    "one word": "a",
    "digits": "1",
    "sum": "1+",
    "open calls": "a=f(1\n",
    "open blocks": "a{\n",
    "open blocks in one line": "a{",
    "closed blocks in one line": "a{}",
    "crossed brackets": "([)]",
    "wrong closers": "(]",
    "brackets one per line": "}\n",
    "open strings": 'a="\n',
    "registrations": "registration r : core { }\n",
    "uses": 'use "dcp.kernel/2"\n',
    "uses of one file": 'use file("registration.dcp")\n',
    "editions": "dcp 1\n",
    "look-alikes": "с ",
    "invisible": "\u200b",
    "not composed": 'a="e\u0301"\n',
    "too deep": "a=" + "[" * 33 + "]" * 33 + "\n",
    "NUL": "\0",
}

#: The whole input, more tokens than are read.
BEYOND = {"more blocks than are read": "a{}\n", "more words than are read": "a "}

#: The whole input: what comes first, and what is then repeated, each to its share of the cap.
SHARES = {
    "blanks after a value": ("a = 1", " ", "\t"),
    "lines after an open block of comments": ("a {\n", "#\n", "a\n"),
    "lines after open brackets": ("", "(", "\na"),
    "lines that close open blocks": ("", "a{", "}\n"),
    "nested round brackets": ("a = ", "(", ")"),
    "nested blocks": ("", "a{", "}"),
    "braces after round brackets": ("", "(", "}"),
    "one block, closed again and again": ("a {", "}\n", " }\n"),
    "fields after open brackets": ("", "(", "\na=1"),
    "fields after open square brackets": ("", "[", "\na=1"),
    "an open registration of blocks": ("dcp 1\nregistration r : core {\n", "a{}\n"),
}

#: What follows repeated to the cap in a registration that lacks everything else.
LACKING = {"nothing but unknown fields": "a# = 1\n", "nothing but unknown blocks": "a# { }\n"}

#: What lets any number of sessions through: money without end, and as many candidates as follow.
_RICH = (
    ("audit { cost = 5_000 USD", "audit { cost = 999_999_999_999_999 USD"),
    ("candidates = 162", "candidates = auto"),
)


#: The error budget of the example, as it is written there.
_SHARES = "".join(
    f"{line}\n"
    for line in (
        "errors 5% {",
        "    main = 0.5%",
        "    score = 0.5%",
        "    recovery = 1%",
        "    adequacy = 0.5%",
        "    evidence = 1%",
        "    sham = 1%",
        "    neutral = 0.5%",
        "  }",
    )
).rstrip()


def _expecting(what: str) -> tuple[str, str]:
    return "  require ε", f"  expect {{ {what} }}\n\n  require ε"


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
    "ten million sessions of which something is expected": (
        ("episodes = 96", "episodes = 10_000_000"),
        ("positive_controls = 45", "positive_controls = 10_000_000"),
        ("    pairs = 30", "    pairs = 10_000_000"),
        ("null_pairs = 60", "null_pairs = 10_000_000"),
        _expecting(
            "p_B = 0.1%, recall = 80.01%, truthful = 51.02%, neutral = 0%, null = 8.5%, assurance = 90%"
        ),
        *_RICH,
    ),
    "ten million pairs at the edge": (
        ("    pairs = 30", "    pairs = 10_000_000"),
        ("null_pairs = 60", "null_pairs = 10_000_000"),
        _expecting("truthful = 71.2%, neutral = 20%, null = 46%"),
        *_RICH,
    ),
    "truths beside their thresholds": (
        ("    pairs = 30", "    pairs = 400"),
        ("null_pairs = 60", "null_pairs = 400"),
        _expecting(
            "p_B = 0.001%, recall = 80.5%, truthful = 65%, neutral = 10%, null = 15%, losses = 5%, assurance = 99.9%"
        ),
        *_RICH,
    ),
    "a shared budget of 10^-7": (
        (_SHARES, "errors 0.00001% = auto"),
        ("episodes = 96", "episodes = auto"),
        ("positive_controls = 45", "positive_controls = auto"),
        ("    pairs = 30", "    pairs = auto"),
        ("null_pairs = 60", "null_pairs = auto"),
        *_RICH,
    ),
    "cubics with three roots": (
        (
            "  require ε",
            "".join(f"  require x * x * x - 0.{n} * x <= -0.01\n" for n in range(3, 9)) + "\n  require ε",
        ),
    ),
    "quotients of cubics": (
        (
            "  require ε",
            "".join(f"  require x / (x * x * x - x * x + 1.{n}) < 0.4\n" for n in range(3)) + "\n  require ε",
        ),
    ),
    "a fine lattice": (("    evaluator =", "    lattice = 1/999_999_999_999_999\n    evaluator ="),),
}


def shapes() -> dict[str, bytes]:
    """Every shape by its name; each at most as large as the cap on a source."""
    text = EXAMPLE.read_text("utf-8")
    bare = "dcp 1\nregistration r : evidence {\n}"
    found = {name: _inside(text, unit, _repeated) for name, unit in INSIDE.items()}
    found |= {name: _inside(text, unit, _numbered) for name, unit in NUMBERED.items()}
    found |= {name: _inside(text, units, _both) for name, units in BOTH.items()}
    found |= {name: _inside(text, unit, partial(_permuted, word)) for name, (unit, word) in ANAGRAMS.items()}
    found |= {name: _inside(bare, unit, _numbered) for name, unit in LACKING.items()}
    found |= {name: _repeated(unit, MAX_BYTES) for name, unit in WHOLE.items()}
    found |= {name: unit.encode() * (MAX_BYTES // len(unit)) for name, unit in BEYOND.items()}
    found |= {name: _shared(*parts) for name, parts in SHARES.items()}
    return found | {name: _edited(text, edits) for name, edits in NUMBERS.items()}


def _inside(text: str, unit: U, fill: Callable[[U, int], bytes]) -> bytes:
    head, tail = text.rstrip()[:-1].encode(), b"}\n"
    return head + fill(unit, MAX_BYTES - len(head) - len(tail)) + tail


def _times(unit: str, room: int, tokens: int = _TOKENS) -> int:
    """How often a unit fits into so many bytes and tokens; it may join with the next to one token."""
    size = counted(lex(unit * 64, lambda stop, _: stop + 1).tokens)
    most = room // len(unit.encode())
    return min(most, 64 * tokens // size) if size else most


def _repeated(unit: str, room: int, tokens: int = _TOKENS) -> bytes:
    return unit.encode() * _times(unit, room, tokens)


def _shared(first: str, *units: str) -> bytes:
    """Each as often as the one that fits least."""
    room = (MAX_BYTES - len(first)) // len(units)
    times = _times("".join(units), room * len(units))
    return first.encode() + b"".join(unit.encode() * times for unit in units)


def _both(units: tuple[str, str], room: int) -> bytes:
    return b"".join(_numbered(unit, room // 2, _TOKENS // 2) for unit in units)


def _numbered(unit: str, room: int, tokens: int = _TOKENS) -> bytes:
    """The unit with numbers from 10,000 on in the place of its `#`."""
    times = _times(unit.replace("#", "10000"), room, tokens)
    return "".join(unit.replace("#", str(10_000 + number)) for number in range(times)).encode()


def _permuted(word: str, unit: str, room: int) -> bytes:
    """The unit with the letters of a word in its first orders in the place of its `#`."""
    times = _times(unit.replace("#", word), room)
    orders = islice(permutations(word), times)
    return "".join(unit.replace("#", "".join(order)) for order in orders).encode()


def _edited(text: str, edits: tuple[tuple[str, str], ...]) -> bytes:
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.encode()
