"""Sections 3 to 6: timing, parties, information, and the task."""

from __future__ import annotations

from typing import Any

from dcp_lang.emit.document.blocks import Block, Bullets, Item, Prose, Section, item, items
from dcp_lang.emit.document.inline import Line
from dcp_lang.emit.document.sections.words import material, names, population, web
from dcp_lang.emit.document.view import View, code, user

_KNOWLEDGE = {
    "pre_publication": "with model and information access as before publication: it tests the original recovery scope",
    "present_day": "with present-day knowledge: it measures present-day recoverability, not the original scope",
}
_SUBJECT = {
    "autonomous_agent": "an autonomous agent: all guidance was fixed before the run",
    "human_agent": "a human and an agent together: guidance was chosen after intermediate results",
}


def timing(v: View) -> Section:
    """When the registration was made and what was known by then."""
    mode = "Prospective: fixed before the target run."
    if not v.is_prospective:
        mode = f"Retrospective, {_KNOWLEDGE[v.value('mode')['knowledge']['choice']]}."
    return Section(
        3,
        "timing",
        "Timing and prior exposure",
        (
            items(
                item("T1", "Mode", v.say(mode)),
                item("T2", "Lineage of", v.say(_SUBJECT[v.choice("subject")] + ".")),
                _prose(
                    v,
                    "T3",
                    "Prior exposure",
                    "notes.exposure",
                    "None is declared. What the authors had seen before registration is not stated here.",
                ),
                _prose(
                    v,
                    "T4",
                    "Pilots",
                    "notes.pilots",
                    "None are declared. Development runs, if there were any, are not confirmatory "
                    "and decide nothing.",
                ),
            ),
        ),
    )


def _prose(v: View, id: str, label: str, path: str, otherwise: str) -> Item:
    return item(id, label, Prose(v.value(path)) if v.has(path) else v.say(otherwise))


def parties(v: View) -> Section:
    """Who claims, who audits, and how they are independent."""
    missing = "Not named in the registration; the signatures name the keys."
    return Section(
        4,
        "parties",
        "Parties and independence",
        (
            items(
                _prose(v, "P1", "Claimant", "parties.claimant", missing),
                _prose(v, "P2", "Audit authority", "parties.authority", missing),
                _prose(
                    v,
                    "P3",
                    "Independence",
                    "parties.independence",
                    "Not described. The protocol treats the claimant as potentially strategic: the "
                    "authority approves the question, holds the sealed test and anchors the records.",
                ),
                item(
                    "P4",
                    "Audit family",
                    v.say(
                        "{family}, at most {audits} sharing α = {alpha%}. Every started audit spends "
                        "its slot.",
                        **_family(v),
                    ),
                ),
            ),
        ),
    )


def _family(v: View) -> dict[str, Line]:
    from dcp_lang.emit.document.shown import counted, probability

    family = v.value("family")
    return {
        "family": code(family["id"]),
        "audits": (counted(family["audits"], "audit"),),
        "alpha": (probability(family["alpha"]),),
    }


def information(v: View) -> Section:
    """The boundary between what both sides start with and what the target run earned."""
    rows = [
        _labelled(v, "I1", "Known components (K)", "information.known", "No known component is named."),
        _labelled(
            v,
            "I2",
            "Present at the start (E₀)",
            "information.given",
            "Nothing is given at the start beyond the task.",
        ),
        _web(v),
        _labelled(
            v,
            "I4",
            "Adaptive evidence (L*), withheld from challengers",
            "information.lineage",
            "No lineage is registered.",
        ),
        item("I5", "Used by a later action", Prose(v.value("information.consumed")))
        if v.has("information.consumed")
        else None,
        item("I6", "Model", *_model(v)),
        item("I7", "Interface", _interface(v.value("model.interface"))),
        item(
            "I8",
            "Tools",
            v.say("{tools}; the same for target and controls.", tools=names(v.value("model.tools")))
            if v.value("model.tools")
            else v.say("None."),
        ),
    ]
    intro = v.say(
        "Everything that both sides have at the start belongs to $E_0$; what comes back because the "
        "agent chose an action "
        "belongs to $L*$. A challenger gets all of the first and none of the second."
    )
    return Section(5, "information", "Information boundary", (_paragraph(intro), items(*rows)))


def _paragraph(line: Line) -> Block:
    from dcp_lang.emit.document.blocks import Paragraph

    return Paragraph(line)


def _labelled(v: View, id: str, label: str, prefix: str, otherwise: str) -> Item:
    found = v.under(prefix)
    if not found:
        return item(id, label, v.say(otherwise))
    lines = tuple((*code(name), ": ", *_meaning(value)) for name, value in found.items())
    return item(id, label, Bullets(lines))


