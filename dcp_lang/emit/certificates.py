"""The certificate of every sample size: why n passes, why n - 1 does not, for readers with whole numbers."""

from __future__ import annotations

from typing import Any

from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, NULL_PAIRS, PAIRS, RECOVERY
from dcp_lang.stats import certificate as stats


def certificate(reg: TypedRegistration, path: str) -> dict[str, Any]:
    """`{"certificate": …}` of a size, or nothing where no n passes (its rule then refuses the
    registration).
    """
    found = _certify(reg, path)
    return {} if found is None else {"certificate": found.to_json()}


def _certify(reg: TypedRegistration, path: str) -> stats.Certificate | None:
    n = reg.count(path)
    if path == RECOVERY:
        return stats.certify_episodes(reg.number("errors.recovery"), reg.number("thresholds.rho"), n)
    if path == CONTROLS:
        alpha, recall = reg.number("errors.adequacy"), reg.number("thresholds.recall_min")
        return stats.certify_positive_controls(alpha, recall, planned=n)
    alpha, band = reg.number("errors.sham"), reg.number("thresholds.delta_sham")
    is_mean = reg.choice("gate.feedback.utility").name == "mean_score"
    if path == NULL_PAIRS:
        return (
            stats.certify_continuous_pairs(alpha, band, n)
            if is_mean
            else stats.certify_null_pairs(alpha, band, planned=n)
        )
    assert path == PAIRS, path
    alpha, margin = reg.number("errors.evidence"), band + reg.number("thresholds.delta_evidence")
    return (
        stats.certify_continuous_pairs(alpha, 1 - margin, n)
        if is_mean
        else stats.certify_pairs(alpha, margin, planned=n)
    )
