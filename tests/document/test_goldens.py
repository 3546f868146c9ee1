"""The Markdown of every variant and every example, as accepted; `--accept` rewrites what changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from registrations import Made

EXPECTED = Path(__file__).with_name("expected")


def test_markdown(document: Made, golden: Callable[[Path, str], None]) -> None:
    golden(EXPECTED / f"{document.name}.md", document.markdown)
