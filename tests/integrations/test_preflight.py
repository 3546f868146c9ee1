"""What would spoil an audit is refused before the harness makes a run folder, each under its own code."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from foretold import foretell

pytest.importorskip("dcp_harness")

from dcp_lang.integrations import mismatch
from dcp_lang.integrations.contracts import known_contracts
from dcp_lang.integrations.dcp_harness import RegistrationMismatch, ScriptedBackend, preflight, run_audit
from dcp_lang.integrations.load import load_file

from .conftest import MODEL, TOY, edit

Compile = Callable[..., Path]


def compiled(config: Path) -> Path:
    return config.with_name("compiled.json")


def codes(config: Path, **rest: Any) -> set[str]:
    return {finding.code for finding in preflight(config, **rest)}


@pytest.fixture(scope="module")
def agent() -> ScriptedBackend:
    return ScriptedBackend(load_file(TOY / "agent.py").seeker, model=MODEL, accepted=(MODEL,))


def test_a_sound_audit_has_no_findings(compile_toy: Compile, tmp_path: Path, agent: ScriptedBackend) -> None:
    assert preflight(compile_toy(), run_root=tmp_path / "run", backend=agent) == []
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("code", "field", "value"),
    [
        ("A2", "registered_n_feedback_pairs", 5),
        ("A3", "family_max_audits", 2),
        ("A37", "m_max", "160"),
        ("A37", "rho", True),
        ("B4", "notes", {}),
        ("B4", "notes", {"dcp_lang": {"challengers": 2, "positive_controls": 2}}),
        ("A36", "m_max", 2**53 + 1),
        ("A1", "m_max", 6),
        ("A1", "min_n_ind", 4),
        ("A1", "rho", 0.06),
        ("A1", "alpha_recovery", 0.04),
    ],
)
def test_a_kernel_field_that_does_not_fit(compile_toy: Compile, code: str, field: str, value: Any) -> None:
    assert codes(compile_toy(kernel={field: value})) == {code}


def test_the_largest_possible_gain_is_enough_and_no_more(compile_toy: Compile) -> None:
    """The toy's baseline scores 0, so a gain of exactly 1 can be reached."""
    assert codes(compile_toy(kernel={"delta_min": 1.0})) == set()


def test_a_baseline_that_leaves_too_little_room(compile_toy: Compile) -> None:
    """1 - .7 is .30000000000000004 in doubles, 1 - .9 is .09999999999999998: below a gain of .1 (B1)."""
    for score, need, found in (("0.7", 0.3, set()), ("0.9", 0.1, {"B1"})):
        evaluator = EVALUATOR.replace("float(found)", f"max(float(found), {score})")
        config = compile_toy(files={"private/evaluator.py": evaluator}, kernel={"delta_min": need})
        assert codes(config) == found
        shutil.rmtree(config.parents[2])


def test_the_candidate_cap_itself_is_accepted(compile_toy: Compile) -> None:
    """m_max = challengers + 2 * (pairs + replacements) = 3 + 2 * 2 = 7."""
    assert codes(compile_toy(kernel={"m_max": 7})) == set()


@pytest.mark.parametrize("field", ["rho", "interface_hash", "gate2_control_contract_hash"])
def test_every_kernel_field_must_be_given_once(compile_toy: Compile, field: str) -> None:
    config = compile_toy()

    def drop(document: Any) -> None:
        document["fixed"].pop(field, None)
        document["bind"].pop(field, None)

    edit(compiled(config), drop)
    finding = preflight(config)[0]
    assert (finding.code, finding.where) == ("B7", f"compiled.json {field}")


def test_another_claim_than_the_configured_one_is_refused(compile_toy: Compile) -> None:
    config = compile_toy()
    edit(compiled(config), lambda document: document["fixed"].update(claim_id="another-claim"))
    foretell(config)
    assert codes(config) == {"A1"}


def test_another_scope_than_the_configured_one_is_refused(compile_toy: Compile) -> None:
    assert codes(compile_toy(kernel={"gate3_checkpoint_scope": "lineage_prefix"})) == {"A2", "A16"}


def test_a_field_both_fixed_and_bound_is_refused(compile_toy: Compile) -> None:
    config = compile_toy()
    edit(compiled(config), lambda document: document["fixed"].update(interface_hash="sha256:" + "1" * 64))
    assert codes(config) == {"B7"}


def test_an_unknown_contract_is_refused(compile_toy: Compile) -> None:
    config = compile_toy()
    edit(compiled(config), lambda document: document["bind"].update(interface_hash="interface"))
    foretell(config)
    assert codes(config) == {"B7"}


