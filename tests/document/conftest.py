"""Documents that several tests look at, made once."""

from __future__ import annotations

import pytest
from registrations import VARIANTS, Made, examples, made_example, made_from


@pytest.fixture(scope="session", params=list(VARIANTS))
def made(request: pytest.FixtureRequest) -> Made:
    """Each variant in turn: Evidence and Core, prospective and retrospective, binary and continuous."""
    return made_from(VARIANTS[request.param], request.param)


@pytest.fixture(scope="session", params=[*VARIANTS, *examples()])
def document(request: pytest.FixtureRequest) -> Made:
    """Each variant and each example in turn."""
    if request.param in VARIANTS:
        return made_from(VARIANTS[request.param], request.param)
    return made_example(request.param)
