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
_RUN = """
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then(result => {
  const node = document.createElement("pre");
  node.id = "axe-result";
  node.textContent = JSON.stringify(result.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))]));
  document.body.append(node);
});
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


def violations(page: bytes, folder: Path, *, width: int = 1200, axe: str | None = None) -> list[Any]:
    """What axe-core finds wrong with a page: [rule, [offending elements]].

    The copy that is examined lacks the page's Content-Security-Policy, which would keep axe itself out.
    """
    text = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", page.decode())
    script = f"<script>{axe or axe_source()}</script><script>{_RUN}</script></body>"
    copy = folder / "page.html"
    copy.write_text(script.join(text.rsplit("</body>", 1)), encoding="utf-8")
    dom = _chromium("--dump-dom", f"--window-size={width},1000", copy.as_uri())
    result = re.search(r'<pre id="axe-result">(.*?)</pre>', dom, re.DOTALL)
    assert result, "axe-core did not run"
    found: list[Any] = json.loads(html.unescape(result[1]))
    return found


def _chromium(*arguments: str) -> str:
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000")
    done = subprocess.run([chromium(), *flags, *arguments], capture_output=True, timeout=120, check=False)
    return done.stdout.decode()
