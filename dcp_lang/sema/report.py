"""What the rules write into: findings for the author, statuses for the frozen registration."""

from __future__ import annotations

from itertools import islice

from dcp_lang.diagnostics.model import Edit, Fix, Label, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.fields import find_field
from dcp_lang.language.names import resolve_name
from dcp_lang.language.units import quantity_text
from dcp_lang.language.values import value_text
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.model import MissingFieldError
from dcp_lang.sema.prove import DEFERRED, ENTAILED, REFUTED, Gate, Verdict, decide, evidence, steps
from dcp_lang.sema.quantities import baseline_score, target_score
from dcp_lang.sema.terms import Num, Op, Ref, Sym, Term, number, term_text
from dcp_lang.source import Span
from dcp_lang.stats.search import Effort

if TYPE_CHECKING:
    from typing import Any

    from dcp_lang.sema.model import TypedRegistration
    from dcp_lang.sema.witness import Case

#: The work of deciding all conditions, in `prove.steps`: about six tenths of a second.
MAX_STEPS = 150_000
#: Among so many conditions, those of the built-in rules, another rule's question is looked for.
_FIRST = 32


class Condition(Record):
    """A condition that was decided: which rule asked, on whose behalf, what it says, and the verdict."""

    code: str
    name: str
    origin: str
    term: Term
    verdict: Verdict
    gates: tuple[Gate, ...] = ()

    @property
    def text(self) -> str:
        """The condition in the spelling of the language."""
        return term_text(self.term)

    @property
    def is_obligation(self) -> bool:
        """Whether the verifier must discharge it once all artifacts are committed."""
        return self.verdict.status in (DEFERRED, ENTAILED)

    @property
    def residual(self) -> Term | None:
        """What is left of it, solved for the unknown; None when nothing is left or it cannot be solved."""
        from dcp_lang.sema.residual import residual  # only what is written down needs it

        return residual(self.term) if self.is_obligation else None

    @property
    def evidence(self) -> str:
        """What the status rests on: the exact inequality, the residual condition, or the gate."""
        rest = self.residual if self.verdict.status == DEFERRED else None
        return evidence(self.term, self.verdict, self.gates) if rest is None else term_text(rest)


class Report:
    """Collects the findings and the decided conditions of one registration."""

    def __init__(self, reg: TypedRegistration, sink: Sink, is_whole: bool) -> None:
        """`is_whole`: the text has no syntax fault, so what it says is said by its own words."""
        self.reg = reg
        self.is_whole = is_whole
        self.sink = sink
        self.conditions: list[Condition] = []
        self.gates: tuple[Gate, ...] = reg.answer((gate_guarantees, ""))
        #: Cases of rules (`remembered.py`): those that are known to hold here, and those that were found to.
        self.steady: dict[Any, Case] = {}
        self.found: dict[Any, Case] = {}
        #: Whether a verdict since this was last unset depends on the gates.
        self.asked_gates = False
        #: What the author's conditions and those of profiles may still take.
        self.effort = Effort(MAX_STEPS)

    def add(
        self,
        rule: Rule,
        at: str | Span,
        message: str,
        *,
        label: str = "",
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Report a finding of a rule at a field (or a span)."""
        span = self.reg.span(at) if isinstance(at, str) else at
        self.sink.add(
            rule.found(
                self.reg.source, span, message, label=label, labels=labels, notes=notes, help=help, fix=fix
            )
        )

    def declared_here(self, *paths: str) -> tuple[Label, ...]:
        """Secondary labels that show what other fields say."""
        found = (p for p in paths if self.reg.declared(p))
        return tuple(Label(self.reg.span(p), f"{short_name(p)} is {self.shown(p)}") for p in found)

    def shown(self, path: str) -> str:
        """A field's value as findings show it."""
        return value_text(self.reg.value(path))

    def rewrite(self, path: str, text: str) -> Fix | None:
        """A fix that writes another value where the author declared one; never safe, it changes the
        commitment.
        """
        declared = self.reg.resolved.fields.get(path)
        if declared is None or not self.reg.declared(path):
            return None
        return Fix(f"write {short_name(path)} = {text}", (Edit(declared.expr.span, text),))

    def decide(self, rule: Rule, term: Term, origin: str = "rule", effort: Effort | None = None) -> Verdict:
        """Decide a condition of a rule within an effort, unless another has asked the same, and record its status."""
        known = next((c.verdict for c in islice(self.conditions, _FIRST) if c.term == term), None)
        if known and effort:  # what a condition costs does not depend on what else was asked
            effort.spend(steps(term))
        verdict = known or decide(term, self.gates, effort)
        is_open = verdict.status in (DEFERRED, ENTAILED)
        self.asked_gates |= is_open
        gates = self.gates if is_open else ()
        self.conditions.append(Condition(rule.code, rule.name, origin, term, verdict, gates))
        return verdict

    def refutes(self, rule: Rule, term: Term) -> bool:
        """Decide, and say whether the condition is false for every value."""
        return self.decide(rule, term).status == REFUTED


def short_name(path: str) -> str:
    """A field's symbol or last name."""
    spec = find_field(path)
    return (spec.symbol if spec else "") or path.rpartition(".")[2]


def gate_guarantees(reg: TypedRegistration, _: str = "") -> tuple[Gate, ...]:
    """What passing gates imply for the unknowns: an exhaustive Gate 1 gives x - score(b) >= δ_min.

    A sampled Gate 1 bounds the population's mean, not the score on its units; Gates 2 and 3 say nothing of x.
    """
    try:
        if not reg.is_exhaustive:
            return ()
        gain = Op("-", (target_score(reg), baseline_score(reg)))
        least = Ref("delta_min", number(reg.number("thresholds.delta_min")))
    except MissingFieldError:
        return ()
    return (Gate("outcome", Op(">=", (gain, least))),)


def shown_term(term: Term) -> str:
    """A condition as findings show it: fields under their symbols, quantities in their own units."""
    return term_text(_displayed(term))


def _displayed(term: Term) -> Term:
    match term:
        case Ref(name):
            paths = [] if "." in name else resolve_name(name)
            return Ref(short_name(paths[0]), *term[1:]) if len(paths) == 1 else term
        case Num(value, unit) if unit:
            return Sym(quantity_text(value, unit))
        case Op(op, args):
            return Op(op, tuple(_displayed(a) for a in args))
        case _:
            return term
