"""Runs the SQLite-Core audit offline; see examples/offline.py for the four steps."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from offline import main

if __name__ == "__main__":
    raise SystemExit(main(Path(__file__).parent, "index_designer"))
