"""`dcpc fmt FILE|FOLDER|-…`"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from dcp_lang.cli.common import show
from dcp_lang.diagnostics.model import Sink
from dcp_lang.editing.line_ends import in_line_ends_of
from dcp_lang.source import SourceFile
from dcp_lang.syntax import read_source
from dcp_lang.syntax.rewrite import formatted

#: Folders below which nobody keeps registrations of their own.
_SKIPPED = frozenset({"node_modules", "__pycache__"})


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
@click.option("--ascii", "is_ascii", is_flag=True, help="Spell δ_min, ε, ρ and their like in ASCII.")
def command(paths: tuple[str, ...], check: bool, diff: bool, is_ascii: bool) -> int:
    """Format registrations in place: files, every .dcp file below folders, or `-` for standard input.

    A file that cannot be parsed is shown with its faults and left alone.
    """
    mode = _Mode(check, diff, is_ascii)
    codes = [_format(name, mode) for path in paths for name in _files(path)]
    return max(codes, default=0)


class _Mode:
    def __init__(self, check: bool, diff: bool, is_ascii: bool) -> None:
        self.check, self.diff, self.is_ascii = check, diff, is_ascii


def _files(path: str) -> Iterator[str]:
    """The path itself, or the .dcp files below a folder in the order of their names; hidden ones are left out."""
    folder = Path(path)
    if path == "-" or not folder.is_dir():
        yield path
        return
    for found in sorted(folder.rglob("*.dcp")):
        below = found.relative_to(folder).parts
        is_own = not any(part.startswith(".") or part in _SKIPPED for part in below)
        if is_own and found.is_file() and not found.is_symlink():
            yield str(found)


def _format(name: str, mode: _Mode) -> int:
    data = sys.stdin.buffer.read() if name == "-" else _bytes(name)
    sink = Sink()
    source = read_source("<stdin>" if name == "-" else name, data, sink)
    text = formatted(source, sink, ascii=mode.is_ascii) if source else None
    if source is None or text is None:
        show(sink.sorted())
        return 1
    text = in_line_ends_of(text, source.text)
    if mode.diff:
        click.echo(_difference(source, text), nl=False)
    if mode.check or mode.diff:
        return _verdict(source, text, mode)
    _write(name, data, text)
    return 0


def _bytes(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise click.ClickException(f"cannot read {name}: {error.strerror}") from error


def _verdict(source: SourceFile, text: str, mode: _Mode) -> int:
    if not mode.check or source.text == text:
        return 0
    if not mode.diff:
        print(f"would reformat {source.name}", file=sys.stderr)
    return 1


def _write(name: str, data: bytes, text: str) -> None:
    """Standard output for standard input; a file only when it changes, whole or not at all."""
    if name == "-":
        sys.stdout.buffer.write(text.encode())
    elif text.encode() != data:
        from dcp_lang.emit.atomic import write_file

        write_file(Path(name), text.encode())


def _difference(source: SourceFile, text: str) -> str:
    from difflib import unified_diff

    lines = unified_diff(
        source.text.splitlines(keepends=True),
        text.splitlines(keepends=True),
        source.name,
        source.name,
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
