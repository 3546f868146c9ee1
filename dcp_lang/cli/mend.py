"""`dcpc check --fix`: the safe fixes, in place."""

from __future__ import annotations

import sys

from dcp_lang.bulk.rewrite import rewrite
from dcp_lang.bulk.submission import Submission
from dcp_lang.diagnostics.cells import show
from dcp_lang.diagnostics.fixes import apply_fixes
from dcp_lang.diagnostics.model import Sink
from dcp_lang.driver import Compilation
from dcp_lang.editing.line_ends import in_line_ends_of
from dcp_lang.syntax import read_source

#: A fix that touches another waits for the next round; each round applies one at least.
_ROUNDS = 20


def mend(file: Submission) -> None:
    """Apply the safe fixes of a source file; nothing else of the file changes. What cannot be read stays."""
    count = 0
    for _ in range(_ROUNDS):
        applied = _mend_once(file)
        if not applied:
            break
        count += applied
    if count:
        print(f"{show(file.path)}: {count} {'fix' if count == 1 else 'fixes'} applied", file=sys.stderr)


def _mend_once(file: Submission) -> int:
    """How many fixes were applied."""
    sink = Sink()
    try:
        source = read_source(file.path, file.read(), sink)
    except OSError:
        return 0
    if source is None:
        return 0
    fixed = apply_fixes(source, Compilation(source, file.workspace(), sink).diagnostics)
    if fixed.applied:
        rewrite(file, in_line_ends_of(fixed.text, source.text).encode())
    return len(fixed.applied)
