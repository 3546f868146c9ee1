"""The example audits, loaded by path (all have files of the same names), and an offline table to play
episodes at.
"""

import json
import random
import shutil
from fractions import Fraction
from itertools import count
from pathlib import Path

from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.scripted import Session
from dcp_lang.integrations.task import Episode

EXAMPLES = Path(__file__).parents[2] / "examples"
ACTION, OBSERVATION = Path(".dcp/action.json"), Path(".dcp/observation.json")


class Case:
    """One example: its task code without a registration, its scripted agent, and a way to play."""

    def __init__(self, name, agent, scratch):
        self.folder = EXAMPLES / name
        task = load_file(self.folder / "task.py")
        self.task, self.evaluator = object.__new__(task.Task), task.evaluator
        self.agents = load_file(self.folder / "agent.py")
        self.agent = getattr(self.agents, agent)
        self._fresh = (scratch / f"episode-{number}" for number in count())

    def play(self, policy, seed, *, start=None, null=False, turns=8):
        """Play an episode and return its folder; `policy` answers experiments, None as the harness answers
        a challenger.
        """
        workspace = next(self._fresh)
        shutil.copytree(start or self.folder / "workspace", workspace)
        episode = self.episode(workspace, seed, start, null)
        self.task.prepare(episode)
        for turn in range(turns):
            self.agent(Session(workspace, "", random.Random(f"{seed} {policy} {turn}")))
            action = json.loads((workspace / ACTION).read_text())
            if action["action"] == "finish":
                break
            reply = self.task.observe(policy, episode, action["payload"]) if policy else {"withheld": True}
            (workspace / OBSERVATION).write_text(json.dumps({"observation": reply}))
        return workspace

    def episode(self, workspace, seed, start=None, null=False):
        """The episode as task code sees it."""
        return Episode(workspace, f"key {seed}", null, start is not None, "sha256:test")

    def score(self, workspace, seed=0, null=False):
        """The private verifier's result for what was committed in `workspace`."""
        return self.task.score(self.episode(workspace, seed, null=null), workspace / self.task.artifact)


def mean(score):
    """Exact mean score of a valid artifact."""
    return sum(map(Fraction, score.units.values())) / len(score.units)
