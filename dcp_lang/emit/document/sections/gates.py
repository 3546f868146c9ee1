"""Sections 7 to 9: the three gates."""

from __future__ import annotations

from dcp_lang.emit.document.blocks import Display, Item, Paragraph, Section, item, items
from dcp_lang.emit.document.formula import Atom, Formula, Over, Power, Root, Row, Sub, math, number_formula
from dcp_lang.emit.document.inline import Line
from dcp_lang.emit.document.sections.words import population, preserves
from dcp_lang.emit.document.view import View, user

_POLICY = {
    "truthful": "Truthful",
    "neutral": "Neutral",
    "reference_null": "Second neutral (reference)",
    "challenger": "Challenger",
}


def recovery_line(v: View) -> Formula:
    """`score >= x - ε`, with the numbers as far as they exist."""
    if "recovery_line" in v.figures:
        return math("score ≥ line", line=number_formula(v.figures["recovery_line"]))
    return math("score ≥ x − eps", eps=number_formula(v.value("thresholds.epsilon")))


def half_width() -> Formula:
    """The empirical Bernstein half-width (Maurer and Pontil 2009) with w = 2 for paired differences."""
    log = math("ln ( ratio )", ratio=Over(Atom("mn", "4"), Atom("mi", "α")))
    first = Root(Over(Row((Atom("mn", "2"), Atom("mi", "V"), log)), Atom("mi", "n")))
    second = Over(Row((Atom("mn", "14"), log)), math("3 ( n − 1 )"))
    return math("first + second", first=first, second=second)


def outcome(v: View) -> Section:
    """Gate 1: a useful, valid target."""
    delta = number_formula(v.value("thresholds.delta_min"))
    compared = "μ ( A* ) − μ ( b ) ≥ delta_min = value"
    criterion = math(compared if v.is_exhaustive else f"LCB ( {compared.replace(' ≥', ' ) ≥')}", value=delta)
    method = [v.say("The mean over all units is exact, so no interval and no α is needed.")]
    if not v.is_exhaustive:
        method = [
            v.say(
                "Empirical Bernstein interval at coverage $1 − α$ with α = {errors.main}; V is the "
                "sample variance of the paired differences. Half-width:"
            )
        ]
    blocks = (
        item(
            "G1.1",
            "Estimand",
            v.say(
                "$μ ( a )$ is the mean sealed score of artifact $a$ over the registered population: "
                "{population}.",
                population=population(v),
            ),
        ),
        item("G1.2", "Criterion", Display(criterion)),
        item("G1.3", "Method", *method, *([] if v.is_exhaustive else [Display(half_width())])),
        item("G1.4", "Validity", v.say("Target and baseline both meet every rule of [S2](S2).")),
        item(
            "G1.5",
            "Baseline below the line",
            v.say(
                "The baseline itself must not recover: $epsilon < x − score ( b )$. {status}",
                status=_baseline_status(v),
            ),
        ),
        item(
            "G1.6",
            "Refuted",
            v.say(
                "if the target is confirmed invalid, or the gain is confirmed below {thresholds.delta_min}."
            ),
        ),
        item(
            "G1.7",
            "Inconclusive",
            v.say(
                "if a validity check stays unresolved"
                + ("." if v.is_exhaustive else ", or the interval contains {thresholds.delta_min}.")
            ),
        ),
    )
    return Section(7, "gate1", "Gate 1: outcome", (items(*blocks),))


def _baseline_status(v: View) -> Line:
    """What is already known about ε < x - score(b)."""
    found = next((o for o in v.frozen["obligations"] if o["code"] == "E203"), None)
    if found is None:
        return v.say("This is proved for every target the registration allows.")
    if found["status"] == "entailed":
        return v.say("This follows whenever Gate 1 passes, since $epsilon < delta_min$.")
    return v.say("This is checked as soon as the scores exist.")


