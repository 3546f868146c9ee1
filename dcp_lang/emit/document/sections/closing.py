"""Sections 17 to 20: deviations, provenance, limits, crosswalk."""

from __future__ import annotations

from typing import Any

from dcp_lang.emit.document.blocks import Block, Bullets, Note, Paragraph, Section, Source
from dcp_lang.emit.document.inline import Line
from dcp_lang.emit.document.view import View, code, table, user

_REASONS = "infrastructure, safety or law, error in the registration, unforeseen event, choice of the authors"
_EFFECTS = "none on the decision, weakens it, may bias it, replaces it"


def deviations(v: View) -> Section:
    """A typed table, empty at registration, to be filled in the record and never here."""
    head = "Item | Registered | Actual | Reason class | Decided when | Effect on the decision"
    empty = [v.row("", "", "", "", "", "")] * 3
    return Section(
        17,
        "deviations",
        "Deviations",
        (
            Paragraph(
                v.say(
                    "None at registration. A deviation is entered in the published record against "
                    "the item it changes (such as [G2.3](G2.3)); this file stays as it was frozen."
                )
            ),
            table("Deviations", head, empty),
            Paragraph(
                v.say(
                    f"Reason class: {_REASONS}. Decided when: before the target run, before "
                    f"unsealing, after unsealing. Effect: {_EFFECTS}."
                )
            ),
        ),
    )


def provenance(v: View) -> Section:
    """Digests, the rules that were decided, the source, and the commands that re-derive everything."""
    commands = (
        "dcpc verify-registration preregistration.html\n"
        "dcpc render registration.json --to html\n"
        "dcpc verify BUNDLE --registration registration.json"
    )
    blocks: list[Block] = [
        table("Committed files", "Field | Path | Digest", _materials(v)),
        Source("Commands that check and re-derive everything", commands),
        *_waivers(v),
        _statuses(v),
        table(
            "Contracts derived from this registration",
            "Contract | Digest",
            [(code(n), code(d)) for n, d in sorted(v.frozen["contracts"].items())],
        ),
        table(
            "Profiles of rules",
            "Profile | Digest",
            [(code(p["name"]), code(p["sha256"])) for p in v.frozen["profiles"]],
        )
        if v.frozen["profiles"]
        else Paragraph(v.say("No profile of an authority is used.")),
        _defaults(v),
        Source("The registration in normal form", v.frozen["source"], folded=True),
    ]
    return Section(18, "provenance", "Provenance", tuple(blocks))


def _materials(v: View) -> list[tuple[Line, ...]]:
    rows: list[tuple[Line, ...]] = []
    for path in v.fields:
        value = v.value(path)
        if isinstance(value, dict) and ("sha256" in value or "sealed" in value):
            rows += _material_rows(path, value)
    return rows


def _material_rows(path: str, value: Any) -> list[tuple[Line, ...]]:
    name = code(path)
    if "sealed" in value:
        return [(name, code(value["at"]) if "at" in value else ("sealed",), code(value["sealed"]))]
    if "folder" not in value:
        return [(name, code(value["file"]), code(value["sha256"]))]
    files = [(name, code(value["folder"] + f["path"]), code(f["sha256"])) for f in value["files"]]
    return [(name, (*code(value["folder"]), " (manifest)"), code(value["sha256"])), *files]


def _waivers(v: View) -> list[Block]:
    rows = [(code(w["code"]), user(w["message"]), user(w["reason"])) for w in v.frozen["waivers"]]
    return (
        [
            Note(v.say("Findings of the compiler were waived by the author:")),
            table("Waivers", "Code | Finding | Reason given", rows),
        ]
        if rows
        else []
    )


def _statuses(v: View) -> Block:
    rows = [
        (code(r["code"]), code(r["condition"]), user(r["origin"]), user(r["status"]))
        for r in v.frozen["rules"]
    ]
    return table("Rules that were decided when this was frozen", "Rule | Condition | From | Status", rows)


def _defaults(v: View) -> Block:
    found = [p for p in v.fields if v.origin(p) in ("default", "profile")]
    if not found:
        return Paragraph(v.say("Every field was declared; no default was used."))
    rows = [
        (code(p), v.say(f"{{{p}}}") if not isinstance(v.value(p), dict) else _plain(v, p), user(v.origin(p)))
        for p in found
    ]
    return table("Values that were not declared", "Field | Value | From", rows)


