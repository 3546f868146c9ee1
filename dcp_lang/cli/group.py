"""The commands as click sees them: loaded for all that is not plain (help, mistakes, completion)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from dcp_lang import __version__
from dcp_lang.cli import ABOUT, COMMANDS, INTERRUPTED, USAGE
from dcp_lang.cli.parameters import Command, MisuseError, Option


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
        return click_command(command) if isinstance(command, Command) else command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row[2]) for name, row in COMMANDS.items()])


@click.group(cls=LazyGroup, help=ABOUT, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dcpc")
def main() -> None:
    """The whole command line."""


def click_command(command: Command) -> click.Command:
    """Click's command from the table of its parameters."""

    def callback(**values: Any) -> int:
        try:
            return command.run(**values)
        except MisuseError as error:
            raise click.UsageError(str(error)) from error

    arguments = click.Argument([command.arguments], nargs=-1, required=True)
    options = [_option(option) for option in command.options]
    return click.Command(
        command.name, callback=callback, params=[arguments, *options], help=command.run.__doc__
    )


def _option(option: Option) -> click.Option:
    names = [option.name, option.parameter]
    if option.is_flag:
        return click.Option(names, is_flag=True, help=option.help)
    kind = click.Choice(option.choices) if option.choices else None
    return click.Option(names, type=kind, default=option.default, help=option.help)


def run_click(arguments: Sequence[str]) -> object:
    """Run a command line under click; its exit code, or what the command returns."""
    try:
        return main.main(list(arguments), prog_name="dcpc", standalone_mode=False)
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return USAGE