def recovery(v: View) -> Section:
    """Gate 2: no recovery from the starting information, by an adequate challenger."""
    bound = Row(
        (Sub("p", "upper"), math("= 1 −"), Power(Atom("mi", "α"), Over(Atom("mn", "1"), Atom("mi", "n"))))
    )
    criterion = math(
        "upper ≤ rho = value", upper=Sub("p", "upper"), value=number_formula(v.value("thresholds.rho"))
    )
    rows = (
        item(
            "G2.1",
            "Recovery",
            v.say("An artifact recovers when it is valid and"),
            Display(recovery_line(v)),
            _line_note(v),
        ),
        item(
            "G2.2",
            "Challenger",
            v.say(
                "A fresh agent with the same K, E₀, model, interface, tools and production "
                "opportunities. It gets {web} and nothing of L*; it may reason, compile and test, "
                "and its actions are answered by policy [G2.7](G2.7).",
                web=_web_bytes(v),
            ),
        ),
        item(
            "G2.3",
            "Episodes",
            v.say(
                "{gate.recovery.episodes}, each a complete session{best_of}; stratum {stratum}. "
                "Drawn so: {draws}",
                best_of=_best_of(v),
                stratum=user(v.value("gate.recovery.stratum")),
                draws=user(v.value("gate.recovery.draws")),
            ),
            origin=v.origin("gate.recovery.episodes"),
        ),
        item(
            "G2.4",
            "Veto",
            v.say(
                "A qualified witness recovers and meets the registered execution, information and "
                "provenance conditions. One is enough: the outcome is **recovered** and Core is "
                "refuted."
            ),
        ),
        item(
            "G2.5",
            "Bound",
            v.say("With no recovery in n independent episodes, $p_B$ is at most"),
            Display(bound),
            v.say("and Core needs"),
            Display(criterion),
            v.say(
                "one-sided, α = {errors.recovery}. With n = {figures.recovery.n} the bound is "
                "{figures.recovery.limit}, rounded up."
            ),
        ),
        item("G2.6", "Candidate score tests", _score_tests(v), origin=v.origin("gate.recovery.candidates")),
        item("G2.7", "Answers to the challenger", *_policy(v, "challenger")),
        *_adequacy(v),
    )
    return Section(8, "gate2", "Gate 2: recovery", (items(*rows),))


def _line_note(v: View) -> Line:
    if "recovery_line" in v.figures:
        return v.say("from x = {target.score} and ε = {thresholds.epsilon}.")
    return v.say(
        "The line stays symbolic until x exists; ε = {thresholds.epsilon} is a difference that "
        "counts as equivalent."
    )


def _web_bytes(v: View) -> Line:
    return v.say(
        "every Web byte that the target run saw"
        if v.choice("gate.recovery.web") == "observed_bytes"
        else "no Web bytes, as the target saw none"
    )


def _best_of(v: View) -> Line:
    return (
        ()
        if v.count("gate.recovery.best_of") == 1
        else v.say(" of {gate.recovery.best_of}, counted as one episode")
    )


def _score_tests(v: View) -> Line:
    if v.is_exhaustive:
        return v.say(
            "Scores are exact means, compared exactly with the line; their α of {errors.score} is "
            "reserved and not spent. Up to {gate.recovery.candidates} can count."
        )
    return v.say(
        "Simultaneous: each of up to {gate.recovery.candidates} is tested at α = "
        "{figures.errors.score_each}, together {errors.score}."
    )


