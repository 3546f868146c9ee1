"""Runs the SQLite-Web audit offline: `python examples/sqlite_web/run.py [--workers N] [--out DIR]`."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from standin import compile_case  # noqa: E402

from dcp_lang.integrations.offline import audit_offline  # noqa: E402


def compile_registration(out: Path) -> Path:
    """Until the compiler emits the harness files: the registration's numbers, as published."""
    return compile_case(
        HERE,
        out,
        kernel={
            "claim_id": "sqlite-index-web-claim",
            "audit_family_id": "sqlite-index-web",
            "task_family_profile": "sqlite_event_traffic_index_design_web_v2",
            "inference_scope": "exhaustive_finite_set",
            "ci_method": "finite_set_exact",
            "delta_min": 0.5,
            "kappa": 0.01,
            "alpha_recovery": 0.01,
            "alpha_evidence": 0.01,
            "alpha_sham": 0.01,
            "m_max": 162,
            "min_n_ind": 90,
            "recovery_stratum": "matched-web-privileged",
            "feedback_estimand": "binary",
            "feedback_utility_mapping": "canonical_p_wrapper_v1",
            "feedback_ci_method": "paired_binary_exact",
            "sham_ci_method": "paired_binary_exact",
            "delta_evidence": 0.34,
            "delta_sham": 0.17,
            "registered_n_feedback_pairs": 30,
            "registered_n_sham_pairs": 60,
            "gate3_pair_replacement_policy": "preaction_transport_pair_replacement_v1",
            "max_feedback_pair_replacements": 3,
            "max_sham_pair_replacements": 6,
            "utility_scale_id": "utility:binary-recovery:v1",
            "sham_calibration_id": "sqlite-index-web-null-v1",
        },
        audit={
            "grade": "evidence",
            "challenger_episodes": 96,
            "positive_control_episodes": 45,
            "feedback_pairs": 30,
            "sham_pairs": 60,
            "max_feedback_pair_replacements": 3,
            "max_sham_pair_replacements": 6,
            "checkpoint_scope": "lineage_prefix",
        },
        model="scripted-index-designer-v1",
        max_turns=8,
        web={"enabled": True, "allowed_hosts": ["sqlite.org"], "max_requests": 20},
        materials={
            "private_verifier": "sealed:private",
            "private_units": "enclosed",
            "baseline_policy": "baseline.json",
            "truthful_feedback_policy": "policy:truthful",
            "neutral_feedback_policy": "policy:neutral",
            "sham_reference_policy": "policy:reference_null",
        },
        policies={
            "truthful": {"sends": "traffic-weighted work of the agent's own plan"},
            "neutral": {"sends": "same message, uniform family weights"},
            "reference_null": {"sends": "same message, permuted nearly uniform weights"},
            "challenger": {"sends": "acknowledged"},
        },
        checkpoint={"rule": "after", "event": "web snapshot", "scope": "lineage_prefix"},
    )


if __name__ == "__main__":
    raise SystemExit(audit_offline(HERE, compile_registration, agent="agent.py:index_designer"))
