"""Runs an example audit from registration to verdict without a model: `python examples/<case>/run.py`.

1. The registration is compiled by `dcpc` for the scripted agent: its own name stands in the model block, so
   that no record names a model that never ran.
2. The sealed files are put at their registered places in the build.
3. The real harness runs every session, with the registered counts.
4. `dcp verify` replays the bundle, and the figures that decided are printed.
5. `dcpc verify` decides again by itself, under the frozen registration and the contracts that the run sealed.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from dcp_harness.web import Fetcher

from dcp_lang.integrations.dcp_harness import ScriptedBackend, run_audit
from dcp_lang.integrations.run import load_policy

MODEL = """model {{
    id = "{name}"
    requested = "{name}"
    reported = ["{name}"]
    interface = other("the function {policy} of agent.py, one call per turn; no model")
    tools = [read, write, experiment, web]
  }}"""


def main(case: Path, policy: str, *, web_fetcher: Fetcher | None = None) -> int:
    """Command line of an example: 0 when a verdict came out and replays, whatever the verdict is."""
    parser = argparse.ArgumentParser(description=f"Run the {case.name} audit offline and print its verdict.")
    parser.add_argument("--workers", type=int, default=1, help="episodes side by side (default 1)")
    parser.add_argument("--out", type=Path, help="folder for build, run and bundle (default: a new one)")
    options = parser.parse_args()
    out = options.out or _fast_folder(case.name)
    config = compiled(case, policy, out)
    backend = ScriptedBackend(
        load_policy(f"{case / 'agent.py'}:{policy}"), model=agent_name(policy), accepted=(agent_name(policy),)
    )
    bundle = run_audit(
        config,
        out / "run",
        backend=backend,
        workers=options.workers,
        web_fetcher=web_fetcher,
        progress=sys.stderr,
    )
    certificate = json.loads((bundle / "payload/certificate.json").read_text())
    replayed = verified(bundle)
    print("\n".join(figures(certificate)))
    alike = decided_alike(bundle, out, certificate["verdict"])
    print(f"bundle: {bundle}")
    return 0 if replayed and alike else 1


def agent_name(policy: str) -> str:
    """The model id under which a scripted agent is registered."""
    return f"scripted-{policy}"


def compiled(case: Path, policy: str, out: Path) -> Path:
    """Compile the case for its scripted agent into `out/build`, once; the path of its dcp-harness.json."""
    config = out / "build/runner/dcp-harness.json"
    if not config.exists():
        source = out / "source"
        shutil.copytree(case, source, ignore=shutil.ignore_patterns("__pycache__"))
        registration = source / "registration.dcp"
        registration.write_text(for_scripted_agent(registration.read_text(), policy))
        _command("dcp_lang", "compile", registration, "-o", out / "build")
        shutil.copytree(case / "private", out / "build/runner/private")
    return config


def for_scripted_agent(text: str, policy: str) -> str:
    """The registration with the scripted agent in place of its model, under a claim id of its own."""
    block = MODEL.format(name=agent_name(policy), policy=policy)
    text, models = re.subn(r"model \{.*?\n  \}", block, text, count=1, flags=re.DOTALL)
    text, ids = re.subn(r'(\n  id = "[^"]*)"', r'\1-offline"', text, count=1)
    assert models == ids == 1, "a registration has one id and one model block"
    return text


def verified(bundle: Path) -> bool:
    """Whether `dcp verify` replays the bundle."""
    report = json.loads(_command("dcp", "verify", bundle))
    return report["ok"] and report["kernel_replay_matches"]


def decided_alike(bundle: Path, out: Path, verdict: dict[str, str]) -> bool:
    """Whether `dcpc verify` comes to the same grades; fails where the bundle does not bind."""
    frozen, foretold = out / "build/registration.json", out / "build/runner/expected-contracts.json"
    sealed = out / "run/registration/contracts.json"
    record = _command(
        *("dcp_lang", "verify", bundle, "--registration", frozen, "--contracts", sealed),
        *("--contracts", foretold, "--json"),
    )
    decision = json.loads(record)["decision"]
    print(f"dcpc verify: {decision['outcome'].replace('_', ' ')}, bound to the registration")
    return [decision["core"], decision["evidence"]] == [verdict["core"], verdict["evidence"]]


def figures(certificate: dict[str, Any]) -> list[str]:
    """The figures that decided, and the outcome in the paper's words."""
    lines = [
        *_gate1(certificate["validity"]),
        *_gate2(certificate["validity"], certificate["no_feedback_recovery"]),
    ]
    if certificate.get("feedback_test"):
        lines += _gate3(certificate["feedback_test"])
    return [*lines, f"verdict: {outcome(certificate['verdict'])}"]


def _gate1(gate: dict[str, Any]) -> list[str]:
    return [f"target {gate['x']:.4f}, gain {gate['effect_mean']:.4f}, needed {gate['delta_min']:g}"]


def _gate2(target: dict[str, Any], gate: dict[str, Any]) -> list[str]:
    best, control = target["x"] + gate["best_control_margin"], gate["positive_control"]
    lines = [
        f"recovery line {target['x'] - target['epsilon']:.4f}, best challenger {best:.4f},"
        f" hits {gate['hits']}/{gate['n_started']}",
        f"positive controls {control['successes']}/{control['trials']}, recall at least {control['lcb']:.4f}",
    ]
    if gate["p_upper"] is not None:
        lines.append(f"recovery probability at most {gate['p_upper']:.4f}, allowed {gate['rho']:g}")
    return lines


def _gate3(gate: dict[str, Any]) -> list[str]:
    (low, high), (null_low, null_high) = gate["effect_ci"], gate["sham_delta_null_ci"]
    need = gate["delta_evidence"] + gate["delta_sham"]
    return [
        f"feedback effect {gate['effect_mean']:.4f} in [{low:.4f}, {high:.4f}], needed {need:g}",
        f"null contrast in [{null_low:.4f}, {null_high:.4f}], allowed ±{gate['delta_sham']:g}",
    ]


def outcome(verdict: dict[str, str]) -> str:
    """Evidence, Core, recovered, or why neither."""
    if verdict["evidence"] == "certified":
        return "Evidence"
    if verdict["core"] == "certified":
        return "Core"
    if verdict["core"] == "refuted":
        return "recovered, Core refuted" if "no-feedback recovery" in verdict["reason"] else "Core refuted"
    return verdict["core_inconclusive_class"].replace("_", " ")


def _command(module: str, *arguments: object) -> str:
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _fast_folder(name: str) -> Path:
    """A new folder, in memory where there is such a place: the harness syncs every record to disk."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix=f"dcp-{name}-", dir=memory if memory.is_dir() else None))
