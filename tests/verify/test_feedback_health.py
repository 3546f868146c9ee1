"""The health of the feedback study on its caps: four fifths valid, a tenth failed, a tenth of the pairs lost."""

from __future__ import annotations

import pytest

from dcp_lang.verify.arithmetic import Exact
from dcp_lang.verify.gates import feedback
from dcp_lang.verify.records import (
    ARTIFACT,
    INFRASTRUCTURE,
    MODEL_FAILURE,
    UNRESOLVED,
    VALID,
    Branch,
    Feedback,
    FeedbackPair,
    NullStudy,
    Registration,
)
from dcp_lang.verify.replacements import Ledger

ARITH = Exact(Registration(claim_id="c"))
SOUND, FAILED, OPEN = Branch(ARTIFACT, 1, VALID), Branch(MODEL_FAILURE), Branch(UNRESOLVED)
LOST = Branch(INFRASTRUCTURE, infrastructure_outcome_independent=True)


@pytest.mark.parametrize(
    ("arm", "count", "lost", "passes"),
    [
        (SOUND, 0, 0, True),
        (OPEN, 2, 0, True),  # 8 of 10 valid
        (OPEN, 3, 0, False),
        (FAILED, 1, 0, True),  # 1 of 10 failed
        (FAILED, 2, 0, False),
        (SOUND, 0, 1, True),  # 1 of 10 lost
        (SOUND, 0, 2, False),
        (LOST, 5, 1, True),  # lost pairs are no part of an arm's rates
    ],
)
@pytest.mark.parametrize("side", ["truthful", "neutral"])
def test_health_on_the_caps(arm: Branch, count: int, lost: int, passes: bool, side: str) -> None:
    pairs = [FeedbackPair("p", SOUND, SOUND)] * (10 - count)
    pairs += [FeedbackPair("p", SOUND, SOUND)._replace(**{side: arm})] * count
    study = Feedback(tuple(pairs), NullStudy(()))
    assert feedback._health(ARITH, study, Ledger(tuple(range(10)), (), 0, lost, ())).passes == passes
