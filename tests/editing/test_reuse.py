"""What an edit leaves alone is not computed again: exact sizes are remembered by what they are asked for."""

from __future__ import annotations

from drawn import example

from dcp_lang.stats.exact import lower_tail_at_most
from dcp_lang.stats.paired import settling_point
from dcp_lang.stats.planning import least_null_pairs


def test_an_edit_elsewhere_asks_no_tail_anew() -> None:
    example("sqlite_web", ("δ_min = 0.5", "δ_min = 0.51"))
    before = [f.cache_info().misses for f in (lower_tail_at_most, settling_point, least_null_pairs)]
    compilation = example("sqlite_web", ("δ_min = 0.5", "δ_min = 0.52"))
    after = [f.cache_info().misses for f in (lower_tail_at_most, settling_point, least_null_pairs)]
    assert compilation.is_sound and after == before


def test_an_edit_of_a_size_is_decided_by_that_size() -> None:
    changes = [("pairs = 30", f"pairs = {n}") for n in (22, 21, 22)]
    found = ["E403" in {d.code for d in example("sqlite_web", change).diagnostics} for change in changes]
    assert found == [False, True, False]  # the least is 22
