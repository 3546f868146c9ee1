"""Runs the LALR(1) tables over tokens with a stack of its own, so no input can exhaust Python's."""

from __future__ import annotations

from collections.abc import Callable

from dcp_lang.record import TYPE_CHECKING
from dcp_lang.syntax import tables
from dcp_lang.syntax.build import Builder
from dcp_lang.syntax.lexer import Token

if TYPE_CHECKING:
    from typing import Any, TypeAlias

#: Called where no rule allows the token at an index, with the states and the values read so far (the value i
#: lies between the states i and i + 1). Changes both so that reading goes on at the index it returns.
Recover: TypeAlias = "Callable[[list[int], list[Any], int], int]"


def run(tokens: list[Token], builder: Builder, recover: Recover) -> Any:
    """What the builder makes of the whole; `tokens` are laid out and close with the end of the file."""
    rules, actions, gotos, jumps = builder.rules, tables.ACTIONS, tables.GOTOS, tables.JUMPS
    states: list[int] = [0]
    values: list[Any] = []
    index = 0
    while True:
        token = tokens[index]
        kind = token[0]
        action = actions[states[-1]].get(kind)
        while action is not None and action < 0:
            lhs, size, build = rules[-1 - action]
            if size == 1:
                states.pop()
                if build:
                    values[-1] = build(builder, values[-1:])
            else:
                cut = len(values) - size
                parts = values[cut:]
                del values[cut:], states[cut + 1 :]
                values.append(build(builder, parts) if build else parts[0])
            below = states[-1]
            jump = jumps[below].get(lhs)
            state = (jump and jump[kind]) or gotos[below][lhs]
            states.append(state)
            action = actions[state].get(kind)
        if action is None:
            index = recover(states, values, index)
        elif action == 0:
            return values[0]
        else:
            states.append(action)
            values.append(token)
            index += 1
