"""What every peer in Python does alike: read the files given, and say with the exit code whether all are sound."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path


def files() -> Iterator[Path]:
    """The files of the command line; a folder stands for the files in it."""
    for path in map(Path, sys.argv[1:]):
        yield from sorted(path.iterdir()) if path.is_dir() else [path]


def main(is_sound: Callable[[Path], bool]) -> None:
    """Judge all files; exit code 0 when all are sound, else 1."""
    refused = [path for path in files() if not is_sound(path)]
    sys.exit(1 if refused else 0)
