"""`dcpc diff OLD NEW`"""

from __future__ import annotations

import json

import click

from dcp_lang.cli import FINDINGS, OK
from dcp_lang.cli.frozen_input import read_registration_or_source


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text")
def command(old: str, new: str, form: str) -> int:
    """Compare two registrations, sources or frozen files, field by field.

    Each change is prose, tightening, loosening or identity. Exit code 0 when nothing differs, 1 otherwise.
    """
    from dcp_lang.emit.diff import compare, diff_json, diff_markdown, diff_text

    before, after = read_registration_or_source(old), read_registration_or_source(new)
    if before is None or after is None:
        return FINDINGS
    changes = compare(before, after)
    if form == "json":
        click.echo(json.dumps(diff_json(before, after, changes), indent=2, ensure_ascii=False))
    else:
        click.echo(diff_text(changes) if form == "text" else diff_markdown(before, after, changes), nl=False)
    return FINDINGS if changes else OK
