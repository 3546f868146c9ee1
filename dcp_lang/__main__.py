"""`python -m dcp_lang` and the command `dcpc`."""

from __future__ import annotations

import gc
import os
import sys
from io import TextIOWrapper

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NoReturn


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Most runs end before cycles of garbage matter; the rest collect them, but seldom.
    gc.set_threshold(100_000)
    from dcp_lang.cli import run

    _fill_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a locale without Greek, a file name that is no text
            stream.reconfigure(errors="backslashreplace")
    _leave(run(sys.argv[1:]))


def _leave(code: int) -> NoReturn:
    """End the process, at once where nobody asked to be told: the system takes back memory faster than Python."""
    if not {"atexit", "threading"} & sys.modules.keys():
        try:
            sys.stderr.flush()
        finally:  # also where nobody is left to read it
            os._exit(code)
    gc.freeze()  # nor does the interpreter look through what it is about to leave
    sys.exit(code)


def _fill_streams() -> None:
    """Standard streams that were closed are empty; opened first, no file takes their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


if __name__ == "__main__":
    main()
