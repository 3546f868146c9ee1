"""The command line: reads files, shows findings, writes builds; never decides anything itself.

Exit codes: 0 ok, 1 findings, 2 usage, 3 internal. Machine output goes to standard output, everything else to
standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from dcp_lang.cli.parameters import Command, MisuseError, RefusalError, read

OK, FINDINGS, USAGE, INTERNAL = 0, 1, 2, 3
#: What a shell reports for an interrupt: 128 and the signal's number.
INTERRUPTED = 130

ABOUT = "The compiler of .dcp registrations for the Discovery Certification Protocol."

#: Command name to the module and attribute that hold it, and its one-line help; loaded when it is run.
COMMANDS = {
    "check": ("dcp_lang.cli.check", "command", "Check registrations and show every finding."),
    "compile": ("dcp_lang.cli.compile", "command", "Compile a registration into everything the audit needs."),
    "plan": ("dcp_lang.cli.plan", "command", "Show every sample size, why it is needed and what it costs."),
    "explain": ("dcp_lang.cli.explain", "command", "Explain a code, a field or a block."),
    "rules": ("dcp_lang.cli.explain", "rules", "List every rule."),
    "init": ("dcp_lang.cli.init", "command", "Start a registration that checks clean."),
    "render": ("dcp_lang.cli.render", "command", "Render the preregistration document."),
    "fmt": ("dcp_lang.cli.fmt", "command", "Format registrations."),
    "lsp": ("dcp_lang.cli.lsp", "command", "Run the language server for an editor."),
    "serve": ("dcp_lang.cli.serve", "command", "Edit a registration on a local page, checked as you type."),
    "digest": ("dcp_lang.cli.digest", "command", "Print the digest that commits to a file or folder."),
    "show": ("dcp_lang.cli.show", "command", "Show a frozen registration as text."),
    "diff": ("dcp_lang.cli.diff", "command", "Compare two registrations field by field."),
    "amend": ("dcp_lang.cli.amend", "command", "Amend a frozen registration."),
    "verify-registration": (
        "dcp_lang.cli.verify_registration",
        "command",
        "Check a frozen registration from itself alone.",
    ),
    "schema": ("dcp_lang.cli.schema", "command", "Print the JSON Schema of what dcpc writes."),
    "keygen": ("dcp_lang.cli.seal_commands", "keygen", "Make a signing key."),
    "sign": ("dcp_lang.cli.seal_commands", "sign", "Sign a frozen registration as its claimant."),
    "countersign": ("dcp_lang.cli.seal_commands", "countersign", "Countersign it as the audit authority."),
    "verify-seal": ("dcp_lang.cli.seal_commands", "verify_seal", "Verify both signatures."),
    "verify": ("dcp_lang.cli.verify", "command", "Decide an audit bundle under its registration."),
}


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; an internal error says that it is a bug of ours."""
    try:
        result = _run(arguments)
        sys.stdout.flush()
        return result if isinstance(result, int) else OK
    except RefusalError as error:
        from dcp_lang.diagnostics.cells import show

        print(f"Error: {show(str(error))}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print(file=sys.stderr)  # the terminal's ^C stands on a line of its own
        return INTERRUPTED
    except (OSError, MemoryError) as error:
        _silence()
        if not isinstance(error, BrokenPipeError):  # the reader left: nothing to say, but not all was said
            print(f"dcpc: {error}", file=sys.stderr)
        return FINDINGS
    except Exception as error:
        print(
            f"error[I901]: this is a bug of dcpc, please report it: {type(error).__name__}: {error}",
            file=sys.stderr,
        )
        return INTERNAL


def _run(arguments: Sequence[str]) -> object:
    """Run what is plain without click, which costs as much as a check, and all else with it."""
    try:
        return _run_plain(arguments)
    except MisuseError:
        from dcp_lang.cli.group import run_click

        return run_click(arguments)


def _run_plain(arguments: Sequence[str]) -> int:
    """Run a command whose parameters stand in a table; raises `MisuseError` for what only click can read."""
    if not arguments or "_DCPC_COMPLETE" in os.environ:
        raise MisuseError
    if list(arguments) in (["--help"], ["-h"]):
        from dcp_lang.cli.overview import overview

        print(overview(), end="")
        return OK
    name, *words = arguments
    if name not in COMMANDS:
        raise MisuseError
    module, attribute, _ = COMMANDS[name]
    command = getattr(__import__(module, fromlist=[attribute]), attribute)
    if not isinstance(command, Command):
        raise MisuseError
    return command.run(**read(command, words))


def _silence() -> None:
    """Standard output takes no more, or the run failed: what is still held back is dropped, also at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
