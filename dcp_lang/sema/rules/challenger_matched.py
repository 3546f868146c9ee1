"""E306, E307: the challenger is matched: no smaller budget, all observed Web bytes."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.canonical import number_text
from dcp_lang.language.values import Amount, Choice

BUDGET = Rule("E306", "challenger-underfunded", "error", "a challenger may spend less than the target run")
WEB = Rule("E307", "web-bytes-withheld", "error", "the target sees Web bytes that challengers do not")
RULES = (BUDGET, WEB)


def check(reg: TypedRegistration, report: Report) -> None:
    """The challenger has the target's production opportunities and all W_obs (paper, Gate 2)."""
    for name, value in reg.under("budget.challenger").items():
        _budget(reg, report, name, value)
    webs = [p for p, e in reg.entries.items() if p.startswith("information.web.") and isinstance(e.value, Choice) and e.value.name == "hosts"]
    if webs and reg.choice("gate.recovery.web").name == "none":
        report.add(
            WEB, "gate.recovery.web", "challengers get no Web bytes, but the target run may read the Web",
            label="needs observed_bytes", labels=report.declared_here(*webs), help="write `web = observed_bytes`",
        )  # fmt: skip


def _budget(reg: TypedRegistration, report: Report, name: str, value: object) -> None:
    target = reg.value(f"budget.session.{name}")
    have, need = (v.number if isinstance(v, Amount) else v for v in (value, target))
    unit = f" {target.unit}" if isinstance(target, Amount) else ""
    if have < need:  # type: ignore[operator]
        report.add(
            BUDGET, f"budget.challenger.{name}", f"a challenger's {name} is below that of the target's session",
            label=f"needs at least {number_text(need)}{unit}", labels=report.declared_here(f"budget.session.{name}"),  # type: ignore[arg-type]
            help="leave the block `budget challenger` out: a challenger then has the target's budget",
        )  # fmt: skip
