"""Builds that a test changed."""

from __future__ import annotations

import json
from pathlib import Path

from dcp_lang.emit.expected import expected_contracts


def foretell(config: Path) -> None:
    """Write `expected-contracts.json` for a compiled audit that was changed, as the compiler would."""
    runner = config.parent
    files = {p.relative_to(runner).as_posix(): p.read_bytes() for p in runner.rglob("*") if p.is_file()}
    committed = {path: data for path, data in files.items() if not path.startswith("private/")}
    document = expected_contracts(files["compiled.json"], committed)
    (runner / "expected-contracts.json").write_text(json.dumps(document))
