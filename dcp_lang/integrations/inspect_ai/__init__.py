"""Audits of compiled registrations in Inspect AI (extra `inspect`): the public names.

`registered_stage` and `main` are all that an emitted `runner/inspect_task.py` uses. The task code is the same subclass
of `CompiledAdapter` that dcp-harness runs; see docs/inspect.md.
"""

from __future__ import annotations

try:
    import dcp_harness as _harness  # noqa: F401
    import inspect_ai as _inspect  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "running an audit in Inspect needs its extra: pip install 'dcp-lang[inspect]'", name=error.name
    ) from error

from dcp_lang.integrations.inspect_ai.bundle import write_bundle
from dcp_lang.integrations.inspect_ai.run import main, run_stages
from dcp_lang.integrations.inspect_ai.scorer import score_audit
from dcp_lang.integrations.inspect_ai.tasks import registered_stage

__all__ = ["main", "registered_stage", "run_stages", "score_audit", "write_bundle"]
