"""A toy audit, compiled into a temporary folder with small counts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dcp_lang.integrations.load import load_file

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
MODEL = "scripted-seeker-v1"

KERNEL: dict[str, Any] = {
    "claim_id": "toy-box-claim",
    "audit_family_id": "toy-box-family",
    "task_family_profile": "toy_box_v1",
    "inference_scope": "exhaustive_finite_set",
    "ci_method": "finite_set_exact",
    "delta_min": 0.5,
    "kappa": 0.01,
    "alpha_recovery": 0.01,
    "alpha_evidence": 0.01,
    "alpha_sham": 0.01,
    "feedback_estimand": "binary",
    "feedback_utility_mapping": "canonical_p_wrapper_v1",
    "feedback_ci_method": "paired_binary_exact",
    "sham_ci_method": "paired_binary_exact",
    "delta_evidence": 0.34,
    "delta_sham": 0.17,
    "utility_scale_id": "utility:binary-recovery:v1",
    "sham_calibration_id": "toy-null-v1",
    "min_n_ind": 2,
    "m_max": 200,
}
MATERIALS = {
    "private_verifier": "task.py",
    "private_units": "units.json",
    "baseline_policy": "baseline.json",
    "truthful_feedback_policy": "policy:truthful",
    "neutral_feedback_policy": "policy:neutral",
    "sham_reference_policy": "policy:reference_null",
}
POLICIES = {
    "truthful": {"sends": "the weight of every box"},
    "neutral": {"sends": "equal weights"},
    "reference_null": {"sends": "one of the first half a little heavier"},
}
AUDIT = {
    "grade": "evidence",
    "challenger_episodes": 3,
    "positive_control_episodes": 2,
    "feedback_pairs": 2,
    "sham_pairs": 2,
    "checkpoint_scope": "lineage_prefix",
}


def compile_into(folder: Path, kernel: Any = None, audit: Any = None, **rest: Any) -> Path:
    """Copy the toy into `folder` and compile it; the arguments change the kernel fields, counts and
    settings."""
    case = folder / "toy"
    shutil.copytree(HERE / "toy", case, ignore=shutil.ignore_patterns("__pycache__"))
    counts = AUDIT | {"max_feedback_pair_replacements": 0, "max_sham_pair_replacements": 0} | (audit or {})
    replaceable = counts["max_feedback_pair_replacements"] or counts["max_sham_pair_replacements"]
    pairs = {
        "registered_n_feedback_pairs": counts["feedback_pairs"],
        "registered_n_sham_pairs": counts["sham_pairs"],
        "max_feedback_pair_replacements": counts["max_feedback_pair_replacements"],
        "max_sham_pair_replacements": counts["max_sham_pair_replacements"],
        "gate3_checkpoint_scope": counts["checkpoint_scope"],
        "gate3_pair_replacement_policy": "preaction_transport_pair_replacement_v1" if replaceable else "none",
    }
    settings: dict[str, Any] = {
        "model": MODEL,
        "max_turns": 4,
        "materials": MATERIALS,
        "policies": POLICIES,
        "checkpoint": {"rule": "start", "scope": counts["checkpoint_scope"]},
    }
    standin = load_file(EXAMPLES / "standin.py")
    config: Path = standin.compile_case(
        case, case / "build", kernel=KERNEL | pairs | (kernel or {}), audit=counts, **(settings | rest)
    )
    return config


@pytest.fixture(scope="session")
def compile_toy_in() -> Callable[..., Path]:
    """`compile_into`, for fixtures that choose their own folder."""
    return compile_into


@pytest.fixture
def compile_toy(tmp_path: Path) -> Callable[..., Path]:
    """`compile_into` the test's own folder."""
    return partial(compile_into, tmp_path)
