"""What a command takes, as a table; and argument lists that are certainly valid, read by it.

Importing click costs as much as checking a file. So the most used commands declare their parameters here: `group.py`
makes click's command of them, and `read` reads the plain cases without it. Whatever is not plain (a mistake, `--help`,
an abbreviation, `--`) is left to click.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dcp_lang.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import Any


class RefusalError(Exception):
    """What was asked for cannot be done; the message says why, in one line."""


class MisuseError(RefusalError):
    """An argument list that is not plainly valid. Raised before anything is done: click reads it again."""


class Option(Record):
    """`--name VALUE`, one of the choices where there are any; a flag takes no value."""

    name: str
    parameter: str
    help: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    is_flag: bool = False


class Command(Record):
    """A command of one or more arguments: its name, what it runs, what its arguments are called, its options."""

    name: str
    run: Callable[..., int]
    arguments: str
    options: tuple[Option, ...]


def read(command: Command, words: Sequence[str]) -> dict[str, Any]:
    """The values by parameter that click would read; raises `MisuseError` where that is not certain."""
    options = {option.name: option for option in command.options}
    values: dict[str, Any] = {o.parameter: False if o.is_flag else o.default for o in command.options}
    arguments: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            arguments.append(word)
            continue
        name, equals, value = word.partition("=")
        option = options.get(name)
        if option is None or (option.is_flag and equals):
            raise MisuseError
        values[option.parameter] = (
            True if option.is_flag else _value(option, value if equals else next(rest, "-"))
        )
    if not arguments:
        raise MisuseError
    return {command.arguments: tuple(arguments), **values}


def _value(option: Option, word: str) -> str:
    if word.startswith("-") or (option.choices and word not in option.choices):
        raise MisuseError
    return word
