"""The knapsack example: legality, the bound, the better of two packings, and an outcome that needs no
feedback.
"""

import json
from fractions import Fraction
from itertools import combinations

import pytest

from dcp_lang.integrations.task import RequestRefused

from .table import mean


def test_bound_is_above_every_legal_packing_of_few_items(knapsack):
    evaluator = knapsack.evaluator
    for names in combinations(list(evaluator.ITEMS)[:12], 8):
        if all(sum(evaluator.ITEMS[name][r] for name in names) <= c for r, c in evaluator.CAPACITIES.items()):
            assert all(score <= 1 for score in evaluator.scores(list(names)))


def test_scores_are_shares_of_the_least_round_bound(knapsack):
    bounds = [knapsack.evaluator.bound(market) for market in knapsack.evaluator.MARKETS]
    assert knapsack.evaluator.SCALE - 10 < max(bounds) <= knapsack.evaluator.SCALE == 1450


def test_bound_is_the_fractional_optimum_of_one_capacity(knapsack, monkeypatch):
    # Two items of one resource: the denser whole, half of the other. Worth is 4 + 3/2 (Dantzig 1957).
    scope = knapsack.evaluator.bound.__globals__
    monkeypatch.setitem(scope, "ITEMS", {"a": {"value": 4, "r": 2}, "b": {"value": 3, "r": 2}})
    monkeypatch.setitem(scope, "CAPACITIES", {"r": 3})
    monkeypatch.setitem(scope, "price", lambda item, market: Fraction(scope["ITEMS"][item]["value"]))
    assert knapsack.evaluator.bound("any") == Fraction(11, 2)


def test_prices_move_within_the_sealed_spread(knapsack):
    evaluator = knapsack.evaluator
    spread = Fraction(evaluator.LASTING + evaluator.PASSING, 100)
    for item, row in evaluator.ITEMS.items():
        shifts = [evaluator.price(item, market) / row["value"] - 1 for market in evaluator.MARKETS]
        assert max(map(abs, shifts)) <= spread
        # The lasting part is common to all markets: they differ by the passing part only.
        assert max(shifts) - min(shifts) <= Fraction(2 * evaluator.PASSING, 100)


def test_baseline_is_legal_and_leaves_room(knapsack):
    score = knapsack.evaluator.evaluate((knapsack.folder / "baseline.json").read_text())
    assert score.valid and mean(score) == Fraction(590_243, 725_000)


def test_units_are_the_markets_and_the_pilot_is_not_among_them(knapsack):
    units = json.loads((knapsack.folder / "private/units.json").read_text())
    assert units == list(knapsack.evaluator.MARKETS) and knapsack.evaluator.PILOT not in units


def test_a_submission_scores_its_better_packing(knapsack):
    one, two = ["i01"], ["i01", "i02"]
    scores = [mean(_evaluated(knapsack, [p])) for p in (one, two)]
    assert (
        scores[0]
        < scores[1]
        == mean(_evaluated(knapsack, [one, two]))
        == mean(_evaluated(knapsack, [two, one]))
    )


@pytest.mark.parametrize(
    "packings",
    [
        [],
        [["i01"]] * 3,
        [["i01", "i01"]],
        [["i99"]],
        ["i01"],
        [[1]],
        [[f"i{n:02d}" for n in range(1, 31)]],
        "i01",
    ],
)
def test_illegal_submissions_are_invalid(knapsack, packings):
    assert not _evaluated(knapsack, packings).valid


def test_one_illegal_packing_spoils_a_submission(knapsack):
    assert not _evaluated(knapsack, [["i01"], ["i99"]]).valid


def test_a_packing_at_the_capacity_itself_is_legal(knapsack, monkeypatch):
    item = knapsack.evaluator.ITEMS["i01"]
    capacities = {resource: item[resource] for resource in knapsack.evaluator.CAPACITIES}
    monkeypatch.setitem(knapsack.evaluator.check.__globals__, "CAPACITIES", capacities)
    assert knapsack.evaluator.check(["i01"]) == ["i01"]
    monkeypatch.setitem(capacities, "labour", item["labour"] - 1)
    with pytest.raises(ValueError, match="labour"):
        knapsack.evaluator.check(["i01"])


def test_experiments_price_a_legal_packing_in_the_pilot_market(knapsack):
    answer = knapsack.task.measure(None, {"packing": ["i03", "i01"]})
    assert answer == {
        "prices": {name: float(knapsack.evaluator.price(name, "pilot")) for name in ("i03", "i01")}
    }
    for request in ({}, {"packing": ["i99"]}):
        with pytest.raises(RequestRefused):
            knapsack.task.measure(None, request)


def test_agent_submits_two_legal_packings_with_and_without_prices(knapsack):
    for policy in ("truthful", None):
        played = knapsack.play(policy, 0)
        packings = json.loads((played / "submission.json").read_text())["packings"]
        assert len(packings) == 2 and knapsack.score(played).valid


def _evaluated(knapsack, packings):
    return knapsack.evaluator.evaluate(json.dumps({"packings": packings}))
