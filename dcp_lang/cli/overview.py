"""`dcpc --help`: every command on one page, made from the table without click, as click would show it."""

from __future__ import annotations

from collections.abc import Iterable
from shutil import get_terminal_size
from textwrap import wrap

from dcp_lang.cli import ABOUT, COMMANDS

_OPTIONS = {"--version": "Show the version and exit.", "-h, --help": "Show this message and exit."}


def overview() -> str:
    """The page, at most 78 columns wide."""
    width = max(min(get_terminal_size().columns, 80) - 2, 50)
    about = wrap(ABOUT, width, initial_indent="  ", subsequent_indent="  ")
    commands = {name: row[2] for name, row in COMMANDS.items()}
    return "\n".join(
        [
            "Usage: dcpc [OPTIONS] COMMAND [ARGS]...",
            "",
            *about,
            "",
            "Options:",
            *_rows(_OPTIONS, width),
            "",
            "Commands:",
            *_rows(commands, width),
            "",
        ]
    )


def _rows(texts: dict[str, str], width: int) -> Iterable[str]:
    """Names and what they do, in two columns."""
    first = max(map(len, texts)) + 4
    for name, text in texts.items():
        yield from wrap(text, width, initial_indent=f"  {name}".ljust(first), subsequent_indent=" " * first)
