"""`dcpc verify-registration FILE`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcp_lang.cli import FINDINGS, OK

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
    found = verify_registration(_frozen(registration), expected=expected, exact=recompile)
    _show(found, as_json)
    return OK if found.holds else FINDINGS


def _frozen(path: Path) -> bytes:
    """The frozen bytes in a file: the JSON itself, or those that a preregistration page embeds."""
    from dcp_lang.emit.document import NoRegistrationError, extract_registration

    data = path.read_bytes()
    if not data.lstrip().startswith(b"<"):
        return data
    try:
        return extract_registration(data)
    except NoRegistrationError as error:
        raise click.ClickException(f"{path}: {error}") from error


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
