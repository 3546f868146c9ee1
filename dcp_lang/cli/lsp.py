"""`dcpc lsp`"""

from __future__ import annotations

import click


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, which is the only way.")
def command(stdio: bool) -> int:
    """Run the language server; an editor starts it and speaks to it over standard input and output."""
    import gc
    import os
    import sys
    from functools import partial

    from dcp_lang.lsp.inbox import Inbox
    from dcp_lang.lsp.server import Server
    from dcp_lang.lsp.wire import write_message

    # What a check makes lives as long as its text, which is longer than collections among the young go by.
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    incoming = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    # Only messages may go out: what anything prints goes to the log of the editor.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as outgoing:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        return Server(Inbox(incoming), partial(write_message, outgoing)).run()
