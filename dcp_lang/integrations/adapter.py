"""The adapter mix-in: a claimant writes task code, everything registered comes from `compiled.json`.

A task adapter for the harness has nine duties. Six of them repeat what was registered (registration, audit
materials, checkpoint, feedback by arm, evidence, identity), and a slip in any of them is found only after the
sessions were paid for. `CompiledAdapter` does those six from the compiled registration. A subclass writes
four methods:

    class Task(CompiledAdapter):
        artifact = "plan.json"                          # the file that an agent commits
        def prepare(self, episode): ...                 # the presentation: files for the agent
        def measure(self, episode, request): ...        # one experiment, measured truthfully
        def neutral(self, measurement, draw): ...       # the neutral policy; `reference_null` likewise
        def score(self, episode, artifact): ...         # the private verifier

`measure`, the policies and `score` must be functions of their arguments and of files that do not change: the
channel audit runs them again and compares. Methods may run in several threads at once.
"""

from __future__ import annotations

import random
import shutil
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from dcp.integrity import unit_manifest_hash
from dcp.registration import Registration, validate_registration
from dcp_harness import AuditMaterials, BaseTaskAdapter, EpisodeContext, EpisodeEvaluation, Phase
from dcp_harness.adapter import EvidencePackage, RegistrationContext, RunView
from dcp_harness.evidence import assemble_evidence

from dcp_lang.integrations.channel_audit import audited_attestations
from dcp_lang.integrations.checkpoint import select_checkpoint
from dcp_lang.integrations.compiled import MATERIAL_ROLES, Compiled, CompiledError
from dcp_lang.integrations.mismatch import RegistrationMismatch, config_differences, field_findings
from dcp_lang.integrations.task import Episode, RequestRefused, Score

#: The feedback policy of each arm (paper, feedback gate). A challenger's experiments are answered by the
#: harness.
POLICY_OF = {
    Phase.MAIN: "truthful",
    Phase.FEEDBACK_TRUTHFUL: "truthful",
    Phase.FEEDBACK_NEUTRAL: "neutral",
    Phase.SHAM_PROPOSED: "neutral",
    Phase.SHAM_REFERENCE: "reference_null",
}

_CHECKPOINT_PHASES = set(POLICY_OF) - {Phase.MAIN}


