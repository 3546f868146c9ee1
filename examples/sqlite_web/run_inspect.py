"""Runs the SQLite-Web audit in Inspect AI, offline; see examples/inspect_offline.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from inspect_offline import main

if __name__ == "__main__":
    raise SystemExit(main(Path(__file__).parent, "index_designer", pages=Path(__file__).parent / "pages"))
