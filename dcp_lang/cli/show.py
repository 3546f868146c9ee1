"""`dcpc show REGISTRATION`"""

from __future__ import annotations

import shutil

import click

from dcp_lang.cli import FINDINGS, OK
from dcp_lang.cli.frozen_input import read_registration_or_source


@click.command("show")
@click.argument("registration")
def command(registration: str) -> int:
    """Show a frozen registration, or what a source would freeze to, as text."""
    from dcp_lang.emit.show import registration_text

    reg = read_registration_or_source(registration)
    if reg is None:
        return FINDINGS
    width = max(60, min(120, shutil.get_terminal_size((100, 24)).columns))
    click.echo(registration_text(reg, width), nl=False)
    return OK
