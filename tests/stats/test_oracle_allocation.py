"""Every reference table about the error budget, row by row."""

from fractions import Fraction
from functools import cache

from dcp_lang.stats.allocation import Allocation, Gate, allocate
from dcp_lang.stats.assured_allocation import allocate_assured
from dcp_lang.stats.audit import Design, Thresholds, Truth, assurance
from dcp_lang.stats.prices import feedback_price, null_price, recall_price, zero_hit_price

from .reference import agrees, needs_oracle, rows

pytestmark = needs_oracle

RHO, RECALL, MARGIN, BAND = Fraction("0.05"), Fraction("0.8"), Fraction("0.51"), Fraction("0.17")
COSTS = {"recovery": Fraction(1), "adequacy": Fraction(1), "evidence": Fraction(2), "sham": Fraction(2)}
PRICES = {
    "recovery": zero_hit_price(RHO),
    "adequacy": recall_price(RECALL),
    "evidence": feedback_price(MARGIN),
    "sham": null_price(BAND),
}
THRESHOLDS = Thresholds(RHO, RECALL, MARGIN, BAND)


def _check(found: Allocation | None, row: dict, budget: Fraction) -> None:
    assert found is not None
    assert found.cost == row["sessions"] and row["sessions"] - 1 < found.bound <= row["sessions"]
    sizes = {name: row[column] for name, column in zip(COSTS, ("n_r", "n_a", "n_e", "n_s"), strict=True)}
    assert found.sizes == {name: n for name, n in sizes.items() if n is not None}
    assert sum(found.alphas.values()) + found.spare == budget and found.spare >= 0
    for name, alpha in found.alphas.items():
        assert alpha >= found.prices[name] and alpha * 10**12 == int(alpha * 10**12)


def test_zero_failure_optimum() -> None:
    for row in rows("optimal_zero_failure"):
        names = COSTS if row["gates"] == "all-four" else ("recovery", "adequacy")
        budget = Fraction(row["alpha_budget"])
        found = allocate(budget, {name: Gate(PRICES[name], COSTS[name]) for name in names})
        _check(found, row, budget)
        columns = dict(zip(COSTS, ("a_r", "a_a", "a_e", "a_s"), strict=True))
        for name in names:
            assert 0 <= found.prices[name] - Fraction(row[columns[name]]) <= Fraction(1, 10**12)


def test_dominating_optimum() -> None:
    """Every outcome that the reference design tolerates, with no more sessions in any gate."""
    gates = {
        "recovery": Gate(PRICES["recovery"], Fraction(1), 96),
        "adequacy": Gate(recall_price(RECALL, 2), Fraction(1), 45),
        "evidence": Gate(feedback_price(MARGIN, ((0, 0), (1, 0), (2, 0), (0, 1))), Fraction(2), 30),
        "sham": Gate(null_price(BAND, 2), Fraction(2), 60),
    }
    for row in rows("optimal_dominating"):
        budget = Fraction(row["alpha_budget"])
        _check(allocate(budget, gates), row, budget)


def test_relaxation_is_below_the_bound() -> None:
    """The bound over integers lies between the continuous optimum and the integer optimum."""
    optimum = {row["alpha_budget"]: row["sessions"] for row in rows("optimal_zero_failure") if row["n_e"]}
    for row in rows("relaxation"):
        found = allocate(
            Fraction(row["alpha_budget"]), {name: Gate(PRICES[name], COSTS[name]) for name in COSTS}
        )
        assert found is not None
        continuous = Fraction(row["sessions"])
        assert continuous - Fraction(1, 10**5) <= found.bound <= optimum[row["alpha_budget"]]


def _row_design(row: dict) -> Design:
    sizes = {name: row[column] for name, column in zip(COSTS, ("n_r", "n_a", "n_e", "n_s"), strict=True)}
    columns = zip(COSTS, ("a_r", "a_a", "a_e", "a_s"), strict=True)
    return Design(sizes, {name: Fraction(row[column]) for name, column in columns})


@cache
def _scenarios() -> list[dict]:
    return rows("assurance_designs")


def test_assurance_of_every_design() -> None:
    for row in _scenarios():
        truth = Truth(*map(Fraction, row["theta"]))
        assert agrees(assurance(_row_design(row), THRESHOLDS, truth), row["assurance"]), row


def test_assured_optimum_is_never_above_the_best_design_known() -> None:
    """The cheaper half of the scenarios; the table's designs come from a search in doubles."""
    reference: dict[str, Fraction] = {}
    for row in _scenarios():
        truth = Truth(*map(Fraction, row["theta"]))
        if row["label"] == "reference":
            reference[row["scenario"]] = assurance(_row_design(row), THRESHOLDS, truth)
        elif row["scenario"] in ("strong", "good"):
            goal, budget = row["label"].split("@")
            target = reference[row["scenario"]] if goal == "equal" else Fraction(goal)
            found = allocate_assured(Fraction("0" + budget), THRESHOLDS, truth, target, COSTS)
            assert found is not None and found.bound <= found.cost <= row["sessions"], row
            assert found.assurance >= target and found.spare >= 0
            assert found.cost - found.bound < 8, "good multipliers leave a small gap"
