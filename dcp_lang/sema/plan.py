"""The plan: every sample size of the audit, declared or computed, with the least n that its gate needs.

Assumes typed fields; replaces every `auto` in the registration by a number. Where no n exists (ρ = 0,
δ_evidence + δ_sham >= 1, …) the size is infeasible: its rule says which inequality forbids it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dcp_lang.language.values import Amount
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.model import MissingFieldError
from dcp_lang.sema.terms import Num
from dcp_lang.sema.typecheck import AUTO_VALUE
from dcp_lang.sema.witness import Cases, Witness
from dcp_lang.stats import kernel_floats, planning

if TYPE_CHECKING:
    from dcp_lang.sema.model import TypedRegistration

RECOVERY, CONTROLS = "gate.recovery.episodes", "gate.recovery.positive_controls"
PAIRS, NULL_PAIRS = "gate.feedback.pairs", "gate.feedback.null_pairs"
CANDIDATES = "gate.recovery.candidates"
#: The sizes of registrations that answer alike.
_known = Cases(64)
#: Differences of scores lie in [-1, 1].
DIFFERENCE_WIDTH = Fraction(2)


class Size(Record):
    """One sample size: what was declared (None for `auto`), the least that passes, what is used.

    `least` is None when no n up to the cap passes; `kernel_least` is the least n at which the kernel's own
    float formula agrees, normally the same.
    """

    path: str
    declared: int | None
    least: int | None
    kernel_least: int | None
    used: int


class Plan:
    """All sizes of an audit, and what they cost."""

    def __init__(self, sizes: dict[str, Size], reg: TypedRegistration) -> None:
        """`sizes` are of all registrations that answer alike: nobody changes them."""
        self.sizes = sizes
        self._reg = reg

    def asked_of(self, reg: TypedRegistration) -> Plan:
        """The same sizes, whose totals are asked of another registration."""
        return Plan(self.sizes, reg)

    @property
    def is_complete(self) -> bool:
        """Whether every size of the grade is known, and with it sessions and cost."""
        wanted = 4 if self._reg.is_evidence else 2
        prices = ("budget.session.cost", "budget.session.time")
        return len(self.sizes) == wanted and all(self._reg.has(path) for path in prices)

    @property
    def sessions(self) -> int:
        """Sessions of the controls: challengers, positive controls, both arms of every pair."""
        reg = self._reg
        total = reg.count(RECOVERY) + reg.count(CONTROLS)
        return total + 2 * (reg.count(PAIRS) + reg.count(NULL_PAIRS)) if reg.is_evidence else total

    @property
    def most_sessions(self) -> int:
        """With the target's own and every replacement that is registered."""
        reg = self._reg
        caps = (f"gate.feedback.replacements.{name}" for name in ("pairs", "null_pairs"))
        return self.sessions + 1 + (2 * sum(map(reg.count, caps)) if reg.is_evidence else 0)

    @property
    def session_cost(self) -> Amount:
        """What a session is expected to cost, or else what it may cost at most."""
        expected = "expect.session_cost"
        return self._reg.amount(expected if self._reg.has(expected) else "budget.session.cost")

    def size(self, path: str) -> Size:
        """One size; raises `MissingFieldError` when the fields that decide it are at fault."""
        if path not in self.sizes:
            raise MissingFieldError(path)
        return self.sizes[path]

    @property
    def session_time(self) -> Amount:
        """How long a session is expected to take, or else may take at most."""
        expected = "expect.session_time"
        return self._reg.amount(expected if self._reg.has(expected) else "budget.session.time")

    def total(self, name: str) -> Num:
        """`sessions` or `cost` as a term."""
        if name == "sessions":
            return Num(Fraction(self.sessions))
        return Num(self.session_cost.number * self.sessions, self.session_cost.unit)


def plan(reg: TypedRegistration) -> Plan:
    """Every size that can be computed; those left to the compiler become values of the registration."""
    if known := _known.find(plan, reg):
        sizes = known[1]
    else:
        witness = Witness(reg)
        sizes = _sizes(witness)
        if seen := witness.seen():
            _known.add(plan, (seen, sizes))
    for path, size in sizes.items():
        if reg.value(path) == AUTO_VALUE:
            reg.compute(path, size.used)
    if reg.has(CANDIDATES) and reg.value(CANDIDATES) == AUTO_VALUE:
        _compute_candidates(reg)
    return Plan(sizes, reg)


def _sizes(reg: TypedRegistration) -> dict[str, Size]:
    """The sizes of a grade, but for those that need a field at fault."""
    sizes = {}
    for path in (RECOVERY, CONTROLS, PAIRS, NULL_PAIRS) if reg.is_evidence else (RECOVERY, CONTROLS):
        try:
            sizes[path] = _size(reg, path, _RULES[path](reg))
        except MissingFieldError:
            continue
    return sizes


