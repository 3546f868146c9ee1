"""Says in plain words what stands where it may not, and what may stand there."""

from __future__ import annotations

from dcp_lang.syntax import tables

#: What a set of terminals amounts to, most telling first: all that are needed, and the words for them.
_MEANINGS: tuple[tuple[frozenset[int], str], ...] = (
    (frozenset({tables.USE, tables.WORD}), "a statement"),
    (frozenset({tables.NUMBER, tables.LPAR}), "a value"),
    (frozenset({tables.EQUAL, tables.LBRACE}), "`=` or `{`"),
    (frozenset({tables.COMMA, tables.RPAR}), "`,` or `)`"),
    (frozenset({tables.COMMA, tables.RSQB}), "`,` or `]`"),
    (frozenset({tables.RPAR}), "`)`"),
    (frozenset({tables.END}), "the end of the statement"),
    (frozenset({tables.RBRACE}), "the end of the statement"),
    (frozenset({tables.NEWLINE}), "the end of the statement"),
    (frozenset({tables.STRING}), "a string in quotes"),
    (frozenset({tables.NUMBER}), "a number"),
    (frozenset({tables.WORD}), "a name"),
    (frozenset({tables.BECAUSE}), "`because`"),
    (frozenset({tables.EQUAL}), "`=`"),
    (frozenset({tables.LBRACE}), "`{`"),
)


def acceptable(states: list[int]) -> frozenset[int]:
    """The terminals that may come next: those that the tables shift after any reductions."""
    return frozenset(kind for kind in range(tables.RSQB + 1) if _accepts(states, kind))


def _accepts(states: list[int], kind: int) -> bool:
    stack = list(states)
    while (action := tables.ACTIONS[stack[-1]].get(kind)) is not None:
        if action >= 0:
            return True
        lhs, size, _ = tables.RULES[-1 - action]
        del stack[len(stack) - size :]
        stack.append(tables.GOTOS[stack[-1]][lhs])
    return False


def describe_expected(kinds: frozenset[int]) -> str:
    """`a value`, "`,` or `)`", `the end of the statement`."""
    return next((meaning for needed, meaning in _MEANINGS if needed <= kinds), "another word or sign")


def describe_found(kind: int, text: str) -> str:
    """`end of line`, "number `5`", "`=`"."""
    shown = text if len(text) <= 40 else text[:39] + "…"
    names = {
        tables.WORD: f"name `{shown}`",
        tables.UNIT: f"name `{shown}`",
        tables.NUMBER: f"number `{shown}`",
    }
    fixed = {tables.NEWLINE: "end of line", tables.END: "end of file", tables.STRING: "string"}
    return fixed.get(kind) or names.get(kind) or f"`{shown}`"
