"""`dcpc check FILE…`"""

from __future__ import annotations

import click

from dcp_lang.cli.common import read_compilation, show
from dcp_lang.diagnostics.formats import FORMATS


@click.command("check")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", help="How findings are shown."
)
def command(files: tuple[str, ...], form: str) -> int:
    """Check registrations and show every finding. `-` reads standard input."""
    found = [d for path in files for d in read_compilation(path).diagnostics]
    if form == "text":
        show(found, err=False)
    else:
        click.echo(FORMATS[form](found), nl=False)
    return 1 if any(d.is_error for d in found) else 0
