"""A sample of the mutants of `bench/mutants.py`: all faulty ones caught, no sound one refused."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

BENCH = Path(__file__).parents[2] / "bench"
pytestmark = pytest.mark.skipif(
    not BENCH.is_dir(), reason="the measurements are not part of what is installed"
)
SAMPLE = 150


def test_a_sample_of_mutants_is_judged_as_the_oracle_judges_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    from mutation.good import BASES, check, load
    from mutation.operators import mutants

    every = [m for good in load(BASES) for m in mutants(good, Random(1), 0)]
    assert len(every) > 2_000
    wrong = [
        (m.good.name, m.operator, m.what, m.is_faulty)
        for m in Random(2).sample(every, SAMPLE)
        if any(d.is_error for d in check(m.text)) is not m.is_faulty
    ]
    assert wrong == []
    sys.modules.pop("mutation", None)
