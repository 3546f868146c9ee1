"""E704, E709, E710, E712: what a dcp-harness audit cannot be."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

IMAGE = Rule("E704", "docker-without-image", "error", "docker execution names no container image")
CANDIDATES = Rule(
    "E709", "several-candidates-per-episode", "error", "the runner takes one candidate per episode"
)
AUDITS = Rule(
    "E710",
    "family-of-several-audits",
    "error",
    "the runner ends every audit of a larger family incomplete",
    waivable=True,
)
DOLLARS = Rule("E712", "session-not-in-dollars", "error", "the runner limits sessions in US dollars only")
RULES = (IMAGE, CANDIDATES, AUDITS, DOLLARS)

INTERFACE, BEST_OF, FAMILY, COST = "model.interface", "gate.recovery.best_of", "family", "budget.session.cost"


def check(reg: TypedRegistration, report: Report) -> None:
    """Limits of dcp-harness 0.1.1, the runner of `claude_code`."""
    interface = reg.choice(INTERFACE)
    if interface.name != "claude_code":
        return
    if interface.argument("execution").name == "docker" and not interface.get("image"):
        report.add(
            IMAGE,
            INTERFACE,
            "`claude_code(execution = docker)` names no image",
            label='needs `image = "…@sha256:…"`',
            help='add `image = "name@sha256:…"` with the image\'s digest',
        )
    if reg.count(BEST_OF) > 1:
        report.add(
            CANDIDATES,
            BEST_OF,
            f"best_of is {report.shown(BEST_OF)}, but the runner scores one candidate per episode",
            label="needs 1",
            help="write `best_of = 1`, or use another interface",
            fix=report.rewrite(BEST_OF, "1"),
        )
    audits = reg.choice(FAMILY).argument("audits")
    if audits > 1:
        report.add(
            AUDITS,
            FAMILY,
            f"the family holds {audits} audits, but the runner attests to a family of one only",
            label="needs audits = 1",
            help="write `audits = 1` and a family of its own for each audit",
        )
    if reg.amount(COST).unit != "USD":
        report.add(
            DOLLARS,
            COST,
            f"a session is priced in {reg.amount(COST).unit}, but the runner counts USD",
            label="needs USD",
            help="write the limit in USD",
        )
