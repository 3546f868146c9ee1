"""What fuzzers cut a source into, and what they put in."""

from __future__ import annotations

import re

TOKEN = re.compile(r'"[^"\n]*"|\w+|\s+|.', re.DOTALL)
PIECES = [
    *[
        "",
        "0",
        "-1",
        "1e9",
        "100%",
        "1 / 3",
        "(1 - 1)",
        "/ 0",
        "auto",
        "none",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        '"""',
        "[]",
        "f()",
        '""',
        ".",
    ],
    *["5 USD", "9" * 30, "0." + "0" * 30 + "1", "use", "require", "dcp 9", "δ_min", "given", "\n", "\u202e"],
    *["exhaustive(1 unit)", "sampled(256 units)", "x", "==", "and", "not", "when", "else", "file("],
    *["because", "score(b)", "hosts([])", "present_day", "retrospective", "0", "10_000_000", "..", ","],
    *["allow", "9" * 15, "0." + "0" * 11 + "1"],
]
