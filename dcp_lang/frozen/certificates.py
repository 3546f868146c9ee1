"""Certificates rechecked with whole numbers, from the frozen values alone.

Nothing of the planner is used: each inequality is computed again, and it is checked that it is the one that
the registered numbers ask for. With a sample of n and no loss every limit of the protocol is a power
(docs/format.md):

    challengers       (1 - rho)^n <= alpha                      controls     recall^n <= alpha
    feedback pairs    p^n <= alpha/4, q^n <= alpha/4 with p + q = 1 + delta_evidence + delta_sham
    null pairs        (1 - delta_sham)^n <= alpha/4             mean score   14 ln(4/alpha) <= 3 (n-1) target

At the least n they hold, at n - 1 they fail. A larger base than needed at n, or a smaller one at n - 1,
proves more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from dcp_lang.frozen.exact import exceeds_logarithm, power_at_most
from dcp_lang.frozen.fault import FrozenFault
from dcp_lang.frozen.model import Registration, Size
from dcp_lang.frozen.values import keys, read_number

_RECOVERY, _CONTROLS = "gate.recovery.episodes", "gate.recovery.positive_controls"
_PAIRS, _NULL_PAIRS = "gate.feedback.pairs", "gate.feedback.null_pairs"
_KEYS = {
    "rule", "side", "tail", "alpha", "threshold", "n", "at_n", "below", "planned", "bound", "used",
    "kernel_agrees",
}  # fmt: skip


class Claim(NamedTuple):
    """What a size must show: that n reaches `threshold` at error `alpha`, by inequalities of `kind`.

    `bases` is the sum of the bases of its powers, `tail` the bound of each; `base_of` turns an achieved
    limit into the base whose power must not exceed `tail`. A half-width has neither.
    """

    kind: str
    alpha: Fraction
    threshold: Fraction
    tail: Fraction = Fraction(0)
    bases: Fraction = Fraction(0)
    most: int = 1
    base_of: Callable[[Fraction], Fraction] = Fraction
    is_upper: bool = True


def certificate_faults(reg: Registration) -> Iterator[FrozenFault]:
    """Every certificate of a registration that does not hold, with its place."""
    for path in claimed_sizes(reg):
        if path not in reg.plan.sizes:
            yield FrozenFault("/plan/sizes", f"the size {path} is missing")
            continue
        try:
            check_size(reg.plan.sizes[path], reg)
        except FrozenFault as fault:
            yield fault
    yield from _sums(reg)


def claimed_sizes(reg: Registration) -> tuple[str, ...]:
    """The sizes that the grade needs."""
    return (_RECOVERY, _CONTROLS, _PAIRS, _NULL_PAIRS) if reg.grade == "evidence" else (_RECOVERY, _CONTROLS)


def check_size(size: Size, reg: Registration) -> None:
    """Recheck the certificate of one size; raises `FrozenFault`."""
    place = f"/plan/sizes/{size.path}"
    if reg.get(size.path) != size.used:
        raise FrozenFault(f"{place}/used", f"{size.used} is planned, {reg.get(size.path)} is registered")
    if size.declared not in (None, size.used):
        raise FrozenFault(f"{place}/declared", f"{size.declared} is declared, {size.used} is used")
    if size.certificate is None:
        raise FrozenFault(place, "the certificate is missing")
    place += "/certificate"
    found = keys(dict(size.certificate), _KEYS, place)
    claim = claim_of(size.path, reg)
    for name, value in (("alpha", claim.alpha), ("threshold", claim.threshold)):
        if read_number(found[name], f"{place}/{name}") != value:
            raise FrozenFault(f"{place}/{name}", f"{found[name]} is certified, {value} is registered")
    valid = size.used - _spare(size.path, reg)
    _check_counts(size, found, valid, place)
    if valid < found["n"] and not reg.waivers:
        message = f"{valid} is less than the least n, {found['n']}, and nothing is waived"
        raise FrozenFault(f"{place}/planned", message)
    _check_parts(found["at_n"], claim, found["n"], True, f"{place}/at_n")
    _check_below(found, claim, f"{place}/below")
    bound = read_number(found["bound"], f"{place}/bound")
    _check_bound(bound, claim, valid, f"{place}/bound")
    if _reaches(bound, claim) != (valid >= found["n"]):
        not_ = "" if _reaches(bound, claim) else "not "
        message = f"{bound} does {not_}reach {claim.threshold}, but the least n is {found['n']}"
        raise FrozenFault(f"{place}/bound", message)


def claim_of(path: str, reg: Registration) -> Claim:
    """What the size at a path must show, by the registered numbers."""
    if path == _RECOVERY:
        alpha, rho = _number(reg, "errors.recovery"), _number(reg, "thresholds.rho")
        return Claim("power", alpha, rho, alpha, 1 - rho, base_of=lambda b: 1 - b)
    if path == _CONTROLS:
        alpha, recall = _number(reg, "errors.adequacy"), _number(reg, "thresholds.recall_min")
        return Claim("power", alpha, recall, alpha, recall, is_upper=False)
    band, evidence = _number(reg, "thresholds.delta_sham"), _number(reg, "thresholds.delta_evidence")
    is_mean = getattr(reg["gate.feedback.utility"], "name", "") == "mean_score"
    if path == _NULL_PAIRS:
        alpha = _number(reg, "errors.sham")
        return (
            Claim("half-width", alpha, band)
            if is_mean
            else Claim("power", alpha, band, alpha / 4, 1 - band, base_of=lambda b: 1 - b)
        )
    alpha, margin = _number(reg, "errors.evidence"), evidence + band
    if is_mean:
        return Claim("half-width", alpha, 1 - margin)
    return Claim("power", alpha, margin, alpha / 4, 1 + margin, 2, lambda b: (1 + b) / 2, False)


def _number(reg: Registration, path: str) -> Fraction:
    value = reg.get(path)
    if not isinstance(value, Fraction):
        raise FrozenFault("/fields", f"the certificates need {path}")
    return value


def _spare(path: str, reg: Registration) -> int:
    """Episodes beyond those that the bound is computed for: they may be lost to infrastructure."""
    spare = reg.get("gate.recovery.spare") if path == _RECOVERY else 0
    return spare if isinstance(spare, int) else 0


def _check_counts(size: Size, found: dict[str, Any], valid: int, place: str) -> None:
    """n: the least by the exact rule; used: the least at which the kernel's doubles agree, almost always n."""
    n = found["n"]
    if type(n) is not int or n < 1:
        raise FrozenFault(f"{place}/n", f"{n!r} is no sample size")
    if found["used"] != size.least or size.least is None or size.least < n:
        raise FrozenFault(f"{place}/n", f"{n} and {found['used']!r} are certified, {size.least} is planned")
    if found["planned"] != valid:
        raise FrozenFault(f"{place}/planned", f"{found['planned']!r} is certified, {valid} is registered")


