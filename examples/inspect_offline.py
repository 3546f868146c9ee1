"""Runs an example audit in Inspect AI without a model: `python examples/<case>/run_inspect.py`.

The same task, private files and scripted agent as in `run.py`, but Inspect asks the agent: as the model
`mockllm/scripted-…`, through the registered tools. See docs/inspect.md.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from offline import agent_name, figures, for_scripted_agent, verified


def main(case: Path, policy: str, *, pages: Path | None = None) -> int:
    """Command line of an example: 0 when a verdict came out and replays, whatever the verdict is."""
    parser = argparse.ArgumentParser(description=f"Run the {case.name} audit in Inspect AI, offline.")
    parser.add_argument("--workers", type=int, default=4, help="episodes side by side (default 4)")
    parser.add_argument("--out", type=Path, help="folder for build, logs and bundle (default: a new one)")
    options = parser.parse_args()
    out = options.out or Path(tempfile.mkdtemp(prefix=f"dcp-inspect-{case.name}-"))
    task, logs = compiled(case, policy, out), out / "logs"
    replaced_web = ("--pages", pages) if pages else ()
    agent = f"{case / 'agent.py'}:{policy}"
    step(task, "run", logs, "--agent", agent, "--workers", options.workers, *replaced_web)
    step(task, "score", logs)
    step(task, "bundle", logs, out / "evidence")
    bundle = out / "evidence/bundle"
    replayed = verified(bundle)
    print("\n".join(figures(json.loads((bundle / "payload/certificate.json").read_text()))))
    return 0 if replayed else 1


def compiled(case: Path, policy: str, out: Path) -> Path:
    """Compile the case for its scripted agent in Inspect; the emitted task file."""
    source = out / "source"
    shutil.copytree(case, source, ignore=shutil.ignore_patterns("__pycache__"))
    registration = source / "registration.dcp"
    registration.write_text(for_inspect(registration.read_text(), policy))
    command = [sys.executable, "-m", "dcp_lang", "compile", registration, "-o", out / "build"]
    subprocess.run([*command, "--target", "inspect"], check=True, stdout=subprocess.PIPE)
    shutil.copytree(case / "private", out / "build/runner/private")
    return out / "build/runner/inspect_task.py"


def for_inspect(text: str, policy: str) -> str:
    """The registration for the scripted agent, which Inspect knows by another name and gives one more tool."""
    name, text = agent_name(policy), for_scripted_agent(text, policy)
    changes = {
        f'id = "{name}"': f'id = "mockllm/{name}"',
        f'requested = "{name}"': f'requested = "mockllm/{name}"',
        "one call per turn; no model": "asked by Inspect AI; no model",
        "tools = [read, write, ": "tools = [read, write, glob, ",
    }
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def step(task: Path, *arguments: object) -> None:
    """One step of the emitted file."""
    subprocess.run([sys.executable, task, *map(str, arguments)], check=True)
