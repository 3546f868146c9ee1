"""Every target says what it cannot honour, and says nothing of what it can."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from bases import base, compilation
from overlay import overlaid

from dcp_lang.canonical import digest
from dcp_lang.cli import run
from dcp_lang.diagnostics.pages import load_page
from dcp_lang.emit.targets import LIMITS, RULES, always, asked_in_vain, target_diagnostics, targets_document
from dcp_lang.sema.model import TypedRegistration

#: What is asked, over the base of either grade, with the field that asks. Limits of dcp-harness 0.1.1.
IN_VAIN = {
    "gate.recovery.best_of": "gate recovery {\n best_of = 2\n}",
    "family": 'family = family("f", audits = 2, alpha = 10%)',
    "budget.challenger.turns": "budget challenger {\n turns = 9\n}",
    "information.web.more": 'information {\n web more = hosts(["w3.org"], at_most = 1 request, timeout = 5 s)\n}',
    "model.id": 'model {\n id = "model-1-a"\n}',
    "budget.session.cost": "budget session {\n cost = 10 EUR\n}\nbudget audit {\n cost = 3_000 EUR\n}",
}
#: As much as the target can do: one step less than what is asked in vain.
HONOURED = {
    "gate.recovery.best_of": "gate recovery {\n best_of = 1\n}",
    "family": 'family = family("f", audits = 1, alpha = 5%)',
    "budget.challenger.turns": "budget challenger {\n turns = 8\n}",
    "information.web.more": 'information {\n web more = hosts(["w3.org"], at_most = 1 request)\n}',
    "model.id": 'model {\n id = "model-1"\n}',
    "budget.session.cost": "budget session {\n cost = 10 USD\n}",
}


def registration(fragment: str = "") -> TypedRegistration:
    """The evidence base with another interface: rules of `sema` speak of `claude_code` only."""
    text = base("evidence").replace(
        'claude_code(execution = docker, image = "agent@sha256:5d7e")', 'other("scripted")'
    )
    analysis = compilation(overlaid(text, fragment) if fragment else text).analysis
    assert analysis is not None
    return analysis.registration


@pytest.mark.parametrize("target", ["dcp-harness", "snakemake"])
@pytest.mark.parametrize("path", IN_VAIN)
def test_what_is_asked_in_vain_is_said_at_the_field_that_asks(target: str, path: str) -> None:
    reg = registration(IN_VAIN[path])
    assert [p for _, p in asked_in_vain(reg, target)] == [path]
    found = [d for d in target_diagnostics(reg, [target]) if d.code == "W721"]
    assert [(d.name, d.severity, d.span) for d in found] == [
        ("target-cannot-honour", "warning", reg.span(path))
    ]
    assert found[0].message.startswith(f"{target} ") and not found[0].is_error


@pytest.mark.parametrize("target", ["dcp-harness", "snakemake"])
@pytest.mark.parametrize("path", HONOURED)
def test_what_a_target_can_do_is_not_reported(target: str, path: str) -> None:
    assert asked_in_vain(registration(HONOURED[path]), target) == []


def test_the_message_gives_both_numbers() -> None:
    found = target_diagnostics(registration(IN_VAIN["gate.recovery.best_of"]), ["dcp-harness"])
    assert found[0].message == "dcp-harness scores one candidate per episode, but best_of is 2"


def test_several_limits_are_several_findings() -> None:
    both = IN_VAIN["gate.recovery.best_of"] + "\n" + IN_VAIN["family"]
    assert {p for _, p in asked_in_vain(registration(both), "dcp-harness")} == {
        "gate.recovery.best_of",
        "family",
    }


@pytest.mark.parametrize("target", LIMITS)
def test_what_holds_always_is_one_note_per_target(target: str) -> None:
    found = [d for d in target_diagnostics(registration(), [target]) if d.code == "I721"]
    assert len(found) == 1 and found[0].severity == "info"
    assert list(found[0].notes) == [f"it {does}" for does in always(target)]
    stated = " ".join(found[0].notes)
    assert all(word in stated for word in ("seed", "first recovery", "session"))


def test_rules_have_pages() -> None:
    for rule in RULES:
        page = load_page(rule.code)
        assert page is not None and page.slug == rule.name


def test_the_document_says_the_same_to_machines() -> None:
    document = targets_document(registration(IN_VAIN["family"]))
    assert set(document["targets"]) == set(LIMITS)
    assert document["targets"]["dcp-harness"]["cannot"] == [
        {
            "field": "family",
            "registered": {"choice": "family", "id": "f", "audits": 2, "alpha": "0.1"},
            "target": "attests the error budget of a family of one audit only",
        }
    ]


def test_compile_shows_the_findings_and_still_writes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    toy = tmp_path / "toy"
    shutil.copytree(Path(__file__).parents[1] / "integrations/toy", toy)
    text = re.sub(
        r"sha256:(\d)\1{63}", lambda m: digest(m[1].encode()), (toy / "registration.dcp").read_text()
    )
    (toy / "registration.dcp").write_text(overlaid(text, IN_VAIN["gate.recovery.best_of"]))
    assert run(["compile", str(toy / "registration.dcp"), "-o", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().err
    assert "warning[W721]: dcp-harness scores one candidate per episode, but best_of is 2" in shown
    assert "info[I721]" in shown
    written = json.loads((tmp_path / "out/runner/targets.json").read_bytes())
    assert [row["field"] for row in written["targets"]["dcp-harness"]["cannot"]] == ["gate.recovery.best_of"]
