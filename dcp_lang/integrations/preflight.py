"""Everything the harness would find late, found before it creates a run folder.

`preflight` performs the harness's own initialisation without its files: it loads the adapter as the harness
does, makes the contracts by the harness's formulas, builds the registration and asks both peers to validate
it. Then it rehearses the adapter in a temporary folder: every arm is prepared, the baseline is scored twice,
a sample experiment is answered by every policy. Each finding says what to change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from subprocess import SubprocessError
from tempfile import TemporaryDirectory
from typing import Any

from dcp_harness import Harness, HarnessConfig, RegistrationContext, load_config
from dcp_harness.adapter import LoadedAdapter, load_adapter
from dcp_harness.backend import AgentBackend, ClaudeCodeBackend
from dcp_harness.util import HarnessError
from dcp_harness.workspace import manifest

from dcp_lang.emit.expected import contracts_given
from dcp_lang.emit.harness_formulas import CLASS, INTERFACE, UNITS
from dcp_lang.integrations.adapter import CompiledAdapter
from dcp_lang.integrations.compiled import Compiled, CompiledError, strict_json
from dcp_lang.integrations.contracts import known_contracts, make_contracts, stand_in, unknown_agent
from dcp_lang.integrations.mismatch import Finding, RegistrationMismatch, config_differences, field_findings
from dcp_lang.integrations.rehearsal import rehearse
from dcp_lang.integrations.slot import slot_findings

TARGET = "dcp-harness"
#: Methods that carry the registration; a subclass that replaces one audits something else.
_DUTIES = (
    "adapter_identity",
    "audit_materials",
    "baseline",
    "build_evidence",
    "evaluate",
    "handle_experiment",
    "prepare_episode",
    "prompt",
    "registration",
    "select_checkpoint",
    "validate_action",
)


def preflight(
    config_path: str | Path,
    *,
    run_root: str | Path | None = None,
    backend: AgentBackend | None = None,
    target: str = TARGET,
) -> list[Finding]:
    """All findings for an audit; an empty list means that the harness, or another `target`, may start.

    `run_root` adds the checks of the run folder, the audit slot and the agent: `backend`, or the harness's
    own when none is given.
    """
    try:
        strict_json(Path(config_path))
        config = load_config(config_path)
    except (CompiledError, HarnessError) as error:
        return [Finding("A36", "dcp-harness.json", str(error))]
    loaded, findings = _adapter(config)
    findings += list(_peers()) + list(_workspace(config))
    if run_root is not None and backend is None:
        backend, missing = _default_agent(config)
        findings += missing
    if loaded is not None and not findings:
        findings += _registered(config, loaded, backend, target)
        findings += rehearse(loaded.adapter, config) if not findings else []
    if run_root is not None:
        findings += slot_findings(config, Path(run_root))
    return findings


def _default_agent(config: HarnessConfig) -> tuple[AgentBackend | None, list[Finding]]:
    """The harness's own agent, tried in a temporary folder: in the run folder its failure would be final."""
    with TemporaryDirectory() as folder:
        try:
            return ClaudeCodeBackend(config, run_root=Path(folder)), []
        except (HarnessError, OSError, SubprocessError) as error:
            return None, [Finding("A1", "agent", str(error))]


def _peers() -> Iterator[Finding]:
    """The private methods and formulas that this integration leans on are those of two exact versions."""
    for package, need in (("dcp-harness", "0.1.1"), ("dcp-audit", "0.4.2")):
        try:
            have = version(package)
        except PackageNotFoundError:
            have = "not installed"
        if have != need:
            yield Finding("A0", package, f"is {have}, this integration is made for {need}")


def _adapter(config: HarnessConfig) -> tuple[LoadedAdapter | None, list[Finding]]:
    """Load the adapter as the harness will."""
    where = f"task_adapter {config.task_adapter}"
    try:
        loaded = load_adapter(config)
    except Exception as error:
        advice = (
            "the harness loads the file without registering its module: dataclasses there cannot use"
            " `from __future__ import annotations`"
            if isinstance(error, AttributeError)
            else ""
        )
        ours = [found for found in (error, error.__cause__) if isinstance(found, CompiledError)]
        cause = ours[0] if ours else error.__cause__ or error
        code = ours[0].code if ours else "A12"
        return None, [Finding(code, where, f"cannot be loaded: {cause}", advice)]
    if not isinstance(loaded.adapter, CompiledAdapter):
        return None, [Finding("A12", where, "is not a subclass of dcp_lang's CompiledAdapter")]
    replaced = [name for name in _DUTIES if getattr(type(loaded.adapter), name) is not _original(name)]
    return loaded, [
        Finding("A10", f"{where} {name}", "replaces a duty of the registration", "write task code only")
        for name in replaced
    ]


def _original(name: str) -> Any:
    return getattr(CompiledAdapter, name)


