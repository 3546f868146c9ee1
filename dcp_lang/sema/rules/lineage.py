"""E602, E606, W601: something is observed because the agent acted, and a later action uses it."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

EMPTY = Rule("E602", "no-lineage", "error", "nothing comes back because the agent chose an action")
UNUSED = Rule("E606", "lineage-not-consumed", "error", "no later action uses an observation of the lineage")
UNSAID = Rule("W601", "consumption-not-said", "warning", "nothing says which later action uses the lineage")
RULES = (EMPTY, UNUSED, UNSAID)

CONSUMED = "information.consumed"


def check(reg: TypedRegistration, report: Report) -> None:
    """Core needs at least one new observation consumed by a later action (paper, scope).

    Independent candidates with a final selection are a search-and-selection baseline, not adaptive research.
    """
    if not reg.mentions("information"):  # E103 says so
        return
    if not reg.mentions("information.lineage"):
        report.add(
            EMPTY,
            CONSUMED,
            "no lineage is declared: a search-and-selection baseline cannot ask for Core",
            label="needs a `lineage …` item",
            help='write `lineage work = feedback("what comes back")`',
        )
    elif not reg.has(CONSUMED):
        report.add(
            UNSAID,
            CONSUMED,
            "nothing says which later action uses an observation of the lineage",
            label="needs `consumed`",
            help='write `consumed = "the next plan is chosen by the measured work"`',
        )
    elif reg.text(CONSUMED).strip().lower() in ("none", "nothing", "no"):
        report.add(
            UNUSED,
            CONSUMED,
            "no later action uses the lineage: a search-and-selection baseline cannot ask for Core",
            label="needs an action",
            help="say which action uses an observation, or do not ask for Core",
        )
