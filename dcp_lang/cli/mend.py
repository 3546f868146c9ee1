"""`dcpc check --fix`: the safe fixes, in place."""

from __future__ import annotations

import sys
from pathlib import Path

from dcp_lang.cli.common import read_compilation
from dcp_lang.diagnostics.fixes import apply_fixes
from dcp_lang.editing.line_ends import in_line_ends_of
from dcp_lang.emit.atomic import write_file

#: A fix that touches another waits for the next round; each round applies one at least.
_ROUNDS = 20


def mend(path: str) -> None:
    """Apply the safe fixes of a source file; nothing else of the file changes."""
    count = 0
    for _ in range(_ROUNDS):
        compilation = read_compilation(path)
        fixed = apply_fixes(compilation.source, compilation.diagnostics)
        if not fixed.applied:
            break
        write_file(Path(path), in_line_ends_of(fixed.text, compilation.source.text).encode())
        count += len(fixed.applied)
    if count:
        print(f"{path}: {count} {'fix' if count == 1 else 'fixes'} applied", file=sys.stderr)
