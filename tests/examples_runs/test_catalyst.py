"""The catalyst example: its reactor, plate, feedback policies and agent against the paper's description."""

import json
from fractions import Fraction
from itertools import product

import pytest

from dcp_lang.integrations.task import RequestRefused, length_of, shape_of

from .table import mean

LINE = Fraction(95, 100)


def test_space_and_conditions_have_the_papers_size(catalyst):
    levels = [len(control["levels"]) for control in catalyst.evaluator.CONTROLS]
    assert levels == [8] * 5 and 8**5 == 32_768
    assert len(catalyst.evaluator.CONDITIONS) == len(set(catalyst.evaluator.UNITS)) == 256


def test_baseline_scores_as_in_the_paper(catalyst):
    score = catalyst.evaluator.evaluate((catalyst.folder / "baseline.json").read_text())
    assert mean(score) == Fraction("0.599038758")  # the paper: 0.5990
    assert 1 - mean(score) >= Fraction(35, 100)


def test_only_the_optimum_reaches_the_recovery_line(catalyst):
    optimum = catalyst.evaluator.OPTIMUM
    assert _score(catalyst, optimum) == 1
    neighbours = [
        (*optimum[:i], optimum[i] + step, *optimum[i + 1 :]) for i, step in product(range(5), (-1, 1))
    ]
    # Retention is a factor below one per step, so no recipe beats the best neighbour.
    assert max(_score(catalyst, recipe) for recipe in neighbours) == Fraction(93, 100) < LINE


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"temperature": 60}'])
def test_anything_but_a_recipe_is_invalid(catalyst, text):
    assert not catalyst.evaluator.evaluate(text).valid


@pytest.mark.parametrize("level", [1.1, "1.0", True, None, [1.0]])
def test_a_recipe_with_an_illegal_level_is_invalid(catalyst, level):
    recipe = json.loads((catalyst.folder / "baseline.json").read_text())
    assert catalyst.evaluator.evaluate(json.dumps(recipe)).valid
    assert not catalyst.evaluator.evaluate(json.dumps({**recipe, "catalyst_loading": level})).valid


def test_plate_is_the_anchor_and_every_other_level_of_one_control(catalyst):
    anchor = (0, 3, 7, 4, 2)
    wells = catalyst.evaluator.plate(anchor)
    assert len(wells) == len(set(wells)) == 36 == 1 + 5 * 7
    assert wells[0] == anchor
    assert all(sum(a != b for a, b in zip(well, anchor, strict=True)) == 1 for well in wells[1:])


def test_any_anchor_shows_the_optimum_in_usable_product_and_not_in_yield(catalyst):
    rows = catalyst.evaluator.measured_plate((7, 0, 7, 0, 7))
    best = catalyst.evaluator.recipe_from(catalyst.agents.best_levels(rows))
    assert best == catalyst.evaluator.OPTIMUM
    by_yield = [{**row, "usable": row["yield"]} for row in rows]
    assert catalyst.evaluator.recipe_from(catalyst.agents.best_levels(by_yield)) != best


def test_shares_stay_shares(catalyst):
    for recipe in product((0, 7), repeat=5):
        well = catalyst.evaluator.measure(recipe)
        assert 0 < well.usable < well.product_yield <= 1 and well.selectivity <= 1


def test_the_anchor_is_committed_before_it_is_measured(catalyst):
    checkpoint = catalyst.play("truthful", 0, turns=1)
    assert json.loads((checkpoint / ".dcp/observation.json").read_text()) == {
        "observation": {"anchor": "committed"}
    }
    episode = catalyst.episode(checkpoint, 0)
    for request in ({}, {"event": "plate", "more": 1}, {"event": "score"}):
        with pytest.raises(RequestRefused):
            catalyst.task.measure(episode, request)
    (checkpoint / "anchor.json").unlink()
    with pytest.raises(RequestRefused):
        catalyst.task.measure(episode, {"event": "plate"})


@pytest.mark.parametrize("policy", ["neutral", "reference_null"])
def test_non_directional_plates_keep_schema_and_length_and_show_no_direction(catalyst, policy):
    checkpoint = catalyst.play("truthful", 0, turns=1)
    episode = catalyst.episode(checkpoint, 0)
    truthful = catalyst.task.observe("truthful", episode, {"event": "plate"})
    answer = catalyst.task.observe(policy, episode, {"event": "plate"})
    assert shape_of(answer) == shape_of(truthful)
    assert abs(length_of(answer) / length_of(truthful) - 1) <= Fraction(1, 10)
    assert catalyst.agents.best_levels(answer["wells"]) == {}
    assert catalyst.agents.best_levels(truthful["wells"])


def test_truthful_feedback_finds_the_optimum_from_the_checkpoint_and_neutral_does_not(catalyst):
    checkpoint = catalyst.play("truthful", 0, turns=1)
    truthful = [mean(catalyst.score(catalyst.play("truthful", seed, start=checkpoint))) for seed in range(4)]
    neutral = [mean(catalyst.score(catalyst.play("neutral", seed, start=checkpoint))) for seed in range(4)]
    assert truthful == [1] * 4
    assert max(neutral) < LINE


@pytest.mark.parametrize("policy", ["neutral", "reference_null"])
def test_null_tasks_are_determined_by_their_starting_files(catalyst, policy):
    checkpoint = catalyst.play("truthful", 0, turns=1)
    answers = set()
    for seed in range(4):
        played = catalyst.play(policy, seed, start=checkpoint, null=True)
        assert catalyst.score(played, seed, null=True).solved
        answers.add((played / "recipe.json").read_text())
    assert len(answers) == 4  # a task of its own per pair


def test_a_blind_draw_hits_with_the_documented_probability(catalyst):
    handbook = catalyst.evaluator.recipe_from(json.loads((catalyst.folder / "baseline.json").read_text()))
    reach = catalyst.agents.REACH
    assert all(abs(a - b) <= reach for a, b in zip(handbook, catalyst.evaluator.OPTIMUM, strict=True))
    assert all(reach <= level <= 7 - reach for level in handbook)
    p = Fraction(1, (2 * reach + 1) ** 5)
    assert p == Fraction(1, 3125)
    assert round(float(1 - (1 - p) ** 96), 3) == 0.030


def _score(catalyst, recipe):
    units = [
        catalyst.evaluator.relative_usable(recipe, condition) for condition in catalyst.evaluator.CONDITIONS
    ]
    return sum(units) / len(units)
