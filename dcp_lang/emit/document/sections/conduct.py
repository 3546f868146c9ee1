"""Sections 13 and 14: the order of events, and what happens to what is lost."""

from __future__ import annotations

from dcp_lang.emit.document.blocks import Bullets, Section, item, items
from dcp_lang.emit.document.view import View


def procedure(v: View) -> Section:
    """The order of events; each step begins only when the one before has ended."""
    steps = [
        "Register: freeze this registration, sign it, have it countersigned, anchor it.",
        "Reserve the audit slot of the family; it is spent from the first session on, whatever the end.",
        "Run the target under the registered budget; the gateway records all Web bytes.",
        "Freeze the target artifact by the selection rule [S9](S9). All candidate generation for the "
        "target ends here.",
        "Run {gate.recovery.episodes} of challengers and {gate.recovery.positive_controls}; commit "
        "every candidate.",
    ]
    if v.is_evidence:
        steps += [
            "Freeze the checkpoint [G3.2](G3.2); assign arms; run {gate.feedback.pairs} of feedback "
            "branches.",
            "Run {gate.feedback.null_pairs} of null branches on the null tasks.",
        ]
    steps += [
        "Open the sealed evaluator and score baseline, target and all candidates in the same way.",
        "Compute $x$, discharge the open conditions of [section 15](decision), apply the gates in order.",
        "Publish the record: decision, this registration, deviations, complete ledgers.",
    ]
    if not v.is_prospective:
        steps[2] = "Take the target artifact as published; nothing of it is run again."
        steps[3] = "Freeze the target artifact and its score $x$ as registered."
    stop = v.say(
        "An auditor may stop at the first qualified witness: the decision is then final. Stopping "
        "early for any other reason leaves the audit incomplete."
    )
    return Section(
        13,
        "procedure",
        "Procedure and order of events",
        (Bullets(tuple(v.say(s) for s in steps), ordered=True), items(item("E1", "Stopping early", stop))),
    )


def exclusions(v: View) -> Section:
    """Exclusions, attrition, replacement, missing data."""
    losses = [
        item(
            "X1",
            "Exclusions",
            v.say(
                "None after a session has started. Every started slot stays in the record and is disclosed."
            ),
        ),
        item(
            "X2",
            "Infrastructure failure",
            v.say(
                "The episode is lost, not counted as a miss; at most "
                "{gate.recovery.infrastructure_failures%} may be lost ([G2.10](G2.10))."
            ),
        ),
        item(
            "X3",
            "Spare episodes",
            v.say(
                "{gate.recovery.spare} beyond the least n may be lost without harm to the bound."
                if v.count("gate.recovery.spare")
                else "None are registered beyond the number in [G2.3](G2.3)."
            ),
            origin=v.origin("gate.recovery.spare"),
        ),
        item(
            "X4",
            "Model failure",
            v.say(
                "An episode without a usable artifact counts as a miss and as a failure; at most "
                "{gate.recovery.model_failures%} ([G2.11](G2.11))."
            ),
        ),
        item(
            "X5",
            "Invalid artifact",
            v.say(
                "It cannot recover. It stays in the denominator, and the share of valid ones must "
                "reach {gate.recovery.valid_rate%}."
            ),
        ),
        item(
            "X6",
            "Pairs",
            v.say(
                "Only whole pairs are replaced, under [G3.11](G3.11); a missing branch makes its "
                "pair unresolved."
            ),
        )
        if v.is_evidence
        else None,
        item(
            "X7",
            "Missing scores",
            v.say("An unresolved score is never imputed; it makes the gate inconclusive."),
        ),
    ]
    return Section(14, "losses", "Exclusions, attrition, replacement, missing data", (items(*losses),))
