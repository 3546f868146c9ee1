"""The Snakemake target: `runner/Snakefile`, one job per episode, for one machine, Slurm or Kubernetes.

The file says only which job waits for which; every job is `run_audit.py --job NAME`, so the workflow runs the same task
code, the same agents and the same harness as `run_audit.py` alone.
"""

from __future__ import annotations

from math import ceil

from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import CONTROLS, NULL_PAIRS, PAIRS, RECOVERY

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
import os
import shlex
import sys

REGISTRATION = "@REGISTRATION@"
CHALLENGERS, CONTROLS, PAIRS, NULL_PAIRS = @CHALLENGERS@, @CONTROLS@, @PAIRS@, @NULL_PAIRS@

RUNNER = workflow.basedir
COMMAND = [sys.executable, os.path.join(RUNNER, "run_audit.py"), "--run", "audit", "--jobs", "jobs", "--quiet"]
for option in ("agent", "seed", "pages"):
    if option in config:
        given = str(config[option])
        COMMAND += ["--" + option, given if option == "seed" else os.path.join(RUNNER, given)]
JOB = shlex.join(COMMAND).replace("{", "{{").replace("}", "}}") + " --registration {params.registration} --job "


def numbered(kind, count):
    return [f"jobs/done/{kind}-{number:04d}.json" for number in range(1, count + 1)]


if workflow.is_main_process and os.path.isdir(".snakemake/locks") and os.listdir(".snakemake/locks"):
    print(
        "The run in this folder was killed, or still goes on. When nothing of it runs any more, add --unlock once, "
        "then start again with --rerun-incomplete.",
        file=sys.stderr,
    )


wildcard_constraints:
    number=r"\\d{4,}",


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
        numbered("challenge", CHALLENGERS),
        numbered("positive-control", CONTROLS),
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

@GATE3@
rule bundle:
    input:
        "jobs/done/@LAST@.json",
    output:
        "jobs/done/bundle.json",
@COMMON@
        JOB + "bundle"
"""

_GATE3 = """
rule feedback_pair:
    input:
        "jobs/done/score-challenge.json",
    output:
        "jobs/done/feedback-{number}.json",
@COMMON@
        JOB + "feedback-{wildcards.number}"


rule null_pair:
    input:
        "jobs/done/score-challenge.json",
    output:
        "jobs/done/sham-{number}.json",
@COMMON@
        JOB + "sham-{wildcards.number}"


rule commit_gate3:
    input:
        numbered("feedback", PAIRS),
        numbered("sham", NULL_PAIRS),
    output:
        "jobs/done/commit-gate3.json",
@COMMON@
        JOB + "commit-gate3"

"""

_COMMON = """\
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
    evidence = reg.is_evidence
    session = reg.amount("budget.session.time").number / 60
    values = {
        "GATE3": _GATE3 if evidence else "",
        "COMMON": _COMMON,
        "LAST": "commit-gate3" if evidence else "score-challenge",
        "REGISTRATION": registration_sha256,
        "CHALLENGERS": str(reg.count(RECOVERY)),
        "CONTROLS": str(reg.count(CONTROLS)),
        "PAIRS": str(reg.count(PAIRS)) if evidence else "0",
        "NULL_PAIRS": str(reg.count(NULL_PAIRS)) if evidence else "0",
        "MEMORY": str(ceil(reg.amount("budget.session.memory").number / 2**20)),
        "MINUTES": str(ceil(session * (2 if evidence else 1)) + _SLACK),
    }
    text = _FILE
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return {"runner/Snakefile": text.encode()}
