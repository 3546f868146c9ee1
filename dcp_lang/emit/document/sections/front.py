"""Sections 0 to 2: the status, the decision card, the hypotheses."""

from __future__ import annotations

from dcp_lang.emit.document.blocks import Block, Bullets, Item, Note, Paragraph, Prose, Section, item, items
from dcp_lang.emit.document.inline import Line, joined
from dcp_lang.emit.document.sections.words import gain, population_n
from dcp_lang.emit.document.view import View, code, table, user

#: A longer claim continues in section 2, so that the card stays on the first page.
_CLAIM_ON_CARD = 900
_COUNT_WORDS = ("no", "one", "two", "three")


def status(v: View) -> Section:
    """What this document is a view of, and which anchors it waits for."""
    compiler, slot = v.frozen["compiler"], v.frozen["slot"]
    rows = [
        (v.say("State"), _state(v)),
        (v.say("Digest of the registration"), code(v.sha256)),
        (
            v.say("Written in"),
            v.say(
                "DCP language, edition {edition}; frozen by {name} {version}",
                edition=user(str(v.frozen["edition"])),
                name=user(compiler["name"]),
                version=code(compiler["version"]),
            ),
        ),
        (
            v.say("Audit slot"),
            v.say(
                "{slot}, reserved by the authority"
                if not slot["local"]
                else "{slot}, reserved locally by the claimant and by no authority",
                slot=code(slot["id"]),
            ),
        ),
        (v.say("Declared time"), v.say("none; only an anchor can prove when this was fixed")),
        (v.say("Anchors"), v.say("claimant’s signature ☐ · authority’s countersignature ☐ · time anchor ☐")),
    ]
    profiles = [code(p["name"]) for p in v.frozen["profiles"]]
    if profiles:
        rows.insert(3, (v.say("Rules of"), joined(profiles)))
    return Section(0, "status", "Status", (table("What this document shows", "Fact | Value", rows),))


def _state(v: View) -> Line:
    if not v.has("supersedes"):
        return v.say("**frozen**, first version")
    because = v.say(", because: {reason}") if v.has("reason") else ()
    return (*v.say("**frozen**, amendment of {old}", old=code(v.value("supersedes"))), *because)


def card(v: View) -> Section:
    """The decision on one page: every gate with its quantity, threshold, n, alpha, side and method."""
    claim = Prose(str(v.value("claim")))
    short = len(claim.text) <= _CLAIM_ON_CARD
    opening: Block = (
        claim if short else Paragraph(v.say("The claim is long; it stands in [section 2](hypotheses)."))
    )
    head = "Gate | Quantity | Must be | n | α | Side | Method"
    rules = [Note(line) for line in decision_rule(v)]
    return Section(
        1, "card", "Decision card", (opening, table("What decides", head, _card_rows(v), "34"), *rules)
    )


def decision_rule(v: View) -> list[Line]:
    """The rule in sentences: Core, Evidence, and the one witness that vetoes."""
    if not v.is_prospective:
        return [
            v.say(
                "**This registration is retrospective**: it may only seek a recovery witness. One "
                "qualified witness decides "
                "**recovered**; none leaves the claim open, since positive Core and Evidence need a "
                "prospective registration."
            )
        ]
    core = v.say(
        "**Core is certified when** Gate 1 passes, no qualified witness recovers the outcome, the "
        "recovery bound is at most "
        "{thresholds.rho%}, and the audit is complete and adequate. A single qualified witness "
        "refutes Core, however small "
        "the bound."
    )
    if not v.is_evidence:
        return [core]
    limit = "the lower limit of the feedback effect is at least {figures.margin.least}"
    calibration = "the null calibration lies within ±{thresholds.delta_sham}"
    neutral = ", and neutral recovery is bounded by {thresholds.rho_placebo%}" if v.claims_necessity else ""
    middle = f"{limit}, {calibration}{neutral}" if neutral else f"{limit}, and {calibration}"
    return [core, v.say(f"**Evidence is certified when** Core is certified, {middle}.")]


def _card_rows(v: View) -> list[tuple[Line, ...]]:
    method = "exact mean" if v.is_exhaustive else "empirical Bernstein"
    limit = "gain {gain}" if v.is_exhaustive else "lower limit of the gain {gain}"
    score_side = "exact" if v.is_exhaustive else "two-sided"
    alpha = "not spent" if v.is_exhaustive else "{errors.main}"
    rows = [
        v.row(
            "1 Outcome",
            limit,
            "≥ {thresholds.delta_min}",
            "{n}",
            alpha,
            score_side,
            method,
            gain=gain(v),
            n=population_n(v),
        ),
        v.row(
            "2 Recovery",
            "qualified witnesses, $score ≥ x − epsilon$",
            "none",
            "{gate.recovery.episodes#}",
            "—" if v.is_exhaustive else "{errors.score}",
            score_side,
            f"{method} per candidate",
        ),
        v.row(
            "2 Recovery",
            "upper limit of $p_B$",
            "≤ {thresholds.rho%}",
            "{gate.recovery.episodes#}",
            "{errors.recovery}",
            "upper",
            "zero-failure bound",
        ),
        v.row(
            "2 Adequacy",
            "lower limit of recall",
            "≥ {thresholds.recall_min%}",
            "{gate.recovery.positive_controls#}",
            "{errors.adequacy}",
            "lower",
            "Clopper–Pearson",
        ),
    ]
    return rows + (_feedback_rows(v) if v.is_evidence else [])


