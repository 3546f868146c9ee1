"""W704: the runner copies the workspace four times per episode."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Amount, Material, value_text
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule(
    "W704", "workspace-copied-often", "warning", "the runner's copies of the workspace take much room"
)
RULES = (RULE,)

#: Copies per episode (measured on dcp-harness 0.1.1), and what is still no burden.
COPIES = 4
MOST_FILES, MOST_BYTES = 1_000_000, 10 * 2**30


def check(reg: TypedRegistration, report: Report) -> None:
    """files · 4 · sessions, and bytes likewise, stay below a million files and 10 GiB."""
    for name, value in reg.under("information.given").items():
        if isinstance(value, Material) and value.files:
            _folder(reg, report, f"information.given.{name}", value)


def _folder(reg: TypedRegistration, report: Report, path: str, folder: Material) -> None:
    copies = COPIES * (reg.plan.sessions + 1)
    files, size = copies * len(folder.files), copies * folder.size
    if files <= MOST_FILES and size <= MOST_BYTES:
        return
    shown = value_text(Amount(Fraction(size), "B"))
    report.add(
        RULE,
        path,
        f"{copies} copies of {len(folder.files)} files make {files} files of {shown} together",
        label=f"{len(folder.files)} files",
        help="pack what the agent only reads into fewer files, or leave it out",
    )
