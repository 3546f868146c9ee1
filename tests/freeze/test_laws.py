"""What is frozen depends on the values and on nothing else, and gives itself again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from generated import Drawn, compiled, drawn, freeze, frozen_bytes, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dcp_lang.canonical import canonical_bytes, digest, load_strict
from dcp_lang.driver import Compilation
from dcp_lang.emit.kernel import kernel_registration
from dcp_lang.frozen import read_registration
from dcp_lang.frozen.certificates import certificate_faults
from dcp_lang.thaw import project, recompile

HERE = Path(__file__).parent

few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(drawn(), st.randoms(use_true_random=False))
def test_layout_comments_order_and_spelling_change_nothing(registration: Drawn, dice: random.Random) -> None:
    plain = frozen_bytes(compiled(written(registration)))
    assert frozen_bytes(compiled(written(registration, dice))) == plain


@few
@given(drawn())
def test_a_frozen_registration_gives_itself_again_and_certifies_itself(registration: Drawn) -> None:
    compilation = compiled(written(registration))
    data = frozen_bytes(compilation)
    frozen = read_registration(data)
    assert canonical_bytes(recompile(frozen)) == data
    assert list(certificate_faults(frozen)) == []
    assert compilation.analysis is not None
    assert project(dict(frozen.json)) == kernel_registration(compilation.analysis.registration, digest(data))


def test_every_example_gives_itself_again(frozen_examples: dict[str, bytes]) -> None:
    assert frozen_examples
    for data in frozen_examples.values():
        assert canonical_bytes(recompile(read_registration(data))) == data


def test_golden_digests(
    compiled_examples: dict[str, Compilation],
    frozen_examples: dict[str, bytes],
    golden: Callable[[Path, str], None],
) -> None:
    """The digest of an example changes with its values, the rules or the format: look, then accept."""
    rows = {name: digest(data) for name, data in frozen_examples.items()}
    text = "".join(f"{name}  {rows.get(name, 'does not compile')}\n" for name in compiled_examples)
    golden(HERE / "golden/digests.txt", text)


#: Text of the sample → another value of the same field.
EDITS = {
    "id": ('"x.Y_2"', '"x.Y_3"'),
    "title": ('"A title"', '"A title."'),
    "mode": ("mode = prospective", "mode = retrospective(present_day)\ntarget { score = 0.9 }"),
    "family": ('family("a-family"', 'family("b-family"'),
    "task name": ("task made_up_task", "task made_up_tasks"),
    "adapter": ('file("task.py")', 'file("tasks.py")'),
    "digest": ('file("baseline.json")', 'file("baseline2.json")'),
    "valid": ("has the registered form", "has the form"),
    "score(b)": ("score = 0.1", "score = 0.11"),
    "tools": ("[read, write, experiment]", "[read, write]"),
    "turns": ("turns = 8", "turns = 9"),
    "money": ("cost = 10 USD", "cost = 10.01 USD"),
    "time": ("time = 1800 s", "time = 1801 s"),
    "memory": ("memory = 1073741824 B", "memory = 1073741825 B"),
    "epsilon": ("epsilon = 1 / 70", "epsilon = 1 / 71"),
    "rho": ("rho = 0.05", "rho = 0.049"),
    "recall": ("recall_min = 0.8", "recall_min = 0.81"),
    "alpha": ("recovery = 0.01", "recovery = 0.0101"),
    "size": ("episodes = 1000", "episodes = 1001"),
    "declared for computed": ("positive_controls = auto", "positive_controls = 24"),
    "default written out": ("web = none", "web = none\nvalid_rate = 0.5"),
    "default changed": ("web = none", "web = none\nvalid_rate = 0.51"),
    "require": ("thresholds {", "require rho <= 5%\nthresholds {"),
    "preserves": ("[schema]", "[schema, timing]"),
}


def _sample() -> str:
    return (HERE / "sample.dcp").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sample_digest() -> str:
    return freeze(_sample()).digest


@pytest.mark.parametrize("name", EDITS)
def test_any_value_changes_the_digest(name: str, sample_digest: str) -> None:
    old, new = EDITS[name]
    assert _sample().count(old) == 1, old
    assert freeze(_sample().replace(old, new)).digest != sample_digest


def test_the_same_value_in_other_words_does_not(sample_digest: str) -> None:
    for old, new in (
        ("rho = 0.05", "ρ = 5%"),
        ("time = 1800 s", "time = 30 min"),
        ("memory = 1073741824 B", "memory = 1 GiB"),
        ("cost = 10 USD", "cost = 10.00 USD"),
        ("epsilon = 1 / 70", "epsilon = delta_min / 7"),
        ("score = 0.1", "score = 0.10"),
        ("delta_min = 0.1", "delta_min = 1 / 10"),
    ):
        assert freeze(_sample().replace(old, new)).digest == sample_digest, new


def _leaves(value: Any) -> list[Any]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return [value] if parts is None else [leaf for part in parts for leaf in _leaves(part)]


def test_frozen_files_hold_no_floats_and_no_other_layout(frozen_examples: dict[str, bytes]) -> None:
    for data in frozen_examples.values():
        value = load_strict(data)
        assert {type(leaf) for leaf in _leaves(value)} <= {str, int, bool}
        assert data == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_a_small_alpha_is_kept_to_the_last_digit() -> None:
    """Exact text, where `1e-05` and `0.00001` would part (RFC 8785 prints doubles, this format has none)."""
    frozen = freeze(_sample().replace("recovery = 0.01", "recovery = 0.00001"))
    assert frozen.json["fields"]["errors.recovery"]["value"] == "0.00001"
