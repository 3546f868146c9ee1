"""The adapter tried once, without an agent, in a temporary folder.

One exception of the verifier, of the preparation or of a policy during the audit leaves an unresolved episode
and spoils Core (A13, A33). All of them are called here first, for every arm, on copies of the public
workspace.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from dcp_harness import EpisodeContext, HarnessConfig, Phase
from dcp_harness.workspace import clone_workspace

from dcp_lang.integrations.adapter import POLICY_OF, CompiledAdapter
from dcp_lang.integrations.likeness import differences
from dcp_lang.integrations.mismatch import Finding


def rehearse(adapter: CompiledAdapter, config: HarnessConfig) -> list[Finding]:
    """Findings of one dry pass through every arm; an exception becomes a finding that names the arm and the
    call."""
    phases = [Phase.MAIN, Phase.CHALLENGE]
    if config.audit.grade == "evidence":
        phases = [*POLICY_OF, Phase.CHALLENGE]
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory() as folder:
        for phase in phases:
            try:
                context = _prepared(adapter, config, phase, Path(folder) / phase.value)
                findings += _baseline(adapter, context) if phase is Phase.MAIN else []
                findings += _answers(adapter, context)
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                findings.append(Finding("A33", f"rehearsal of arm {phase.value}", reason))
    return findings


def _prepared(adapter: CompiledAdapter, config: HarnessConfig, phase: Phase, root: Path) -> EpisodeContext:
    paired = phase not in {Phase.MAIN, Phase.CHALLENGE}
    context = EpisodeContext(
        claim_id=config.claim_id,
        episode_id=f"rehearsal-{phase.value}",
        phase=phase,
        workspace=root / "workspace",
        record_dir=root,
        run_root=root,
        ordinal=0,
        pair_id="rehearsal" if paired else "",
    )
    clone_workspace(config.resolve(config.source_workspace), context.workspace)
    adapter.prepare_episode(context)
    return context


def _baseline(adapter: CompiledAdapter, context: EpisodeContext) -> Iterator[Finding]:
    first, second = adapter.baseline(context), adapter.baseline(context)
    if first.outcome != "artifact" or first.validity != "valid":
        yield Finding("A9", "baseline", f"is not a valid artifact: {first.reason or first.outcome}")
    gain = 1.0 - sum(first.per_unit) / max(len(first.per_unit), 1)
    if gain < (need := adapter.compiled.fixed["delta_min"]):
        yield Finding("B1", "baseline", f"leaves a gain of at most {gain!r}, the registration needs {need!r}")
    if first != second:
        yield Finding("B6", "score", "gives the baseline two different results")


def _answers(adapter: CompiledAdapter, context: EpisodeContext) -> Iterator[Finding]:
    """Answers to the adapter's sample request: JSON, repeatable, and shaped like the truthful answer."""
    request = adapter.sample_request()
    if request is None or context.phase is Phase.CHALLENGE:
        return
    policy = POLICY_OF[context.phase]
    episode = adapter.episode(context)
    sent, again = (adapter.observe(policy, episode, dict(request)) for _ in range(2))
    truth = adapter.observe("truthful", episode, dict(request))
    if sent != again:
        yield Finding("A33", f"policy {policy}", "answers one request in two ways")
    if "refused" in truth:
        yield Finding("A33", "sample_request", f"is refused: {truth['refused']}")
    declaration = adapter.compiled.document["policies"].get(policy, {})
    yield from (
        Finding("G3", f"policy {policy}", message) for message in differences(declaration, sent, truth)
    )