def _workspace(config: HarnessConfig) -> Iterator[Finding]:
    source = config.resolve(config.source_workspace)
    if (source / ".dcp").exists():
        yield Finding("A1", "source_workspace", "contains `.dcp`, which the harness reserves")
    try:
        manifest(source)
    except HarnessError as error:
        yield Finding("A1", "source_workspace", str(error))


def _registered(
    config: HarnessConfig, loaded: LoadedAdapter, backend: AgentBackend | None, target: str
) -> list[Finding]:
    """The registration against the configuration, the peers' checks and the compiler's expectations."""
    compiled: Compiled = loaded.adapter.compiled
    findings = config_differences(compiled, config.public_dict()) + field_findings(compiled)
    findings += list(_units(compiled)) + list(_checkpoint(compiled)) + list(_limits(compiled, target))
    if findings:
        return findings
    findings = list(_expected(compiled, loaded, backend, known_contracts(config, loaded, backend)))
    agent = backend or unknown_agent()
    contracts = make_contracts(config, loaded, agent)
    if not contracts["private_isolation_pass"]:
        findings.append(Finding("A18", "agent", "is not isolated from private files", "run it in docker"))
    context = RegistrationContext(
        config=config,
        contracts=contracts,
        source_manifest={},
        interface_hash=agent.interface_hash,
        adapter_identity_hash=loaded.identity_hash,
        audit_materials=loaded.audit_materials,
    )
    try:
        registration = loaded.adapter.registration(context)
    except RegistrationMismatch as mismatch:
        return [*findings, *mismatch.findings]
    except CompiledError as error:
        return [*findings, Finding(error.code, "compiled.json", str(error))]
    errors = Harness._registration_binding_errors(stand_in(config, loaded, agent), registration, contracts)
    return findings + [Finding("A1", "compiled.json", message) for message in errors]


def _units(compiled: Compiled) -> Iterator[Finding]:
    """Unit ids that the kernel refuses only when the finished audit is written (A8)."""
    try:
        ids = compiled.unit_ids()
    except CompiledError as error:
        yield Finding(error.code, "private_units", str(error))
        return
    if len(set(ids)) != len(ids):
        yield Finding("A8", "private_units", "a unit id is given twice")
    for unit in ids:
        if not unit or re.search(r"\s|[^\x21-\x7e]", unit):
            yield Finding("A8", "private_units", f"unit id {unit!r} must be printable ASCII without spaces")


def _checkpoint(compiled: Compiled) -> Iterator[Finding]:
    """An empty lineage is checkpoint 0 and nothing else; the harness does not check (A16)."""
    rule = compiled.document["checkpoint"]
    if rule["scope"] != compiled.fixed["gate3_checkpoint_scope"]:
        yield Finding("A16", "checkpoint.scope", "differs from gate3_checkpoint_scope")
    if rule["rule"] not in {"start", "after", "before"}:
        yield Finding("A16", "checkpoint.rule", f"`{rule['rule']}` is not start, after or before")
    elif rule["scope"] == "lineage_empty" and rule["rule"] != "start":
        yield Finding("A16", "checkpoint.rule", "scope lineage_empty needs the rule `start`")


def _limits(compiled: Compiled, target: str) -> Iterator[Finding]:
    """What the registration asks of the target in vain, as the compiler stated it in `targets.json`."""
    path = compiled.path.with_name("targets.json")
    try:
        rows = strict_json(path)["targets"][target]["cannot"]
    except (CompiledError, KeyError, TypeError):
        yield Finding("T1", "targets.json", f"does not say what {target} cannot honour", "compile again")
        return
    for row in rows:
        message = f"is {row['registered']!r}, but {target} {row['target']}"
        yield Finding("T1", row["field"], message, "run it on another target")


def _expected(
    compiled: Compiled, loaded: LoadedAdapter, backend: AgentBackend | None, contracts: dict[str, Any]
) -> Iterator[Finding]:
    """Contracts that differ from those that the compiler foretold, given what is known now."""
    try:
        document = strict_json(compiled.path.with_name("expected-contracts.json"))
        expected = contracts_given(document, _facts(loaded, backend))
    except (CompiledError, KeyError, TypeError, AttributeError):
        yield Finding("A38", "expected-contracts.json", "cannot be read", "compile again")
        return
    for key in sorted(expected.keys() & contracts.keys()):
        if contracts[key] != expected[key]:
            yield Finding("A38", f"contract {key}", "differs from the compiled one", "an input changed")


def _facts(loaded: LoadedAdapter, backend: AgentBackend | None) -> dict[str, str]:
    """What the compiler could not know: the sealed units, the class, and the agent if there is one."""
    adapter = type(loaded.adapter)
    facts = {
        UNITS: loaded.audit_materials.private_unit_manifest_hash,
        CLASS: f"{adapter.__module__}.{adapter.__qualname__}",
    }
    return facts | ({INTERFACE: backend.interface_hash} if backend else {})