@pytest.mark.parametrize("text", ["x", "sha256:" + "0" * 63, "sha256:" + "A" * 64])
def test_a_hash_field_must_be_a_digest(compile_toy: Compile, text: str) -> None:
    config = compile_toy()

    def fix(document: Any) -> None:
        del document["bind"]["scaffold_hash"]
        document["fixed"]["scaffold_hash"] = text

    edit(compiled(config), fix)
    assert codes(config) == {"B7"}


def test_the_digest_of_nothing_is_no_digest(compile_toy: Compile) -> None:
    import hashlib

    test_a_hash_field_must_be_a_digest(compile_toy, "sha256:" + hashlib.sha256(b"").hexdigest())


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("audit", "challenger_episodes", 4),
        ("audit", "positive_control_episodes", 3),
        ("agent", "max_turns", 5),
        ("agent", "max_budget_usd", 11.0),
        ("agent", "timeout_seconds", 61),
        ("agent", "accepted_model_ids", ["scripted-seeker", "another"]),
        ("web", "max_requests", 19),
    ],
)
def test_an_edited_configuration_is_refused(compile_toy: Compile, section: str, key: str, value: Any) -> None:
    config = compile_toy()
    edit(config, lambda document: document[section].update({key: value}))
    assert f"{section}.{key}" in {finding.where.split()[-1] for finding in preflight(config)}
    assert "A2" in codes(config)


def test_core_grade_with_other_pair_counts_is_refused(compile_toy: Compile) -> None:
    """The harness runs every session of such an audit and refuses only at the end."""
    config = compile_toy(audit={"grade": "core"}, kernel={"registered_n_sham_pairs": 3})
    assert codes(config) == {"A2"}


def test_duplicate_keys_are_refused(compile_toy: Compile) -> None:
    config = compile_toy()
    config.write_text(config.read_text().replace('"claim_id"', '"claim_id": "first",\n "claim_id"'))
    findings = preflight(config)
    assert [finding.code for finding in findings] == ["A36"]
    assert "a duplicate key 'claim_id'" in findings[0].message


@pytest.mark.parametrize(
    ("units", "code"),
    [('["a b"]', "A8"), ('["a", "a"]', "A8"), ('[""]', "A8"), ('{"a": 1}', "A7"), ("[]", "A7")],
)
def test_unit_ids_that_the_kernel_refuses_at_the_end(compile_toy: Compile, units: str, code: str) -> None:
    assert code in codes(compile_toy(files={"private/units.json": units}))


@pytest.mark.parametrize("name", ["task.py", "private/units.json", "private/evaluator.py", "baseline.json"])
def test_a_file_changed_after_compilation_is_refused(compile_toy: Compile, tmp_path: Path, name: str) -> None:
    config = compile_toy()
    path = config.parent / name
    path.write_text(path.read_text() + "\n")
    findings = preflight(config, run_root=tmp_path / "run", backend=agent)
    assert [finding.code for finding in findings] == ["A38"]
    assert f"`{name}` changed after compilation" in findings[0].message
    with pytest.raises(RegistrationMismatch):
        run_audit(config, tmp_path / "run", backend=agent)
    assert not (tmp_path / "run").exists()


def test_a_changed_policy_is_refused(compile_toy: Compile) -> None:
    config = compile_toy()
    edit(compiled(config), lambda document: document["policies"]["neutral"].update(sends="the truth"))
    assert "`policy neutral` changed after compilation" in preflight(config)[0].message


#: The harness's loader does not register the module in which such a dataclass looks up its annotations.
POSTPONED_DATACLASS = """
from __future__ import annotations
from dataclasses import dataclass
import json
@dataclass
class Box:
    number: int
"""
TASK = (TOY / "task.py").read_text()
EVALUATOR = (TOY / "private/evaluator.py").read_text()


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("A12", "import json\n", POSTPONED_DATACLASS),
        ("A12", "class Task(CompiledAdapter)", "class Task"),
        ("A12", "class Task", "1 / 0\n\nclass Task"),
        ("A10", "    def measure(", "    def evaluate(self, context): ...\n\n    def measure("),
        ("A33", "if episode.null_task:\n", "if episode.null_task:\n            raise OSError('disk')\n"),
        ("G3", 'return {"weights": [2] * len(measurement["weights"])}', 'return {"weights": [2]}'),
        ("G3", 'return {"weights": [2] * len', 'return {"weights": [2222222222] * len'),
        ("A33", "[draw.randrange(evaluator.BOXES // 2)] = 3", "[0] = random.random()"),
    ],
)
def test_an_adapter_that_would_fail_during_the_audit(
    compile_toy: Compile, code: str, old: str, new: str
) -> None:
    assert old in TASK
    findings = preflight(compile_toy(files={"task.py": TASK.replace(old, new, 1)}))
    assert code in {finding.code for finding in findings}, findings


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("A9", "    found = box", "    if box == 0:\n        return Score.invalid('no')\n    found = box"),
        ("A33", '("private-1", "private-2")', '("private-1",)'),
        ("A33", '("private-1", "private-2")', '("private-2", "private-1")'),
        ("A33", "found = box == prize", "found = box / 0"),
        ("B6", "float(found)", "__import__('random').random()"),
    ],
)
def test_a_verifier_that_would_fail_during_the_audit(
    compile_toy: Compile, code: str, old: str, new: str
) -> None:
    assert old in EVALUATOR
    findings = preflight(compile_toy(files={"private/evaluator.py": EVALUATOR.replace(old, new, 1)}))
    assert code in {finding.code for finding in findings}, findings


