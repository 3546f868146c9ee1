"""`dcpc amend OLD.json NEW.dcp`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dcp_lang.cli import FINDINGS, OK
from dcp_lang.cli.common import read_compilation, show
from dcp_lang.cli.frozen_input import freeze, load

if TYPE_CHECKING:
    from dcp_lang.driver import Compilation


@click.command("amend")
@click.argument("old", type=click.Path(exists=True, dir_okay=False))
@click.argument("new")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The folder to write the build into.")
def command(old: str, new: str, output: Path | None) -> int:
    """Check that the source NEW amends the frozen registration OLD, and build it with -o.

    NEW names the digest that it `supersedes` and its `reason`. A loosening, or a change of what is tested,
    needs a new slot.
    """
    from dcp_lang.emit.amend import amendment_faults
    from dcp_lang.emit.diff import compare, diff_text

    before, compilation = load(old), read_compilation(new)
    after = freeze(compilation)
    if after is None:
        return FINDINGS
    show(compilation.diagnostics)
    click.echo(diff_text(compare(before, after)), nl=False)
    faults = list(amendment_faults(before, after))
    for fault in faults:
        click.echo(f"dcpc: {fault}", err=True)
    if faults:
        return FINDINGS
    click.echo(f"{after.digest}  supersedes {before.digest}")
    return OK if output is None else _write(output, compilation)


def _write(output: Path, compilation: Compilation) -> int:
    from dcp_lang.emit.build import build_files
    from dcp_lang.emit.writer import BuildError, write_build
    from dcp_lang.workspace import DiskWorkspace

    assert compilation.analysis is not None and isinstance(compilation.workspace, DiskWorkspace)
    try:
        write_build(
            output, build_files(compilation.analysis, compilation.waivers, compilation.workspace.bytes)
        )
    except BuildError as error:
        print(f"dcpc: {error}", file=sys.stderr)
        return FINDINGS
    return OK
