"""Writes `tables.py` from `grammar/dcp.lark`: the lexer pattern and the LALR(1) tables, built once.

`python -m dcp_lang.syntax.generate` writes the file; `tables_text()` gives what it would write. States are
numbered in the order in which a walk from the start reaches them: the same grammar, the same bytes anywhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift

GRAMMAR = Path(__file__).parents[2] / "grammar" / "dcp.lark"
TABLES = Path(__file__).with_name("tables.py")
START = "file"

#: The nonterminals that recovery needs to know.
KNOWN = {"HEAD": "head", "STATEMENT": "statement", "SEPARATOR": "_separator"}

HEADER = '''"""Generated from grammar/dcp.lark by `python -m dcp_lang.syntax.generate`. Do not edit."""

# fmt: off
# ruff: noqa: E501

import re
'''


class Symbols(NamedTuple):
    """The numbers of terminals (0 is the end of the file) and of nonterminals."""

    terminals: dict[str, int]
    nonterminals: dict[str, int]


class Table(NamedTuple):
    """Actions and gotos by state, 0 the start: a next state, 0 to accept, minus (rule + 1) to reduce."""

    actions: list[dict[int, int]]
    gotos: list[dict[int, int]]


def load_grammar(**options: Any) -> Lark:
    """The grammar as Lark reads it. Raises `lark.exceptions.GrammarError` when it is not LALR(1)."""
    return Lark(GRAMMAR.read_text("utf-8"), parser="lalr", start=START, **options)


def patterns(lark: Lark) -> list[TerminalDef]:
    """The regex terminals that make tokens, in the order of the grammar; the first that matches wins."""
    return [t for t in lark.terminals if not isinstance(t.pattern, PatternStr) and t.name != "BLANK"]


def spellings(lark: Lark) -> list[TerminalDef]:
    """The string terminals, in the order of the grammar."""
    return [t for t in lark.terminals if isinstance(t.pattern, PatternStr)]


def number_symbols(lark: Lark) -> Symbols:
    """Regex terminals come first, so that a group of the lexer pattern and its terminal share a number."""
    found = [t.name for t in patterns(lark)]
    names = ["END", *found, "MARK", "UNIT", "BROKEN", *(t.name for t in spellings(lark))]
    origins = dict.fromkeys(str(rule.origin.name) for rule in lark.rules)
    return Symbols({n: i for i, n in enumerate(names)}, {n: i for i, n in enumerate(origins)})


def number_states(lark: Lark, symbols: Symbols) -> Table:
    """Lark's parse table with states renumbered by a breadth-first walk in the order of symbol names."""
    table: Any = lark.parser.parser._parse_table
    order = [table.start_states[START]]
    found = Table([], [])
    for state in order:
        actions: dict[int, int] = {symbols.terminals["END"]: 0} if state == table.end_states[START] else {}
        gotos: dict[int, int] = {}
        for name, (action, target) in sorted(table.states[state].items()):
            if action is Shift and target not in order:
                order.append(target)
            code = order.index(target) if action is Shift else -1 - lark.rules.index(target)
            if name in symbols.nonterminals:
                gotos[symbols.nonterminals[name]] = code
            else:
                actions[symbols.terminals["END" if name == "$END" else name]] = code
        found.actions.append(actions)
        found.gotos.append(gotos)
    return found


def builder_name(rule: Rule) -> str | None:
    """The builder of a rule; None for a rule that hands its first child on."""
    name = str(rule.alias or rule.origin.name)
    is_single = len(rule.expansion) == 1 and rule.options.expand1 and not rule.alias
    return None if is_single or name.startswith("_") else name


def pattern_text(lark: Lark) -> str:
    """One pattern: free blanks, then a group per regex terminal, one for marks, one for whatever else."""
    marks = [t.pattern.value for t in spellings(lark) if not t.pattern.value.isalpha()]
    long = [re.escape(mark) for mark in marks if len(mark) > 1]
    short = "[" + "".join(re.escape(mark) for mark in marks if len(mark) == 1) + "]"
    groups = [*(t.pattern.value for t in patterns(lark)), "|".join([*long, short]), r"[^ \t]"]
    return r"[ \t]*+(?:" + "|".join(f"({group})" for group in groups) + ")"


def rows(name: str, kind: str, values: list[Any]) -> list[str]:
    """A module constant with one row per line."""
    return [f"{name}: {kind} = (", *(f"    {value!r}," for value in values), ")", ""]


def packed(values: list[dict[int, int]]) -> list[str]:
    """The same with the short rows ten to a line."""
    return [
        "    " + " ".join(f"{value!r}," for value in values[i : i + 10]) for i in range(0, len(values), 10)
    ]


def tables_text() -> str:
    """The text of `tables.py`."""
    lark = load_grammar()
    symbols = number_symbols(lark)
    table = number_states(lark, symbols)
    rules = [(symbols.nonterminals[r.origin.name], len(r.expansion), builder_name(r)) for r in lark.rules]
    lines = [HEADER]
    lines += [f"{name} = {number}" for name, number in symbols.terminals.items()]
    lines += ["", "#: The nonterminals that recovery needs to know."]
    lines += [f"{name}_RULE = {symbols.nonterminals[rule]}" for name, rule in KNOWN.items()]
    lines += ["", f"PATTERN = re.compile({pattern_text(lark)!r})", ""]
    lines += ["#: The terminal of each word and mark that the grammar spells out."]
    pairs = ", ".join(f"{t.pattern.value!r}: {t.name}" for t in spellings(lark))
    lines += [f"SPELLINGS = {{{pairs}}}", ""]
    lines += ["#: For each rule: its nonterminal, its length, its builder (None hands the first child on)."]
    lines += rows("RULES", "tuple[tuple[int, int, str | None], ...]", rules)
    lines += ["#: For each state: terminal to next state, 0 to accept, minus (rule + 1) to reduce."]
    lines += rows("ACTIONS", "tuple[dict[int, int], ...]", table.actions)
    lines += ["#: For each state: nonterminal to next state."]
    lines += ["GOTOS: tuple[dict[int, int], ...] = (", *packed(table.gotos), ")"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLES.write_text(tables_text(), "utf-8", newline="\n")