def _plain(v: View, path: str) -> Line:
    value = v.value(path)
    return user(value["choice"]) if "choice" in value else v.say(f"{{{path}}}")


def limits(v: View) -> Section:
    """What a certificate under this registration does not prove."""
    points = [
        "**No historical priority.** Whether anyone found this before is a separate scholarly question.",
        "**No other scope.** The bound holds for this model, interface, budget, information and "
        "distribution of episodes; another model or a larger budget may recover the outcome.",
        "**A small probability is not zero.** Zero recoveries bound $p_B$ by "
        "{figures.recovery.limit}; rare recoveries remain possible.",
        "**No mechanism.** Nothing is said about how or why the agent found the outcome.",
        "**No use beyond the score.** The gain is measured by the sealed score on the registered "
        "population and on nothing else.",
        "**No better than its controls.** Challengers weaker than the registered adequacy conditions "
        "allow were not tested.",
        "**Independence is assumed.** Episodes are taken as independent draws; the registration "
        "describes how they are drawn, and statistics cannot prove it.",
    ]
    if v.is_evidence:
        points += [
            "**An average, from one checkpoint.** The effect of feedback is an average after the "
            "registered checkpoint, not a statement about a single run.",
            "**Calibration for one family.** The null study calibrates the neutral policy on the "
            "registered null tasks only.",
        ]
        if not v.claims_necessity:
            points.append(
                "**Not necessity.** An effect of feedback does not show that the outcome needs feedback."
            )
    else:
        points.append("**No effect of feedback.** Core says nothing about whether feedback helped.")
    points.append(
        "**No formal issuance by itself.** Independent provenance checks and countersigning complete it."
    )
    return Section(19, "limits", "What this does not prove", (Bullets(tuple(v.say(p) for p in points)),))


#: Item of this document -> where other schemes ask for it: OSF Preregistration, AsPredicted, SPIRIT-AI, NeurIPS checklist.
_CROSSWALK = (
    ("[Hypotheses](hypotheses)", "Hypotheses", "Hypothesis", "Objectives", "Claims"),
    ("[Timing, prior exposure](timing)", "Existing data", "Data collection", "—", "—"),
    ("[Parties](parties)", "Contributors", "—", "Roles and responsibilities", "—"),
    (
        "[Information boundary](information)",
        "Study design",
        "—",
        "AI intervention: version, inputs",
        "Experimental setting",
    ),
    (
        "[Task and score](task)",
        "Measured variables",
        "Dependent variable",
        "Outcomes",
        "Experimental setting",
    ),
    (
        "[Gates](gate1)",
        "Statistical models, inference criteria",
        "Analyses",
        "Statistical methods",
        "Statistical significance",
    ),
    ("[Feedback arms](gate3)", "Study type, randomization", "Conditions", "Interventions, allocation", "—"),
    (
        "[Error budget](errors)",
        "Inference criteria",
        "Analyses",
        "Statistical methods",
        "Statistical significance",
    ),
    ("[Sample sizes](sizes)", "Sample size rationale", "Sample size", "Sample size", "—"),
    ("[Budgets](budgets)", "Stopping rule", "—", "—", "Compute resources"),
    ("[Procedure](procedure)", "Data collection procedures", "—", "Participant timeline", "Reproducibility"),
    (
        "[Losses](losses)",
        "Data exclusion, missing data",
        "Outliers and exclusions",
        "Retention, missing data",
        "—",
    ),
    ("[Decision map](decision)", "Inference criteria", "Analyses", "Interim analyses, stopping", "—"),
    ("[Exploratory](exploratory)", "Exploratory analyses", "Secondary analyses", "Additional analyses", "—"),
    ("[Deviations](deviations)", "Transparent changes", "—", "Protocol amendments", "—"),
    ("[Provenance](provenance)", "Files", "—", "AI code access", "Code and data access"),
    ("[What this does not prove](limits)", "Other", "Anything else", "—", "Limitations"),
)


def crosswalk(v: View) -> Section:
    """Where the items of other schemes are answered."""
    rows = [v.row(*row) for row in _CROSSWALK]
    head = "Here | OSF Preregistration | AsPredicted | SPIRIT-AI | NeurIPS checklist"
    return Section(
        20,
        "crosswalk",
        "Crosswalk to other schemes",
        (table("Where other schemes ask for the same", head, rows),),
    )
