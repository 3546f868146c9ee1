"""Runs the SQLite-Core audit in Inspect AI without a model: `python examples/sqlite_core/run_inspect.py`.

The same task, private files and scripted agent as in `run.py`, but Inspect asks the agent: as the model
`mockllm/scripted-index_designer`, through the registered tools. See docs/inspect.md.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from offline import agent_name, figures, for_scripted_agent, verified

CASE = Path(__file__).parent
POLICY = "index_designer"
NAME = agent_name(POLICY)

#: How the agent is registered in Inspect, where it differs from the harness.
REGISTERED = {
    f'id = "{NAME}"': f'id = "mockllm/{NAME}"',
    f'requested = "{NAME}"': f'requested = "mockllm/{NAME}"',
    "one call per turn; no model": "asked by Inspect AI; no model",
    "tools = [read, write, experiment, web]": "tools = [read, write, glob, experiment]",
}


def main() -> int:
    """0 when a verdict came out and replays, whatever the verdict is."""
    parser = argparse.ArgumentParser(description="Run the SQLite-Core audit in Inspect AI, offline.")
    parser.add_argument("--out", type=Path, help="folder for build, logs and bundle (default: a new one)")
    out = parser.parse_args().out or Path(tempfile.mkdtemp(prefix="dcp-inspect-"))
    task, logs = compiled(out), out / "logs"
    step(task, "run", logs, "--agent", f"{CASE / 'agent.py'}:{POLICY}")
    step(task, "score", logs)
    step(task, "bundle", logs, out / "evidence")
    bundle = out / "evidence/bundle"
    replayed = verified(bundle)
    print("\n".join(figures(json.loads((bundle / "payload/certificate.json").read_text()))))
    return 0 if replayed else 1


def compiled(out: Path) -> Path:
    """Compile the case for its scripted agent in Inspect; the emitted task file."""
    source = out / "source"
    shutil.copytree(CASE, source, ignore=shutil.ignore_patterns("__pycache__"))
    registration = source / "registration.dcp"
    text = for_scripted_agent(registration.read_text(), POLICY)
    for old, new in REGISTERED.items():
        text = text.replace(old, new)
    registration.write_text(text)
    command = [sys.executable, "-m", "dcp_lang", "compile", registration, "-o", out / "build"]
    subprocess.run([*command, "--target", "inspect"], check=True)
    shutil.copytree(CASE / "private", out / "build/runner/private")
    return out / "build/runner/inspect_task.py"


def step(task: Path, *arguments: object) -> None:
    """One step of the emitted file."""
    subprocess.run([sys.executable, task, *map(str, arguments)], check=True)


if __name__ == "__main__":
    raise SystemExit(main())
