"""`dcpc diff` and `dcpc amend`: typed comparison, classed from the claimant's side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from generated import freeze

from dcp_lang.canonical import digest
from dcp_lang.cli import run
from dcp_lang.emit.amend import amendment_faults
from dcp_lang.emit.diff import IDENTITY, LOOSENING, PROSE, TIGHTENING, compare, diff_json, diff_markdown
from dcp_lang.emit.diff.direction import (
    _BOTH_WAYS,
    _CLAIMS,
    _DEMANDS,
    _GREATER_IS_TIGHTER,
    _LESS_IS_TIGHTER,
    classify,
)
from dcp_lang.frozen import read_registration
from dcp_lang.language.fields import FIELDS

SAMPLE = (Path(__file__).parent / "sample.dcp").read_text(encoding="utf-8")
OLD = freeze(SAMPLE)


def amended(*edits: tuple[str, str], head: str = "") -> str:
    text = SAMPLE
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.replace('  title = "A title"', f'  title = "A title"\n{head}') if head else text


CHANGES = {
    "rho lower": (("rho = 0.05", "rho = 0.04"), "thresholds.rho", TIGHTENING),
    "rho higher is refused, so alpha": (("recovery = 0.01", "recovery = 0.02"), "errors.recovery", LOOSENING),
    "alpha lower": (("recovery = 0.01", "recovery = 0.009"), "errors.recovery", TIGHTENING),
    "gain higher": (("delta_min = 0.1", "delta_min = 0.2"), "thresholds.delta_min", TIGHTENING),
    "gain lower": (("delta_min = 0.1", "delta_min = 0.09"), "thresholds.delta_min", LOOSENING),
    "tolerance higher": (("epsilon = 1 / 70", "epsilon = 1 / 60"), "thresholds.epsilon", TIGHTENING),
    "tolerance lower": (("epsilon = 1 / 70", "epsilon = 0"), "thresholds.epsilon", LOOSENING),
    "recall higher": (("recall_min = 0.8", "recall_min = 0.9"), "thresholds.recall_min", TIGHTENING),
    "more episodes": (("episodes = 1000", "episodes = 1001"), "gate.recovery.episodes", TIGHTENING),
    "fewer episodes": (("episodes = 1000", "episodes = 999"), "gate.recovery.episodes", LOOSENING),
    "a rule more": (('registered form"', 'registered form"\n"and is small"'), "task.valid", TIGHTENING),
    "another rule": (("the registered form", "some form"), "task.valid", LOOSENING),
    "title": (('"A title"', '"Another"'), "title", PROSE),
    "claim": (("Within eight turns", "Within nine turns"), "claim", IDENTITY),
    "baseline": (("score = 0.1", "score = 0.2"), "baseline.score", IDENTITY),
    "other files": (('file("task.py")', 'file("other.py")'), "task.adapter", IDENTITY),
    "tools": (("write, experiment", "write"), "model.tools", IDENTITY),
    "session": (("turns = 8", "turns = 9"), "budget.session.turns", IDENTITY),
    "origin": (
        ("positive_controls = auto", "positive_controls = 24"),
        "gate.recovery.positive_controls",
        PROSE,
    ),
    "requirement": (("thresholds {", "require rho <= 5%\nthresholds {"), "require", TIGHTENING),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_class_of_a_change(name: str) -> None:
    edit, path, kind = CHANGES[name]
    found = {c.path: c.kind for c in compare(OLD, freeze(amended(edit)))}
    assert found[path] == kind
    # Counts that follow from another one are computed, and follow it.
    assert set(found) - {path} <= {
        "gate.recovery.candidates",
        "gate.recovery.positive_controls",
        "gate.recovery.episodes",
    }


def test_a_change_turned_round_turns_its_class() -> None:
    new = freeze(amended(("rho = 0.05", "rho = 0.04"), ("thresholds {", "require rho <= 5%\nthresholds {")))
    assert {c.kind for c in compare(OLD, new)} == {TIGHTENING}
    assert {c.kind for c in compare(new, OLD)} == {LOOSENING}


def test_layout_is_no_change() -> None:
    text = amended(("rho = 0.05", "ρ = 5%  # as the paper"), ("time = 1800 s", "time = 30 min"))
    assert compare(OLD, freeze(text)) == []


def test_another_grade_is_one_change(frozen_examples: dict[str, bytes]) -> None:
    core, evidence = (read_registration(frozen_examples[n]) for n in ("knapsack", "sqlite_web"))
    found = {c.path: c for c in compare(core, evidence)}
    assert found["grade"].kind == TIGHTENING
    assert found["thresholds.delta_sham"].note == "follows from the grade"
    assert {c.path: c for c in compare(evidence, core)}["grade"].kind == LOOSENING


def test_a_narrower_null_band_counts_as_loosening() -> None:
    """It makes calibration harder, but the margin δ_evidence + δ_sham smaller."""
    from fractions import Fraction

    assert classify("thresholds.delta_sham", Fraction(1, 5), Fraction(1, 10)) == LOOSENING


def test_directions_speak_of_fields_that_exist() -> None:
    named = _BOTH_WAYS | _CLAIMS | _DEMANDS | _GREATER_IS_TIGHTER | _LESS_IS_TIGHTER
    assert named <= FIELDS.keys()
    assert not _GREATER_IS_TIGHTER & _LESS_IS_TIGHTER
    thresholds = {p for p in FIELDS if p.startswith(("thresholds.", "errors."))}
    assert thresholds <= named


def test_forms() -> None:
    new = freeze(amended(("rho = 0.05", "rho = 0.04"), ('"A title"', '"A | title"')))
    changes = compare(OLD, new)
    data = diff_json(OLD, new, changes)
    assert data["counts"] == {"identity": 0, "loosening": 0, "tightening": 1, "prose": 1}
    assert data["changes"][0] == {
        "path": "thresholds.rho", "class": "tightening", "old": "0.05", "new": "0.04", "note": "",
    }  # fmt: skip
    assert "| tightening | `thresholds.rho` | 0.05 → 0.04 |" in diff_markdown(OLD, new, changes)
    assert "A \\| title" in diff_markdown(OLD, new, changes)


SUPERSEDES = f'supersedes = "{OLD.digest}"'
REASON = 'reason = "the pilot took longer"'
SLOT = f'slot = slot(id = "slot-2", receipt = "{digest(b"a receipt")}")'


def sentences(head: str, *edits: tuple[str, str]) -> list[str]:
    return list(amendment_faults(OLD, freeze(amended(*edits, head=head))))


def test_an_amendment_names_what_it_supersedes_and_why() -> None:
    assert sentences(f"{SUPERSEDES}\n{REASON}") == []
    assert [s.split(":")[0] for s in sentences("")] == [
        "the amendment does not name what it supersedes",
        "the amendment gives no reason",
    ]
    other = SUPERSEDES.replace(OLD.digest, digest(b"another registration"))
    assert len(sentences(f"{other}\n{REASON}")) == 1


def test_a_loosening_needs_a_new_slot() -> None:
    loosen = ("recovery = 0.01", "recovery = 0.02")
    (fault,) = sentences(f"{SUPERSEDES}\n{REASON}", loosen)
    assert fault.startswith("errors.recovery (loosening): such a change needs a new slot")
    assert sentences(f"{SUPERSEDES}\n{REASON}\n{SLOT}", loosen) == []
    assert sentences(f"{SUPERSEDES}\n{REASON}", ("recovery = 0.01", "recovery = 0.009")) == []


def test_the_old_slot_is_no_new_one() -> None:
    old = freeze(amended(head=SLOT))
    text = amended(
        ("recovery = 0.01", "recovery = 0.02"),
        head=f'supersedes = "{old.digest}"\n{REASON}\n{SLOT}',
    )
    assert any("needs a new slot" in s for s in amendment_faults(old, freeze(text)))


def test_another_claim_is_no_amendment() -> None:
    assert any("claim id" in s for s in sentences(f"{SUPERSEDES}\n{REASON}\n{SLOT}", ('"x.Y_2"', '"x.Y_3"')))


def test_the_commands(web: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "registration.json"
    old.write_bytes(web)
    source = Path(__file__).parents[2] / "examples/sqlite_web/registration.dcp"
    assert run(["diff", str(old), str(source)]) == 0
    assert run(["amend", str(old), str(source)]) == 1
    assert "does not name what it supersedes" in capsys.readouterr().err
    assert run(["show", str(old)]) == 0
    shown = capsys.readouterr().out
    assert "(19/20)^90 <= 1/100" in shown and read_registration(web).digest in shown
    changed = json.loads(web)
    changed["fields"]["thresholds.rho"]["value"] = "0.04"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(changed, sort_keys=True, separators=(",", ":"), ensure_ascii=False), "utf-8")
    assert run(["diff", "--format", "json", str(old), str(other)]) == 1
    assert json.loads(capsys.readouterr().out)["changes"][0]["path"] == "thresholds.rho"
    assert run(["show", str(tmp_path / "nothing.json")]) == 2


def test_an_amendment_is_built(web: bytes, tmp_path: Path) -> None:
    """The whole way: freeze, change the title, name digest and reason, build."""
    import shutil

    old = tmp_path / "old.json"
    old.write_bytes(web)
    folder = tmp_path / "source"
    shutil.copytree(Path(__file__).parents[2] / "examples/sqlite_web", folder)
    source = folder / "registration.dcp"
    text = source.read_text(encoding="utf-8")
    head = f'supersedes = "{read_registration(web).digest}"\n  reason = "a better title"\n  title = "New"'
    start = text.index("title = ")
    source.write_text(text[:start] + head + text[text.index("\n", start) :], encoding="utf-8")
    assert run(["amend", str(old), str(source), "-o", str(tmp_path / "build")]) == 0
    built = read_registration((tmp_path / "build/registration.json").read_bytes())
    assert built["supersedes"] == read_registration(web).digest
