"""What must hold before any episode of an audit is started."""

from __future__ import annotations

from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.mismatch import Finding, RegistrationMismatch
from dcp_lang.integrations.preflight import preflight
from dcp_lang.integrations.slot import slot_findings, take_slot

TARGET = "inspect"


def findings(audit: Audit) -> list[Finding]:
    """Everything that would spoil the audit, without the harness's own findings about a folder of its runs."""
    slot = [found for found in slot_findings(audit.config, audit.logs) if found.code == "A34"]
    return preflight(audit.home / "dcp-harness.json", target=TARGET) + slot


def admit(audit: Audit) -> None:
    """Take the registration's one audit slot and open the ledger; `RegistrationMismatch` when a check fails."""
    found = findings(audit)
    if found:
        raise RegistrationMismatch(found)
    audit.logs.mkdir(parents=True, exist_ok=True)
    take_slot(audit.config, audit.logs)
    audit.open()