def _meaning(value: Any) -> Line:
    if isinstance(value, dict) and value.get("choice") == "feedback":
        return user(value["what"])
    return material(value)


def _web(v: View) -> Item:
    found = {name: value for name, value in v.under("information.web").items() if value["choice"] != "none"}
    if not found:
        return item("I3", "Observed Web bytes (W)", v.say("No Web access."))
    lines = tuple((*code(name), ": ", *web(value)) for name, value in found.items())
    disclosed = "Every byte the target run saw is recorded"
    disclosed += (
        ", and challengers get the whole packet at the start."
        if v.choice("gate.recovery.web") == "observed_bytes"
        else "."
    )
    return item("I3", "Observed Web bytes (W)", Bullets(lines), v.say(disclosed))


def _model(v: View) -> tuple[Line, ...]:
    asked = v.say(
        "Asked for: {asked}; recorded as {id}.",
        asked=code(v.value("model.requested")),
        id=code(v.value("model.id")),
    )
    reported = [code(name) for name in v.value("model.reported")]
    from dcp_lang.emit.document.inline import joined

    return asked, v.say("A provider receipt may name only {reported}.", reported=joined(reported, "or"))


def _interface(value: Any) -> Line:
    if value["choice"] != "claude_code":
        return user(value["description"])
    image = (", image ", *code(value["image"])) if "image" in value else ()
    where = {"docker": "in a container", "host": "on the host"}[value["execution"]["choice"]]
    return (f"Claude Code {where}", *image, f", effort {value['effort']['choice']}")


def task(v: View) -> Section:
    """The task, its validity rules, its score, its population and its sealed material."""
    score = v.value("task.score")
    rules = Bullets(tuple(user(rule) for rule in v.value("task.valid")), ordered=True)
    return Section(
        6,
        "task",
        "Task, score and population",
        (
            items(
                item(
                    "S1",
                    "Task profile",
                    v.say(
                        "{name}, adapter {adapter}, class {entry}.",
                        name=code(v.value("task.name")),
                        adapter=material(v.value("task.adapter")),
                        entry=code(v.value("task.entry")),
                    ),
                ),
                item("S2", "Valid artifacts", v.say("An artifact is valid when"), rules),
                item(
                    "S3",
                    "Score",
                    v.say(
                        "Maximise {measure}, on the scale from {low} to {high}.",
                        measure=user(score["measure"]),
                        low=_number(score["on"][0]),
                        high=_number(score["on"][1]),
                    ),
                ),
                item(
                    "S4",
                    "Score lattice",
                    v.say(
                        "Scores are multiples of {task.lattice}, so whether one can sit on a line is "
                        "decided exactly."
                    ),
                )
                if v.has("task.lattice")
                else None,
                item("S5", "Population", (*population(v), ".")),
                item("S6", "Sealed evaluation", *_sealed(v)),
                item("S7", "Baseline", *_baseline(v)),
                _target(v),
                item(
                    "S9",
                    "Selection",
                    v.say(
                        "The target artifact is chosen by this rule: {rule}",
                        rule=user(v.value("selection.rule")),
                    ),
                    v.say("The run ends: {stop}", stop=user(v.value("selection.stop"))),
                ),
            ),
        ),
    )


def _number(text: str) -> Line:
    from dcp_lang.emit.document.shown import plain_number

    return (plain_number(text),)


def _sealed(v: View) -> list[Line]:
    lines = [v.say("Evaluator: {what}.", what=material(v.value("task.evaluator")))]
    if v.has("task.units"):
        lines.append(v.say("Private units: {what}.", what=material(v.value("task.units"))))
    lines.append(
        v.say(
            "One evaluator scores baseline, target and controls alike. All candidates are committed "
            "before it is opened."
        )
    )
    return lines


def _baseline(v: View) -> list[Line]:
    score = v.value("baseline.score")
    known = (
        v.say("Its score is {baseline.score}.")
        if isinstance(score, str)
        else v.say("Its score is {what}, opened with the evaluation.", what=material(score))
    )
    return [
        v.say(
            "{name}: {artifact}.",
            name=code(v.value("baseline.name")),
            artifact=material(v.value("baseline.artifact")),
        ),
        known,
    ]


def _target(v: View) -> Item:
    if v.has("target.score"):
        artifact = (
            v.say(" Its artifact is {what}.", what=material(v.value("target.artifact")))
            if v.has("target.artifact")
            else ()
        )
        return item(
            "S8", "Target", (*v.say("The target is known: its score $x$ is {target.score}."), *artifact)
        )
    return item(
        "S8",
        "Target",
        v.say(
            "The target does not exist yet. Its score $x$ is computed by the verifier after all "
            "artifacts are committed."
        ),
    )
