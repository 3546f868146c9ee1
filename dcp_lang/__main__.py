"""`python -m dcp_lang` and the command `dcpc`."""

from __future__ import annotations

import gc
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line and leave with its exit code."""
    # Most runs end before cycles of garbage matter; the rest collect them, but seldom.
    gc.set_threshold(100_000)
    from dcp_lang.cli import run

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a locale without Greek, a file name that is no text
            stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:])
    gc.freeze()  # nor does the interpreter look through what it is about to leave
    sys.exit(code)


if __name__ == "__main__":
    main()
