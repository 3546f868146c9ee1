"""What consumers of frozen registrations get: typed exact values, or the place and the reason of a fault."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dcp_lang
from dcp_lang import Amount, Choice, FrozenFault, Material, load_registration
from dcp_lang.canonical import canonical_bytes
from dcp_lang.frozen import read_registration

HASH = "sha256:" + "1" * 64


def test_values_are_exact_and_typed(web: bytes, tmp_path: Path) -> None:
    (tmp_path / "registration.json").write_bytes(web)
    reg = load_registration(tmp_path / "registration.json")
    assert reg["thresholds.rho"] == Fraction(1, 20)
    assert reg["budget.session.time"] == Amount(Fraction(1800), "s")
    assert reg["gate.recovery.episodes"] == 96
    assert reg["gate.feedback.checkpoint"] == Choice("after", (("event", "web snapshot"),))
    workspace = reg["information.given.workspace"]
    assert isinstance(workspace, Material) and [row[0] for row in workspace.files] == sorted(
        row[0] for row in workspace.files
    )
    assert reg.plan.sizes["gate.recovery.episodes"].least == 90
    assert reg.fields["gate.recovery.valid_rate"].origin == "default"
    assert reg.get("target.score") is None and "target.score" not in reg


def test_an_unknown_field_names_the_nearest(web: bytes) -> None:
    with pytest.raises(KeyError, match=r"did you mean thresholds\.rho"):
        read_registration(web)["threshold.rho"]


def test_it_cannot_be_changed(web: bytes) -> None:
    reg = read_registration(web)
    with pytest.raises(AttributeError):
        reg.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        reg.fields["id"] = reg.fields["title"]  # type: ignore[index]


def edit(*steps: str, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        *path, last = steps
        for step in path:
            value = value[step]
        value[last] = to

    return change


def drop(*steps: str) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        *path, last = steps
        for step in path:
            value = value[step]
        del value[last]

    return change


RHO = ("fields", "thresholds.rho")
FAULTS: dict[str, tuple[Callable[[dict[str, Any]], None], str, str]] = {
    "other schema": (edit("schema", to="dcp-lang/registration/2"), "/schema", "no frozen registration"),
    "key missing": (drop("slot"), "", "`slot` is missing"),
    "key unknown": (edit("extra", to=1), "", "`extra` is unknown"),
    "field unknown": (edit("fields", "rho", to={}), "/fields/rho", "no such field"),
    "number as a percent": (edit(*RHO, "value", to="5%"), "/fields/thresholds.rho/value", "exact number"),
    "second spelling": (edit(*RHO, "value", to="0.050"), "/fields/thresholds.rho/value", "second spelling"),
    "number as integer": (edit(*RHO, "value", to=0), "/fields/thresholds.rho/value", "exact number"),
    "at the open end": (edit(*RHO, "value", to="1"), "/fields/thresholds.rho/value", "out of range"),
    "origin": (edit(*RHO, "origin", to="guessed"), "/fields/thresholds.rho/origin", "not one of"),
    "count as text": (
        edit("fields", "gate.recovery.episodes", "value", to="96"),
        "/fields/gate.recovery.episodes/value",
        "whole number of episodes",
    ),
    "truth for count": (
        edit("fields", "gate.recovery.episodes", "value", to=True),
        "/fields/gate.recovery.episodes/value",
        "whole number of episodes",
    ),
    "other unit": (
        edit("fields", "budget.session.time", "value", "unit", to="min"),
        "/fields/budget.session.time/value",
        "quantity of time",
    ),
    "unknown choice": (
        edit("fields", "mode", "value", "choice", to="later"),
        "/fields/mode/value",
        "one of `prospective`",
    ),
    "unknown argument": (
        edit("fields", "mode", "value", "knowledge", to="present_day"),
        "/fields/mode/value",
        "`knowledge` is unknown",
    ),
    "identifier": (edit("fields", "id", "value", to="two words"), "/fields/id/value", "identifier"),
    "newline after digest": (
        edit("contracts", "interface", to=HASH + "\n"),
        "/contracts/interface",
        "no digest",
    ),
    "profile edited": (
        lambda v: v["profiles"][0].update(source=v["profiles"][0]["source"].replace("5%", "50%")),
        "/profiles/0/sha256",
        "the digest of the profile's source",
    ),
    "manifest edited": (
        lambda v: v["fields"]["information.given.workspace"]["value"]["files"][0].update(size=1),
        "/fields/information.given.workspace/value/sha256",
        "the manifest's digest",
    ),
    "manifest reordered": (
        lambda v: v["fields"]["information.given.workspace"]["value"]["files"].reverse(),
        "/fields/information.given.workspace/value/files",
        "order of their paths",
    ),
    "item twice": (
        lambda v: v["fields"]["attestations"]["value"].append(v["fields"]["attestations"]["value"][0]),
        "/fields/attestations/value/15",
        "twice",
    ),
    "status": (lambda v: v["rules"][0].update(status="assumed"), "/rules/0/status", "not one of"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_place_and_reason(name: str, web: bytes) -> None:
    change, place, reason = FAULTS[name]
    value = json.loads(web)
    change(value)
    with pytest.raises(FrozenFault) as caught:
        read_registration(canonical_bytes(value))
    assert caught.value.pointer == place
    assert reason in caught.value.message


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "expected a value"),
        (b"[]", "schema"),
        (b"{}", "schema"),
        (b'{"schema":NaN}', "NaN"),
        (b"\xff", "UTF-8"),
    ],
)
def test_what_is_no_registration_at_all(data: bytes, reason: str) -> None:
    with pytest.raises(FrozenFault, match=reason):
        read_registration(data)


def test_every_public_name_is_there() -> None:
    assert len(dcp_lang.__all__) >= 12
    for name in dcp_lang.__all__:
        assert getattr(dcp_lang, name) is not None
    with pytest.raises(AttributeError, match="no attribute"):
        dcp_lang.nothing  # noqa: B018


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys, dcp_lang; print(sum(m.startswith('dcp_lang.') for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
