"""`dcpc schema [NAME]`"""

from __future__ import annotations

import json

import click

from dcp_lang.emit.schemas import NAMES, schema


@click.command("schema")
@click.argument("name", type=click.Choice(NAMES), required=False)
def command(name: str | None) -> int:
    """Print the JSON Schema of something that dcpc writes; without NAME, list them."""
    if name is None:
        click.echo("\n".join(NAMES))
        return 0
    click.echo(json.dumps(schema(name), indent=2, ensure_ascii=False))
    return 0
