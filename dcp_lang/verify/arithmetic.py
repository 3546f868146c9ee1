"""Two ways to count: exactly, and as the kernel does in doubles.

Every gate is written once over `Arithmetic`. Running it with `Exact` gives the decision; running it with
`Kernel` gives what the peer decided and wrote into the certificate. Where the two part, the record says so
with both values.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any, NamedTuple

from dcp_lang.stats.bounds import (
    clopper_pearson_lower,
    recall_reaches,
    zero_failure_bound,
    zero_failure_reaches,
)
from dcp_lang.verify.intervals import (
    SLACK,
    BinaryMean,
    ExactBernstein,
    ExactMean,
    ExactPaired,
    Interval,
    KernelMean,
    Number,
    bernstein,
    exact,
    unbounded,
)
from dcp_lang.verify.records import Registration


class Bound(NamedTuple):
    """A one-sided bound for display, and whether it reaches its threshold."""

    value: float
    reaches: bool


class Arithmetic(ABC):
    """Numbers of one registration, and the comparisons that the gates need."""

    def __init__(self, registration: Registration) -> None:
        self.registration = registration

    @cached_property
    def line(self) -> Any:
        """The recovery line as a score difference from the target: -epsilon."""
        return -self.epsilon

    @cached_property
    def exhaustive(self) -> bool:
        return bool(self.registration.ci_method == "finite_set_exact")

    @abstractmethod
    def number(self, name: str) -> Any:
        """The registered quantity `name` (a kernel field)."""

    @property
    @abstractmethod
    def epsilon(self) -> Any:
        """The recovery tolerance: the line is x - epsilon."""

    @abstractmethod
    def ratio(self, part: int, whole: int) -> Any:
        """part / whole."""

    @abstractmethod
    def mean(self, values: Sequence[Any]) -> Any:
        """The mean score."""

    @abstractmethod
    def score(self, value: Any) -> Any:
        """One recorded score."""

    @abstractmethod
    def overspent(self, names: Sequence[str]) -> bool:
        """Whether the alphas `names` exceed alpha_total."""

    @abstractmethod
    def family_overspent(self) -> bool:
        """Whether alpha_total for every audit of the family exceeds the family's alpha."""

    @abstractmethod
    def band_fits(self) -> bool:
        """delta_sham <= delta_evidence / 2."""

    @abstractmethod
    def replacement_cap(self, slots: int, rate: str) -> int:
        """floor(slots * rate)."""

    @abstractmethod
    def gap(self, left: Sequence[Any], right: Sequence[Any], share: Number) -> Interval:
        """Interval of the mean difference of two score vectors, at two-sided error `share`."""

    @abstractmethod
    def effect(self, differences: Sequence[Any], alpha: str, place: str) -> Interval:
        """Interval of a mean pair difference; the certificate keeps it at `place` in `feedback_test`."""

    @abstractmethod
    def supported(self, effect: Interval) -> bool:
        """Lower end >= delta_evidence + delta_sham."""

    @abstractmethod
    def unsupported(self, effect: Interval) -> bool:
        """Upper end < delta_evidence - delta_sham."""

    @abstractmethod
    def zero_hit(self, n: int, alpha: str, rho: str) -> Bound:
        """Upper bound on the recovery probability after no hit in n independent episodes."""

    @abstractmethod
    def recall(self, successes: int, trials: int, place: str) -> Bound:
        """Lower bound on the recall of the positive controls; `place` as in `effect`."""

    @cached_property
    def share(self) -> Any:
        """The two-sided error of one candidate's score test (paper, Gate 2)."""
        return self.number("alpha_score") / self.registration.m_max

    def alpha(self, name: str) -> Any:
        value = self.number(name)
        if not 0 < value < 1:
            raise ValueError(f"alpha must be in (0,1), got {value}")
        return value


def counted(successes: Any, trials: Any) -> None:
    """Raise ValueError unless `successes` of `trials` are counts, 0 <= successes <= trials, trials >= 1."""
    if type(successes) is not int or type(trials) is not int or not 0 <= successes <= trials or trials < 1:
        raise ValueError("positive-control h/n evidence is malformed")


