"""The shapes of texts as regular expressions that ECMA-262 and Python read alike; a match is of the
whole text.
"""

from __future__ import annotations

import re

#: Shape of a `TextType` to its pattern, and that of an author's own label. `[0-9]`, never `\\d`, which takes
#: the digits of every script in Python.
SHAPES = {
    "identifier": r"[A-Za-z0-9][A-Za-z0-9._-]*",
    "digest": r"sha256:[0-9a-f]{64}",
    "salt": r"[0-9a-f]{32}",
    "name": r"[A-Za-z_][A-Za-z0-9_-]*",
    "label": r"[A-Za-z_][A-Za-z0-9_]*",
    "line": r"\S([^\x00-\x1f\x7f]*\S)?",
}
#: An exact number as `number_text` spells it; the schema cannot say "in lowest terms", the readers do.
NUMBER = r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9]|/[1-9][0-9]*)?"


def has_shape(text: str, shape: str) -> bool:
    """Whether a text has a shape; prose (the empty shape) takes every text."""
    return not shape or re.fullmatch(SHAPES[shape], text) is not None
