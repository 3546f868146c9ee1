"""E306, E307: the challenger is matched: no smaller budget, all observed Web bytes."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Amount, Choice, Value
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

BUDGET = Rule("E306", "challenger-underfunded", "error", "a challenger may spend less than the target run")
WEB = Rule("E307", "web-bytes-withheld", "error", "the target sees Web bytes that challengers do not")
RULES = (BUDGET, WEB)


def check(reg: TypedRegistration, report: Report) -> None:
    """The challenger has the target's production opportunities and all W_obs (paper, Gate 2)."""
    for name, have in reg.under("budget.challenger").items():
        need = reg.value(f"budget.session.{name}")
        if _size(have) < _size(need):
            _underfunded(report, name)
    webs = [p for p, v in web_access(reg).items() if v.name == "hosts"]
    if webs and reg.choice("gate.recovery.web").name == "none":
        report.add(
            WEB,
            "gate.recovery.web",
            "challengers get no Web bytes, but the target run may read the Web",
            label="needs observed_bytes",
            labels=report.declared_here(*webs),
            help="write `web = observed_bytes`",
            fix=report.rewrite("gate.recovery.web", "observed_bytes"),
        )


def web_access(reg: TypedRegistration) -> dict[str, Choice]:
    """Every declared Web access by path."""
    rows = reg.under("information.web").items()
    return {f"information.web.{name}": v for name, v in rows if isinstance(v, Choice)}


def _size(value: Value) -> Fraction:
    match value:
        case Amount(number):
            return number
        case int() | Fraction():
            return Fraction(value)
    raise TypeError(f"not a quantity: {value!r}")


def _underfunded(report: Report, name: str) -> None:
    path, target = f"budget.challenger.{name}", f"budget.session.{name}"
    need = report.shown(target)
    report.add(
        BUDGET,
        path,
        f"a challenger's {name} is {report.shown(path)}, but a session of the target has {need}",
        label=f"needs at least {need}",
        labels=report.declared_here(target),
        help="leave `budget challenger` out: a challenger then has the target's budget",
        fix=report.rewrite(path, need),
    )
