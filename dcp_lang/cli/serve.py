"""`dcpc serve FILE|FOLDER`"""

from __future__ import annotations

from pathlib import Path

import click


@click.command("serve")
@click.argument("target", type=click.Path(exists=True, path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one without.")
@click.option("--open", "is_open", is_flag=True, help="Open the page in the browser.")
def command(target: Path, port: int, is_open: bool) -> int:
    """Edit registrations on a local page, checked as you type. Nothing leaves this machine."""
    from dcp_lang.serve.files import Files
    from dcp_lang.serve.server import Server

    with Server(Files(target), port) as server:
        click.echo(f"{server.address}  (stop with Ctrl-C)")
        if is_open:
            import webbrowser

            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
