"""The affine example: two probes determine the map; nothing less does."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.task import RequestRefused, length_of, shape_of

from .table import EXAMPLES, mean

solve = load_file(EXAMPLES / "affine" / "agent.py").solve


def test_two_maps_agree_on_at_most_one_input(affine):
    evaluator = affine.evaluator
    for a in range(1, 101):
        for b in (0, 23, 50):
            if (a, b) != evaluator.HIDDEN:
                assert sum(evaluator.evaluate(json.dumps({"a": a, "b": b})).units.values()) <= 1


def test_the_hidden_map_scores_one_and_the_baseline_nearly_nothing(affine):
    a, b = affine.evaluator.HIDDEN
    assert mean(affine.evaluator.evaluate(json.dumps({"a": a, "b": b}))) == 1
    assert mean(affine.evaluator.evaluate((affine.folder / "baseline.json").read_text())) <= Fraction(1, 64)


def test_units_are_the_sealed_inputs(affine):
    units = json.loads((affine.folder / "private/units.json").read_text())
    assert units == list(affine.evaluator.evaluate('{"a": 1, "b": 0}').units) and len(units) == 64


ILLEGAL = [
    *("", "[1, 2]", "{}", '{"a": 1, "b": 0, "c": 0}'),
    *('{"a": 0, "b": 0}', '{"a": 101, "b": 0}', '{"a": 1, "b": 101}', '{"a": 1, "b": -1}'),
    *('{"a": 1.0, "b": 0}', '{"a": true, "b": 0}'),
]


@pytest.mark.parametrize("text", ILLEGAL)
def test_illegal_maps_are_invalid(affine, text):
    assert not affine.evaluator.evaluate(text).valid


@pytest.mark.parametrize("request_", [{}, {"x": -1}, {"x": 101}, {"x": 1.0}, {"x": True}, {"x": 1, "y": 2}])
def test_illegal_probes_are_refused(affine, request_):
    with pytest.raises(RequestRefused):
        affine.task.measure(affine.episode(affine.folder, 0), request_)


@given(a=st.integers(1, 100), b=st.integers(0, 100), x=st.integers(0, 100), step=st.integers(1, 100))
def test_two_points_give_the_map_back(a, b, x, step):
    other = (x + step) % 101
    assert solve([[x, (a * x + b) % 101], [other, (a * other + b) % 101]]) == (a, b)


def test_two_points_that_fit_no_legal_map_give_none():
    assert solve([[1, 5]]) is None
    assert solve([[1, 5], [1, 5]]) is None
    assert solve([[1, 5], [2, 5]]) is None  # slope 0 is not a legal map


@pytest.mark.parametrize("policy", ["neutral", "reference_null"])
def test_non_directional_answers_keep_schema_and_length_and_do_not_depend_on_the_map(affine, policy):
    episode = affine.episode(affine.folder, 0)
    answers = [affine.task.observe(policy, episode, {"x": x}) for x in (3, 40, 99)]
    truthful = affine.task.observe("truthful", episode, {"x": 40})
    assert len({answer["y"] for answer in answers}) == 1
    assert shape_of(answers[1]) == shape_of(truthful)
    assert abs(length_of(answers[1]) / length_of(truthful) - 1) <= Fraction(1, 10)


def test_truthful_feedback_decides(affine):
    truthful = [mean(affine.score(affine.play("truthful", seed))) for seed in range(4)]
    neutral = [mean(affine.score(affine.play("neutral", seed))) for seed in range(4)]
    assert truthful == [1] * 4 and max(neutral) <= Fraction(1, 64)


@pytest.mark.parametrize("policy", ["neutral", "reference_null"])
def test_null_tasks_are_determined_by_their_given_points(affine, policy):
    for seed in range(4):
        played = affine.play(policy, seed, null=True)
        assert affine.score(played, seed, null=True).solved
