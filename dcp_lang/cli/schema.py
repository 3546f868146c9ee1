"""`dcpc schema [NAME]`"""

from __future__ import annotations

import json

import click

from dcp_lang.emit.schemas import NAMES, schema
from dcp_lang.emit.schemas.typescript import typescript


@click.command("schema")
@click.argument("name", type=click.Choice(NAMES), required=False)
@click.option("--typescript", "as_types", is_flag=True, help="Print TypeScript types instead.")
def command(name: str | None, as_types: bool) -> int:
    """Print the JSON Schema of something that dcpc writes; without NAME, list them."""
    if name is None:
        click.echo("\n".join(NAMES))
        return 0
    if as_types:
        click.echo(typescript(name, schema(name)), nl=False)
    else:
        click.echo(json.dumps(schema(name), indent=2, ensure_ascii=False))
    return 0
