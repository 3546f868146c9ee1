"""The plan as a table that people read in a terminal."""

from __future__ import annotations

from typing import Any

from dcp_lang.canonical import parse_number
from dcp_lang.emit.assurance import assured_design, unsearched
from dcp_lang.emit.plan import plan_report
from dcp_lang.sema.model import TypedRegistration

_HEAD = ("", "declared", "least", "safe", "assured", "used", "bound", "threshold", "method")
_SIZES = (
    ("challenger episodes", "recovery", "episodes"),
    ("positive controls", "recovery", "positive_controls"),
    ("feedback pairs", "feedback", "pairs"),
    ("null pairs", "feedback", "null_pairs"),
)


def plan_table(reg: TypedRegistration) -> str:
    """Sizes with their bounds, the error budget, cost and time, and the assurance where it is assumed."""
    report = plan_report(reg)
    parts = [_sizes(report), _errors(report), _totals(report)]
    if "assurance" in report:
        parts.append(_assurance(report["assurance"]))
    design = assured_design(reg)
    if "sizes" in design:
        parts.append(_design(design))
    elif design:
        parts.append(_unsearched(unsearched(reg)))
    if "stopping" in report:
        parts.append(_stopping(report["stopping"]))
    return "\n\n".join(parts)


def _sizes(report: dict[str, Any]) -> str:
    rows: list[tuple[str, ...]] = [_HEAD]
    for label, gate, name in _SIZES:
        if gate in report:
            rows.append(_size(label, report[gate][name]))
    return _columns(rows)


def _size(label: str, size: dict[str, Any]) -> tuple[str, ...]:
    certificate = size.get("certificate", {})
    sign = "<=" if "upper" in certificate.get("side", "") or "both" in certificate.get("side", "") else ">="
    threshold = f"{sign} {certificate['threshold']}" if certificate else "-"
    method = (
        f"{certificate['rule']}, {certificate['side']}, tail {certificate['tail']}" if certificate else "no n"
    )
    numbers = [str(size.get(key, "auto" if key == "declared" else "-")) for key in _HEAD[1:6]]
    return (label, *numbers, _short(size.get("bound", "-"), up=sign == "<="), threshold, method)


def _short(text: str, *, up: bool) -> str:
    """A bound at six decimals, rounded in its conservative direction."""
    if text == "-":
        return text
    scaled = parse_number(text) * 10**6
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return f"{whole // 10**6}.{whole % 10**6:06d}" if whole >= 0 else text


def _errors(report: dict[str, Any]) -> str:
    total = sum((parse_number(alpha) for alpha in report["errors"].values()), parse_number("0"))
    rows = [
        ("error budget", *report["errors"], "sum"),
        ("alpha", *report["errors"].values(), str(float(total))),
    ]
    return _columns(rows)


def _totals(report: dict[str, Any]) -> str:
    sessions, reference = report["sessions"], report["reference_sessions"]
    most = report["at_most"]
    money = f"{most['cost']['amount']} {most['cost']['unit']}"
    lines = [
        f"sessions  {sessions} of controls, and the target's own; the paper's reference design takes {reference}",
        f"cost      {report['cost']['amount']} {report['cost']['unit']}",
        f"time      {_hours(report['time'])} one after another",
        f"at most   {most['sessions']} sessions, {money}, {_hours(most['time'])}: "
        "with the target's own and every replacement, each at its limit",
    ]
    return "\n".join(lines)


def _hours(time: dict[str, str]) -> str:
    hours = parse_number(time["amount"]) / 3600
    return f"{hours.numerator / hours.denominator:.1f} h"


def _assurance(assurance: dict[str, Any]) -> str:
    gates = ", ".join(f"{gate} {chance}" for gate, chance in assurance["gates"].items())
    target = f", wanted {assurance['target']}" if "target" in assurance else ""
    lines = [f"assurance {assurance['audit']}{target} ({gates})"]
    for row in assurance["sensitivity"]:
        lines.append(f"  {row['assumption']} twice as far from ideal: {row['audit']}")
    if "challenger_slots" in assurance:
        lines.append(f"  challengers to start so that losses leave enough: {assurance['challenger_slots']}")
    return "\n".join(lines)


def _design(design: dict[str, Any]) -> str:
    sizes = ", ".join(f"{path.rpartition('.')[2]} {n}" for path, n in design["sizes"].items())
    return (
        f"fewest sessions for the assurance: {design['sessions']} ({sizes}), assurance {design['assurance']}"
    )


def _unsearched(paths: list[str]) -> str:
    """What was not searched to the end: the sizes at fault, if any alone are, and the design made of them."""
    names = "".join(f"`{path.rpartition('.')[2]}` with the assurance, " for path in paths)
    return (
        f"not searched to the end: {names}the design of fewest sessions; "
        "the expected truth is so near a threshold that it would take too long"
    )


def _stopping(stopping: dict[str, str]) -> str:
    return (
        f"stopping at the first witness: {stopping['expected_episodes']} challengers expected; it costs no alpha, "
        "because the bound is claimed only when no hit came in all n"
    )


def _columns(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(_row(row, widths) for row in rows)


def _row(row: tuple[str, ...], widths: list[int]) -> str:
    """The first and the last column are words and stand left, the numbers between them right."""
    padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
    padded[0], padded[-1] = row[0].ljust(widths[0]), row[-1]
    return "  ".join(padded).rstrip()
