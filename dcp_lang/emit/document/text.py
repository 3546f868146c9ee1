"""Making the author's text safe to show: what cannot be seen is shown by its code point.

Direction overrides and embeddings can make a sentence read as another one; control characters hide. Direction
marks (U+200E, U+200F, U+061C) stay: right-to-left scripts need them, and a page isolates what they turn.
"""

from __future__ import annotations

import re

_SEEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with every hiding or reordering character replaced by `⟨U+202E⟩`."""
    return _SEEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text.replace("\r\n", "\n"))
