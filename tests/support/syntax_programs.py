"""Programs made from the grammar itself: derivations of its rules, spelled with a free layout."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from hypothesis import strategies as st
from lark import Lark

from dcp_lang.syntax.generate import load_grammar

SPELLINGS = {
    "WORD": ["a", "b_1", "episodes", "δ_min", "ε", "profile", "p_B"],
    "UNIT": ["USD", "min", "units"],
    "NUMBER": ["0", "5", "0.5", "5%", "200_000", "0.005%", "123456789012345.123456789012"],
    "STRING": ['""', '"text"', '"a \\"b\\" \\\\ \\n"', '"""one\n  two"""', '"\u05d0 # {"', '"""a "b" c"""'],
    "EDITION": ["dcp"],
    "NEWLINE": ["\n"],
}


@cache
def grammar() -> Lark:
    return load_grammar()


@cache
def _heights() -> dict[str, int]:
    """The least depth of a derivation of each symbol; BROKEN has none."""
    heights: dict[str, int] = {}
    for _ in range(len(grammar().rules)):
        for rule in grammar().rules:
            parts = [_height(s.name, s.is_term, heights) for s in rule.expansion]
            if None not in parts:
                height = 1 + max([p for p in parts if p is not None], default=0)
                name = str(rule.origin.name)
                heights[name] = min(height, heights.get(name, height))
    return heights


def _height(name: str, is_terminal: bool, heights: dict[str, int]) -> int | None:
    if is_terminal:
        return None if name == "BROKEN" else 0
    return heights.get(name)


@st.composite
def token_kinds(draw: st.DrawFn, size: int = 40) -> list[str]:
    """The terminals of a derivation of `file`, with about `size` reductions before it closes."""
    kinds: list[str] = []
    stack = [("file", False)]
    fuel = size
    while stack:
        name, is_terminal = stack.pop()
        if is_terminal:
            kinds.append(name)
            continue
        fuel -= 1
        rules = [
            r
            for r in grammar().rules
            if r.origin.name == name and "BROKEN" not in [s.name for s in r.expansion]
        ]
        if fuel < 0:
            rules = [
                min(
                    rules,
                    key=lambda r: max(
                        [_height(s.name, s.is_term, _heights()) or 0 for s in r.expansion], default=0
                    ),
                )
            ]
        rule = draw(st.sampled_from(rules))
        stack += [(str(s.name), s.is_term) for s in reversed(rule.expansion)]
    return kinds


_COMMENTS = ["# note", "#", "# δ … {", "# a, b = 3"]


@st.composite
def programs(draw: st.DrawFn, size: int = 40) -> str:
    """A text without faults: blanks, blank lines and comments wherever the language leaves them free."""
    marks = {t.name: t.pattern.value for t in grammar().terminals}
    text: list[str] = []
    inside: list[str] = []
    kinds = draw(token_kinds(size))
    for kind, following in pairwise([*kinds, ""]):
        if kind in ("LPAR", "LSQB", "LBRACE"):
            inside.append(kind)
        elif kind in ("RPAR", "RSQB", "RBRACE"):
            inside.pop()
        if kind == "NEWLINE":
            text.append(
                draw(
                    st.sampled_from(
                        ["\n", "\n\n", " # note\n", "\n# own\n", "\n\n\n# own\n\n", "\r\n", "# x \t\n"]
                    )
                )
            )
            continue
        text.append(draw(st.sampled_from(SPELLINGS[kind])) if kind in SPELLINGS else marks[kind])
        is_free = bool(inside) and inside[-1] != "LBRACE" and following != "UNIT"
        blanks = [" ", "  ", "\t ", *(["\n", " # in\n", "\n\n# in\n "] if is_free else [])]
        text.append(draw(st.sampled_from(blanks)))
    return "".join(text)
