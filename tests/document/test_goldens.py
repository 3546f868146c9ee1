"""The Markdown of every variant and every example, as accepted; `--accept` rewrites what changed.

Digests are left out: they are held elsewhere, and change with every byte of an example. What provenance lists is looked
at in one document.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from registrations import Made

EXPECTED = Path(__file__).with_name("expected")


def test_markdown(document: Made, golden: Callable[[Path, str], None]) -> None:
    text = re.sub(r"\b(sha256:|local-)[0-9a-f]{16,}", r"\1…", document.markdown)
    if document.name != "evidence":
        text = re.sub(
            r'(?<=\n## <a id="provenance"></a>18 Provenance\n).*?(?=\n## )', "\n…\n", text, flags=re.DOTALL
        )
    golden(EXPECTED / f"{document.name}.md", text)
