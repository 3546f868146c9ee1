"""The Inspect target: what it is asked in vain, and the limits, counts and digests in `inspect.json`."""

from __future__ import annotations

import json
import re

import pytest
from bases import base, compilation
from overlay import overlaid

from dcp_lang.canonical import digest, is_digest
from dcp_lang.emit.build import TARGET_FILES
from dcp_lang.emit.inspect_task import OUTCOMES, inspect_document, inspect_files
from dcp_lang.emit.kernel import kernel_registration
from dcp_lang.emit.targets import asked_in_vain
from dcp_lang.sema.model import TypedRegistration

SHA = digest(b"the frozen registration")
#: A registration that Inspect can run: the base's model block and Web, replaced.
MODEL = """model {
  id = "lab/m", requested = "lab/m", reported = ["m"]
  interface = other("Inspect"), tools = [read, write, experiment]
}"""

IN_VAIN = {
    "gate.recovery.best_of": "gate recovery {\n best_of = 2\n}",
    "family": 'family = family("f", audits = 2, alpha = 10%)',
    "information.web.more": """information {
      web docs = hosts(["w3.org"], at_most = 1 request)
      web more = hosts(["w3.org"], at_most = 1 request, timeout = 5 s)
    }""",
    "model.tools": "model {\n tools = [read, bash]\n}",
    "model.requested": 'model {\n requested = "m"\n}',
    "model.interface": 'model {\n interface = claude_code(execution = docker, image = "a@sha256:5d7e")\n}',
    "budget.session.cost": "budget session {\n cost = 10 EUR\n}\nbudget audit {\n cost = 3_000 EUR\n}",
}


def registration(grade: str, fragment: str = "") -> TypedRegistration:
    text = re.sub(r"model \{(.|\n)*?\n\s*\}", MODEL, base(grade), count=1)
    text = re.sub(r"web +\w+ += hosts\(.*\)", "web access = none", text)
    text = re.sub(r"web +(= )observed_bytes", r"web \1none", text).replace('after("web snapshot")', "start")
    analysis = compilation(overlaid(text, fragment) if fragment else text).analysis
    assert analysis is not None
    return analysis.registration


@pytest.mark.parametrize("grade", ["core", "evidence"])
def test_nothing_is_asked_in_vain_of_a_registration_for_inspect(grade: str) -> None:
    assert asked_in_vain(registration(grade), "inspect") == []


@pytest.mark.parametrize("path", IN_VAIN)
def test_what_is_asked_in_vain_is_said_at_the_field_that_asks(path: str) -> None:
    assert [p for _, p in asked_in_vain(registration("core", IN_VAIN[path]), "inspect")] == [path]


def test_a_challenger_may_have_more_than_a_session() -> None:
    """Other than dcp-harness, Inspect has limits per stage."""
    reg = registration("core", "budget challenger {\n turns = 9\n}")
    assert asked_in_vain(reg, "inspect") == []
    limits = inspect_document(reg, SHA)["limits"]
    assert (limits["session"]["turn_limit"], limits["challenger"]["turn_limit"]) == (8, 9)
    assert limits["session"]["time_limit"] == limits["challenger"]["time_limit"]


def test_limits_never_give_more_than_the_budget() -> None:
    """Whole seconds and six decimals of a dollar, rounded down; a limit of 0 seconds would be none."""
    reg = registration("core", "budget session {\n time = 90.9 s, cost = 0.1234567 USD\n}")
    assert inspect_document(reg, SHA)["limits"]["session"] == {
        "turn_limit": 8,
        "time_limit": 90,
        "cost_limit": 0.123456,
    }


def test_counts_are_the_planned_sizes_and_core_has_no_pairs() -> None:
    core, evidence = (inspect_document(registration(g), SHA)["counts"] for g in ("core", "evidence"))
    assert core["feedback_pairs"] == core["null_pairs"] == 0 < core["challengers"]
    kernel = kernel_registration(registration("evidence"), SHA)
    assert evidence["feedback_pairs"] == kernel["registered_n_feedback_pairs"]
    assert evidence["null_pairs"] == kernel["registered_n_sham_pairs"]


def test_the_kernels_registration_is_whole() -> None:
    reg = registration("evidence")
    document = inspect_document(reg, SHA)
    assert document["kernel"] == kernel_registration(reg, SHA) and len(document["kernel"]) == 76
    assert document["registration_sha256"] == SHA
    assert document["outcomes"] == OUTCOMES
    assert all(map(is_digest, document["contracts"].values()))


def test_a_contract_changes_with_its_declarations_only() -> None:
    """The digest that stands for the resources changes with a budget, and no other does but the opportunity."""
    before = inspect_document(registration("core"), SHA)["contracts"]
    after = inspect_document(registration("core", "budget session {\n turns = 9\n}"), SHA)["contracts"]
    assert {name for name in before if before[name] != after[name]} == {"resources", "opportunity"}


def test_the_files_are_a_target_of_the_build() -> None:
    assert TARGET_FILES["inspect"] is inspect_files
    files = inspect_files(registration("core"), SHA)
    assert set(files) == {"runner/inspect.json", "runner/inspect_task.py"}
    assert json.loads(files["runner/inspect.json"])["inspect_ai"] == "0.3.285"
    compile(files["runner/inspect_task.py"], "inspect_task.py", "exec")
