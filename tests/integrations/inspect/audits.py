"""The toy audit compiled for Inspect AI, cut down to a few episodes, and its scripted agents as models."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from dcp_lang.integrations.inspect_ai.audit import Audit
from dcp_lang.integrations.inspect_ai.bundle import write_bundle
from dcp_lang.integrations.inspect_ai.run import run_stages
from dcp_lang.integrations.inspect_ai.scorer import score_audit
from dcp_lang.integrations.inspect_ai.scripted import scripted_model
from dcp_lang.integrations.load import load_file

from ..conftest import FEW, TOY, compile_case, cut_down, edit

MODEL = "mockllm/scripted-seeker"
#: What a Core registration has not, as regular expressions over the toy's text, and what it has instead.
CORE_ONLY = {
    " : evidence ": " : core ",
    r"    δ_evidence = .*\n    δ_sham = .*\n": "",
    r"errors 5% \{[^}]*\}": "errors 5% { main = 0.5%, score = 0.5%, recovery = 3.4%, adequacy = 0.5% }",
    r"  gate feedback \{(.|\n)*?\n  \}\n": "",
    r"  policy (truthful|neutral|reference_null) .*\n": "",
    r"attestations = \[[^\]]*\]": "attestations = [iterative_lineage_eligible, lineage_dataflow_audit_pass,"
    " symmetric_verifier_pass, inference_assumptions_pass, materials_readable, opportunity_floor_met]",
}
CORE = {"audit": {"grade": "core"}}


def registration_text() -> str:
    """The toy's registration for Inspect: another model name, one more tool, two more turns to look around."""
    text = (TOY / "registration.dcp").read_text()
    changes = {
        'id = "scripted-seeker"': f'id = "{MODEL}"',
        'requested = "scripted-seeker"': f'requested = "{MODEL}"',
        "one call per turn; no model": "in Inspect AI; no model",
        "[read, write, experiment]": "[read, write, glob, experiment]",
        "turns = 4": "turns = 6",
    }
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def core_text() -> str:
    """The same as a Core registration; its least numbers are 66 challengers and 24 controls."""
    text = registration_text()
    for pattern, new in CORE_ONLY.items():
        text, count = re.subn(pattern, new, text)
        assert count
    return text


def compiled_core(folder: Path) -> Path:
    """`runner/` of the Core registration, not cut down."""
    return compile_case(folder, {"registration.dcp": core_text()}, ["inspect"]) / "runner"


@cache
def _compiled() -> Path:
    return compile_case(Path(mkdtemp()), {"registration.dcp": registration_text()}, ["inspect"])


def build(folder: Path, kernel: Any = None, audit: Any = None) -> Path:
    """`runner/` of the toy in `folder`, cut down to `FEW` episodes with the given changes."""
    shutil.copytree(_compiled(), folder / "build")
    return cut(folder / "build/runner", kernel, audit)


def cut(home: Path, kernel: Any = None, audit: Any = None) -> Path:
    """`cut_down` for the files of both targets."""
    cut_down(home / "dcp-harness.json", kernel, audit)
    fixed = json.loads((home / "compiled.json").read_text())["fixed"]
    counts = FEW | (audit or {})
    paired = counts.get("grade") != "core"
    few = {
        "challengers": counts["challenger_episodes"],
        "positive_controls": counts["positive_control_episodes"],
        "feedback_pairs": counts["feedback_pairs"] if paired else 0,
        "null_pairs": counts["sham_pairs"] if paired else 0,
    }
    edit(home / "inspect.json", lambda d: (d["kernel"].update(fixed), d["counts"].update(few)))
    return home


def policy(name: str) -> Any:
    """A scripted agent of the toy, or of the audits that go wrong."""
    own = Path(__file__).with_name("agents.py")
    return getattr(load_file(own if hasattr(load_file(own), name) else TOY / "agent.py"), name)


def run(home: Path, agent: str = "seeker") -> Audit:
    """All stages, unscored."""
    audit = Audit(home, home.parent.parent / "logs")
    run_stages(audit, scripted_model(policy(agent), MODEL))
    return audit


def finish(audit: Audit) -> Path:
    """Score and write the bundle; the output folder."""
    score_audit(audit)
    out = audit.logs.parent / "out"
    write_bundle(audit, out)
    return out


def payload(out: Path, name: str) -> Any:
    return json.loads((out / "bundle/payload" / f"{name}.json").read_text())


def disclosed(out: Path) -> Any:
    return json.loads((out / "disclosure.json").read_text())
