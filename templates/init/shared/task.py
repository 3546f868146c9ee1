"""Task code of the audit: prepares an episode, measures a proposal, scores the artifact."""

from dcp_lang.integrations.dcp_harness import CompiledAdapter, Score


class Task(CompiledAdapter):
    """Everything that was registered comes from the compiled registration; only the task itself is written here."""

    artifact = "artifact.json"

    def prepare(self, episode):
        """Put the files of this presentation into `episode.workspace`."""

    def measure(self, episode, request):
        """Run one experiment and return its measurement."""
        return {"value": 0}

    def score(self, episode, artifact):
        """Score one committed artifact on the private units."""
        return Score({"unit-001": 0})
