"""E208, E810, E811: roles that must differ have different digests, and digests are real."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Material
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

TARGET = Rule("E208", "target-is-baseline", "error", "the target artifact is the baseline artifact")
ROLES = Rule("E810", "one-digest-two-roles", "error", "two roles that must differ commit to the same bytes")
UNREAL = Rule("E811", "digest-not-real", "error", "a digest that no hash function has made")
RULES = (TARGET, ROLES, UNREAL)

#: Material of these roles is never the same bytes; the policies' generators have a rule of their own (E409).
DISTINCT = ("task.adapter", "task.evaluator", "task.units", "baseline.artifact", "gate.feedback.development")
#: Different hex digits among the 64 of a digest: fewer than 9 occur with probability below 10^-14.
LEAST_DIGITS = 9


def check(reg: TypedRegistration, report: Report) -> None:
    """Digests bind roles (kernel rule); 64 random hex digits show nearly all of the sixteen."""
    materials = reg.materials()
    _target(report, materials)
    seen: dict[str, str] = {}
    for path in (p for p in DISTINCT if p in materials):
        first = seen.setdefault(materials[path].sha256, path)
        if first != path:
            names = [p.replace(".", " ") for p in (path, first)]
            report.add(
                ROLES,
                path,
                f"`{names[0]}` commits to the same bytes as `{names[1]}`",
                label="the same digest",
                labels=report.declared_here(first),
                help="commit each role to its own material",
            )
    for path, digest in _declared_digests(reg, materials):
        if len(set(digest.removeprefix("sha256:"))) < LEAST_DIGITS:
            report.add(
                UNREAL,
                path,
                f"`{digest}` is not the digest of any material",
                label="made up",
                help="hash the real material: `dcpc digest FILE`",
            )


def _target(report: Report, materials: dict[str, Material]) -> None:
    target, baseline = (materials.get(f"{role}.artifact") for role in ("target", "baseline"))
    if target and baseline and target.sha256 == baseline.sha256:
        report.add(
            TARGET,
            "target.artifact",
            "the target artifact is the baseline artifact, so it gains nothing",
            label="the same digest",
            labels=report.declared_here("baseline.artifact"),
            help="commit the artifact that is claimed to be better",
        )


def _declared_digests(reg: TypedRegistration, materials: dict[str, Material]) -> list[tuple[str, str]]:
    """Digests that the author wrote down: sealed material, the slot's receipt, what is superseded."""
    rows = [(p, m.sha256) for p, m in materials.items() if m.kind == "sealed"]
    if reg.has("slot"):
        rows.append(("slot", reg.choice("slot").argument("receipt")))
    if reg.has("supersedes"):
        rows.append(("supersedes", reg.text("supersedes")))
    return rows