def _adequacy(v: View) -> tuple[Item, ...]:
    controls = v.figures["adequacy"]
    tolerance = "If all succeed, the limit is {figures.adequacy.limit}, rounded down."
    if "tolerated" not in controls:
        tolerance = (
            "Even if all succeed, the limit is only {figures.adequacy.limit}: this audit will be incomplete."
        )
    elif controls["tolerated"]:
        tolerance += (
            " Up to {figures.adequacy.tolerated} may fail (limit {figures.adequacy.limit_tolerated})."
        )
    rates = (
        (
            "G2.9",
            "Valid output",
            "At least {gate.recovery.valid_rate%} of the candidates are valid.",
            "gate.recovery.valid_rate",
        ),
        (
            "G2.10",
            "Infrastructure failures",
            "At most {gate.recovery.infrastructure_failures%} of the episodes.",
            "gate.recovery.infrastructure_failures",
        ),
        (
            "G2.11",
            "Model failures",
            "At most {gate.recovery.model_failures%} of the episodes.",
            "gate.recovery.model_failures",
        ),
    )
    return (
        item(
            "G2.8",
            "Positive controls",
            v.say(
                "{gate.recovery.positive_controls} solve known instances with the needed information "
                "supplied. The lower Clopper–Pearson limit of recall, one-sided at α = "
                "{errors.adequacy}, must reach {thresholds.recall_min%}. " + tolerance
            ),
            origin=v.origin("gate.recovery.positive_controls"),
        ),
        *(item(id, label, v.say(text), origin=v.origin(path)) for id, label, text, path in rates),
        item(
            "G2.12",
            "Matched conditions",
            v.say(
                "Matched budget, readable information packet, independent draws, and no violation of "
                "the execution contract."
            ),
        ),
        item(
            "G2.13",
            "Inconclusive",
            v.say(
                "if an adequacy condition fails or the record is broken (**audit incomplete**), or "
                "the bound stays above ρ in a complete audit (**statistical uncertainty**)."
            ),
        ),
    )


def _policy(v: View, who: str) -> list[Line]:
    lines = [user(v.value(f"policy.{who}.sends"))]
    if v.has(f"policy.{who}.preserves"):
        lines.append(
            v.say(
                "Preserves {kept} of the truthful message.",
                kept=preserves(v.value(f"policy.{who}.preserves")),
            )
        )
    return lines


def feedback(v: View) -> Section:
    """Gate 3: the effect of truthful feedback, and the calibration of the neutral one."""
    if not v.is_evidence:
        text = "This registration asks for Core only. No feedback study is registered, and no effect of "
        "feedback may be claimed from it."
        return Section(9, "gate3", "Gate 3: feedback", (Paragraph(v.say(text)),))
    effect = math("Delta = E [ u | truthful , c ] − E [ u | neutral , c ]")
    criterion = math(
        "LCB ( Delta ) ≥ delta_evidence + delta_sham = value",
        value=number_formula(v.figures["margin"]["least"]),
    )
    rows = (
        item("G3.1", "Estimand", Display(effect), v.say(_UTILITY[v.is_binary])),
        item(
            "G3.2",
            "Checkpoint c",
            v.say(_checkpoint(v), event=user(v.value("gate.feedback.checkpoint").get("event", ""))),
        ),
        *(
            item(id, f"{_POLICY[who]} policy", *_policy(v, who))
            for id, who in (("G3.3", "truthful"), ("G3.4", "neutral"), ("G3.5", "reference_null"))
        ),
        item(
            "G3.6",
            "Pairs",
            v.say(
                "{gate.feedback.pairs} of fresh branches, one in each arm, from the same checkpoint "
                "with the same model, tools, remaining budget and output checks."
            ),
            origin=v.origin("gate.feedback.pairs"),
        ),
        item("G3.7", "Criterion", Display(criterion), v.say(_effect_method(v))),
        item("G3.8", "Null calibration", _null_study(v), origin=v.origin("gate.feedback.null_pairs")),
        item(
            "G3.9",
            "Calibration criterion",
            Display(
                math(
                    "interval ∈ [ − delta_sham , delta_sham ] = ± value",
                    value=number_formula(v.value("thresholds.delta_sham")),
                )
            ),
            v.say(_null_method(v)),
        ),
        item(
            "G3.10",
            "Healthy arms",
            v.say(
                "In each arm at least {gate.feedback.valid_rate%} of the branches are valid and at "
                "most {gate.feedback.model_failures%} fail by the model; at most "
                "{gate.feedback.infrastructure_failures%} of the pairs are lost to infrastructure."
            ),
            origin=v.origin("gate.feedback.valid_rate"),
        ),
        item(
            "G3.11",
            "Replacement",
            v.say(_replacement(v)),
            origin=v.origin("gate.feedback.replacements.pairs"),
        ),
        item("G3.12", "Necessity", v.say(_necessity(v)), origin=v.origin("gate.feedback.necessity")),
        item(
            "G3.13",
            "Refuted",
            v.say(
                "if the upper limit of the effect is below $delta_evidence − delta_sham$ = "
                "{figures.margin.refuted_below}."
            ),
        ),
        item(
            "G3.14",
            "Inconclusive",
            v.say(
                "if the interval lies across the margin or the calibration interval across its band "
                "(**statistical uncertainty**), or an arm or the record is broken (**audit "
                "incomplete**)."
            ),
        ),
    )
    return Section(9, "gate3", "Gate 3: feedback", (items(*rows),))


