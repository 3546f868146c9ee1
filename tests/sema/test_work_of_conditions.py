"""The work that deciding the conditions of one registration may take: to its last step, and faults count too."""

from __future__ import annotations

import pytest
from bases import base, compilation, findings

from dcp_lang.diagnostics.model import Sink
from dcp_lang.sema import report
from dcp_lang.sema.rules import requirements
from dcp_lang.stats.search import Effort, EffortError


def test_the_last_step_may_be_spent_and_none_after_it() -> None:
    analysis = compilation(base("core")).analysis
    assert analysis is not None
    effort = report.Report(analysis.registration, Sink(), True).effort
    effort.spend(report.MAX_STEPS)
    effort.spend(0)
    with pytest.raises(EffortError):
        effort.spend(1)


def work(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The steps that the conditions in a registration and in its profile take."""
    spent: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(Effort, "spend", lambda _, steps: spent.append(steps))
        assert findings(text) is not None
    return sum(spent)


def test_a_condition_at_fault_takes_forty_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finding what an unknown name may have meant is work as well: it may not be free."""
    faulty = base("core").replace("  policy challenger {", "  require nosuch <= 1\n  policy challenger {")
    assert [d.code for d in findings(faulty)] == ["E101"]
    assert work(faulty, monkeypatch) - work(base("core"), monkeypatch) == 40


def test_only_the_conditions_of_a_whole_text_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a mended text says is not said by its own words: the same words may mean another condition there."""
    asked: list[object] = []
    real = requirements._check

    def counted(*values: object, require: object, **named: object) -> None:
        asked.append(require)
        real(*values, require=require, **named)

    monkeypatch.setattr(requirements, "_check", counted)
    whole = base("core").replace("  policy challenger {", "  require ρ <= 5.1%\n  policy challenger {")
    for text, again in ((whole, False), (whole.replace("lattice    = 1/7", "lattice    = = 1/7"), True)):
        findings(text)
        asked.clear()
        findings(text)
        assert bool(asked) is again
