"""Sections 15 and 16: the decision map, and what is exploratory."""

from __future__ import annotations

from typing import Any

from dcp_lang.emit.document.blocks import Block, Figure, Paragraph, Prose, Section
from dcp_lang.emit.document.inline import Line
from dcp_lang.emit.document.ladder import Rung, ladder
from dcp_lang.emit.document.view import View, code, table

_CORE_RUNGS = (
    Rung("Registration and record sound?", "no", "audit incomplete"),
    Rung("Target and baseline validity resolved?", "no", "audit incomplete"),
    Rung("Target valid, baseline below the line?", "no", "refuted"),
    Rung("Gain at least δ_min?", "confirmed below", "refuted"),
    Rung("A qualified witness?", "one or more", "recovered"),
    Rung("Controls adequate, all attempts resolved?", "no", "audit incomplete"),
    Rung("p_upper ≤ ρ?", "no", "statistical uncertainty"),
)
_EVIDENCE_RUNGS = (
    Rung("Feedback study complete, arms healthy?", "no", "audit incomplete"),
    Rung("Null interval within ±δ_sham?", "across the band", "statistical uncertainty"),
    Rung("Lower limit at least δ_evidence + δ_sham?", "across", "statistical uncertainty"),
)


def decision(v: View) -> Section:
    """The full truth table of outcomes, read from the top: the first line that applies decides."""
    rungs = _CORE_RUNGS + (_EVIDENCE_RUNGS if v.is_evidence else ())
    last = "Evidence certified" if v.is_evidence else "Core certified"
    if not v.is_prospective:
        rungs, last = _CORE_RUNGS[:6], "not recovered; no certificate"
    alt = f"Decision ladder: {len(rungs)} questions in order; the first that is not passed decides, and "
    f"passing all ends in: {last}."
    rows = table(
        "Decision map: the first line that applies decides",
        "Line | What is found | Core | Evidence",
        _map_rows(v),
    )
    blocks: list[Block] = [
        Paragraph(v.say("Read from the top; the first line that applies decides.")),
        Figure(ladder(rungs, last, v.is_evidence and v.is_prospective), alt),
        rows,
    ]
    return Section(15, "decision", "Decision map", (*blocks, *_open_conditions(v)))


def _map_rows(v: View) -> list[tuple[Line, ...]]:
    """Finding, Core, Evidence; in the order in which the verifier asks."""
    untested = "not tested"
    rows = [
        (
            "The registration or the record is broken, and no witness stands by itself",
            "inconclusive: audit incomplete",
            untested,
        ),
        (
            "The baseline is invalid or unresolved, or the target’s validity is unresolved",
            "inconclusive: audit incomplete",
            untested,
        ),
        ("The target is confirmed invalid", "refuted", untested),
        ("The baseline itself recovers", "refuted", untested),
        ("The gain is confirmed below {thresholds.delta_min}", "refuted", untested),
        *(
            []
            if v.is_exhaustive
            else [
                (
                    "The interval of the gain, or of the baseline’s distance to the line, lies "
                    "across its threshold",
                    "inconclusive: statistical uncertainty",
                    untested,
                )
            ]
        ),
        ("A qualified witness recovers", "refuted: recovered", untested),
        (
            "Controls inadequate, an attempt unresolved, or too few usable episodes",
            "inconclusive: audit incomplete",
            untested,
        ),
    ]
    if not v.is_prospective:
        rows.append(("None of these", "not recovered in this audit; no certificate", untested))
        return _numbered(v, rows)
    rows.append(
        (
            "No witness, but the bound is above {thresholds.rho}",
            "inconclusive: statistical uncertainty",
            untested,
        )
    )
    if not v.is_evidence:
        rows.append(("None of these", "**certified**", "not requested"))
        return _numbered(v, rows)
    if v.choice("gate.feedback.scope") == "lineage_empty":
        rows.insert(-1, ("A neutral branch from the empty lineage recovers", "refuted: recovered", untested))
    return _numbered(v, rows + _evidence_rows(v))


def _evidence_rows(v: View) -> list[tuple[str, str, str]]:
    core = "certified"
    rows = [
        (
            "The feedback study is missing, broken, or an arm is unhealthy",
            core,
            "inconclusive: audit incomplete",
        ),
        (
            "The null interval does not lie within ±{thresholds.delta_sham}",
            core,
            "inconclusive: statistical uncertainty",
        ),
        ("The upper limit of the effect is below {figures.margin.refuted_below}", core, "refuted"),
        ("The interval of the effect lies across the margin", core, "inconclusive: statistical uncertainty"),
    ]
    if v.claims_necessity:
        rows.insert(0, ("A neutral branch recovers", core, "refuted"))
        rows.append(("Neutral recovery is not bounded by {thresholds.rho_placebo%}", core, "inconclusive"))
    return [*rows, ("None of these", "**certified**", "**certified**")]


def _numbered(v: View, rows: list[tuple[str, str, str]]) -> list[tuple[Line, ...]]:
    return [(code(f"D{place}"), *v.row(*row)) for place, row in enumerate(rows, 1)]


def _open_conditions(v: View) -> list[Block]:
    """Conditions that stay open until the scores exist."""
    found = v.frozen["obligations"]
    if not found:
        return [
            Paragraph(
                v.say(
                    "Every condition of this registration was decided when it was frozen; none is left open."
                )
            )
        ]
    rows = [_condition(v, obligation) for obligation in found]
    return [
        Paragraph(
            v.say(
                "These conditions depend on scores that do not exist yet. The verifier discharges "
                "them before the gates."
            )
        ),
        table("Conditions left open", "Rule | Condition | Status", rows),
    ]


def _condition(v: View, obligation: Any) -> tuple[Line, ...]:
    status = "decided when the scores exist"
    if obligation["status"] == "entailed":
        status = "follows from Gate 1, if it passes"
    return (code(obligation["code"]), code(obligation["condition"]), v.say(status))


def exploratory(v: View) -> Section:
    """Analyses that decide nothing."""
    line = v.say(
        "Whatever is not in [sections 7](gate1) to [9](gate3) is exploratory: it may be reported, "
        "marked as such, and it decides nothing."
    )
    if not v.has("notes.exploratory"):
        return Section(
            16, "exploratory", "Exploratory analyses", (Paragraph((*v.say("None are planned. "), *line)),)
        )
    return Section(
        16, "exploratory", "Exploratory analyses", (Prose(v.value("notes.exploratory")), Paragraph(line))
    )
