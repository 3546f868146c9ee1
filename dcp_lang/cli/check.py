"""`dcpc check FILE…`"""

from __future__ import annotations

import sys

import click

from dcp_lang.cli.common import read_compilation, show
from dcp_lang.diagnostics.formats import FORMATS
from dcp_lang.diagnostics.model import Diagnostic

#: A fix that touches another waits for the next round; each round applies one at least.
_ROUNDS = 20


@click.command("check")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", help="How findings are shown."
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes in place, then check.")
def command(files: tuple[str, ...], form: str, fix: bool) -> int:
    """Check registrations and show every finding. `-` reads standard input."""
    if fix and "-" in files:
        raise click.UsageError("--fix needs files: standard input cannot be changed in place")
    found = [d for path in files for d in (_fixed(path) if fix else read_compilation(path).diagnostics)]
    if form == "text":
        show(found, err=False)
    else:
        click.echo(FORMATS[form](found), nl=False)
    return 1 if any(d.is_error for d in found) else 0


def _fixed(path: str) -> list[Diagnostic]:
    """What is left to find in a file after its safe fixes; nothing else of the file changes."""
    from pathlib import Path

    from dcp_lang.diagnostics.fixes import apply_fixes
    from dcp_lang.emit.atomic import write_file

    count = 0
    for _ in range(_ROUNDS):
        compilation = read_compilation(path)
        fixed = apply_fixes(compilation.source, compilation.diagnostics)
        if not fixed.applied:
            break
        write_file(Path(path), fixed.text.encode())
        count += len(fixed.applied)
    if count:
        print(f"{path}: {count} {'fix' if count == 1 else 'fixes'} applied", file=sys.stderr)
    return read_compilation(path).diagnostics
