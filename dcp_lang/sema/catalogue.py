"""Every rule of `sema`: what `dcpc rules` lists, `explain` finds and SARIF names."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema import faults, materials, shown, waivers
from dcp_lang.sema.rules import ALL_RULES

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (*faults.RULES, *materials.RULES, *ALL_RULES, *shown.RULES, *waivers.RULES),
        key=lambda rule: rule.code,
    )
)
