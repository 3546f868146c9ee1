"""`dcpc plan --selftest`: the planner's formulas against brute force, the paper, and the kernel when it is installed.

Each check counts what it compared; a difference is printed with both values and the exit code is 1.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from typing import Any

from dcp_lang.canonical import number_text
from dcp_lang.stats import bounds, kernel_floats, paired, planning

#: A comparison: what was compared, what we say, what the other side says.
Comparison = tuple[str, object, object]


def selftest() -> int:
    """Run every check, print a line for each, and return 0 when nothing differs."""
    return max([_run(name, check) for name, check in CHECKS.items()])


def _run(name: str, check: Callable[[], Iterator[Comparison] | None]) -> int:
    comparisons = check()
    if comparisons is None:
        print(f"skipped  {name}")
        return 0
    rows = list(comparisons)
    wrong = [(what, ours, theirs) for what, ours, theirs in rows if ours != theirs]
    print(f"{'FAILED ' if wrong else 'ok     '}  {name}: {len(rows) - len(wrong)} of {len(rows)} agree")
    for what, ours, theirs in wrong:
        print(f"         {what}: ours {ours}, expected {theirs}")
    return 1 if wrong else 0


def _paper() -> Iterator[Comparison]:
    """The numbers that the paper prints, at its own decimals (results section)."""
    tail, half = Fraction(1, 100), Fraction(1, 200)
    yield "0/96 at .01", _places(bounds.zero_failure_bound(96, tail), 4), "0.0468"
    yield "0/80 at .02", _places(bounds.zero_failure_bound(80, 2 * tail), 4), "0.0477"
    yield "45/45 at .005", _places(bounds.clopper_pearson_lower(45, 45, half), 4), "0.8889"
    yield "0/30 at .005", _places(bounds.zero_failure_bound(30, half), 4), "0.1619"
    yield "30/30 pairs at .01", _places(paired.paired_interval(30, 0, 30, tail)[0], 4), "0.6379"
    yield "0/60 null pairs at .01", _places(paired.paired_interval(0, 0, 60, tail)[1], 3), "0.095"


def _places(value: Fraction, places: int) -> str:
    return number_text(Fraction(round(value * 10**places), 10**places))


def _brute_force() -> Iterator[Comparison]:
    """Least sizes against the first n at which plain powers of fractions pass."""
    for tenths in (1, 5, 10, 20, 35):
        alpha = Fraction(tenths, 1000)
        for share in (2, 5, 10, 20):
            rho = Fraction(share, 100)
            first = next(n for n in count(1) if (1 - rho) ** n <= alpha)
            yield f"challengers at ρ {rho}, α {alpha}", planning.least_episodes(alpha, rho), first
            first = next(n for n in count(1) if (1 - rho) ** n <= alpha / 4)
            yield f"null pairs in ±{rho}, α {alpha}", planning.least_null_pairs(alpha, rho), first
        for share in (80, 90):
            recall = Fraction(share, 100)
            first = next(n for n in count(1) if recall**n <= alpha)
            yield f"controls at {recall}, α {alpha}", planning.least_positive_controls(alpha, recall), first


def _oracle() -> Iterator[Comparison] | None:
    """The least sizes of the reference tables that the environment variable DCP_ORACLE names, if it does."""
    folder = os.environ.get("DCP_ORACLE", "")
    path = os.path.join(folder, "oracle.json")
    if not folder or not os.path.isfile(path):
        return None
    with open(path, encoding="utf-8") as file:
        return _oracle_rows(json.load(file))


def _oracle_rows(tables: dict[str, Any]) -> Iterator[Comparison]:
    for alpha, rho, n, *_ in tables["zero_hit_required_n"]["rows"]:
        expected = n if n <= planning.MAX_N else None
        yield f"challengers at ρ {rho}, α {alpha}", _least(planning.least_episodes, alpha, rho), expected
    for alpha, margin, n, *_ in _columns(tables["feedback_required_n"], "alpha", "d", "c0"):
        yield f"pairs for {margin}, α {alpha}", _least(planning.least_pairs, alpha, margin), n
    for alpha, band, n, *_ in _columns(tables["null_required_n"], "alpha", "s", "d0_0"):
        yield f"null pairs in ±{band}, α {alpha}", _least(planning.least_null_pairs, alpha, band), n


def _least(rule: Callable[[Fraction, Fraction], int | None], alpha: str, threshold: str) -> int | None:
    return rule(Fraction(alpha), Fraction(threshold))


def _columns(table: dict[str, Any], *names: str) -> Iterator[list[Any]]:
    places = [table["cols"].index(name) for name in names]
    return ([row[place] for place in places] for row in table["rows"])


def _kernel() -> Iterator[Comparison] | None:
    """The kernel's own functions at planned outcomes, where dcp-audit is installed."""
    try:
        from dcp import stats as peer
    except ImportError:
        return None
    return _kernel_rows(peer)


def _kernel_rows(peer: Any) -> Iterator[Comparison]:
    """Every planned size passes in the kernel's floats as `kernel_floats` says it does."""
    rho, recall, margin, band = Fraction(1, 20), Fraction(4, 5), Fraction(51, 100), Fraction(17, 100)
    for tenths in (5, 10, 20, 50):
        alpha = Fraction(tenths, 1000)
        n = _found(planning.least_episodes(alpha, rho))
        theirs = bool(peer.zero_hit_upper_bound(n, float(alpha)) <= float(rho))
        yield f"0/{n} at α {alpha}", kernel_floats.zero_hit_verdict(n, alpha, rho), theirs
        n = _found(planning.least_positive_controls(alpha, recall))
        theirs = bool(peer.binomial_lower_bound(n, n, float(alpha)) >= float(recall))
        yield f"{n}/{n} controls at α {alpha}", kernel_floats.recall_verdict(n, n, alpha, recall), theirs
        n = _found(planning.least_pairs(alpha, margin))
        theirs = bool(peer.paired_binary_interval([1.0] * n, 1.0 - float(alpha)).lcb >= float(margin))
        yield f"{n}/{n} pairs at α {alpha}", kernel_floats.feedback_verdict(n, 0, n, alpha, margin), theirs
        n = _found(planning.least_null_pairs(alpha, band))
        theirs = bool(peer.paired_binary_interval([0.0] * n, 1.0 - float(alpha)).ucb <= float(band))
        yield f"0/{n} null pairs at α {alpha}", kernel_floats.null_verdict(0, 0, n, alpha, band), theirs


def _found(n: int | None) -> int:
    assert n is not None
    return n


CHECKS: dict[str, Callable[[], Iterator[Comparison] | None]] = {
    "the paper's numbers": _paper,
    "least sizes against brute force": _brute_force,
    "the reference tables (DCP_ORACLE)": _oracle,
    "the audit kernel (dcp-audit)": _kernel,
}
