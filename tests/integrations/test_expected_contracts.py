"""What the compiler foretells of a run's contracts, against the contracts that the real harness seals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dcp_harness")

from dcp_harness import load_config

from dcp_lang.emit.expected import contracts_given, expected_contracts
from dcp_lang.emit.harness_formulas import CLASS, INTERFACE, UNITS
from dcp_lang.integrations.dcp_harness import ScriptedBackend
from dcp_lang.integrations.harness_run import AuditHarness
from dcp_lang.integrations.load import load_file

from .conftest import compile_text, folder_in_memory

EXAMPLES = Path(__file__).parents[2] / "examples"
AGENTS = {
    "affine": "surveyor",
    "catalyst": "chemist",
    "device": "engineer",
    "knapsack": "packer",
    "sqlite_core": "index_designer",
    "sqlite_web": "index_designer",
}
#: The keys of `contracts.json` that hold the run's nonce, or the agent's word on isolation.
LATE = {
    "private_isolation_pass",
    "audit_slot_id",
    "audit_slot_reservation_receipt_hash",
    "audit_slot_registry_entry_hash",
    "contract_set_hash",
}


@pytest.fixture(scope="module", params=AGENTS)
def sealed(request: pytest.FixtureRequest) -> Iterator[tuple[Path, AuditHarness]]:
    """An example as the real harness registers it, before any session: its folder, and the harness."""
    case, policy = EXAMPLES / request.param, AGENTS[request.param]
    with folder_in_memory() as folder:
        offline = load_file(EXAMPLES / "offline.py")
        text = offline.for_scripted_agent((case / "registration.dcp").read_text(), policy)
        config = compile_text(text, case, folder / "build")
        model = offline.agent_name(policy)
        agent = ScriptedBackend(getattr(load_file(case / "agent.py"), policy), model=model, accepted=(model,))
        yield config.parent, AuditHarness(load_config(config), folder / "run", backend=agent)


def foretold(runner: Path) -> Any:
    return json.loads((runner / "expected-contracts.json").read_bytes())


def test_every_expected_value_is_the_sealed_one(sealed: tuple[Path, AuditHarness]) -> None:
    runner, harness = sealed
    expected = foretold(runner)["expected"]
    assert expected == {key: harness.contracts[key] for key in expected}
    # The examples seal their units, so what depends on the adapter's materials is not known.
    assert len(expected) == 16 and {"k_manifest_hash", "opportunity_contract_hash"} <= expected.keys()


def test_the_facts_give_every_other_value_without_a_nonce(sealed: tuple[Path, AuditHarness]) -> None:
    runner, harness = sealed
    document, contracts = foretold(runner), harness.contracts
    assert document["facts"].keys() == {INTERFACE, UNITS} and document["late"].keys() == LATE
    given = contracts_given(document, {name: contracts[name] for name in document["facts"]})
    assert given == {key: value for key, value in contracts.items() if key not in LATE}
    assert len(given) == 35


def test_one_fact_alone_gives_what_needs_only_that(sealed: tuple[Path, AuditHarness]) -> None:
    runner, harness = sealed
    document, contracts = foretold(runner), harness.contracts
    units = contracts_given(document, {UNITS: contracts[UNITS]})
    assert units == {key: contracts[key] for key in units}
    more = {UNITS, "e0_manifest_hash", "p_hash", "selection_rule_hash"}
    assert units.keys() - document["expected"].keys() == more


def files_of(runner: Path) -> dict[str, bytes]:
    return {p.relative_to(runner).as_posix(): p.read_bytes() for p in runner.rglob("*") if p.is_file()}


def test_committed_units_are_known_at_compile_time(sealed: tuple[Path, AuditHarness]) -> None:
    runner, harness = sealed
    files = files_of(runner)
    document = expected_contracts(files["compiled.json"], files)
    assert document["facts"].keys() == {INTERFACE}
    assert document["expected"] == {key: harness.contracts[key] for key in document["expected"]}
    assert len(document["expected"]) == 20


def test_a_class_from_elsewhere_is_a_fact_of_its_own(sealed: tuple[Path, AuditHarness]) -> None:
    """The harness hashes the module that defines the class, which the compiler does not import."""
    runner, harness = sealed
    files = files_of(runner) | {"task.py": b"from elsewhere import Task\n"}
    document = expected_contracts(files["compiled.json"], files)
    assert document["facts"].keys() == {INTERFACE, CLASS}
    adapter = type(harness.adapter)
    facts = {INTERFACE: harness.contracts[INTERFACE], CLASS: f"{adapter.__module__}.{adapter.__qualname__}"}
    assert contracts_given(document, facts)["scaffold_hash"] == harness.contracts["scaffold_hash"]