def _check_below(found: dict[str, Any], claim: Claim, place: str) -> None:
    first = 2 if claim.kind == "half-width" else 1
    if found["n"] == first:
        if found["below"]:
            raise FrozenFault(place, f"there is no smaller n than {first}")
        return
    _check_parts(found["below"], claim, found["n"] - 1, False, place)


def _check_parts(parts: Any, claim: Claim, n: int, holds: bool, place: str) -> None:
    """All inequalities at n: each true as written, of the right bound, and together what the claim needs."""
    if not isinstance(parts, list) or not 1 <= len(parts) <= claim.most:
        raise FrozenFault(place, f"1 to {claim.most} inequalities are expected here")
    bases = [_check_part(part, claim, n, holds, f"{place}/{i}") for i, part in enumerate(parts)]
    if claim.kind == "half-width":
        return
    total = sum(bases) * (claim.most if len(bases) == 1 else 1)
    if total < claim.bases if holds else total > claim.bases:
        raise FrozenFault(place, f"the bases sum to {total}, which proves nothing about {claim.bases}")


def _check_part(part: Any, claim: Claim, n: int, holds: bool, place: str) -> Fraction:
    """One inequality, true as written; its base."""
    found = keys(part, {"kind", "text", "n", "p", "relation", "bound"}, place)
    relation = "<=" if holds else ">"
    for name, value in (("kind", claim.kind), ("n", n), ("relation", relation)):
        if found[name] != value:
            raise FrozenFault(f"{place}/{name}", f"{found[name]!r} stands here, {value!r} is needed")
    p, bound = read_number(found["p"], f"{place}/p"), read_number(found["bound"], f"{place}/bound")
    needed = claim.threshold if claim.kind == "half-width" else claim.tail
    if bound != needed:
        raise FrozenFault(f"{place}/bound", f"{bound} stands here, {needed} is needed")
    if not _is_true(claim, p, n, holds):
        raise FrozenFault(place, f"the inequality does not hold: {found['text']}")
    return p


def _is_true(claim: Claim, p: Fraction, n: int, holds: bool) -> bool:
    if claim.kind == "power":
        return 0 <= p <= 1 and power_at_most(p, n, claim.tail) == holds
    half_width_fits = 14 * p <= 3 * (n - 1) * claim.threshold
    return half_width_fits == holds and exceeds_logarithm(p, 4 / claim.alpha) == holds


def _check_bound(bound: Fraction, claim: Claim, n: int, place: str) -> None:
    """The achieved limit is on the safe side of the true one."""
    if claim.kind == "half-width":
        safe = exceeds_logarithm(bound * 3 * (n - 1) / 14, 4 / claim.alpha)
    else:
        safe = power_at_most(claim.base_of(bound), n, claim.tail)
    if not safe:
        raise FrozenFault(place, f"{bound} is not a limit that {n} can reach")


def _reaches(bound: Fraction, claim: Claim) -> bool:
    return bound <= claim.threshold if claim.is_upper else bound >= claim.threshold


def _sums(reg: Registration) -> Iterator[FrozenFault]:
    """The error budget, exactly; and the sessions: challengers, controls, both arms of every pair."""
    alphas = [f.value for p, f in reg.fields.items() if p.startswith("errors.") and p != "errors.total"]
    spent, total = (
        sum((a for a in alphas if isinstance(a, Fraction)), Fraction(0)),
        _number(reg, "errors.total"),
    )
    if spent > total:
        yield FrozenFault("/fields/errors.total/value", f"the alphas sum to {spent}, {total} is registered")
    sizes = {p: reg.plan.sizes[p].used for p in claimed_sizes(reg) if p in reg.plan.sizes}
    sessions = sum(n * (2 if "pairs" in p else 1) for p, n in sizes.items())
    if sessions != reg.plan.sessions:
        yield FrozenFault("/plan/sessions", f"{reg.plan.sessions} stands here, the sizes take {sessions}")
