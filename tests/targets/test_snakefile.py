"""`dcpc compile --target snakemake` writes a workflow that starts no session twice; run for real in integrations."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from dcp_lang.canonical import digest
from dcp_lang.cli import run

EXAMPLE = Path(__file__).parents[2] / "examples/sqlite_web/registration.dcp"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build") / "out"
    assert run(["compile", str(EXAMPLE), "-o", str(folder), "--target", "snakemake"]) == 0
    return folder


@pytest.fixture(scope="module")
def rules(build: Path) -> dict[str, str]:
    """The text of every rule of the Snakefile, by name."""
    parts = re.split(r"^ *rule (\w+):\n", (build / "runner/Snakefile").read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_job_is_bound_to_the_registration_and_never_retried(build: Path, rules: dict[str, str]) -> None:
    assert len(rules) == 10
    for name, text in rules.items():
        if name != "all":
            assert "registration=REGISTRATION," in text and "retries: 0\n" in text, name
            assert "shell:\n" in text and text.count("JOB + ") == 1, name
    sha = digest((build / "registration.json").read_bytes())
    assert f'REGISTRATION = "{sha}"\n' in (build / "runner/Snakefile").read_text()


def test_no_score_is_opened_before_the_barrier(rules: dict[str, str]) -> None:
    assert re.findall(r'"jobs/done/(.*?)"', rules["score_challenge"])[0] == "commit-challenge.json"
    assert 'numbered("challenge", "challenger_episodes")' in rules["commit_challenge"]
    assert 'numbered("positive-control", "positive_control_episodes")' in rules["commit_challenge"]
    assert '"jobs/done/score-challenge.json"' in rules["feedback_pair"]


def test_resources_are_the_sessions(rules: dict[str, str]) -> None:
    """3 GiB; 30 min for each session that a job runs, and ten to spare. Up to 3 + 6 pairs are replaced."""
    assert all("mem_mb=3072,\n" in text for name, text in rules.items() if name != "all")
    minutes = {name: re.findall(r"runtime=(\d+),\n", text) for name, text in rules.items()}
    assert minutes["challenger"] == minutes["positive_control"] == minutes["main"] == ["40"]
    assert minutes["feedback_pair"] == minutes["null_pair"] == ["70"]
    assert minutes["bundle"] == ["550"]


def test_plain_python_between_the_rules(build: Path) -> None:
    text = (build / "runner/Snakefile").read_text()
    ast.parse(text[: text.index("wildcard_constraints:")])


def test_a_target_is_written_on_request_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compile", str(EXAMPLE), "-o", str(tmp_path / "plain")]) == 0
    assert not (tmp_path / "plain/runner/Snakefile").exists()
    assert "snakemake" in json.loads((tmp_path / "plain/runner/targets.json").read_bytes())["targets"]
    assert "compiled for snakemake" not in capsys.readouterr().err
    assert run(["compile", str(EXAMPLE), "-o", str(tmp_path / "both"), "--target", "snakemake"]) == 0
    assert "compiled for snakemake" in capsys.readouterr().err
    assert run(["compile", str(EXAMPLE), "-o", str(tmp_path / "odd"), "--target", "slurm"]) == 2
    assert "there is no target `slurm`; known: " in capsys.readouterr().err
    assert not (tmp_path / "odd").exists()