_UTILITY = {
    True: "The utility $u$ is whether the branch recovers the outcome, so $Delta$ is a difference of two "
    "recovery probabilities. It is the total effect of the two policies from the checkpoint on, "
    "through whatever the agent then does.",
    False: "The utility $u$ is the mean sealed score of the branch’s artifact. $Delta$ is the total effect "
    "of the two policies from the checkpoint on, through whatever the agent then does.",
}


def _checkpoint(v: View) -> str:
    where = {"start": "Before the first action", "after": "After the first event of this kind: {event}"}
    scope = {
        "lineage_prefix": "It holds the lineage up to there.",
        "lineage_empty": "It holds nothing of the lineage, so a neutral branch that recovers refutes Core as well.",
    }
    return (
        f"{where[v.choice('gate.feedback.checkpoint')].rstrip('.')}. {scope[v.choice('gate.feedback.scope')]}"
    )


def _effect_method(v: View) -> str:
    if not v.is_binary:
        return "Empirical Bernstein interval at coverage 1 − α, α = {errors.evidence}."
    text = (
        "Paired-binary interval at coverage 1 − α, α = {errors.evidence}: exact Clopper–Pearson "
        "limits on the two "
        "discordance probabilities, α/4 in each tail."
    )
    feedback = v.figures["feedback"]
    if "tolerated" in feedback:
        text += " If every pair favours truthful feedback, the lower limit is {figures.feedback.limit}, rounded down."
    if feedback.get("tolerated"):
        text += " Up to {figures.feedback.tolerated} pairs may be concordant instead (limit {figures.feedback.limit_tolerated})."
    return text


def _null_study(v: View) -> Line:
    tasks = (
        v.say(" Null tasks: {what}", what=user(v.value("gate.feedback.null_tasks")))
        if v.has("gate.feedback.null_tasks")
        else ()
    )
    return (
        *v.say(
            "{gate.feedback.null_pairs} on independent tasks whose answers are determined by E₀ "
            "compare the neutral policy with the second neutral one."
        ),
        *tasks,
    )


def _null_method(v: View) -> str:
    text = f"{'Paired-binary' if v.is_binary else 'Empirical Bernstein'} interval at coverage 1 − α, α = "
    f"{{errors.sham}}."
    null = v.figures["null"]
    if v.is_binary and "tolerated" in null:
        text += " Without a discordant pair the interval is ±{figures.null.limit}, rounded outward."
    if v.is_binary and null.get("tolerated"):
        text += " Up to {figures.null.tolerated} discordant pairs in each direction are tolerated."
    return text


def _replacement(v: View) -> str:
    if not v.count("gate.feedback.replacements.pairs") and not v.count(
        "gate.feedback.replacements.null_pairs"
    ):
        return "No pair is replaced."
    return (
        "Up to {gate.feedback.replacements.pairs} and {gate.feedback.replacements.null_pairs#} null "
        "may be replaced as a whole, "
        "only after an infrastructure failure before the first action. Every started slot stays in "
        "the record."
    )


def _necessity(v: View) -> str:
    if not v.claims_necessity:
        return (
            "Not claimed: the study is about the average effect of feedback, not about whether it is needed."
        )
    return (
        "Claimed: no neutral branch recovers, and the zero-failure bound on neutral recovery, one-sided at "
        "α = {errors.neutral}, is at most {thresholds.rho_placebo%}. With {figures.neutral.n} pairs "
        "it is {figures.neutral.limit}."
    )