@pytest.mark.parametrize(
    "rule",
    [
        {"rule": "after", "event": "web snapshot", "scope": "lineage_empty"},
        {"rule": "sometime", "scope": "lineage_empty"},
        {"rule": "start", "scope": "lineage_prefix"},
    ],
)
def test_a_checkpoint_rule_that_contradicts_its_scope(compile_toy: Compile, rule: dict[str, str]) -> None:
    assert codes(compile_toy(checkpoint=rule)) == {"A16"}


def test_a_broken_run_folder_is_refused(compile_toy: Compile, tmp_path: Path, agent: ScriptedBackend) -> None:
    """What a failed start of the harness leaves: files, but no state that could resume."""
    (tmp_path / "run/registration").mkdir(parents=True)
    assert codes(compile_toy(), run_root=tmp_path / "run", backend=agent) == {"A1"}


def test_a_run_folder_inside_the_workspace_is_refused(
    compile_toy: Compile, tmp_path: Path, agent: ScriptedBackend
) -> None:
    assert codes(compile_toy(), run_root=tmp_path / "build/runner/workspace/run", backend=agent) == {"A1"}


def test_a_reserved_or_linked_workspace_is_refused(compile_toy: Compile, tmp_path: Path) -> None:
    config = compile_toy()
    (tmp_path / "build/runner/workspace/.dcp").mkdir()
    assert codes(config) == {"A1"}
    (tmp_path / "build/runner/workspace/.dcp").rmdir()
    (tmp_path / "build/runner/workspace/link").symlink_to("TASK.md")
    assert codes(config) == {"A1"}


def test_one_registration_starts_one_audit(
    compile_toy: Compile, tmp_path: Path, agent: ScriptedBackend
) -> None:
    config = compile_toy()
    config.with_name("started.json").write_text(json.dumps({"run_folder": str(tmp_path / "first")}))
    assert codes(config, run_root=tmp_path / "second", backend=agent) == {"A34"}
    assert codes(config, run_root=tmp_path / "first", backend=agent) == set()


def expect(config: Path, key: str, value: str) -> None:
    """Let the compiler foretell another value for a contract."""

    def change(document: Any) -> None:
        document["formulas"].pop(key, None)
        document["expected"][key] = value

    edit(config.with_name("expected-contracts.json"), change)


def test_a_contract_that_differs_from_the_expected_one(compile_toy: Compile, agent: ScriptedBackend) -> None:
    config = compile_toy()
    expect(config, "scaffold_hash", "sha256:" + "0" * 64)
    findings = preflight(config, backend=agent)
    assert [(finding.code, finding.where) for finding in findings] == [("A38", "contract scaffold_hash")]
    assert codes(config) == set()  # it depends on the agent's interface, which is not known here


def test_a_formula_that_gives_another_contract(compile_toy: Compile, agent: ScriptedBackend) -> None:
    """One fewer turn in the foretold opportunity, in a formula that waits for the agent's interface."""
    config = compile_toy()

    def change(document: Any) -> None:
        document["formulas"]["gate2_control_contract_hash"]["value"]["opportunity"]["max_turns"] -= 1

    edit(config.with_name("expected-contracts.json"), change)
    findings = preflight(config, backend=agent)
    assert [finding.where for finding in findings] == ["contract gate2_control_contract_hash"]


@pytest.mark.parametrize("text", [None, "{}", "[", '{"formulas": {}, "expected": []}'])
def test_a_build_without_its_expected_contracts_is_refused(compile_toy: Compile, text: str | None) -> None:
    config = compile_toy()
    path = config.with_name("expected-contracts.json")
    path.unlink() if text is None else path.write_text(text)
    assert codes(config) == {"A38"}


def test_a_workspace_file_that_became_executable_is_refused(compile_toy: Compile) -> None:
    """No file's bytes change, but the harness's manifest of the workspace does."""
    config = compile_toy()
    (config.parent / "workspace/TASK.md").chmod(0o755)
    found = preflight(config)
    assert {finding.code for finding in found} == {"A38"}
    assert "contract source_manifest_hash" in {finding.where for finding in found}


