"""Writes `tables.py` from `grammar/dcp.lark`: the lexer pattern and the LALR(1) tables, built once.

`python -m dcp_lang.syntax.generate` writes the file; `tables_text()` gives what it would write. States are
numbered in the order in which a walk from the start reaches them: the same grammar, the same bytes anywhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lark import Lark
from lark.grammar import Rule
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift

from dcp_lang.resources import grammar_text

TABLES = Path(__file__).with_name("tables.py")
START = "file"

#: For each rule its nonterminal, its length and its builder.
Rules: TypeAlias = list[tuple[int, int, str | None]]

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
    return Lark(grammar_text(), parser="lalr", start=START, **options)


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


def jumps(table: Table, rules: Rules) -> list[dict[int, dict[int, int]]]:
    """For each state, nonterminal and next terminal, the state after all reductions that hand a child on.

    Nine levels of precedence make most reductions of that kind. Taking them at once leaves the parser the
    same; where the terminal is not allowed at the end of them, it goes step by step.
    """
    found: list[dict[int, dict[int, int]]] = []
    for state, row in enumerate(table.gotos):
        found.append({})
        for nonterminal, first in row.items():
            ends = {kind: _jump(table, rules, state, first, kind) for kind in table.actions[first]}
            far = {kind: end for kind, end in ends.items() if end not in (None, first)}
            if far:
                found[state][nonterminal] = far
    return found


def _jump(table: Table, rules: Rules, state: int, at: int, kind: int) -> int | None:
    """The state after the reductions that follow on a goto from `state` to `at`."""
    while (action := table.actions[at].get(kind)) is not None and action < 0:
        nonterminal, size, builder = rules[-1 - action]
        if size != 1 or builder is not None:
            break
        at = table.gotos[state][nonterminal]
    return None if action is None else at


def action_row(row: dict[int, int]) -> str:
    """The actions of a state, in the form that is loaded faster: most states have one for every terminal they know."""
    same = set(row.values())
    return f"_same({bytes(row)!r}, {same.pop()})" if len(same) == 1 < len(row) else repr(row)


def jump_rows(found: list[dict[int, dict[int, int]]], width: int) -> list[str]:
    """The jumps, a byte per terminal, each distinct one written once. No jump leads to state 0."""
    shared: dict[bytes, int] = {}
    for row in found:
        for jump in row.values():
            shared.setdefault(_bytes(jump, width), len(shared))
    named = [", ".join(f"{n}: _J[{shared[_bytes(jump, width)]}]" for n, jump in row.items()) for row in found]
    return [
        *constant("_J", "tuple[bytes, ...]", list(map(repr, shared)), 1),
        "#: For each state and nonterminal: by terminal the state after all that only hands a child on, 0 for none.",
        *constant("JUMPS", "tuple[dict[int, bytes], ...]", ["{" + row + "}" for row in named], 10),
    ]


def _bytes(jump: dict[int, int], width: int) -> bytes:
    return bytes(jump.get(kind, 0) for kind in range(width))


def builder_name(rule: Rule) -> str | None:
    """The builder of a rule; None for a rule that hands its first child on."""
    name = str(rule.alias or rule.origin.name)
    is_single = len(rule.expansion) == 1 and rule.options.expand1 and not rule.alias
    return None if is_single or name.startswith("_") else name


def pattern_text(lark: Lark) -> str:
    """One pattern: free blanks, then a group per regex terminal, one for marks, one for whatever else."""
    marks = [t.pattern.value for t in spellings(lark) if not t.pattern.value.isalpha()]
    long = [re.escape(mark) for mark in marks if len(mark) > 1]
    short = "[" + "".join(_member(mark) for mark in marks if len(mark) == 1) + "]"
    groups = [*(t.pattern.value for t in patterns(lark)), "|".join([*long, short]), r"[^ \t]"]
    return r"[ \t]*+(?:" + "|".join(f"({group})" for group in groups) + ")"


def _member(mark: str) -> str:
    """A character of a set of the pattern; escaped only where it must be, which compiles faster."""
    return "\\" + mark if mark in "]\\^-" else mark


def constant(name: str, kind: str, cells: list[str], width: int) -> list[str]:
    """A tuple with `width` cells to a line."""
    lines = [cells[i : i + width] for i in range(0, len(cells), width)]
    return [
        f"{name}: {kind} = (",
        *("    " + " ".join(f"{cell}," for cell in line) for line in lines),
        ")",
        "",
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
    lines += ["#: The terminal of each word and sign that the grammar spells out."]
    pairs = ", ".join(f"{t.pattern.value!r}: {t.name}" for t in spellings(lark))
    lines += [f"SPELLINGS = {{{pairs}}}", ""]
    lines += ["#: For each rule: its nonterminal, its length, its builder (None hands the first child on)."]
    lines += constant("RULES", "tuple[tuple[int, int, str | None], ...]", list(map(repr, rules)), 3)
    lines += ["#: For each state: terminal to next state, 0 to accept, minus (rule + 1) to reduce."]
    lines += ["_same = dict.fromkeys"]
    lines += constant("ACTIONS", "tuple[dict[int, int], ...]", list(map(action_row, table.actions)), 2)
    lines += ["#: For each state: nonterminal to next state."]
    lines += constant("GOTOS", "tuple[dict[int, int], ...]", list(map(repr, table.gotos)), 10)
    lines += jump_rows(jumps(table, rules), len(symbols.terminals))
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    TABLES.write_text(tables_text(), "utf-8", newline="\n")
