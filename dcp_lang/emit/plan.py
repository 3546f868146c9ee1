"""The plan as JSON: every size with its certificate, the error budget, and what the whole audit takes.

Exact numbers are strings. A probability that flatters the design when it is high is rounded down, a bound in the
direction that its certificate states.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

from dcp_lang.canonical import number_text
from dcp_lang.emit.assurance import assurance_report, assured_sizes
from dcp_lang.language.values import Amount, json_value
from dcp_lang.sema.budget import active_gates
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, NULL_PAIRS, PAIRS, RECOVERY, Size
from dcp_lang.stats.certificate import (
    Certificate,
    certify_continuous_pairs,
    certify_episodes,
    certify_null_pairs,
    certify_pairs,
    certify_positive_controls,
)
from dcp_lang.stats.sequential import expected_episodes_bound

#: The paper's reference design, against which a plan is compared: challengers, controls, pairs, null pairs.
REFERENCE = (96, 45, 30, 60)


def plan_report(reg: TypedRegistration) -> dict[str, Any]:
    """The plan of a complete registration."""
    report: dict[str, Any] = {
        "recovery": {"episodes": size_report(reg, RECOVERY), "positive_controls": size_report(reg, CONTROLS)},
        "errors": {gate: number_text(reg.number(f"errors.{gate}")) for gate in active_gates(reg)},
        "sessions": reg.plan.sessions,
        "cost": _whole(reg.plan.session_cost, reg.plan.sessions),
        "time": _whole(reg.plan.session_time, reg.plan.sessions),
        "at_most": _at_most(reg),
        "reference_sessions": reference_sessions(reg),
    }
    if reg.is_evidence:
        report["feedback"] = {"pairs": size_report(reg, PAIRS), "null_pairs": size_report(reg, NULL_PAIRS)}
    if reg.has("expect.p_B"):
        report["stopping"] = _stopping(reg)
    assured = assurance_report(reg)
    return report | ({"assurance": assured} if assured else {})


def reference_sessions(reg: TypedRegistration) -> int:
    """Sessions of the paper's reference design at this grade."""
    challengers, controls, pairs, null_pairs = REFERENCE
    return challengers + controls + (2 * (pairs + null_pairs) if reg.is_evidence else 0)


def _at_most(reg: TypedRegistration) -> dict[str, Any]:
    """What the audit can take: the target's session and every replacement with it, each session at its limit."""
    sessions = reg.plan.most_sessions
    limits = {name: reg.amount(f"budget.session.{name}") for name in ("cost", "time")}
    return {"sessions": sessions} | {name: _whole(limit, sessions) for name, limit in limits.items()}


def _whole(one: Amount, sessions: int) -> dict[str, str]:
    row = json_value(Amount(one.number * sessions, one.unit))
    assert isinstance(row, dict)
    return row


def size_report(reg: TypedRegistration, path: str) -> dict[str, Any]:
    """One size: declared, least, safe, assured, used, its bound and certificate; absent where there is none.

    With nothing lost every rule is monotone in n, so the least n is safe; with `expect` the assured n is the first
    that reaches the assurance and the safe n the first from which every larger one does.
    """
    size, certificate = reg.plan.size(path), certify(reg, path)
    row: dict[str, Any] = {"used": size.used} | _declared(size)
    if certificate is not None:
        row |= {"bound": number_text(certificate.bound), "certificate": certificate.to_json()}
    return row | assured_sizes(reg, path, size)


def _declared(size: Size) -> dict[str, int]:
    row = {"declared": size.declared, "least": size.kernel_least, "safe": size.kernel_least}
    return {key: value for key, value in row.items() if value is not None}


def certify(reg: TypedRegistration, path: str) -> Certificate | None:
    """The certificate of a size in use, or None where no n satisfies its rule."""
    used = reg.plan.size(path).used
    if path == RECOVERY:
        valid = used - reg.count("gate.recovery.spare")
        return certify_episodes(reg.number("errors.recovery"), reg.number("thresholds.rho"), planned=valid)
    if path == CONTROLS:
        alpha, minimum = reg.number("errors.adequacy"), reg.number("thresholds.recall_min")
        return certify_positive_controls(alpha, minimum, planned=used)
    band = reg.number("thresholds.delta_sham")
    margin = band + reg.number("thresholds.delta_evidence")
    alpha = reg.number("errors.evidence" if path == PAIRS else "errors.sham")
    if reg.choice("gate.feedback.utility").name == "mean_score":
        return certify_continuous_pairs(alpha, 1 - margin if path == PAIRS else band, planned=used)
    if path == PAIRS:
        return certify_pairs(alpha, margin, planned=used)
    return certify_null_pairs(alpha, band, planned=used)


def _stopping(reg: TypedRegistration) -> dict[str, str]:
    """Expected challengers when the authority stops at the first qualified witness, rounded up to a tenth.

    Stopping there costs no alpha: the bound is claimed only when no hit came in all n, whatever came before.
    """
    expected = expected_episodes_bound(reg.count(RECOVERY), reg.number("expect.p_B"))
    return {"expected_episodes": number_text(Fraction(ceil(expected * 10), 10))}
