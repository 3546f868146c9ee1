"""A headless browser for tests: what a page looks like to axe-core, and to a reader without scripts."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_ANSWER = """
function answer(value) {
  const node = document.createElement("pre");
  node.id = "answer";
  node.textContent = JSON.stringify(value);
  document.body.append(node);
}
"""
_RUN = """
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then(
  result => answer(result.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))])));
"""


def chromium() -> str:
    """The browser's command; skips the test where there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser: install chromium")
    return found


def axe_source() -> str:
    """axe-core's script; skips the test where the package that carries it is missing."""
    pytest.importorskip("axe_core_python", reason="no axe-core: pip install axe-core-python")
    return files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(
    page: bytes, folder: Path, *, width: int = 1200, dark: bool = False, axe: str = ""
) -> list[Any]:
    """What axe-core finds wrong with a page: [rule, [offending elements]]."""
    source = axe or axe_source()
    found: list[Any] = ask(page, folder, f"{source};{_RUN}", width=width, dark=dark)
    return found


def ask(page: bytes, folder: Path, script: str, *, width: int = 1200, dark: bool = False) -> Any:
    """The value that a script hands to `answer` in the opened page.

    The page's Content-Security-Policy, which would keep the script out, is left off the copy that is opened.
    """
    text = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", page.decode())
    scripts = f"<script>{_ANSWER}</script><script>{script}</script></body>"
    copy = folder / "page.html"
    copy.write_text(scripts.join(text.rsplit("</body>", 1)), encoding="utf-8")
    theme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    dom = _chromium("--dump-dom", f"--window-size={width},1000", *theme, copy.as_uri())
    result = re.search(r'<pre id="answer">(.*?)</pre>', dom, re.DOTALL)
    assert result, "the script gave no answer"
    return json.loads(html.unescape(result[1]))


def _chromium(*arguments: str) -> str:
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000")
    done = subprocess.run([chromium(), *flags, *arguments], capture_output=True, timeout=180, check=False)
    return done.stdout.decode()
