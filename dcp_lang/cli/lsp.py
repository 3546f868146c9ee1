"""`dcpc lsp`"""

from __future__ import annotations

import click


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, which is the only way.")
def command(stdio: bool) -> int:
    """Run the language server; an editor starts it and speaks to it over standard input and output."""
    import gc

    # The protocol's thousand classes live for ever: collecting among them would slow the start and every edit.
    gc.disable()
    try:
        from dcp_lang.lsp.server import server
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        message = "the language server needs pygls: pip install 'dcp-lang[lsp]'"
        raise click.ClickException(message) from error
    gc.freeze()
    gc.enable()
    server.start_io()
    return 0
