"""The command line: reads files, shows findings, writes builds; never decides anything itself.

Exit codes: 0 ok, 1 findings, 2 usage, 3 internal. Machine output goes to standard output, everything else to
standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from dcp_lang import __version__

OK, FINDINGS, USAGE, INTERNAL = 0, 1, 2, 3

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


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run, not to show help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of a user's work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[name]
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row[2]) for name, row in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dcpc")
def main() -> None:
    """The compiler of .dcp registrations for the Discovery Certification Protocol."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; an internal error says that it is a bug of ours."""
    try:
        result = main.main(list(arguments), prog_name="dcpc", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else OK
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return USAGE
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


def _silence() -> None:
    """Standard output takes no more, or the run failed: what is still held back is dropped, also at exit."""
    import os

    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
