"""`dcpc verify-registration`: says exactly what differs, whatever was edited."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dcp_lang import verify_registration
from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.cli import run
from dcp_lang.recheck import Recheck, differences


def edited(data: bytes, change: Callable[[dict[str, Any]], Any]) -> bytes:
    value = json.loads(data)
    change(value)
    return canonical_bytes(value)


def found(result: Recheck) -> dict[str, list[str]]:
    return {step.name: [f.pointer for f in step.faults] for step in result.steps if step.faults}


def test_what_the_compiler_froze_holds(frozen_examples: dict[str, bytes]) -> None:
    for data in frozen_examples.values():
        assert found(verify_registration(data, expected=digest(data), exact=True)) == {}


def test_an_edited_threshold_leaves_everything_stale(web: bytes) -> None:
    data = edited(web, lambda v: v["fields"]["thresholds.rho"].update(value="0.049"))
    parts = found(verify_registration(data))
    assert "/fields/thresholds.rho/value" in parts["source and rules"]
    assert parts["certificates"] == ["/plan/sizes/gate.recovery.episodes/certificate/threshold"]
    steps = verify_registration(data).steps
    messages = [f.message for step in steps for f in step.faults]
    assert 'have "0.049", need "0.05"' in messages


def test_an_edited_source_is_found_by_the_values(web: bytes) -> None:
    data = edited(web, lambda v: v.update(source=v["source"].replace("rho = 0.05", "rho = 0.049")))
    assert "/fields/thresholds.rho/value" in found(verify_registration(data))["source and rules"]


def test_a_source_that_does_not_compile_is_said(web: bytes) -> None:
    data = edited(web, lambda v: v.update(source=v["source"].replace("rho = 0.05", "rho = 5")))
    (fault,) = verify_registration(data).steps[-1].faults
    assert fault.pointer == "/source" and "it does not compile: E" in fault.message


def test_a_rule_declared_proved_is_found(web: bytes) -> None:
    def prove(value: dict[str, Any]) -> None:
        next(row for row in value["rules"] if row["code"] == "E203")["status"] = "proved"

    parts = found(verify_registration(edited(web, prove)))
    assert [p.rpartition("/")[2] for p in parts["source and rules"]] == ["status"]


def test_only_exact_asks_for_the_same_compiler(web: bytes) -> None:
    data = edited(web, lambda v: v["compiler"].update(version="9.9"))
    assert verify_registration(data).holds
    assert found(verify_registration(data, exact=True)) == {
        "same bytes from the source": ["/compiler/version"]
    }


def test_another_digest_than_expected(web: bytes) -> None:
    other = "sha256:" + "0" * 64
    result = verify_registration(web, expected=other)
    assert not result.holds and other in result.steps[0].faults[0].message


@pytest.mark.parametrize(
    "damage",
    [lambda data: data + b"\n", lambda data: data + b"\r\n", lambda data: data.replace(b"{", b"{\r\n", 1)],
)
def test_changed_line_endings_are_recognised(damage: Callable[[bytes], bytes], web: bytes) -> None:
    (fault,) = verify_registration(damage(web)).steps[-1].faults
    restored = digest(damage(web).replace(b"\r", b"").removesuffix(b"\n"))
    assert ("line endings restored it is " + digest(web) in fault.message) == (restored == digest(web))
    assert not verify_registration(damage(web)).holds


def _places(value: Any, steps: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if rows is None:
        return [steps]
    return [place for key, part in rows for place in _places(part, (*steps, key))]


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value + "0"


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_any_edited_leaf_is_found(web: bytes, dice: random.Random) -> None:
    value = json.loads(web)
    *path, last = dice.choice(_places(value))
    target = value
    for step in path:
        target = target[step]
    if target[last] is None:
        return
    target[last] = _other(target[last])
    assert not verify_registration(canonical_bytes(value), exact=True).holds


def test_differences_are_the_innermost_places() -> None:
    have, need = {"a": [1, {"b": "x"}], "c": 1}, {"a": [1, {"b": "y"}], "d~/": True, "c": True}
    places = [(f.pointer, f.message) for f in differences(have, need)]
    assert places == [
        ("/a/1/b", 'have "x", need "y"'),
        ("/c", "have 1, need true"),
        ("/d~0~1", "have (nothing), need true"),
    ]


def test_the_command(web: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "registration.json"
    path.write_bytes(web)
    assert run(["verify-registration", str(path), "--recompile", "--digest", digest(web)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == digest(web)
    assert run(["verify-registration", str(path), "--digest", "sha256:1"]) == 2
    path.write_bytes(edited(web, lambda v: v["plan"].update(sessions=1)))
    assert run(["verify-registration", str(path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["holds"] is False
    assert {f["pointer"] for s in report["steps"] for f in s["faults"]} == {"/plan/sessions"}
