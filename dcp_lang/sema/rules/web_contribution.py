"""E604: a claim about Web access needs the Web-withholding intervention."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule(
    "E604",
    "web-claim-without-intervention",
    "error",
    "a claim about Web access withholds the Web from nobody",
)
RULES = (RULE,)

CLAIM, INTERVENTION = "information.web_contribution", "information.web_withholding"


def check(reg: TypedRegistration, report: Report) -> None:
    """Gate 2 conditions on W_obs; the contribution of the Web itself needs another intervention (paper, Web
    access).
    """
    if reg.choice(CLAIM).name == "claimed" and not reg.has(INTERVENTION):
        report.add(
            RULE,
            CLAIM,
            "a contribution of Web access is claimed, but no intervention withholds the Web",
            label="needs `web_withholding`",
            help='describe the arm without Web in `web_withholding = "…"`, or write `not_claimed`',
        )
