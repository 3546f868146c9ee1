"""The device example: 24 gains, 300 outputs, and a score that only the complete set of gains brings to the
line.
"""

import json
from fractions import Fraction
from math import comb

import pytest

from dcp_lang.integrations.task import RequestRefused

from .table import mean

LINE = Fraction(95, 100)


def test_size_is_the_papers(device):
    assert len(device.evaluator.GAINS) == 24 and set(device.evaluator.GAINS.values()) == {-1, 1}
    assert len(device.evaluator.TRUTH) == 24 + comb(24, 2) == 300
    assert list(device.evaluator.TRUTH) == json.loads((device.folder / "private/units.json").read_text())


def test_the_four_given_gains_are_true(device):
    known = json.loads((device.folder / "workspace/known_gains.json").read_text())
    assert len(known) == 4 and known.items() <= device.evaluator.GAINS.items()


def test_baseline_leaves_room_for_the_registered_gain(device):
    score = device.evaluator.evaluate((device.folder / "baseline.json").read_text())
    assert mean(score) == Fraction(26, 100)
    assert 1 - mean(score) >= Fraction(1, 2)


def test_score_falls_below_the_line_with_one_wrong_gain(device):
    assert mean(_with_wrong(device, [])) == 1
    # One wrong gain spoils its own output and its 23 pairs: 276/300.
    assert {mean(_with_wrong(device, [name])) for name in device.evaluator.GAINS} == {Fraction(92, 100)}


def test_agreement_of_the_agents_and_the_evaluators_device(device):
    assert device.agents.predict(device.evaluator.GAINS) == device.evaluator.TRUTH


@pytest.mark.parametrize("change", [{"c01": 2}, {"c01+c02": 1}, {"c01": True}, {"c01": 1.0}, {"c25": 1}])
def test_illegal_predictions_are_invalid(device, change):
    prediction = device.evaluator.TRUTH | change
    assert not device.evaluator.evaluate(json.dumps(prediction)).valid


@pytest.mark.parametrize("text", ["", "[]", "{}", "{"])
def test_anything_else_is_invalid(device, text):
    assert not device.evaluator.evaluate(text).valid


@pytest.mark.parametrize(
    "controls", [[], ["c25"], "c01", [f"c{n:02d}" for n in range(1, 7)], [["c01"]], None]
)
def test_requests_beyond_five_known_controls_are_refused(device, controls):
    with pytest.raises(RequestRefused):
        device.task.measure(None, {"measure": controls})
    with pytest.raises(RequestRefused):
        device.task.measure(None, {"measure": ["c01"], "more": 1})


def test_target_measures_the_rest_in_four_experiments_and_is_exact(device):
    played = device.play("truthful", 0, turns=5)
    assert mean(device.score(played)) == 1
    assert len(json.loads((played / "notes.json").read_text())["asked"]) == 20


def test_challengers_without_measurements_stay_below_the_line(device):
    scores = [mean(device.score(device.play(None, seed))) for seed in range(6)]
    assert max(scores) < LINE and len(set(scores)) > 1


def _with_wrong(device, names):
    gains = {name: -gain if name in names else gain for name, gain in device.evaluator.GAINS.items()}
    return device.evaluator.evaluate(json.dumps(device.agents.predict(gains)))
