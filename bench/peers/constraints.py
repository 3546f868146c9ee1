"""The constraints that look at more than one field, on exact decimals, as one writes them by hand in Python."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

ALPHAS = ("main", "score", "recovery", "adequacy", "evidence", "sham", "neutral")


def hold(r: dict[str, Any]) -> bool:
    """Whether the seven constraints over several fields hold."""
    return bool(
        sum(r[f"alpha_{name}"] for name in ALPHAS) <= r["alpha_total"]
        and r["alpha_total"] * r["family_max_audits"] <= r["family_alpha_total"]
        and (1 - r["rho"]) ** r["min_n_ind"] <= r["alpha_recovery"]
        and 0 < r["delta_sham"] <= r["delta_evidence"] / Decimal(2)
        and r["delta_evidence"] + r["delta_sham"] < 1
        and r["max_feedback_pair_replacements"]
        <= r["max_feedback_pair_infrastructure_rate"] * r["registered_n_feedback_pairs"]
        and r["max_sham_pair_replacements"]
        <= r["max_infrastructure_failure_rate"] * r["registered_n_sham_pairs"]
    )
