"""The examples end to end: compiled by dcpc, run by the real harness, decided by the peer's own kernel.

The quick runs cut the counts of the compiled registration, so only what does not depend on counts is
asserted. The whole audits take minutes and run when the environment variable DCP_WHOLE_AUDITS is set.
"""

import json
import os
import subprocess
import sys

import pytest
from dcp.bundle import verify_bundle
from foretold import foretell

from dcp_lang.integrations.dcp_harness import ScriptedBackend, run_audit
from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.preflight import preflight

from .table import EXAMPLES

offline = load_file(EXAMPLES / "offline.py")

POLICIES = {"catalyst": "chemist", "device": "engineer", "knapsack": "packer", "affine": "surveyor"}
PAIRS = {"feedback_pairs": "registered_n_feedback_pairs", "sham_pairs": "registered_n_sham_pairs"}

#: Last lines of the whole runs: bounds, margins and outcomes as in the paper (0.0468, 0.0477, [0.6379, 1],
#: 0.0950), the verdicts as its five cases.
WHOLE = {
    "catalyst": [
        "recovery probability at most 0.0468, allowed 0.05",
        "feedback effect 1.0000 in [0.6379, 1.0000], needed 0.51",
        "null contrast in [-0.0950, 0.0950], allowed ±0.17",
        "verdict: Evidence",
    ],
    "device": ["recovery probability at most 0.0477, allowed 0.05", "verdict: Core"],
    "knapsack": ["verdict: recovered, Core refuted"],
    "affine": ["positive controls 2/2, recall at least 0.0707", "verdict: audit incomplete"],
}


@pytest.fixture(autouse=True)
def unsynced(monkeypatch):
    """Tests need no durability: the harness's thousands of syncs would cost more than everything else."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def _backend(case):
    policy = POLICIES[case]
    agent = getattr(load_file(EXAMPLES / case / "agent.py"), policy)
    return ScriptedBackend(agent, model=offline.agent_name(policy), accepted=(offline.agent_name(policy),))


def _cut(config, **counts):
    """Cut the counts of a build: in the harness's configuration and wherever the compiled registration has
    them.
    """
    document = json.loads(config.read_text())
    document["audit"] |= counts
    config.write_text(json.dumps(document))
    compiled_path = config.with_name("compiled.json")
    compiled = json.loads(compiled_path.read_text())
    compiled["config"] = document
    compiled["fixed"] |= {PAIRS[name]: count for name, count in counts.items() if name in PAIRS}
    compiled["fixed"]["min_n_ind"] = counts["challenger_episodes"]
    notes = compiled["fixed"]["notes"]["dcp_lang"]
    notes |= {
        "challengers": counts["challenger_episodes"],
        "positive_controls": counts["positive_control_episodes"],
    }
    compiled_path.write_text(json.dumps(compiled))
    foretell(config)


def _quick(case, folder, **counts):
    """A quick run; the kernel's certificate, once the bundle replays."""
    config = offline.compiled(EXAMPLES / case, POLICIES[case], folder)
    _cut(config, positive_control_episodes=2, **counts)
    bundle = run_audit(config, folder / "run", backend=_backend(case), workers=2)
    assert verify_bundle(bundle)["kernel_replay_matches"] is True
    return json.loads((bundle / "payload/certificate.json").read_text())


def _mean_effect(certificate):
    return certificate["feedback_test"]["effect_mean"], certificate["feedback_test"]["sham_delta_null_mean"]


def test_catalyst_quick(tmp_path):
    certificate = _quick("catalyst", tmp_path, challenger_episodes=4, feedback_pairs=2, sham_pairs=2)
    assert certificate["validity"]["x"] == 1.0 and certificate["validity"]["status"] == "pass"
    assert certificate["no_feedback_recovery"]["attempt_breakdown"] == {"confirmed_miss": 4}
    assert _mean_effect(certificate) == (1.0, 0.0)
    # Two of two positive controls cannot show a recall of 0.8.
    assert offline.outcome(certificate["verdict"]) == "audit incomplete"


def test_device_quick(tmp_path):
    certificate = _quick("device", tmp_path, challenger_episodes=4)
    assert certificate["validity"]["x"] == 1.0 and certificate["validity"]["effect_mean"] == pytest.approx(
        0.74
    )
    assert certificate["no_feedback_recovery"]["attempt_breakdown"] == {"confirmed_miss": 4}


def test_knapsack_quick_is_recovered_by_one_witness(tmp_path):
    """A witness vetoes Core whatever else the audit lacks: three challengers, two positive controls."""
    certificate = _quick("knapsack", tmp_path, challenger_episodes=3)
    assert certificate["no_feedback_recovery"]["hits"] >= 1
    assert offline.outcome(certificate["verdict"]) == "recovered, Core refuted"


def test_affine_quick_is_incomplete_despite_a_positive_contrast(tmp_path):
    certificate = _quick("affine", tmp_path, challenger_episodes=4, feedback_pairs=2, sham_pairs=2)
    assert _mean_effect(certificate) == (1.0, 0.0)
    assert certificate["no_feedback_recovery"]["reason"] == "control adequacy failed"
    assert offline.outcome(certificate["verdict"]) == "audit incomplete"


@pytest.mark.parametrize("case", POLICIES)
def test_registrations_fit_their_files(tmp_path, case):
    """Every digest, count and identity of the compiled registration agrees with what lies in the example."""
    config = offline.compiled(EXAMPLES / case, POLICIES[case], tmp_path)
    assert preflight(config, run_root=tmp_path / "run", backend=_backend(case)) == []


@pytest.mark.skipif("DCP_WHOLE_AUDITS" not in os.environ, reason="minutes: set DCP_WHOLE_AUDITS")
@pytest.mark.parametrize("case", POLICIES)
def test_whole_audit(tmp_path, case):
    command = [sys.executable, str(EXAMPLES / case / "run.py"), "--workers", "2", "--out", str(tmp_path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line for line in lines if line in WHOLE[case]] == WHOLE[case]
    assert lines[:-1] == quoted_output(case)


def quoted_output(case):
    """What the example's README says that the run prints, without the bundle's place."""
    readme = (EXAMPLES / case / "README.md").read_text().splitlines()
    start = next(number for number, line in enumerate(readme) if "/run.py" in line)
    return [line.strip() for line in readme[start + 1 : readme.index("", start)]]


@pytest.mark.parametrize("case", POLICIES)
def test_readmes_quote_the_papers_values(case):
    assert set(WHOLE[case]) <= set(quoted_output(case))
