"""E713: without a container the runner cannot attest that private material was out of reach."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

RULE = Rule(
    "E713",
    "host-execution-never-certifies",
    "error",
    "sessions on the host cannot certify Core",
    waivable=True,
)
RULES = (RULE,)

INTERFACE = "model.interface"


def check(reg: TypedRegistration, report: Report) -> None:
    """dcp-harness 0.1.1 sets `private_isolation_pass` for docker only, and Core needs it (kernel rule)."""
    interface = reg.choice(INTERFACE)
    if interface.name == "claude_code" and interface.argument("execution").name == "host":
        report.add(
            RULE,
            INTERFACE,
            "sessions run on the host, so the runner cannot attest private isolation",
            label="needs docker",
            help='write `claude_code(execution = docker, image = "name@sha256:…")`',
        )
