"""Section 11: why these sample sizes."""

from __future__ import annotations

from typing import Any, NamedTuple

from dcp_lang.emit.document.blocks import Block, Display, Figure, Note, Paragraph, Section, Table
from dcp_lang.emit.document.formula import Atom, Formula, Power, Row, math, number_formula
from dcp_lang.emit.document.inline import Line
from dcp_lang.emit.document.plot import Curve, plot
from dcp_lang.emit.document.shown import plain_number, probability
from dcp_lang.emit.document.view import View, table


class Gate(NamedTuple):
    """One sample size: its figures, the field that holds n, what is counted, and what its truth means."""

    key: str
    path: str
    title: str
    noun: str
    truth: str
    axis: str
    threshold: str
    upper: bool


_GATES = (
    Gate(
        "recovery",
        "gate.recovery.episodes",
        "Challenger episodes",
        "episodes",
        "true recovery probability p_B",
        "p_B",
        "thresholds.rho",
        True,
    ),
    Gate(
        "adequacy",
        "gate.recovery.positive_controls",
        "Positive controls",
        "controls",
        "true recall of the controls",
        "recall",
        "thresholds.recall_min",
        False,
    ),
    Gate(
        "feedback",
        "gate.feedback.pairs",
        "Feedback pairs",
        "pairs",
        "true recovery rate with truthful feedback",
        "truthful rate",
        "figures.margin.least",
        False,
    ),
    Gate(
        "null",
        "gate.feedback.null_pairs",
        "Null pairs",
        "pairs",
        "true share of discordant pairs in each direction",
        "discordance",
        "thresholds.delta_sham",
        True,
    ),
)


def sizes(v: View) -> Section:
    """Every n: the rule, the limits at n and below, the operating characteristic, and what would change it."""
    gates = [gate for gate in _GATES if gate.key in v.figures]
    rows = [_size_row(v, gate) for gate in gates]
    head = "What | n | Least n | Limit at n | Limit at least n | One fewer | Must be"
    blocks: list[Block] = [
        Paragraph(
            v.say(
                "Sizes follow from exact inequalities, never from rounded logarithms. Upper limits "
                "are rounded up, lower limits down, and none is printed beyond a threshold that it "
                "reaches."
            )
        ),
        table("Sample sizes and the limits they reach when all goes well", head, rows, "123456"),
        *(Note(line) for gate in gates for line in _short(v, gate)),
        *_inequalities(v, gates),
        *(block for gate in gates for block in _operating(v, gate)),
        *_assumptions(v),
        _sensitivity(v, gates),
        Paragraph(v.say(_infeasible(v))),
    ]
    return Section(11, "sizes", "Sample sizes", tuple(blocks))


def _size_row(v: View, gate: Gate) -> tuple[Line, ...]:
    figures = v.figures[gate.key]
    relation = "≤" if gate.upper else "≥"
    suffix = "" if gate.key in ("feedback", "null") else "%"
    origin = " (computed)" if v.origin(gate.path) == "computed" else ""
    return (
        v.say(gate.title + origin),
        *(_figure(figures, key) for key in ("n", "least", "limit", "limit_at_least", "limit_below")),
        v.say(f"{relation} {{{gate.threshold}{suffix}}}"),
    )


def _figure(figures: Any, key: str) -> Line:
    return (plain_number(figures[key]),) if key in figures else ("—",)


def _short(v: View, gate: Gate) -> list[Line]:
    """A size that cannot pass its gate, which only a waiver lets through."""
    figures = v.figures[gate.key]
    if "least" in figures and figures["n"] >= figures["least"]:
        return []
    return [
        v.say(
            "**Too few:** {n} {noun} cannot pass this gate, whatever happens. The audit will end "
            "incomplete or uncertain.",
            n=(plain_number(figures["n"]),),
            noun=(gate.noun,),
        )
    ]


def _inequalities(v: View, gates: list[Gate]) -> list[Block]:
    """The zero-failure rule with its two exact inequalities, at the least n and one below."""
    figures = v.figures["recovery"]
    if "below" not in figures:
        return []
    kept = math("( 1 − rho )", rho=number_formula(v.value("thresholds.rho")))
    alpha = number_formula(v.value("errors.recovery"))
    return [
        Paragraph(
            v.say("The least number of episodes is the least n with $( 1 − rho )$ to the power n at most α:")
        ),
        Display(_power(kept, figures["least"], "≤", alpha)),
        Display(_power(kept, figures["below"], ">", alpha)),
    ]


def _power(base: Formula, exponent: int, relation: str, bound: Formula) -> Formula:
    return Row((Power(base, Atom("mn", str(exponent))), Atom("mo", relation), bound))


def _operating(v: View, gate: Gate) -> list[Block]:
    """The operating characteristic of one gate: a plot, and its table."""
    figures = v.figures[gate.key]
    if "operating" not in figures:
        return []
    rows = [_operating_row(v, row) for row in figures["operating"]]
    caption = f"{gate.title}: probability of passing"
    numbers = table(caption, f"{gate.truth[0].upper()}{gate.truth[1:]} | Passes with probability", rows, "01")
    curve = Curve(
        tuple((row["truth"], row["passes"]) for row in figures["operating"]),
        gate.axis,
        next((row["truth"] for row in figures["operating"] if row.get("expected")), None),
    )
    given = (
        v.say("The neutral rate is taken as {figures.feedback.neutral%}; branches are independent.")
        if gate.key == "feedback"
        else ()
    )
    title = f"Probability that the gate passes, against the {gate.truth}; the numbers stand in the table."
    blocks: list[Block] = [Figure(plot(curve, caption), title, numbers)]
    return blocks + ([Paragraph(given)] if given else [])


def _operating_row(v: View, row: Any) -> tuple[Line, ...]:
    truth: Line = (probability(row["truth"]),)
    mark = v.say(" ← expected") if row.get("expected") else ()
    return ((*truth, *mark), (plain_number(row["passes"]),))


def _assumptions(v: View) -> list[Block]:
    """Planning assumptions, which decide nothing."""
    names = {
        "p_B": "Recovery probability p_B",
        "recall": "Recall of positive controls",
        "truthful": "Recovery with truthful feedback",
        "neutral": "Recovery with neutral feedback",
        "null": "Discordance of null pairs, each direction",
        "losses": "Sessions lost to infrastructure",
        "assurance": "Wanted probability of a conclusive audit",
    }
    rows = [v.row(name, f"{{expect.{key}%}}") for key, name in names.items() if v.has(f"expect.{key}")]
    if not rows:
        return [
            Paragraph(
                v.say(
                    "No planning assumption is registered; the sizes rest on the thresholds and the "
                    "error budget alone."
                )
            )
        ]
    return [table("Planning assumptions, never criteria of the decision", "Quantity | Assumed", rows, "1")]


def _sensitivity(v: View, gates: list[Gate]) -> Table:
    """The least n for smaller and larger error budgets."""
    rows = [
        (v.say(gate.title if place == 0 else ""), (probability(row["alpha"]),), (plain_number(row["least"]),))
        for gate in gates
        for place, row in enumerate(v.figures[gate.key]["sensitivity"])
    ]
    return table("Sensitivity: the least n at other error budgets", "What | α | Least n", rows, "12")


def _infeasible(v: View) -> str:
    text = "Where no n exists: a bound ρ of zero, or a required recall of one, cannot be reached by any "
    "number of episodes. "
    if v.is_evidence:
        text += "Neither can a margin $delta_evidence + delta_sham$ of one or more. "
    return (
        text + "More challengers than needed only lower the chance of an honest claim, since one lucky "
        "recovery refutes it."
    )