def _compute_candidates(reg: TypedRegistration) -> None:
    try:
        reg.compute(CANDIDATES, candidates_needed(reg))
    except MissingFieldError:
        return


def _size(reg: TypedRegistration, path: str, rule: Rule) -> Size:
    value = reg.value(path)
    declared = value if isinstance(value, int) else None
    least = rule.least()
    kernel = None if least is None else _agreed(least, rule.kernel_agrees)
    spare = reg.count("gate.recovery.spare") if path == RECOVERY else 0
    computed = max((kernel or 1) + spare, rule.minimum)
    return Size(path, declared, least, kernel, declared if declared is not None else computed)


def _agreed(least: int, agrees: Callable[[int], bool | None]) -> int:
    """The least n >= `least` at which the kernel's floats agree; only exact ties ever need the next one."""
    n = least
    while agrees(n) is False:
        n += 1
    return n


class Rule(Record):
    """How one size is decided: its least n, the kernel's verdict at n, and the kernel's own minimum."""

    least: Callable[[], int | None]
    kernel_agrees: Callable[[int], bool | None]
    minimum: int = 1


def _recovery(reg: TypedRegistration) -> Rule:
    alpha, rho = reg.number("errors.recovery"), reg.number("thresholds.rho")
    return Rule(
        lambda: planning.least_episodes(alpha, rho), lambda n: kernel_floats.zero_hit_verdict(n, alpha, rho)
    )


def _controls(reg: TypedRegistration) -> Rule:
    alpha, recall = reg.number("errors.adequacy"), reg.number("thresholds.recall_min")
    return Rule(
        lambda: planning.least_positive_controls(alpha, recall),
        lambda n: kernel_floats.recall_verdict(n, n, alpha, recall),
    )


def _pairs(reg: TypedRegistration) -> Rule:
    alpha = reg.number("errors.evidence")
    margin = reg.number("thresholds.delta_evidence") + reg.number("thresholds.delta_sham")
    if reg.choice("gate.feedback.utility").name == "mean_score":
        rule = _continuous(alpha, 1 - margin)
    else:
        rule = Rule(
            lambda: planning.least_pairs(alpha, margin),
            lambda n: kernel_floats.feedback_verdict(n, 0, n, alpha, margin),
            2,
        )
    return rule._replace(minimum=max(rule.minimum, necessity_pairs(reg) or 0))


def necessity_pairs(reg: TypedRegistration) -> int | None:
    """The least pairs whose neutral arms can bear a necessity claim: 0 without one, None when no number can.

    Zero neutral hits in n pairs: (1 - ρ_placebo)^n <= α_neutral (paper, Gate 3: 30 at .005 give .1619); the kernel
    also wants as many neutral episodes as challengers (`min_n_ind`).
    """
    if reg.choice("gate.feedback.necessity").name != "claimed":
        return 0
    bound = planning.least_episodes(reg.number("errors.neutral"), reg.number("thresholds.rho_placebo"))
    challengers = _size(reg, RECOVERY, _recovery(reg)).kernel_least
    return None if bound is None else max(bound, challengers or 0)


def _null_pairs(reg: TypedRegistration) -> Rule:
    alpha, band = reg.number("errors.sham"), reg.number("thresholds.delta_sham")
    if reg.choice("gate.feedback.utility").name == "mean_score":
        return _continuous(alpha, band)
    return Rule(
        lambda: planning.least_null_pairs(alpha, band),
        lambda n: kernel_floats.null_verdict(0, 0, n, alpha, band),
        2,
    )


def _continuous(alpha: Fraction, target: Fraction) -> Rule:
    """Pairs whose zero-variance half-width fits: the best case of a mean-score utility."""
    zero = Fraction(0)
    return Rule(
        lambda: planning.least_units(zero, alpha, DIFFERENCE_WIDTH, target),
        lambda n: kernel_floats.half_width_verdict(n, zero, alpha, DIFFERENCE_WIDTH, target),
        2,
    )


def candidates_needed(reg: TypedRegistration) -> int:
    """m_max >= challengers + 2 (feedback pairs + replacements): candidates whose score test can count."""
    challengers = reg.count(RECOVERY) * reg.count("gate.recovery.best_of")
    if not reg.is_evidence:
        return challengers
    return challengers + 2 * (reg.count(PAIRS) + reg.count("gate.feedback.replacements.pairs"))


_RULES = {RECOVERY: _recovery, CONTROLS: _controls, PAIRS: _pairs, NULL_PAIRS: _null_pairs}
