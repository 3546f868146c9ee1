"""Runs the SQLite-Web audit offline; see examples/offline.py for the four steps."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from offline import main

from dcp_lang.integrations.dcp_harness import recorded_pages

if __name__ == "__main__":
    pages = recorded_pages(Path(__file__).parent / "pages")
    raise SystemExit(main(Path(__file__).parent, "index_designer", web_fetcher=pages))