def discordant(differences: Sequence[Any]) -> tuple[int, int, int]:
    """(n10, n01, n) of differences in {-1, 0, 1}."""
    plus = sum(value == 1 for value in differences)
    minus = sum(value == -1 for value in differences)
    return plus, minus, len(differences)


class Exact(Arithmetic):
    """Exact rationals: registered decimals, recorded decimals, comparisons without rounding.

    `thresholds` are the numbers of the frozen registration by kernel field name, and `epsilon`; they replace
    the kernel's doubles, which cannot hold most of them.
    """

    def __init__(self, registration: Registration, thresholds: Mapping[str, Fraction] | None = None) -> None:
        super().__init__(registration)
        self.thresholds = thresholds or {}

    def number(self, name: str) -> Fraction:
        known = self.thresholds.get(name)
        return exact(getattr(self.registration, name)) if known is None else known

    @cached_property
    def epsilon(self) -> Fraction:
        known = self.thresholds.get("epsilon")
        return self.number("kappa") * self.number("delta_min") if known is None else known

    def ratio(self, part: int, whole: int) -> Fraction:
        return Fraction(part, whole)

    def mean(self, values: Sequence[Any]) -> Fraction:
        return sum(map(exact, values), Fraction()) / len(values)

    def score(self, value: Any) -> Fraction:
        return exact(value)

    def overspent(self, names: Sequence[str]) -> bool:
        return sum(map(self.number, names), Fraction()) > self.number("alpha_total")

    def family_overspent(self) -> bool:
        spent = self.number("alpha_total") * Fraction(self.registration.family_max_audits)
        return spent > self.number("family_alpha_total")

    def band_fits(self) -> bool:
        return 2 * self.number("delta_sham") <= self.number("delta_evidence")

    def replacement_cap(self, slots: int, rate: str) -> int:
        return floor(slots * self.number(rate))

    def gap(self, left: Sequence[Any], right: Sequence[Any], share: Number) -> Interval:
        if self.exhaustive:
            return ExactMean(left, right)
        return self._bernstein(
            [exact(a) - exact(b) for a, b in zip(left, right, strict=True)], Fraction(share)
        )

    @staticmethod
    def _bernstein(differences: Sequence[Fraction], alpha: Fraction) -> Interval:
        return ExactBernstein(differences, alpha) if len(differences) > 1 else unbounded()

    def effect(self, differences: Sequence[Any], alpha: str, place: str) -> Interval:
        level = self.alpha(alpha)
        if not self.registration.binary_feedback:
            return self._bernstein(differences, level)
        return ExactPaired(*discordant(differences), level) if differences else unbounded()

    def supported(self, effect: Interval) -> bool:
        return effect.at_least(self.number("delta_evidence") + self.number("delta_sham"))

    def unsupported(self, effect: Interval) -> bool:
        return effect.below(self.number("delta_evidence") - self.number("delta_sham"))

    def zero_hit(self, n: int, alpha: str, rho: str) -> Bound:
        level, limit = self.alpha(alpha), self.number(rho)
        if n <= 0:
            return Bound(1.0, limit >= 1)
        return Bound(float(zero_failure_bound(n, level)), zero_failure_reaches(n, level, limit))

    def recall(self, successes: int, trials: int, place: str) -> Bound:
        counted(successes, trials)
        alpha, minimum = self.alpha("alpha_adequacy"), self.number("positive_control_recall_min")
        value = clopper_pearson_lower(successes, trials, alpha)
        return Bound(float(value), recall_reaches(successes, trials, alpha, minimum))


class Binary(Exact):
    """Exact rationals too, but each score of an exhaustive population is the value of its binary double.

    This view decides nothing: it shows what that reading would change at a tie.
    """

    def gap(self, left: Sequence[Any], right: Sequence[Any], share: Number) -> Interval:
        return BinaryMean(left, right) if self.exhaustive else super().gap(left, right, share)


