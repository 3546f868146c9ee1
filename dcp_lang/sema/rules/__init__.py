"""The rules, one module each with its page: `RULES` (what it can report) and `check(reg, report)`, in gate order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.rules import (
    audit_budget,
    candidate_count,
    challenger_count,
    challenger_matched,
    epsilon_range,
    error_budget,
    harness_limits,
    kernel_epsilon,
    necessity_claim,
    outcome_reachable,
    pair_counts,
    positive_controls,
    recovery_line,
    replacement_caps,
    requirements,
    sample_size_outcome,
    sham_band,
)

if TYPE_CHECKING:
    from dcp_lang.sema.model import TypedRegistration
    from dcp_lang.sema.report import Report

_MODULES = (
    outcome_reachable,
    epsilon_range,
    recovery_line,
    sample_size_outcome,
    challenger_count,
    positive_controls,
    candidate_count,
    challenger_matched,
    sham_band,
    pair_counts,
    replacement_caps,
    necessity_claim,
    error_budget,
    audit_budget,
    kernel_epsilon,
    harness_limits,
    requirements,
)

CHECKS: tuple[Callable[[TypedRegistration, Report], None], ...] = tuple(m.check for m in _MODULES)
ALL_RULES: tuple[Rule, ...] = tuple(rule for m in _MODULES for rule in m.RULES)
