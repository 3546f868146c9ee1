"""What is remembered from one registration never shows in another: every answer is that of a fresh start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bases import base, compilation
from generated import Drawn, drawn, written
from hypothesis import given, settings
from hypothesis import strategies as st
from literate import marks_of, read_cases, whole_source
from pieces import PIECES, TOKEN

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.sema import remembered, typecheck
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import _known as SIZED
from dcp_lang.sema.remembered import apply
from dcp_lang.sema.report import MAX_STEPS, Report
from dcp_lang.sema.resolve import _known as DECLARED
from dcp_lang.sema.rules import requirements
from dcp_lang.sema.witness import Seen
from dcp_lang.source import SourceFile
from dcp_lang.syntax import parse, pieces
from dcp_lang.syntax.printer import format_file

CASES = Path(__file__).parents[1] / "cases"
SOURCES = [
    marks_of(whole_source(case, CASES / "bases"))[0]
    for path in sorted(CASES.glob("*/*.md"))
    for case in read_cases(path.read_text("utf-8"))
]


def forget() -> None:
    for known in (remembered._known, SIZED, DECLARED, typecheck._known, pieces._known):
        known.clear()


def shown(d: Diagnostic) -> tuple[Any, ...]:
    labels = [(label.span, label.text, label.source and label.source.name) for label in d.labels]
    return (d.code, d.severity, d.message, d.source.name, d.span, d.label, labels, d.notes, d.help, d.fix)


def outcome(text: str) -> tuple[Any, ...]:
    """All that a check makes of a text: findings, values, sizes, decided conditions with their evidence."""
    made = compilation(text)
    found = [shown(d) for d in made.diagnostics]
    if made.analysis is None:
        return (found,)
    reg, conditions = made.analysis
    decided = [(c.code, c.origin, c.text, c.verdict, c.evidence) for c in conditions]
    return found, reg.entries, reg.plan.sizes, decided, reg.complete


def same_as_fresh(texts: list[str]) -> None:
    """Each text after all those before it, and again alone."""
    after = [outcome(text) for text in texts]
    for text, found in zip(texts, after, strict=True):
        forget()
        assert found == outcome(text), text


def test_every_case_after_all_the_others() -> None:
    """The cases break every rule, one each, in registrations that are else alike; forth and back."""
    forget()
    same_as_fresh([*SOURCES[::3], *SOURCES[::-3]])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([base("core"), base("evidence")]), st.data())
def test_a_registration_while_it_is_edited(text: str, data: st.DataObject) -> None:
    forget()
    states = [text]
    tokens = TOKEN.findall(text)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        tokens[at] = data.draw(st.sampled_from([*PIECES, "7", "0.3", "1%", tokens[at]]))
        states.append("".join(tokens))
    same_as_fresh([*states, *states[::-1]])


@settings(max_examples=15, deadline=None)
@given(st.lists(drawn(), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_registrations_one_after_another(registrations: list[Drawn], dice: Any) -> None:
    """Plain ones, which pieces are read of, and the same in other layouts, which are read whole."""
    forget()
    formats = [(written(r), written(r, dice)) for r in registrations]
    same_as_fresh([formatted(text) for pair in formats for text in pair] + [pair[1] for pair in formats])


def formatted(text: str) -> str:
    source = SourceFile("registration.dcp", text)
    return format_file(parse(source, Sink()), source)


def report(text: str, whole: bool = True) -> Report:
    made = compilation(text)
    assert made.analysis is not None
    return Report(made.analysis.registration, made.sink, whole)


class Rule:
    """A rule that counts its runs, and asks as it is told."""

    def __init__(self, *asked: Any) -> None:
        self.asked = asked
        self.runs = 0

    def __call__(self, reg: TypedRegistration, report: Report) -> None:
        self.runs += 1
        for ask in self.asked:
            ask(reg)


RHO = ("ρ          = 5%", "ρ          = 4%")
MATERIAL = ('file("baseline.json")', 'file("other.json")')
NOTES = ("  thresholds {", '  notes { pilots = "none so far" }\n  thresholds {')
SWAPPED = ("    ρ          = 5%\n    recall_min = 80%\n", "    recall_min = 80%\n    ρ          = 5%\n")


@pytest.mark.parametrize(
    ("ask", "edit", "runs"),
    [
        (lambda reg: reg.number("thresholds.rho"), ("", ""), 1),
        (lambda reg: reg.number("thresholds.rho"), ("ρ ", "  ρ "), 1),
        (lambda reg: reg.number("thresholds.rho"), RHO, 2),
        (lambda reg: reg.number("thresholds.delta_min"), RHO, 1),
        (lambda reg: reg.has("notes.pilots"), RHO, 1),
        (lambda reg: reg.plan.sessions, RHO, 2),
        (lambda reg: reg.plan.size("gate.recovery.episodes").least, RHO, 2),
        (lambda reg: reg.grade, RHO, 1),
        (lambda reg: reg.under("thresholds"), RHO, 2),
        (lambda reg: reg.under("model"), RHO, 1),
        # Who looks at the entries, the text or a place has seen everything.
        (lambda reg: reg.entries["thresholds.delta_min"], ("", ""), 2),
        (lambda reg: reg.source, ("", ""), 2),
        (lambda reg: reg.span("thresholds.rho"), ("", ""), 2),
        (lambda reg: reg.materials(), ("", ""), 1),
        (lambda reg: reg.materials(), MATERIAL, 2),
        (lambda reg: reg.mentions("target"), RHO, 1),
        (lambda reg: reg.mentions("notes"), NOTES, 2),
        (lambda reg: reg.in_reading_order("thresholds"), RHO, 1),
        (lambda reg: reg.in_reading_order("thresholds"), SWAPPED, 2),
    ],
)
def test_a_rule_runs_again_where_an_answer_is_another(ask: Any, edit: tuple[str, str], runs: int) -> None:
    rule, text = Rule(ask), base("evidence")
    assert edit[0] in text
    apply(rule, rule, report(text))
    apply(rule, rule, report(text.replace(*edit)))
    assert rule.runs == runs


def asks_for_what_is_missing(reg: TypedRegistration) -> None:
    reg.number("notes.pilots")


def test_a_missing_field_is_an_answer_too() -> None:
    """The rule is silent, and silent again; where the field is there, it runs."""
    rule = Rule(asks_for_what_is_missing)
    for _ in range(2):
        apply(rule, rule, report(base("core")))
    assert rule.runs == 1
    with_notes = base("core").rstrip().removesuffix("}") + '\n  notes { pilots = "none so far" }\n}\n'
    apply(rule, rule, report(with_notes))
    assert rule.runs == 2


def test_a_finding_is_found_each_time() -> None:
    """Also the same one again, which a sink keeps once."""
    rule = Rule()
    found = compilation(base("core").replace("ρ     = 5%", "ρ     = 5")).diagnostics[0]
    at = report(base("core"))
    finds = lambda reg, report: (rule(reg, report), report.sink.add(found))  # noqa: E731
    for _ in range(3):
        apply(finds, finds, at)
    assert rule.runs == 3


def test_work_is_spent_where_it_is_remembered() -> None:
    """Conditions of one text cost the same after a thousand others as alone, so E210 comes at the same one."""
    text = base("core").rstrip().removesuffix("}") + "\n  require " + " and ".join(["x < 1"] * 40) + "\n}\n"
    forget()
    first, again = (report_of(text) for _ in range(2))
    assert first.effort.left == again.effort.left < MAX_STEPS


def test_what_a_condition_costs_does_not_depend_on_its_neighbours() -> None:
    """Nor on those of a text before: the same condition, spelled otherwise, is decided once and paid for twice."""
    frame = base("core").rstrip().removesuffix("}")
    both, one = (
        f"{frame}{lines}}}\n" for lines in ("\n  require ρ < 1\n  require ρ  <  1\n", "\n  require ρ  <  1\n")
    )
    forget()
    report_of(both)
    after = report_of(one).effort.left
    forget()
    assert after == report_of(one).effort.left < MAX_STEPS


def report_of(text: str) -> Report:
    at = report(text)
    requirements.check(at.reg, at)
    return at


def test_what_a_gate_entails_depends_on_the_gate() -> None:
    """Gate 1 gives x - score(b) >= δ_min, which the condition does not name: .3 follows from .5, not from .2."""
    text = base("core").rstrip().removesuffix("}") + "\n  require x - score(b) >= 0.3\n}\n"
    forget()
    decided = [outcome(t)[3] for t in (text, text.replace("δ_min = 0.5", "δ_min = 0.2"))]
    own = [verdict.status for row in decided for _, origin, _, verdict, _ in row if origin == "require"]
    assert own == ["entailed", "deferred"]


def test_what_was_declared_is_not_declared_again() -> None:
    """Of a registration after its like only the one statement that changed: everything else is the same object."""
    forget()
    text = base("evidence")
    first, second = (analysed(t) for t in (text, text.replace(*RHO)))
    new = {
        path
        for path, declared in second.resolved.fields.items()
        if declared is not first.resolved.fields[path]
    }
    assert new == {path for path in first.resolved.fields if path.startswith("thresholds.")}
    kept = {path for path, entry in second.entries.items() if entry is first.entries.get(path)}
    assert {"id", "task.score", "policy.challenger.sends"} <= kept and not kept & new


def analysed(text: str) -> TypedRegistration:
    made = compilation(text)
    assert made.analysis is not None
    return made.analysis.registration


def test_what_stands_elsewhere_is_declared_there() -> None:
    """The same statements one line further down: the same values, each where it stands now."""
    forget()
    text = base("evidence")
    moved = text.replace("  mode ", "\n  mode ")
    first, second = (analysed(t) for t in (text, moved))
    for path, declared in second.resolved.fields.items():
        start, end = declared.expr.span
        was = first.resolved.fields[path].expr.span
        assert moved[start:end] == text[was.start : was.end]
        assert second.entries[path].value == first.entries[path].value


def asked_about(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    """How often it was compared with what had been seen, while a registration was analysed."""
    count, holds = [0], Seen.holds

    def counted(seen: Seen, reg: TypedRegistration) -> bool:
        count[0] += 1
        return holds(seen, reg)

    with monkeypatch.context() as patch:
        patch.setattr(Seen, "holds", counted)
        analysed(text)
    return count[0]


def test_rules_that_are_asked_the_same_again_and_again_are_asked_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the first time each alone, twice; then once for all, and once for the plan."""
    forget()
    text = base("evidence")
    first, *later = (asked_about(monkeypatch, text) for _ in range(6))
    assert first < 5 and later[0] == later[1] > 30
    assert later[2:] == [2, 2, 2]


def test_rules_that_are_asked_together_part_where_one_is_asked_something_else() -> None:
    """Whatever changes, forth and back: as if every text were the first."""
    text = base("evidence")
    other, third = text.replace(*RHO), text.replace("ε          = 0.005", "ε          = 0.004")
    assert len({text, other, third}) == 3
    same_as_fresh([text, text, text, other, text, other, other, other, third, text, text, third])


def test_no_more_keys_are_kept_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions of many authors come and go, and may go unasked for long before one of them does not hold."""
    forget()
    monkeypatch.setattr(remembered, "_MOST", 60)
    frame = base("evidence").rstrip().removesuffix("}")
    for number in range(1, 30):
        text = f"{frame}\n  require x <= {number}\n}}\n"
        for _ in range(3):
            analysed(text)
        steady = remembered._known[remembered._STEADY]
        assert max(len(steady.cases), len(steady.last)) <= 60
