"""The work that deciding the conditions of one registration may take: to its last step, and faults count too."""

from __future__ import annotations

import pytest
from bases import base, compilation, findings

from dcp_lang.diagnostics.model import Sink
from dcp_lang.sema import report


def test_the_last_step_may_be_spent_and_none_after_it() -> None:
    analysis = compilation(base("core")).analysis
    assert analysis is not None
    made = report.Report(analysis.registration, Sink(), True)
    made.spend(report.MAX_STEPS)
    made.spend(0)
    with pytest.raises(report.SpentError):
        made.spend(1)


def work(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The steps that the conditions in a registration and in its profile take."""
    spent: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(report.Report, "spend", lambda _, steps: spent.append(steps))
        assert findings(text) is not None
    return sum(spent)


def test_a_condition_at_fault_takes_forty_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finding what an unknown name may have meant is work as well: it may not be free."""
    faulty = base("core").replace("  policy challenger {", "  require nosuch <= 1\n  policy challenger {")
    assert [d.code for d in findings(faulty)] == ["E101"]
    assert work(faulty, monkeypatch) - work(base("core"), monkeypatch) == 40
