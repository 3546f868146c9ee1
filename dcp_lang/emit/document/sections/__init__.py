"""The 21 sections in order; each is made from the view alone."""

from __future__ import annotations

from dcp_lang.emit.document.blocks import Section
from dcp_lang.emit.document.sections import budget, closing, conduct, decisions, front, gates, setting, sizes
from dcp_lang.emit.document.view import View

_SECTIONS = (
    front.status,
    front.card,
    front.hypotheses,
    setting.timing,
    setting.parties,
    setting.information,
    setting.task,
    gates.outcome,
    gates.recovery,
    gates.feedback,
    budget.errors,
    sizes.sizes,
    budget.budgets,
    conduct.procedure,
    conduct.exclusions,
    decisions.decision,
    decisions.exploratory,
    closing.deviations,
    closing.provenance,
    closing.limits,
    closing.crosswalk,
)


def sections(v: View) -> tuple[Section, ...]:
    """All sections of a registration."""
    return tuple(make(v) for make in _SECTIONS)
