"""The whole build: every file that `dcpc compile` writes, as bytes. Same registration, same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.emit.contracts import contracts
from dcp_lang.emit.document import document_files
from dcp_lang.emit.expected import expected_contracts
from dcp_lang.emit.harness import compiled, harness_config, workspace_path
from dcp_lang.emit.inspect_task import inspect_files
from dcp_lang.emit.kernel import kernel_registration
from dcp_lang.emit.registration import frozen_registration
from dcp_lang.emit.snakemake import snakemake_files
from dcp_lang.emit.targets import targets_document
from dcp_lang.sema.model import TypedRegistration

if TYPE_CHECKING:
    from dcp_lang.sema import Analysis
    from dcp_lang.sema.waivers import Waiver

#: Reads a committed file below the registration's folder.
ReadFile = Callable[[str], bytes]

#: The files of the targets that are written on request; those of dcp-harness always are.
TARGET_FILES: dict[str, Callable[[TypedRegistration, str], dict[str, bytes]]] = {
    "inspect": inspect_files,
    "snakemake": snakemake_files,
}

RUN_AUDIT = '''"""Runs the audit that was compiled beside this file: `python run_audit.py --help`."""

from pathlib import Path

from dcp_lang.integrations.dcp_harness import main

if __name__ == "__main__":
    raise SystemExit(main(config=Path(__file__).with_name("dcp-harness.json")))
'''


def build_files(
    analysis: Analysis,
    waivers: list[Waiver],
    read: ReadFile,
    templates: Path | None = None,
    targets: Iterable[str] = (),
) -> dict[str, bytes]:
    """Path below the output folder to bytes; the writer adds `manifest.json`. `targets` are names of
    `TARGET_FILES`.
    """
    reg = analysis.registration
    frozen = frozen_registration(analysis, waivers)
    registration = canonical_bytes(frozen)
    sha = digest(registration)
    committed = committed_files(reg, read)
    plan = readable(compiled(reg, sha, digest(frozen["source"].encode())))
    files = {
        "registration.json": registration,
        "kernel-registration.json": readable(kernel_registration(reg, sha)),
        "runner/dcp-harness.json": readable(harness_config(reg)),
        "runner/compiled.json": plan,
        "runner/expected-contracts.json": readable(expected_contracts(plan, committed)),
        "runner/run_audit.py": RUN_AUDIT.encode(),
        "runner/targets.json": readable(targets_document(reg)),
    }
    files |= document_files(frozen, sha, templates=templates)
    files |= {f"contracts/{name}.json": canonical_bytes(doc) for name, doc in contracts(reg).items()}
    files |= {f"runner/{path}": data for path, data in committed.items()}
    for target in targets:
        files |= TARGET_FILES[target](reg, sha)
    return files


def readable(value: Any) -> bytes:
    """Derived files: sorted keys, two spaces; floats only where a peer's format forces them."""
    return (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode()


def committed_files(reg: TypedRegistration, read: ReadFile) -> dict[str, bytes]:
    """Copies of every committed file, so that `runner/` is complete but for sealed material."""
    files: dict[str, bytes] = {}
    for material in reg.materials().values():
        if material.kind == "file":
            files[material.path] = read(material.path)
        for path, _, _ in material.files:
            files[material.path + path] = read(material.path + path)
    start = workspace_path(reg) + "/"
    return files if any(p.startswith(start) for p in files) else files | {start + ".keep": b""}
