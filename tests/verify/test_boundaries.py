"""Ties: where the kernel's doubles decide otherwise than exact numbers, and the record says so."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from peer_audits import Parts, Shape, core_audit, full_audit
from peer_bundles import write

from dcp_lang.verify.binding import Frozen
from dcp_lang.verify.decision import DecisionRecord, decide


def decided(
    folder: Path, shape: Shape, full: bool = False, **fields: Any
) -> tuple[dict[str, Any], DecisionRecord]:
    """(the peer's verdict, our record) for one audit."""
    parts = (full_audit if full else core_audit)(shape, **fields)
    verdict: dict[str, Any] = write(folder, parts)["verdict"]
    return verdict, decide(folder)


def frozen(parts: Parts, **thresholds: Fraction) -> Frozen:
    """A frozen registration whose projection is the audit's own registration."""
    expected = {name: getattr(parts.reg, name) for name in parts.reg.__dataclass_fields__}
    return Frozen("sha256:" + "0" * 64, expected, {}, thresholds)


def challengers(*last: tuple[float, ...], low: float = 0.4) -> tuple[tuple[float, ...], ...]:
    return (tuple(low for _ in last[0]),) * 76 + last


def test_challenger_on_the_recovery_line_is_a_witness(tmp_path: Path) -> None:
    # x = 1, ε = .5 * .1 = .05, a challenger at .95 on every unit: .95 - 1 is -.050000000000000044 in doubles.
    shape = Shape((1.0,) * 4, (0.2,) * 4, challengers((0.95,) * 4))
    peer, record = decided(tmp_path, shape, delta_min=0.1, kappa=0.5)
    assert (peer["core"], record.core.verdict, record.core.recovered) == ("certified", "refuted", True)
    assert record.exit_code == 0 and record.as_json()["kernel_agrees"] is False
    line = next(item for item in record.boundaries if item.question == "candidate 76 (c76)")
    assert (line.exact.decision, line.exact.value) == ("confirmed_hit", "-0.05")
    assert (line.kernel.decision, line.kernel.value) == ("confirmed_miss", "-0.050000000000000044")
    # Read as binary, .95 is below 19/20: the reading of the score decides, and the record shows it.
    assert line.binary.decision == "confirmed_miss"


def test_one_step_below_the_line_both_views_agree(tmp_path: Path) -> None:
    shape = Shape((1.0,) * 4, (0.2,) * 4, challengers((0.95, 0.95, 0.95, 0.949)))
    peer, record = decided(tmp_path, shape, delta_min=0.1, kappa=0.5)
    assert peer["core"] == record.core.verdict == "certified"
    assert record.boundaries == () and record.as_json()["kernel_agrees"] is True


def test_permuted_scores_tie_with_the_target(tmp_path: Path) -> None:
    # ε = 0; the same four scores in another order have the same mean, but their differences sum to -2.8e-17.
    target, permuted = (0.136, 0.173, 0.17, 0.932), (0.136, 0.17, 0.932, 0.173)
    peer, record = decided(tmp_path, Shape(target, (0.0,) * 4, challengers(permuted, low=0.01)), kappa=0.0)
    assert (peer["core"], record.core.verdict) == ("certified", "refuted")
    tie = next(item for item in record.boundaries if item.question.startswith("candidate"))
    assert tie.exact.decision == tie.binary.decision == "confirmed_hit"
    assert tie.exact.value == tie.binary.value == "0" and tie.kernel.value == "-2.7755575615628914e-17"


@pytest.mark.parametrize(
    ("target", "baseline", "delta_min"), [(0.105, 0.005, 0.1), (0.3, 0.2, 0.1), (0.7, 0.6, 0.1)]
)
def test_gain_equal_to_delta_min_passes(
    tmp_path: Path, target: float, baseline: float, delta_min: float
) -> None:
    shape = Shape((target,), (baseline,), challengers((0.001,), low=0.001))
    peer, record = decided(tmp_path, shape, delta_min=delta_min)
    assert (peer["core"], record.core.verdict) == ("refuted", "certified")
    assert peer["reason"].startswith("core: main utility confirmed below delta_min")
    assert [item.question for item in record.boundaries if item.question == "gain"] == ["gain"]


def test_baseline_on_the_line_satisfies_the_outcome(tmp_path: Path) -> None:
    # x = .9, b = .85, ε = .05: the baseline reaches the line, so there is nothing to recover.
    shape = Shape((0.9,), (0.85,), challengers((0.4,)))
    peer, record = decided(tmp_path, shape, delta_min=0.1, kappa=0.5)
    assert peer["reason"].startswith("core: main utility confirmed below delta_min")
    assert record.core.reason == "baseline satisfies P"


def test_frozen_epsilon_replaces_the_rounded_kappa(tmp_path: Path) -> None:
    # κ = 1/7 in doubles makes ε 2.5e-18 too small: 19 of 20 units is a miss for the kernel, a hit at 1/20.
    target, nearly = (1.0,) * 20, (1.0,) * 19 + (0.0,)
    parts = core_audit(
        Shape(target, (0.0,) * 20, challengers(nearly, low=0.0)), kappa=0.14285714285714285, delta_min=0.35
    )
    peer = write(tmp_path, parts)["verdict"]
    unbound = decide(tmp_path)
    bound = decide(tmp_path, frozen(parts, epsilon=Fraction(1, 20)))
    assert (peer["core"], unbound.core.verdict, bound.core.verdict) == ("certified", "certified", "refuted")
    assert bound.binding is not None and bound.binding.holds and bound.exit_code == 0


def test_recall_equal_to_its_minimum_passes_under_the_exact_alpha(tmp_path: Path) -> None:
    # α = .8^20 makes the lower bound of 20/20 controls .8 exactly; no double holds it, the nearest is below.
    exact = Fraction(4, 5) ** 20
    parts = core_audit(Shape(controls=(20, 20)), alpha_adequacy=float(exact))
    peer = write(tmp_path, parts)["verdict"]
    assert peer["core"] == decide(tmp_path).core.verdict == "inconclusive"
    record = decide(tmp_path, frozen(parts, alpha_adequacy=exact))
    assert record.core.verdict == "certified" and record.as_json()["kernel_agrees"] is False
    assert any(item.question == "positive-control recall" for item in record.boundaries)


def test_alpha_budget_has_no_tolerance(tmp_path: Path) -> None:
    # The kernel lets the sum of alphas exceed the total by 1e-12; exactly, it may not exceed it at all.
    spare = 0.05 - 0.0005 - 0.02 - 0.005
    peer, record = decided(tmp_path, Shape(), alpha_score=round(spare + 5e-13, 13))
    assert (peer["core"], record.core.verdict) == ("certified", "inconclusive")
    assert record.core.reason.startswith("registration incomplete: sum(active alphas)")


def test_evidence_margin_just_reached(tmp_path: Path) -> None:
    # 22 pairs are the least that reach .51 at α = .01, 33 null pairs the least that fit in ±.17.
    peer, record = decided(tmp_path, Shape(), full=True)
    assert peer["evidence"] == record.evidence.verdict == "certified"
    short = Shape(truthful=(True,) * 21, neutral=(False,) * 21)
    peer, record = decided(tmp_path / "short", short, full=True)
    assert peer["evidence"] == record.evidence.verdict == "inconclusive"
    assert record.evidence.missing == "statistical_uncertainty"
