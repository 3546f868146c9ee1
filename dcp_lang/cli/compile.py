"""`dcpc compile FILE -o DIR`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dcp_lang.cli.common import read_compilation, show
from dcp_lang.diagnostics.cells import show as printable


@click.command("compile")
@click.argument("file")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder to write the build into.",
)
@click.option("--force", is_flag=True, help="Replace a frozen registration of another digest.")
@click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="An authority's own templates of the document.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Also write the files of another runner than dcp-harness: inspect or snakemake.",
)
def command(file: str, output: Path, force: bool, templates: Path | None, targets: tuple[str, ...]) -> int:
    """Compile a registration into everything the audit needs, or write nothing at all."""
    from dcp_lang.emit.build import TARGET_FILES, build_files
    from dcp_lang.emit.targets import target_diagnostics
    from dcp_lang.emit.writer import BuildError, write_build
    from dcp_lang.sema.materials import MaterialError

    for name in targets:
        if name not in TARGET_FILES:
            raise click.UsageError(f"there is no target `{name}`; known: {', '.join(TARGET_FILES)}")
    compilation = read_compilation(file)
    if not compilation.is_sound or compilation.analysis is None:
        show(compilation.diagnostics)
        return 1
    analysis, read = compilation.analysis, compilation.workspace.bytes
    show(
        compilation.diagnostics
        + target_diagnostics(analysis.registration, dict.fromkeys(["dcp-harness", *targets]))
    )
    try:
        files = build_files(analysis, compilation.waivers, read, templates, targets)
        write_build(output, files, force=force)
    except (
        BuildError,
        MaterialError,
    ) as error:  # a file that was hashed may be another one when it is copied
        print(f"dcpc: {printable(str(error))}", file=sys.stderr)
        return 1
    _summary(output, files)
    return 0


def _summary(output: Path, files: dict[str, bytes]) -> None:
    from dcp_lang.canonical import digest

    print(f"{digest(files['registration.json'])}  {output}/registration.json")
    print(f"{len(files) + 1} files in {output}", file=sys.stderr)
