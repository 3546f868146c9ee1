"""E408, E409: the neutral policy keeps what the truthful one shows, and the policies differ."""

from __future__ import annotations

from itertools import combinations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Choice, Material
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

KEEPS = Rule(
    "E408",
    "policy-gives-itself-away",
    "error",
    "a non-directional policy does not keep timing, schema and length",
)
ALIKE = Rule("E409", "policies-alike", "error", "two feedback policies that must differ are the same")
RULES = (KEEPS, ALIKE)

PRESERVED = ("timing", "schema", "length")
_NON_DIRECTIONAL = ("neutral", "reference_null")


def check(reg: TypedRegistration, report: Report) -> None:
    """The neutral channel matches timing, schema and approximate length (paper, Gate 3)."""
    if not reg.is_evidence:
        return
    for policy in _NON_DIRECTIONAL:
        _keeps(reg, report, policy)
    for first, second in combinations(("truthful", *_NON_DIRECTIONAL), 2):
        _differ(reg, report, first, second)


def _keeps(reg: TypedRegistration, report: Report, policy: str) -> None:
    path = f"policy.{policy}.preserves"
    kept = {v.name for v in reg.items(path) if isinstance(v, Choice)} if reg.has(path) else set()
    lost = [name for name in PRESERVED if name not in kept]
    if lost:
        report.add(
            KEEPS,
            path,
            f"the policy `{policy}` does not preserve {' and '.join(lost)}",
            label=f"needs {', '.join(lost)}",
            help="write `preserves = [timing, schema, length within 10%]`",
            fix=report.rewrite(path, "[timing, schema, length within 10%]"),
        )


def _differ(reg: TypedRegistration, report: Report, first: str, second: str) -> None:
    for name in ("generator", "sends"):
        paths = f"policy.{first}.{name}", f"policy.{second}.{name}"
        if all(map(reg.has, paths)) and _content(reg, paths[0]) == _content(reg, paths[1]):
            report.add(
                ALIKE,
                paths[1],
                f"`{second}` has the same {name} as `{first}`",
                label="the same",
                labels=report.declared_here(paths[0]),
                help=_REASONS[second],
            )


_REASONS = {
    "neutral": "the neutral policy must not answer with the truthful feedback",
    "reference_null": "the reference null is a second non-directional policy: one alone shows nothing",
}


def _content(reg: TypedRegistration, path: str) -> str:
    value = reg.value(path)
    return value.sha256 if isinstance(value, Material) else str(value)
