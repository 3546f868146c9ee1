"""The harness's contracts before there is a run: 38 values by the harness's own formulas, no file written.

A contract that depends on the run's secret nonce cannot be known in advance, and one that depends on the
agent's interface only when the agent is known. All others can be published beforehand as
`expected-contracts.json`.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dcp_harness import Harness, HarnessConfig
from dcp_harness.adapter import LoadedAdapter
from dcp_harness.backend import AgentBackend, RecordedBackend
from dcp_harness.workspace import manifest

_NONCES = ("00" * 32, "11" * 32)


def unknown_agent(name: str = "unknown") -> AgentBackend:
    """Stands for an agent whose interface is not known yet."""
    return RecordedBackend({"schema": f"dcp-lang/{name}-agent/1", "private_isolation_pass": True})


def stand_in(config: HarnessConfig, loaded: LoadedAdapter, backend: AgentBackend) -> SimpleNamespace:
    """An object with what the harness's formulas read of a harness; no run folder is made."""
    return SimpleNamespace(config=config, backend=backend, loaded_adapter=loaded)


def make_contracts(
    config: HarnessConfig, loaded: LoadedAdapter, backend: AgentBackend, nonce: str = _NONCES[0]
) -> dict[str, Any]:
    """The contract set that a run with this agent and nonce would seal."""
    source = manifest(config.resolve(config.source_workspace))
    contracts: dict[str, Any] = Harness._make_contracts(stand_in(config, loaded, backend), nonce, source)
    return contracts


def known_contracts(
    config: HarnessConfig, loaded: LoadedAdapter, backend: AgentBackend | None = None
) -> dict[str, Any]:
    """The contracts that are the same in every run of this audit; without `backend`, with every agent.

    Found by making the set under two nonces and two agents and keeping what agrees.
    """
    agents = (backend, backend) if backend else (unknown_agent("one"), unknown_agent("another"))
    first, second = (make_contracts(config, loaded, *row) for row in zip(agents, _NONCES, strict=True))
    return {key: value for key, value in first.items() if second[key] == value}
