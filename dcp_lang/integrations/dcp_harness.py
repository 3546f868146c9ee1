"""Audits of compiled registrations with dcp-harness 0.1.1 (extra `harness`): the public names.

A claimant subclasses `CompiledAdapter` for the task; `preflight` tells what would spoil the audit;
`run_audit` runs it and `main` is the command line of the emitted `runner/run_audit.py`. See
`examples/sqlite_web` for a complete audit.
"""

from __future__ import annotations

try:
    import dcp_harness as _harness  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "running an audit needs the harness: pip install 'dcp-lang[harness]'", name=error.name
    ) from error

from dcp_lang.integrations.adapter import CompiledAdapter
from dcp_lang.integrations.compiled import CompiledError
from dcp_lang.integrations.mismatch import Finding, RegistrationMismatch
from dcp_lang.integrations.preflight import preflight
from dcp_lang.integrations.run import main, run_audit
from dcp_lang.integrations.scripted import ProviderUnreachable, ScriptedBackend, Session, recorded_pages
from dcp_lang.integrations.task import Episode, RequestRefused, Score

__all__ = [
    "CompiledAdapter",
    "CompiledError",
    "Episode",
    "Finding",
    "ProviderUnreachable",
    "RegistrationMismatch",
    "RequestRefused",
    "Score",
    "ScriptedBackend",
    "Session",
    "main",
    "preflight",
    "recorded_pages",
    "run_audit",
]
