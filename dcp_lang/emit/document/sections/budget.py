"""Sections 10 and 12: the error budget and the resources."""

from __future__ import annotations

from dcp_lang.emit.document.blocks import Block, Paragraph, Section
from dcp_lang.emit.document.inline import Line
from dcp_lang.emit.document.shown import counted, probability, quantity
from dcp_lang.emit.document.view import View, table

#: What each share of the error budget pays for, and the item that spends it.
_PURPOSE = (
    ("main", "Gate 1, interval of the gain", "G1.3", "two-sided"),
    ("score", "Gate 2, all candidate score tests", "G2.6", "simultaneous"),
    ("recovery", "Gate 2, bound on recovery", "G2.5", "upper"),
    ("adequacy", "Gate 2, recall of the positive controls", "G2.8", "lower"),
    ("evidence", "Gate 3, interval of the effect", "G3.7", "two-sided"),
    ("sham", "Gate 3, null calibration", "G3.9", "two-sided"),
    ("neutral", "Gate 3, neutral recovery", "G3.12", "upper"),
)


def errors(v: View) -> Section:
    """The error budget and its exact division."""
    rows = [
        v.row(purpose, f"[{id}]({id})", side, f"{{errors.{name}%}}")
        for name, purpose, id, side in _PURPOSE
        if v.has(f"errors.{name}")
    ]
    rows.append(v.row("**Exact sum**", "", "", "**=** {figures.errors.sum%}"))
    spent = (
        "nothing is left"
        if v.figures["errors"]["unspent"] == "0"
        else "{figures.errors.unspent%} is left unspent"
    )
    total = v.say(f"The sum {{figures.errors.sum}} is at most the total {{errors.total%}}; {spent}.")
    family = v.value("family")
    shared = v.say(
        "The audit family may hold {audits}; together they may spend {figures.errors.family_spent%} "
        "of {alpha}.",
        audits=(counted(family["audits"], "audit"),),
        alpha=(probability(family["alpha"]),),
    )
    spends = v.say(
        "Every started confirmatory audit spends its slot, also when it ends recovered or incomplete."
    )
    budget = table(
        "Division of the error budget", "What it pays for | Item | Side | α", rows, "3", total=True
    )
    return Section(
        10, "errors", "Error budget", (budget, Paragraph(total), Paragraph(shared), Paragraph(spends))
    )


_RESOURCES = (
    ("turns", "Model turns"),
    ("cost", "Money"),
    ("time", "Wall-clock time"),
    ("memory", "Memory"),
    ("cpus", "Processors"),
    ("sessions", "Sessions"),
)


def budgets(v: View) -> Section:
    """What sessions and the audit may spend, and what happens at the limit."""
    columns = [who for who in ("session", "challenger", "audit") if v.under(f"budget.{who}")]
    head = {"session": "Session", "challenger": "Challenger session, where different", "audit": "Whole audit"}
    rows = [
        (v.say(name), *(_amount(v, f"budget.{who}.{key}") for who in columns))
        for key, name in _RESOURCES
        if any(v.has(f"budget.{who}.{key}") for who in columns)
    ]
    spend = table("Budgets", " | ".join(["Resource", *(head[who] for who in columns)]), rows)
    blocks: list[Block] = [
        spend,
        Paragraph(
            v.say(
                "A session that reaches a limit ends there. What it has committed by then counts; a "
                "session without a committed "
                "artifact stays in the record as a failed one."
            )
        ),
        *_sessions(v),
    ]
    return Section(12, "budgets", "Budgets", tuple(blocks))


def _amount(v: View, path: str) -> Line:
    if not v.has(path):
        return v.say("—")
    mark = v.say(" (default)") if v.origin(path) == "default" else ()
    return (*v.say(f"{{{path}}}"), *mark)


def _sessions(v: View) -> list[Block]:
    """Planned sessions and their price."""
    rows = [
        v.row("Challenger episodes", "{gate.recovery.episodes#}"),
        v.row("Positive controls", "{gate.recovery.positive_controls#}"),
    ]
    if v.is_evidence:
        rows.append(v.row("Feedback pairs, two sessions each", "{gate.feedback.pairs#}"))
        rows.append(v.row("Null pairs, two sessions each", "{gate.feedback.null_pairs#}"))
    sessions = (counted(v.frozen["plan"]["sessions"], "session"),)
    rows.append((*v.row("**Control sessions in all**"), sessions))
    cost = v.figures["cost"]
    price = v.say(
        "At {each} a session the controls cost {all}, the target run and replacements not included.",
        each=(quantity(cost["session"]),),
        all=(quantity(cost["controls"]),),
    )
    if "at_most" in cost:
        price += v.say(
            " If every session spends its whole budget, they cost {most}.", most=(quantity(cost["at_most"]),)
        )
    return [table("Planned sessions", "What | Number", rows, "1", total=True), Paragraph(price)]