def _feedback_rows(v: View) -> list[tuple[Line, ...]]:
    method = "paired-binary, exact" if v.is_binary else "empirical Bernstein"
    rows = [
        v.row(
            "3 Feedback",
            "lower limit of the effect $Delta$",
            "≥ {figures.margin.least}",
            "{gate.feedback.pairs#}",
            "{errors.evidence}",
            "two-sided",
            method,
        ),
        v.row(
            "3 Calibration",
            "interval of the null contrast",
            "within ±{thresholds.delta_sham}",
            "{gate.feedback.null_pairs#}",
            "{errors.sham}",
            "two-sided",
            method,
        ),
    ]
    if v.claims_necessity:
        rows.append(
            v.row(
                "3 Necessity",
                "upper limit of neutral recovery",
                "≤ {thresholds.rho_placebo%}",
                "{gate.feedback.pairs#}",
                "{errors.neutral}",
                "upper",
                "zero-failure bound",
            )
        )
    return rows


def hypotheses(v: View) -> Section:
    """Numbered confirmatory hypotheses, each with what corroborates it, refutes it, or leaves it open."""
    rows = [_outcome(v), _recovery(v)] + ([_feedback(v)] if v.is_evidence else [])
    opening: list[Block] = [
        Paragraph(
            v.say(
                f"There are exactly {_COUNT_WORDS[len(rows)]} confirmatory hypotheses. All must hold for the "
                f"{'Evidence' if v.is_evidence else 'Core'} decision, so no correction for several "
                f"tries applies beyond the [error budget](errors)."
            )
        )
    ]
    if len(str(v.value("claim"))) > _CLAIM_ON_CARD:
        opening.append(Prose(str(v.value("claim"))))
    return Section(2, "hypotheses", "Hypotheses", (*opening, items(*rows)))


def _verdicts(v: View, corroborated: str, refuted: str, inconclusive: str) -> Bullets:
    heads = ("Corroborated if", "Refuted if", "Inconclusive if")
    bodies = (corroborated, refuted, inconclusive)
    return Bullets(tuple(v.say(f"**{head}** {body}") for head, body in zip(heads, bodies, strict=True)))


def _outcome(v: View) -> Item:
    statement = v.say(
        "The target artifact $A*$ is valid, and its mean sealed score exceeds that of the baseline "
        "`{}` by at least "
        "{thresholds.delta_min}.".replace("`{}`", "{baseline}"),
        baseline=code(v.value("baseline.name")),
    )
    close = (
        "a unit of the population was not evaluated"
        if v.is_exhaustive
        else "the interval of the gain contains {thresholds.delta_min}"
    )
    return item(
        "H1",
        "Outcome",
        statement,
        _verdicts(
            v,
            "[Gate 1](gate1) passes.",
            "the target is invalid, the baseline itself recovers, or the gain is confirmed below "
            "{thresholds.delta_min}.",
            f"a validity check is unresolved, or {close}.",
        ),
    )


def _recovery(v: View) -> Item:
    statement = v.say(
        "A fresh matched challenger with the starting information, but without the feedback that the "
        "target run earned, "
        "recovers the outcome with probability $p_B$ of at most {thresholds.rho%}."
    )
    return item(
        "H2",
        "Recovery",
        statement,
        _verdicts(
            v,
            "[Gate 2](gate2) passes: no qualified witness, and the bound holds.",
            "one qualified witness recovers the outcome.",
            "the controls are inadequate, an attempt is unresolved, or too few episodes are usable "
            "for the bound.",
        ),
    )


def _feedback(v: View) -> Item:
    what = "recovers the outcome more often" if v.is_binary else "reaches a higher mean score"
    statement = v.say(
        f"From the registered checkpoint, an agent {what} with truthful feedback than with neutral "
        f"feedback, by more than "
        "{figures.margin.least}: the registered effect {thresholds.delta_evidence} and the "
        "calibration margin "
        "{thresholds.delta_sham} together."
    )
    return item(
        "H3",
        "Feedback",
        statement,
        _verdicts(
            v,
            "[Gate 3](gate3) passes: effect and calibration.",
            "the upper limit of the effect is below {figures.margin.refuted_below}.",
            "the interval lies across the margin, the null calibration does not pass, or an arm is "
            "unhealthy.",
        ),
    )
