"""Frozen registrations for the tests of the document: one full Evidence registration and its variants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.driver import Compilation
from dcp_lang.emit.document import document_files
from dcp_lang.emit.registration import frozen_registration
from dcp_lang.language.values import Material
from dcp_lang.sema.materials import Workspace
from dcp_lang.source import SourceFile
from dcp_lang.workspace import DiskWorkspace

SAMPLES = Path(__file__).parents[1] / "document" / "samples"
EVIDENCE = (SAMPLES / "evidence.dcp").read_text(encoding="utf-8")


class AnyFiles:
    """A workspace in which every path exists."""

    def material(self, path: str, folder: bool) -> Material:
        """A file of two bytes, or a folder that holds one."""
        sha = "sha256:" + sha256(path.encode()).hexdigest()
        return (
            Material("folder", path, sha, 0, (("TASK.md", sha, 2),))
            if path.endswith("/")
            else Material("file", path, sha, 2)
        )

    def bytes(self, path: str) -> bytes:
        """The two bytes."""
        return b"{}"


def without(text: str, *heads: str) -> str:
    """The registration without these blocks or fields, each named by how its line starts."""
    for head in heads:
        start = re.search(rf"^ *{re.escape(head)}.*$", text, re.MULTILINE)
        assert start, head
        end = start.end()
        if text[start.start() : end].count("{") > text[start.start() : end].count("}"):
            indent = re.match(" *", start[0])
            assert indent
            end = text.index(f"\n{indent[0]}}}", start.end()) + len(indent[0]) + 2
        text = text[: start.start()] + text[end + 1 :]
    return text


def replaced(text: str, changes: Mapping[str, str]) -> str:
    """The registration with each of these texts, which must occur, replaced."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


_FEEDBACK = (
    "gate feedback",
    "policy truthful",
    "policy neutral",
    "policy reference_null",
    "expect",
    "δ_evidence",
    "δ_sham",
)
CORE = replaced(
    without(EVIDENCE, *_FEEDBACK, "evidence = 1%", "parties", "notes", "web docs", "consumed", "lattice"),
    {
        ": evidence {": ": core {",
        "web = observed_bytes": "web = none",
        "exhaustive(16 units)": "sampled(100_000 units)",
        "stratum =": "spare = 3 episodes, best_of = 2, stratum =",
        "score = 0 }": 'score = sealed("sha256:c6c54da8092b0765a06a71794b401bb71150a8e20504b04a095c9f3333739cdd") }',
        "experiment, web]": "experiment]",
        'claude_code(execution = docker, image = "agent@sha256:1f0c9d5e")': 'other("a notebook of the authority")',
        "  budget audit": "  budget challenger { turns = 16, time = 3 h }\n  budget audit",
    },
)
RETROSPECTIVE = replaced(
    CORE,
    {
        "mode = prospective": "mode = retrospective(knowledge = present_day)",
        "sampled(100_000 units)": "exhaustive(1 unit)",
        "  model {": '  target { artifact = file("target.json"), score = 0.9356 }\n\n  model {',
        'score = sealed("sha256:c6c54da8092b0765a06a71794b401bb71150a8e20504b04a095c9f3333739cdd") }': "score = 0.4 }",
    },
)
CONTINUOUS = replaced(
    without(EVIDENCE, "expect", "replacements"),
    {
        "utility = recovers": "utility = mean_score, necessity = claimed",
        "scope = lineage_prefix": "scope = lineage_empty",
        'checkpoint = after("web snapshot")': "checkpoint = start",
        "pairs = 30\n    null_pairs = 60": "pairs = 110\n    null_pairs = auto",
        "12_500.50 USD, sessions = 400 sessions": "900_000 USD",
    },
)
VARIANTS = {"evidence": EVIDENCE, "core": CORE, "retrospective": RETROSPECTIVE, "continuous": CONTINUOUS}


def frozen(text: str, workspace: Workspace | None = None) -> dict[str, Any]:
    """The frozen registration of a source; every file exists unless a workspace says otherwise."""
    compilation = Compilation(SourceFile("registration.dcp", text), workspace or AnyFiles())
    found = [f"{d.code} {d.message}" for d in compilation.diagnostics if d.is_error]
    assert compilation.analysis is not None and compilation.analysis.registration.complete and not found, (
        found
    )
    return frozen_registration(compilation.analysis, compilation.waivers)


def examples() -> dict[str, Path]:
    """The registrations of the examples, by name."""
    paths = sorted(Path(__file__).parents[2].glob("examples/*/registration.dcp"))
    return {path.parent.name: path for path in paths}


def made_example(name: str) -> Made:
    """The document of an example."""
    path = examples()[name]
    return made_from(path.read_text(encoding="utf-8"), name, DiskWorkspace(str(path.parent)))


class Made(NamedTuple):
    """A registration's document, with the frozen value and bytes that it shows."""

    name: str
    frozen: dict[str, Any]
    registration: bytes
    markdown: str
    html: str


def made_from(text: str, name: str = "", workspace: Workspace | None = None) -> Made:
    """The document of a source."""
    value = frozen(text, workspace)
    data = canonical_bytes(value)
    files = document_files(value, digest(data))
    markdown, html = files["preregistration.md"].decode(), files["preregistration.html"].decode()
    return Made(name, value, data, markdown, html)