class CompiledAdapter(BaseTaskAdapter):  # type: ignore[misc]  # the harness is an optional, untyped import
    """Base class of task adapters whose registration was compiled from a `.dcp` file (dcp-harness 0.1.1)."""

    #: The file that an agent commits, relative to its workspace.
    artifact: ClassVar[str]
    #: What the agent is told, the same in every arm.
    task_prompt: ClassVar[str] = "Read `TASK.md` and do what it asks."

    _home: ClassVar[Path]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Remember the folder of the subclass's file: the harness's loader leaves no other trace of it."""
        super().__init_subclass__(**kwargs)
        frame = sys._getframe(1)
        while frame.f_globals["__name__"] != cls.__module__ and frame.f_back is not None:
            frame = frame.f_back
        cls._home = Path(frame.f_globals["__file__"]).resolve().parent

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        super().__init__(options)
        location = self.options.get("compiled")
        if not isinstance(location, str) or Path(location).is_absolute():
            raise CompiledError("task_options.compiled must be a path relative to the adapter file")
        self.compiled = Compiled.load(self._home / location, self._home)

    # ---- task code -----------------------------------------------------------------------------------------

    def prepare(self, episode: Episode) -> None:
        """Put the files of a presentation into the workspace; by default the source workspace is used as it
        is."""

    def measure(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """Run one experiment and return its true measurement as a JSON object; `RequestRefused` when it
        cannot run."""
        raise NotImplementedError

    def sample_request(self) -> dict[str, Any] | None:
        """A request to answer in the rehearsal before the run; None for a task without experiments."""
        return None

    def truthful(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        """The truthful policy: by default the measurement itself."""
        return measurement

    def neutral(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        """The neutral policy: same schema and about the same length, no information about the next action."""
        raise NotImplementedError

    def reference_null(self, measurement: dict[str, Any], draw: random.Random) -> dict[str, Any]:
        """Another non-directional policy, against which the neutral one is calibrated on null tasks."""
        raise NotImplementedError

    def score(self, episode: Episode, artifact: Path) -> Score:
        """The private verifier: score one committed artifact on the private units."""
        raise NotImplementedError

    # ---- what was registered -------------------------------------------------------------------------------

    def audit_materials(self) -> AuditMaterials:
        """Digests of the registered materials, taken anew; `CompiledError` when a file changed after
        compilation.

        The harness asks before every phase, so an edit between two phases is refused too. The unit manifest
        goes to the kernel as bare hexadecimal digits, the only spelling that its finalisation accepts.
        """
        self.compiled.check_adapter()
        digests = {role: self.compiled.material_digest(role) for role in MATERIAL_ROLES}
        return AuditMaterials(
            private_verifier_hash=digests["private_verifier"],
            private_unit_manifest_hash=unit_manifest_hash(self.compiled.unit_ids()),
            baseline_policy_hash=digests["baseline_policy"],
            truthful_feedback_policy_hash=digests["truthful_feedback_policy"],
            neutral_feedback_policy_hash=digests["neutral_feedback_policy"],
            sham_reference_policy_hash=digests["sham_reference_policy"],
        )

    def adapter_identity(self) -> dict[str, Any]:
        """The harness hashes the adapter file only; this adds the compiled registration that it reads."""
        return {**super().adapter_identity(), "compiled_sha256": self.compiled.sha256}

    def registration(self, context: RegistrationContext) -> Registration:
        """The compiled registration with this run's contracts bound in; `RegistrationMismatch` when it does
        not fit."""
        findings = config_differences(self.compiled, context.config.public_dict())
        findings += field_findings(self.compiled, context.contracts)
        if findings:
            raise RegistrationMismatch(findings)
        registration = Registration(**self.compiled.kernel_fields(context.contracts))
        errors = validate_registration(registration)
        if errors:
            raise CompiledError("the kernel refuses the registration: " + "; ".join(errors), code="A1")
        return registration

    def select_checkpoint(self, main_episode: dict[str, Any]) -> int:
        """The checkpoint that the registered rule names in the captured main run."""
        return select_checkpoint(self.compiled.document["checkpoint"], main_episode)

    def build_evidence(self, run: RunView) -> EvidencePackage:
        """Kernel evidence from the recorded run. An attestation holds only if declared and, where checkable,
        checked."""
        return assemble_evidence(run, audited_attestations(self, run))

    # ---- the harness's episode calls -----------------------------------------------------------------------

    def episode(self, context: EpisodeContext) -> Episode:
        """The arm-blind view of an episode."""
        return Episode(
            workspace=context.workspace,
            key=context.pair_id or context.episode_id,
            null_task=context.is_sham_branch,
            from_checkpoint=context.phase in _CHECKPOINT_PHASES,
            claim_id=context.claim_id,
        )

    def prepare_episode(self, context: EpisodeContext) -> None:
        """Prepare a workspace. A failure removes it, else the harness could never start this episode
        again."""
        try:
            self.prepare(self.episode(context))
        except BaseException:
            shutil.rmtree(context.workspace, ignore_errors=True)
            raise

    def prompt(self, context: EpisodeContext) -> str:
        """The task prompt, the same in every arm."""
        return self.task_prompt

    def handle_experiment(self, context: EpisodeContext, payload: dict[str, Any]) -> dict[str, Any]:
        """Measure, then answer by the policy registered for the arm."""
        return self.observe(POLICY_OF[context.phase], self.episode(context), payload)

    def observe(self, policy: str, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """The observation that `policy` sends for a request; a refused request is answered alike by every
        policy."""
        try:
            measurement = self.measure(episode, request)
        except RequestRefused as refusal:
            return {"refused": str(refusal)}
        observation: dict[str, Any] = getattr(self, policy)(measurement, episode.draw(f"policy {policy}"))
        return observation

    def evaluate(self, context: EpisodeContext) -> EpisodeEvaluation:
        """Score the committed artifact; an episode without one is a model failure."""
        return self.evaluation(self.episode(context), self.artifact)

    def baseline(self, main_context: EpisodeContext) -> EpisodeEvaluation:
        """Score the registered baseline artifact with the same verifier, from a copy in the main
        workspace."""
        source = self.compiled.material_path("baseline_policy")
        name = f"registered_baseline{source.suffix}"
        shutil.copyfile(source, main_context.workspace / name)
        return self.evaluation(self.episode(main_context), name)

    def evaluation(self, episode: Episode, name: str) -> EpisodeEvaluation:
        """The verifier's result in the harness's form.

        Exact scores become the nearest double. Rounding is monotone and the same for target, baseline and
        challengers, so it never reverses an order. Utility is left to the kernel except on null tasks, which
        it cannot classify.
        """
        path = episode.workspace / name
        if not path.is_file() or path.is_symlink():
            return EpisodeEvaluation(outcome="model_failure", reason=f"no artifact `{name}`")
        score = self.score(episode, path)
        unit_ids = tuple(score.units) if episode.null_task and score.units else self.compiled.unit_ids()
        if score.valid and tuple(score.units) != unit_ids:
            raise CompiledError("the verifier must score exactly the registered units, in their order")
        return EpisodeEvaluation(
            outcome="artifact",
            validity="valid" if score.valid else "invalid",
            artifact_path=name,
            per_unit=tuple(float(score.units[unit]) if score.valid else 0.0 for unit in unit_ids),
            unit_ids=unit_ids,
            utility=self._utility(score) if episode.null_task and score.valid else None,
            reason=score.reason,
        )

    def _utility(self, score: Score) -> float:
        """Utility of a null task: solved or not for a binary estimand, else the mean score."""
        if self.compiled.fixed["feedback_estimand"] == "binary":
            if score.solved is None:
                raise CompiledError("a null task with a binary utility needs `Score.solved`")
            return float(score.solved)
        return float(sum(Fraction(value) for value in score.units.values()) / len(score.units))
