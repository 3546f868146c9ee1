"""What the rules write into: findings for the author, statuses for the frozen registration."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dcp_lang.diagnostics.model import Fix, Label, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.prove import DEFERRED, ENTAILED, REFUTED, Gate, Verdict, decide, linear
from dcp_lang.language.values import json_value
from dcp_lang.sema.lower import baseline_score, target_score
from dcp_lang.sema.model import MissingFieldError
from dcp_lang.sema.terms import Op, Term, term_text
from dcp_lang.source import Span

if TYPE_CHECKING:
    from dcp_lang.sema.model import TypedRegistration


class Condition(NamedTuple):
    """A condition that was decided: which rule asked, what it says, and the verdict."""

    code: str
    name: str
    origin: str
    term: Term
    verdict: Verdict

    @property
    def text(self) -> str:
        """The condition in the spelling of the language."""
        return term_text(self.term)

    @property
    def is_obligation(self) -> bool:
        """Whether the verifier must discharge it once all artifacts are committed."""
        return self.verdict.status in (DEFERRED, ENTAILED)


class Report:
    """Collects the findings and the decided conditions of one registration."""

    def __init__(self, reg: TypedRegistration, sink: Sink) -> None:
        self.reg = reg
        self.sink = sink
        self.conditions: list[Condition] = []
        self.gates = gate_guarantees(reg)

    def add(
        self, rule: Rule, at: str | Span, message: str, *, label: str = "", labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (), help: str = "", fix: Fix | None = None,
    ) -> None:  # fmt: skip
        """Report a finding of a rule at a field (or a span)."""
        span = self.reg.span(at) if isinstance(at, str) else at
        self.sink.add(
            rule.found(self.reg.source, span, message, label=label, labels=labels, notes=notes, help=help, fix=fix)
        )

    def declared_here(self, *paths: str) -> tuple[Label, ...]:
        """Secondary labels that show what other fields say."""
        found = (p for p in paths if self.reg.declared(p))
        return tuple(Label(self.reg.span(p), f"{p.rpartition('.')[2]} is {json_value(self.reg.value(p))}") for p in found)

    def decide(self, rule: Rule, term: Term, origin: str = "rule") -> Verdict:
        """Decide a condition of a rule and record its status."""
        verdict = decide(term, self.gates)
        self.conditions.append(Condition(rule.code, rule.name, origin, term, verdict))
        return verdict

    def refutes(self, rule: Rule, term: Term) -> bool:
        """Decide, and say whether the condition is false for every value."""
        return self.decide(rule, term).status == REFUTED


def gate_guarantees(reg: TypedRegistration) -> tuple[Gate, ...]:
    """What passing gates imply: an exhaustive Gate 1 gives x - score(b) >= δ_min."""
    try:
        if not reg.is_exhaustive:
            return ()
        gain = linear(Op("-", (target_score(reg), baseline_score(reg))))
        least = reg.number("thresholds.delta_min")
    except MissingFieldError:
        return ()
    return (Gate("outcome", gain._replace(constant=gain.constant - least)),) if gain else ()
