"""`registration.json`: the frozen registration. Everything else that is emitted can be derived from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dcp_lang import __version__
from dcp_lang.canonical import canonical_bytes, number_text
from dcp_lang.emit.contracts import contract_digests, slot
from dcp_lang.emit.figures import document_figures
from dcp_lang.emit.normal import normal_source, ordered_profiles
from dcp_lang.emit.plan import plan_report, size_report
from dcp_lang.language.values import json_value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Condition
from dcp_lang.sema.terms import references, term_json, term_text

if TYPE_CHECKING:
    from dcp_lang.sema import Analysis
    from dcp_lang.sema.waivers import Waiver

SCHEMA = "dcp-lang/registration/1"


def frozen_registration(analysis: Analysis, waivers: list[Waiver]) -> dict[str, Any]:
    """The frozen registration as a JSON value without floats; freeze it with `canonical_bytes`."""
    reg = analysis.registration
    slot_id, receipt = slot(reg)
    return {
        "schema": SCHEMA,
        "edition": reg.resolved.edition,
        "compiler": {"name": "dcp-lang", "version": __version__},
        "name": reg.name,
        "grade": reg.grade,
        "source": normal_source(reg),
        "profiles": [{"name": p.name, "sha256": p.sha256, "source": p.text} for p in ordered_profiles(reg)],
        "fields": {p: {"origin": e.origin, "value": json_value(e.value)} for p, e in reg.entries.items()},
        "plan": _plan(reg),
        "slot": {"id": slot_id, "receipt": receipt, "local": not reg.has("slot")},
        "rules": _rules(analysis.conditions),
        "obligations": _obligations(analysis.conditions),
        "waivers": [
            {"code": w.code, "name": w.name, "message": w.message, "reason": w.reason} for w in waivers
        ],
        "contracts": contract_digests(reg),
    }


def _plan(reg: TypedRegistration) -> dict[str, Any]:
    """The plan with one row per size, and the figures of the document."""
    report = plan_report(reg)
    sizes = {path: size_report(reg, path) for path in reg.plan.sizes}
    rest = {key: value for key, value in report.items() if key not in ("recovery", "feedback", "errors")}
    return rest | {"sizes": sizes, "figures": document_figures(reg)}


def _rules(conditions: tuple[Condition, ...]) -> list[dict[str, str]]:
    """The status of every condition, in a stable order; a condition that was asked twice stands once."""
    rows = {(c.code, c.name, c.origin, c.text, c.verdict.status, c.evidence) for c in conditions}
    keys = ("code", "name", "origin", "condition", "status", "evidence")
    return [dict(zip(keys, row, strict=True)) for row in sorted(rows)]


def _obligations(conditions: tuple[Condition, ...]) -> list[dict[str, Any]]:
    """Every obligation once, in an order that does not depend on the order of declarations."""
    rows = {
        canonical_bytes(row): row for row in map(_obligation, filter(lambda c: c.is_obligation, conditions))
    }
    return sorted(rows.values(), key=lambda row: (row["code"], row["origin"], row["condition"]))


def _obligation(condition: Condition) -> dict[str, Any]:
    """What the verifier must discharge: the condition as a tree, and the known quantities that it names."""
    known = {r.name: term_text(r.value) for r in references(condition.term) if r.value is not None}
    row: dict[str, Any] = {
        "code": condition.code,
        "origin": condition.origin,
        "status": condition.verdict.status,
        "condition": condition.text,
        "expression": term_json(condition.term),
        "known": known,
    }
    if condition.residual is not None:
        row["residual"] = term_text(condition.residual)
    if condition.verdict.gate:
        row["gate"] = condition.verdict.gate
    if condition.verdict.margin is not None:
        row["margin"] = number_text(condition.verdict.margin)
    return row
