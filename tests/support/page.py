"""The page of `dcpc serve` in a real browser."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import chromium

from dcp_lang.serve.files import Files
from dcp_lang.serve.server import Server

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sqlite_web"


@contextmanager
def served(target: Path) -> Iterator[Server]:
    """The page's server, in a thread of its own."""
    with Server(Files(target)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def project(folder: Path) -> Path:
    """A copy of an example, to be edited."""
    return Path(shutil.copytree(EXAMPLE, folder / "project"))


@contextmanager
def browser_page(address: str, **options: Any) -> Iterator[Any]:
    """The page, opened; skips the test where there is no browser to open it."""
    command = chromium()
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="no browser driver: pip install playwright"
    )
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=command, args=["--no-sandbox"])
        try:
            page = browser.new_page(**options)
            page.set_default_timeout(20_000)
            page.goto(address)
            yield page
        finally:
            browser.close()
