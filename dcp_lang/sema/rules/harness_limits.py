"""E704 to E707: limits that dcp-harness's loader refuses."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Amount
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report
from dcp_lang.sema.rules.challenger_matched import web_access

BYTES = Rule("E705", "delivered-above-raw", "error", "the gateway would deliver more bytes than it may fetch")
MEMORY = Rule(
    "E706", "memory-too-small", "error", "the runner needs at least 512 MiB of memory for a session"
)
CPUS = Rule("E707", "too-little-cpu", "error", "the runner needs at least a tenth of a processor")
SHARE = Rule(
    "E711", "turn-share-too-small", "error", "a turn's share of the session's budget rounds to nothing"
)
RULES = (BYTES, MEMORY, CPUS, SHARE)

_MEMORY = Amount(Fraction(512 * 2**20), "B")
_CPUS = Fraction(1, 10)
#: What dcp-harness sets where nothing is declared, in bytes.
_RAW, _DELIVERED = Fraction(2_000_000), Fraction(300_000)
#: The least share of one turn: whole seconds, millionths of the currency.
_LEAST = {"time": Fraction(1), "cost": Fraction(1, 10**6)}


def check(reg: TypedRegistration, report: Report) -> None:
    """The loader's own conditions (dcp-harness 0.1.1, `load_config`)."""
    for path in web_access(reg):
        _bytes(reg, report, path)
    memory, cpus = "budget.session.memory", "budget.session.cpus"
    if reg.amount(memory).number < _MEMORY.number:
        _add(report, MEMORY, memory, "512 MiB")
    if reg.number(cpus) < _CPUS:
        _add(report, CPUS, cpus, "0.1")
    for name, least in _LEAST.items():
        _share(reg, report, f"budget.session.{name}", least)


def _add(report: Report, rule: Rule, path: str, need: str) -> None:
    name = path.rpartition(".")[2]
    report.add(
        rule,
        path,
        f"{name} is {report.shown(path)}, but the runner needs {need}",
        label=f"needs {need}",
        help=f"write `{name} = {need}` or more",
        fix=report.rewrite(path, need),
    )


def _bytes(reg: TypedRegistration, report: Report, path: str) -> None:
    web = reg.choice(path)
    raw, delivered = web.get("raw"), web.get("delivered")
    if web.name != "hosts":
        return
    most = raw.number if isinstance(raw, Amount) else _RAW
    have = delivered.number if isinstance(delivered, Amount) else _DELIVERED
    if have > most:
        need = f"{most} B" if isinstance(raw, Amount) else f"{most} B, the runner's own limit"
        report.add(
            BYTES,
            path,
            f"{have} B may be delivered, but only {most} B fetched",
            label=f"needs delivered <= {need}",
            help=f"write `raw = {have} B` or `delivered = {most} B`",
        )


def _share(reg: TypedRegistration, report: Report, path: str, least: Fraction) -> None:
    """dcp-harness limits each turn: a session's budget is divided by its turns, rounded down."""
    turns, budget = reg.count("budget.session.turns"), reg.amount(path)
    if floor(budget.number / turns / least) < 1:
        need = f"{least * turns} {budget.unit}" if least == 1 else f"{turns} millionths of {budget.unit}"
        report.add(
            SHARE,
            path,
            f"{report.shown(path)} divided by {turns} turns leaves nothing for a turn",
            label=f"needs at least {need}",
            labels=report.declared_here("budget.session.turns"),
            help="give the session more, or fewer turns",
        )
