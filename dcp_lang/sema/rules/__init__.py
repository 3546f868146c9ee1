"""The rules, one module each: `RULES` (what it can report) and `check(reg, report)`, in the order of the
gates.
"""

from __future__ import annotations

from collections.abc import Callable

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.sema.rules import (
    audit_budget,
    candidate_count,
    challenger_count,
    challenger_matched,
    digests,
    epsilon_range,
    error_budget,
    feedback_scope,
    guidance,
    harness_isolation,
    harness_limits,
    harness_scope,
    inactive_alpha,
    information_items,
    kernel_epsilon,
    lineage,
    necessity_claim,
    outcome_reachable,
    pair_counts,
    policies,
    population,
    positive_controls,
    recovery_line,
    replacement_caps,
    requirements,
    sample_size_outcome,
    score_scale,
    score_ties,
    sham_band,
    target_knowledge,
    web_contribution,
    web_hosts,
    workspace_folder,
    workspace_size,
)

if TYPE_CHECKING:
    from dcp_lang.sema.model import TypedRegistration
    from dcp_lang.sema.report import Report

_MODULES = (
    outcome_reachable,
    epsilon_range,
    recovery_line,
    sample_size_outcome,
    score_scale,
    score_ties,
    population,
    challenger_count,
    positive_controls,
    candidate_count,
    challenger_matched,
    sham_band,
    pair_counts,
    replacement_caps,
    necessity_claim,
    policies,
    feedback_scope,
    error_budget,
    inactive_alpha,
    information_items,
    lineage,
    guidance,
    web_contribution,
    target_knowledge,
    audit_budget,
    kernel_epsilon,
    harness_limits,
    harness_scope,
    harness_isolation,
    web_hosts,
    workspace_folder,
    workspace_size,
    digests,
    requirements,
)

CHECKS: tuple[Callable[[TypedRegistration, Report], None], ...] = tuple(m.check for m in _MODULES)
ALL_RULES: tuple[Rule, ...] = tuple(rule for m in _MODULES for rule in m.RULES)
