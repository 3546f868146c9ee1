"""The Snakemake target: `runner/Snakefile`, one job per episode, for one machine, Slurm or Kubernetes.

The file says only which job waits for which; every job is `run_audit.py --job NAME`, so the workflow runs the same task
code, the same agents and the same harness as `run_audit.py` alone.
"""

from __future__ import annotations

from math import ceil
from textwrap import indent

from dcp_lang.sema.model import TypedRegistration

_FILE = """\
# The audit that was compiled beside this file, one job per episode.
#
#   snakemake --snakefile Snakefile --directory RUN --cores 8 --keep-going
#
# RUN is a new folder that all jobs share: the run lies in RUN/audit, the start receipts in RUN/jobs/starts. Another
# executor (--executor slurm, --executor kubernetes) runs the same file. After a kill, when nothing of it runs any more:
#
#   snakemake --snakefile Snakefile --directory RUN --unlock
#   snakemake --snakefile Snakefile --directory RUN --cores 8 --keep-going --rerun-incomplete
#
# A scripted agent: --config agent=FILE.py:FUNCTION seed=0 pages=FOLDER (paths start at this file's folder).
import json
import os
import shlex
import sys

REGISTRATION = "@REGISTRATION@"
RUNNER = workflow.basedir
with open(os.path.join(RUNNER, "compiled.json")) as file:
    AUDIT = json.load(file)["config"]["audit"]
COMMAND = [sys.executable, os.path.join(RUNNER, "run_audit.py"), "--run", "audit", "--jobs", "jobs", "--quiet"]
for option in ("agent", "seed", "pages"):
    if option in config:
        given = str(config[option])
        COMMAND += ["--" + option, given if option == "seed" else os.path.join(RUNNER, given)]
JOB = shlex.join(COMMAND).replace("{", "{{").replace("}", "}}") + " --registration {params.registration} --job "


def numbered(kind, count):
    return [f"jobs/done/{kind}-{number:04d}.json" for number in range(1, AUDIT[count] + 1)]


if workflow.is_main_process and os.path.isdir(".snakemake/locks") and os.listdir(".snakemake/locks"):
    print(
        "The run in this folder was killed, or still goes on. When nothing of it runs any more, add --unlock once, "
        "then start again with --rerun-incomplete.",
        file=sys.stderr,
    )


wildcard_constraints:
    number=r"\\d+",


rule all:
    input:
        "jobs/done/bundle.json",


rule main:
    output:
        "jobs/done/main.json",
@COMMON@
        JOB + "main"


rule challenger:
    input:
        "jobs/done/main.json",
    output:
        "jobs/done/challenge-{number}.json",
@COMMON@
        JOB + "challenge-{wildcards.number}"


rule positive_control:
    input:
        "jobs/done/main.json",
    output:
        "jobs/done/positive-control-{number}.json",
@COMMON@
        JOB + "positive-control-{wildcards.number}"


# No private score is opened before every candidate is committed.
rule commit_challenge:
    input:
        numbered("challenge", "challenger_episodes"),
        numbered("positive-control", "positive_control_episodes"),
    output:
        "jobs/done/commit-challenge.json",
@COMMON@
        JOB + "commit-challenge"


rule score_challenge:
    input:
        "jobs/done/commit-challenge.json",
    output:
        "jobs/done/score-challenge.json",
@COMMON@
        JOB + "score-challenge"


if AUDIT["grade"] == "evidence":

    rule feedback_pair:
        input:
            "jobs/done/score-challenge.json",
        output:
            "jobs/done/feedback-{number}.json",
@PAIR@
            JOB + "feedback-{wildcards.number}"

    rule null_pair:
        input:
            "jobs/done/score-challenge.json",
        output:
            "jobs/done/sham-{number}.json",
@PAIR@
            JOB + "sham-{wildcards.number}"

    rule commit_gate3:
        input:
            numbered("feedback", "feedback_pairs"),
            numbered("sham", "sham_pairs"),
        output:
            "jobs/done/commit-gate3.json",
@PAIR@
            JOB + "commit-gate3"


rule bundle:
    input:
        "jobs/done/commit-gate3.json" if AUDIT["grade"] == "evidence" else "jobs/done/score-challenge.json",
    output:
        "jobs/done/bundle.json",
@LAST@
        JOB + "bundle"
"""

_JOB = """\
    params:
        registration=REGISTRATION,
    retries: 0
    resources:
        mem_mb=@MEMORY@,
        runtime=@MINUTES@,
    shell:"""

#: What a job needs beside its sessions, in minutes: the harness copies and hashes files around every turn.
_SLACK = 10


def snakemake_files(reg: TypedRegistration, registration_sha256: str) -> dict[str, bytes]:
    """`runner/Snakefile`; the digest of the registration is a parameter of every job."""
    limits = ("gate.feedback.replacements.pairs", "gate.feedback.replacements.null_pairs")
    replaced = sum(reg.count(path) for path in limits if reg.has(path))
    text = _FILE.replace("@COMMON@", _job(reg, 1))
    text = text.replace("@PAIR@", indent(_job(reg, 2), "    ")).replace("@LAST@", _job(reg, 2 * replaced))
    return {"runner/Snakefile": text.replace("@REGISTRATION@", registration_sha256).encode()}


def _job(reg: TypedRegistration, sessions: int) -> str:
    """What all jobs share; memory in MiB and time in minutes, for as many sessions one after another."""
    minutes = ceil(sessions * reg.amount("budget.session.time").number / 60) + _SLACK
    memory = ceil(reg.amount("budget.session.memory").number / 2**20)
    return _JOB.replace("@MEMORY@", str(memory)).replace("@MINUTES@", str(minutes))