class Kernel(Arithmetic):
    """The peer's doubles (dcp-audit 0.4.2, on numpy and scipy), without numpy and scipy.

    Sums and powers are reproduced bit for bit. Clopper-Pearson bounds are not: the exact bound stands in, and
    where the certificate records a double within `SLACK` of it, that double is what the kernel compared and
    takes its place.
    """

    def __init__(self, registration: Registration, certificate: Mapping[str, Any]) -> None:
        super().__init__(registration)
        self._certificate = certificate

    def number(self, name: str) -> Any:
        return getattr(self.registration, name)

    @property
    def epsilon(self) -> Any:
        return self.registration.kappa * self.registration.delta_min

    def ratio(self, part: int, whole: int) -> float:
        return part / whole

    def mean(self, values: Sequence[Any]) -> float:
        return float(sum(values) / len(values))

    def score(self, value: Any) -> float:
        return float(value)

    def overspent(self, names: Sequence[str]) -> bool:
        return bool(sum(map(self.number, names)) > self.registration.alpha_total + 1e-12)

    def family_overspent(self) -> bool:
        reg = self.registration
        return bool(reg.alpha_total * reg.family_max_audits > reg.family_alpha_total + 1e-12)

    def band_fits(self) -> bool:
        return bool(self.registration.delta_sham <= self.registration.delta_evidence / 2)

    def replacement_cap(self, slots: int, rate: str) -> int:
        return floor(slots * float(self.number(rate)) + 1e-12)

    def gap(self, left: Sequence[Any], right: Sequence[Any], share: Number) -> Interval:
        if self.exhaustive:
            return KernelMean(left, right)
        differences = [float(a) - float(b) for a, b in zip(left, right, strict=True)]
        return bernstein(differences, 1 - _coverage(share))

    def effect(self, differences: Sequence[Any], alpha: str, place: str) -> Interval:
        level = 1 - _coverage(self.alpha(alpha))
        if not self.registration.binary_feedback:
            return bernstein(differences, level)
        if not differences:
            return unbounded()
        plus, minus, n = discordant(differences)
        tail = level / 4
        lower = _lower(plus, n, tail) - _upper(minus, n, tail)
        upper = _upper(plus, n, tail) - _lower(minus, n, tail)
        recorded = self._recorded("feedback_test", place)
        ends = recorded if isinstance(recorded, list) and len(recorded) == 2 else (None, None)
        return Interval((plus - minus) / n, _nearer(lower, ends[0]), _nearer(upper, ends[1]))

    def supported(self, effect: Interval) -> bool:
        return bool(effect.lower - self.registration.delta_sham >= self.registration.delta_evidence)

    def unsupported(self, effect: Interval) -> bool:
        return bool(effect.upper + self.registration.delta_sham < self.registration.delta_evidence)

    def zero_hit(self, n: int, alpha: str, rho: str) -> Bound:
        level = self.alpha(alpha)
        value = 1.0 if n <= 0 else 1.0 - level ** (1.0 / n)
        return Bound(value, bool(value <= self.number(rho)))

    def recall(self, successes: int, trials: int, place: str) -> Bound:
        counted(successes, trials)
        value = _lower(successes, trials, self.alpha("alpha_adequacy"))
        control = self._recorded(*place.split("."), "positive_control", "lcb")
        value = _nearer(value, control)
        return Bound(value, bool(value >= self.number("positive_control_recall_min")))

    def _recorded(self, *path: str) -> Any:
        value: Any = self._certificate
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value


def _coverage(alpha: Any) -> float:
    """The kernel passes 1 - alpha and takes 1 minus it again; below 1e-9 that loses digits."""
    coverage = 1.0 - alpha
    if not 0 < coverage < 1:
        raise ValueError("coverage must be in (0,1)")
    return float(coverage)


def _lower(x: int, n: int, alpha: float) -> float:
    return float(clopper_pearson_lower(x, n, Fraction(alpha), 18)) if x else 0.0


def _upper(x: int, n: int, alpha: float) -> float:
    # The kernel asks for the quantile at 1 - alpha, which rounds alpha.
    return 1.0 - float(clopper_pearson_lower(n - x, n, Fraction(1 - (1 - alpha)), 18)) if x < n else 1.0


def _nearer(value: float, recorded: Any) -> float:
    return recorded if isinstance(recorded, float) and abs(recorded - value) <= SLACK else value