def test_every_finding_says_why() -> None:
    used = {
        code
        for path in Path(mismatch.__file__).parent.glob("*.py")
        for code in re.findall(r'(?:Finding\(\s*|code=|code: str = )"([A-Z]\d+)"', path.read_text())
    }
    assert used == set(mismatch.WHY)


def test_known_contracts_are_those_of_every_run(
    compile_toy: Compile, tmp_path: Path, agent: ScriptedBackend
) -> None:
    """With the agent, all are known but the four that hold the run's nonce."""
    from dcp_harness.adapter import load_adapter
    from dcp_harness.config import load_config

    from dcp_lang.integrations.harness_run import AuditHarness

    config = load_config(compile_toy())
    harness = AuditHarness(config, tmp_path / "run", backend=agent)
    sealed = json.loads((tmp_path / "run/registration/contracts.json").read_text())
    with_agent = known_contracts(config, load_adapter(config), agent)
    without = known_contracts(config, load_adapter(config))
    assert with_agent.items() <= sealed.items() and without.items() <= with_agent.items()
    assert sealed.keys() - with_agent.keys() == {
        "audit_slot_id",
        "audit_slot_reservation_receipt_hash",
        "audit_slot_registry_entry_hash",
        "contract_set_hash",
    }
    assert {"k_manifest_hash", "selection_rule_hash", "feedback_schema_hash"} <= without.keys()
    assert "interface_hash" in with_agent.keys() - without.keys()
    assert harness.contracts == sealed


def test_expected_contracts_are_compared_without_an_agent_too(compile_toy: Compile) -> None:
    config = compile_toy()
    for key in ("k_manifest_hash", "scaffold_hash"):
        expect(config, key, "sha256:" + "0" * 64)
    assert [finding.where for finding in preflight(config)] == ["contract k_manifest_hash"]


# ---- the harness's own agent -------------------------------------------------------------------------------


def on_host(config: Path, binary: str) -> Path:
    """The audit compiled for the harness's command-line agent on this machine, without a container."""
    change = {"execution": "host", "claude_binary": binary}
    edit(config, lambda document: document["agent"].update(change))
    edit(compiled(config), lambda document: document["config"]["agent"].update(change))
    foretell(config)
    return config


def test_a_missing_agent_is_found_before_the_run_folder(compile_toy: Compile, tmp_path: Path) -> None:
    config = on_host(compile_toy(), "no-such-agent")
    findings = preflight(config, run_root=tmp_path / "run")
    assert [(finding.code, finding.where) for finding in findings] == [("A1", "agent")]
    assert "Claude CLI was not found: no-such-agent" in findings[0].message
    with pytest.raises(RegistrationMismatch):
        run_audit(config, tmp_path / "run")
    assert not (tmp_path / "run").exists() and not config.with_name("started.json").exists()


def test_an_agent_outside_a_container_cannot_certify(compile_toy: Compile, tmp_path: Path) -> None:
    binary = tmp_path / "agent"
    binary.write_text("#!/bin/sh\necho 1.0\n")
    binary.chmod(0o755)
    assert codes(on_host(compile_toy(), str(binary)), run_root=tmp_path / "run") == {"A18"}


def test_a_start_that_fails_leaves_nothing_behind(
    compile_toy: Compile, tmp_path: Path, agent: ScriptedBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = compile_toy()

    def fail(*arguments: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("dcp_harness.runtime.checkpoint", fail)
    with pytest.raises(OSError, match="no space left"):
        run_audit(config, tmp_path / "run", backend=agent)
    assert not (tmp_path / "run").exists() and not config.with_name("started.json").exists()
    monkeypatch.undo()
    assert codes(config, run_root=tmp_path / "run", backend=agent) == set()


def test_what_the_harness_cannot_honour_is_refused(compile_toy: Compile) -> None:
    text = (TOY / "registration.dcp").read_text()
    config = compile_toy(
        files={"registration.dcp": text.replace("gate recovery {", "gate recovery {\n    best_of = 2")}
    )
    found = preflight(config)
    assert [(finding.code, finding.where) for finding in found] == [("T1", "gate.recovery.best_of")]
    assert found[0].message == "is 2, but dcp-harness scores one candidate per episode"


@pytest.mark.parametrize("text", [None, "{}", '{"targets": {"dcp-harness": {}}}', "["])
def test_a_build_that_does_not_state_its_limits_is_refused(compile_toy: Compile, text: str | None) -> None:
    config = compile_toy()
    path = config.with_name("targets.json")
    path.unlink() if text is None else path.write_text(text)
    assert codes(config) == {"T1"}
