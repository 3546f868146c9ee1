"""A bundle against the registration that was frozen: projection, counts, obligations, mode."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from peer_audits import Parts, Shape, core_audit
from peer_bundles import write

from dcp_lang.verify.binding import (
    RETROSPECTIVE,
    Discharge,
    Frozen,
    Mismatch,
    bind,
    discharge,
    held_to_contracts,
)
from dcp_lang.verify.decision import decide

LATE = {name: name for name in ("interface_hash", "audit_slot_id")}


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Parts]:
    folder = tmp_path_factory.mktemp("audit")
    parts = core_audit()
    write(folder, parts)
    return folder, parts


def frozen(parts: Parts, **changes: Any) -> Frozen:
    fields = {name: getattr(parts.reg, name) for name in parts.reg.__dataclass_fields__ if name not in LATE}
    return Frozen("sha256:" + "0" * 64, fields, LATE)._replace(**changes)


def test_a_bundle_of_the_projection_binds(audit: tuple[Path, Parts]) -> None:
    folder, parts = audit
    record = decide(folder, frozen(parts, episodes=77, positive_controls=45))
    assert record.as_json()["bound"] is True and record.exit_code == 0
    assert record.core is not None and record.core.verdict == "certified"
    assert not any(concern.code == "unregistered-count" for concern in record.concerns)


def test_without_a_registration_the_record_is_not_bound(audit: tuple[Path, Parts]) -> None:
    data = decide(audit[0]).as_json()
    assert data["bound"] is False and data["binding"] is None
    assert data["quantities"]["temporal_scope"]["mode"] == "not registered"


@pytest.mark.parametrize(
    ("found", "expected", "field"),
    [
        ({"rho": 0.05}, {"rho": 0.04}, "rho"),
        ({"m_max": 96.0}, {"m_max": 96}, "m_max"),
        ({"flag": 1}, {"flag": True}, "flag"),
        ({}, {"rho": 0.05}, "rho"),
        ({"extra": ""}, {}, "extra"),
        ({"notes": {"n": 1}}, {"notes": {"n": True}}, "notes"),
    ],
)
def test_a_differing_missing_or_added_field_is_named(found: Any, expected: Any, field: str) -> None:
    assert [item.field for item in bind(found, expected, ())] == [field]


def test_late_fields_may_hold_anything_but_must_be_there() -> None:
    late = {"slot": "slot"}
    assert bind({"slot": "any"}, {}, late) == ()
    assert bind({}, {}, late) == (Mismatch("slot", "(absent)", "(absent)"),)


def test_a_late_field_is_held_to_the_contract_that_tells_it() -> None:
    late = {"rule_hash": "selection_rule_hash", "slot": "slot"}
    frozen = held_to_contracts(Frozen("", {"rho": 0.05}, late), {"selection_rule_hash": "a", "unasked": "b"})
    assert (frozen.expected, frozen.late_fields) == ({"rho": 0.05, "rule_hash": "a"}, {"slot": "slot"})
    found = {"rho": 0.05, "rule_hash": "a", "slot": "any"}
    assert bind(found, frozen.expected, frozen.late_fields) == ()
    changed = bind({**found, "rule_hash": "b"}, frozen.expected, frozen.late_fields)
    assert changed == (Mismatch("rule_hash", "a", "b"),)


def test_a_contradicted_bundle_is_not_certified(audit: tuple[Path, Parts]) -> None:
    folder, parts = audit
    changed = frozen(parts)
    record = decide(folder, changed._replace(expected={**changed.expected, "delta_min": 0.06}))
    assert record.exit_code == 1 and record.replay.agrees
    assert record.core is not None and (record.core.verdict, record.core.missing) == (
        "inconclusive",
        "audit_incomplete",
    )
    assert record.core.reason.endswith("frozen registration: delta_min")


def test_omitted_episodes_contradict_the_frozen_number(audit: tuple[Path, Parts]) -> None:
    record = decide(audit[0], frozen(audit[1], episodes=96, positive_controls=46))
    assert record.binding is not None and record.exit_code == 1
    assert record.binding.mismatches == (
        Mismatch("challenger episodes", 96, 77),
        Mismatch("positive controls", 46, 45),
    )


def test_candidates_of_one_episode_count_once(tmp_path: Path) -> None:
    parts = core_audit()
    first, *rest = parts.g2.controls
    second = rest[0].__class__(**{**rest[0].__dict__, "independent_unit_id": first.independent_unit_id})
    second.independent_draw_receipt_hash = first.independent_draw_receipt_hash
    from peer_audits import reseal

    shared = reseal(parts._replace(g2=parts.g2.__class__((first, second, *rest[1:]), parts.g2.adequacy)))
    write(tmp_path, shared)
    assert decide(tmp_path, frozen(shared, episodes=76)).exit_code == 0
    assert decide(tmp_path, frozen(shared, episodes=77)).exit_code == 1


def obligation(op: str, left: Any, right: Any) -> dict[str, Any]:
    return {"condition": "c", "expression": {"op": op, "args": [left, right]}, "known": {"epsilon": "0.005"}}


X, BASELINE, EPSILON = {"name": "x"}, {"name": "score(b)"}, {"name": "epsilon"}


def test_obligations_are_discharged_with_the_actual_scores(audit: tuple[Path, Parts]) -> None:
    gain = {"op": "-", "args": [X, BASELINE]}
    rows = [
        obligation("<", EPSILON, gain),
        obligation(">", X, {"number": "9/10"}),
        obligation(">=", X, {"number": "0.9"}),
        obligation("<", {"name": "unheard of"}, X),
    ]
    record = decide(audit[0], frozen(audit[1], obligations=rows))
    assert record.binding is not None
    # x is 0.9 to the last digit: > 9/10 is not met, >= 9/10 is.
    assert [item.met for item in record.binding.obligations] == [True, False, True, None]
    assert record.core is not None and record.core.missing == "audit_incomplete"
    assert record.exit_code == 0


def test_met_obligations_change_nothing(audit: tuple[Path, Parts]) -> None:
    record = decide(audit[0], frozen(audit[1], obligations=[obligation(">=", X, {"number": "0.9"})]))
    assert record.core is not None and record.core.verdict == "certified"


def test_an_obligation_that_is_no_condition_is_not_met() -> None:
    row = {"condition": "x", "expression": X, "known": {}}
    assert discharge(row, {"x": Fraction(1)}) == Discharge("", "x", None, "it is not a condition")


def test_retrospective_registrations_only_find_recoveries(tmp_path: Path) -> None:
    parts = core_audit()
    write(tmp_path / "none", parts)
    record = decide(tmp_path / "none", frozen(parts, mode=RETROSPECTIVE, knowledge="present_day"))
    assert record.core is not None and record.core.verdict == "inconclusive" and record.exit_code == 0
    assert record.as_json()["quantities"]["temporal_scope"] == {
        "mode": "retrospective",
        "knowledge": "present_day",
    }
    recovered = core_audit(Shape(challengers=((0.4, 0.4),) * 76 + ((0.9, 0.9),)))
    write(tmp_path / "hit", recovered)
    record = decide(tmp_path / "hit", frozen(recovered, mode=RETROSPECTIVE))
    assert record.outcome == "recovered"
