"""`dcpc verify-registration FILE`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcp_lang.cli import FINDINGS, OK
from dcp_lang.cli.frozen_input import frozen_bytes

if TYPE_CHECKING:
    from dcp_lang.recheck import Recheck


@click.command("verify-registration")
@click.argument("registration", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--digest", "expected", help="The digest that the file must have, known from elsewhere.")
@click.option("--recompile", is_flag=True, help="The embedded source must give the same bytes again.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def command(registration: Path, expected: str | None, recompile: bool, as_json: bool) -> int:
    """Check a frozen registration from itself alone: form, schema, certificates, rules and source.

    FILE is a `registration.json`, or a preregistration page that embeds one.

    Exit code 0 when everything holds, 1 when something differs.
    """
    from dcp_lang.canonical import is_digest
    from dcp_lang.recheck import verify_registration

    if expected is not None and not is_digest(expected):
        raise click.UsageError("--digest takes `sha256:` and 64 lower-case hex digits")
    found = verify_registration(frozen_bytes(registration), expected=expected, exact=recompile)
    _show(found, as_json)
    return OK if found.holds else FINDINGS


def _show(found: Recheck, as_json: bool) -> None:
    if as_json:
        from dcp_lang.canonical import canonical_bytes

        sys.stdout.buffer.write(canonical_bytes(found.as_json()) + b"\n")
        return
    click.echo(found.digest)
    for step in found.steps:
        click.echo(f"  {'holds' if not step.faults else 'FAILS'}  {step.name}")
        for fault in step.faults:
            click.echo(f"         {fault}")
