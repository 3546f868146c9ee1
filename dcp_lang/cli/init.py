"""`dcpc init DIR`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dcp_lang.resources import template_dir


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--grade", type=click.Choice(["core", "evidence"]), default="evidence", help="What is claimed.")
def command(folder: Path, grade: str) -> int:
    """Start a registration in a new folder: it checks clean, and every value in it is an example."""
    files = starter_files(grade)
    taken = next((name for name in files if (folder / name).exists()), None)
    if taken is not None:
        print(f"dcpc: {folder / taken} exists already; nothing was written", file=sys.stderr)
        return 1
    _write(folder, files)
    print(f"dcpc check {folder / 'registration.dcp'}")
    return 0


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """All of them or none: what is left of a failure would be in the way of the next try."""
    from dcp_lang.emit.atomic import write_file

    try:
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(folder / name, data)
    except OSError:
        for name in files:
            (folder / name).unlink(missing_ok=True)
        raise


def starter_files(grade: str) -> dict[str, bytes]:
    """The files of a starter by their path below its folder."""
    root = Path(template_dir()) / "init"
    shared = root / "shared"
    files = {
        p.relative_to(shared).as_posix(): p.read_bytes() for p in sorted(shared.rglob("*")) if p.is_file()
    }
    return {"registration.dcp": (root / f"{grade}.dcp").read_bytes()} | files
