"""The VS Code extension: what it promises is in its package, and nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

VSCODE = Path(__file__).resolve().parents[2] / "editors" / "vscode"
MANIFEST: dict[str, Any] = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))


def _promised() -> list[str]:
    """The files that the manifest names."""
    contributes = MANIFEST["contributes"]
    languages = [language["configuration"] for language in contributes["languages"]]
    return languages + [row["path"] for key in ("grammars", "snippets") for row in contributes[key]]


def test_what_the_manifest_names_is_there_and_speaks_of_one_language() -> None:
    for path in _promised():
        assert json.loads((VSCODE / path).read_text(encoding="utf-8")), path
    contributes = MANIFEST["contributes"]
    ids = [contributes["languages"][0]["id"]] + [
        row["language"] for key in ("grammars", "snippets") for row in contributes[key]
    ]
    assert set(ids) == {"dcp"} and contributes["languages"][0]["extensions"] == [".dcp"]
    assert (
        json.loads((VSCODE / "syntaxes/dcp.tmLanguage.json").read_text(encoding="utf-8"))["scopeName"]
        == (contributes["grammars"][0]["scopeName"])
    )


def test_the_package_holds_the_extension_and_the_licences_of_what_is_in_it(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None or not (VSCODE / "node_modules" / "@vscode" / "vsce").is_dir():
        pytest.skip("no packager: install Node.js, then: cd editors/vscode && npm ci")
    target = tmp_path / "dcp-lang.vsix"
    command = [npm, "run", "package", "--", "--out", str(target)]
    done = subprocess.run(command, cwd=VSCODE, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(target) as package:
        names = {n.removeprefix("extension/") for n in package.namelist() if n.startswith("extension/")}
        licences = package.read("extension/dist/LICENSES.txt").decode()
    assert names == {
        "package.json",
        "readme.md",
        "LICENSE.txt",
        "dist/extension.js",
        "dist/LICENSES.txt",
        *(path.removeprefix("./") for path in _promised()),
    }
    for package_name in ("vscode-languageclient", "vscode-jsonrpc", "semver"):
        assert f"\n{package_name} " in licences
    assert "undefined" not in licences and licences.count("Permission") >= 8
