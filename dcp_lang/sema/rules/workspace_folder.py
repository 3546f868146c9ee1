"""E715: the runner starts the agent in one folder, and gives it nothing else."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.values import Material
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule(
    "E715", "given-outside-workspace", "error", "committed material of E0 lies outside the agent's workspace"
)
RULES = (RULE,)


def check(reg: TypedRegistration, report: Report) -> None:
    """dcp-harness 0.1.1 copies one `source_workspace`; other files of E0 would not reach any session."""
    if reg.choice("model.interface").name != "claude_code":
        return
    paths = reg.in_reading_order("information.given")
    given = {p: value for p in paths if isinstance(value := reg.value(p), Material)}
    workspace = next((p for p in given if given[p].kind == "folder"), None)
    for path in given:
        if workspace is None or not _is_inside(given[path], given[workspace]):
            report.add(
                RULE,
                path,
                f"`{given[path].path}` is given at the start, but is no part of the agent's workspace",
                label="would not reach the agent",
                labels=report.declared_here(workspace) if workspace else (),
                help='put it into the one folder that is given: `given workspace = file("workspace/")`',
            )


def _is_inside(material: Material, workspace: Material) -> bool:
    return material.path.startswith(workspace.path.rstrip("/") + "/") or material.path == workspace.path
