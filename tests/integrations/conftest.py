"""A toy audit, compiled by the real compiler, then cut down to the few sessions that a test has time for."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import pytest
from foretold import foretell

from dcp_lang.canonical import StrictJsonError
from dcp_lang.driver import Compilation
from dcp_lang.emit.build import build_files
from dcp_lang.emit.writer import write_build
from dcp_lang.integrations.compiled import path_digest
from dcp_lang.source import SourceFile
from dcp_lang.workspace import DiskWorkspace

TOY = Path(__file__).parent / "toy"
MODEL = "scripted-seeker"

#: Far fewer sessions than the compiler allows: no such audit can certify, but every mechanism is in it.
FEW = {
    "challenger_episodes": 3,
    "positive_control_episodes": 2,
    "feedback_pairs": 2,
    "sham_pairs": 2,
    "max_feedback_pair_replacements": 0,
    "max_sham_pair_replacements": 0,
}


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    """Apply `change` to a JSON file."""
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value, indent=1))


def compile_into(
    folder: Path,
    kernel: Any = None,
    audit: Any = None,
    checkpoint: Any = None,
    files: Any = None,
    targets: tuple[str, ...] = (),
) -> Path:
    """Compile the toy into `folder/build` and return its dcp-harness.json.

    `files` replaces texts of the case before it is compiled; `kernel`, `audit` and `checkpoint` change the
    compiled registration, and `audit` the harness's configuration with it.
    """
    if files is None and not targets:
        shutil.copytree(_compiled_toy(), folder / "build")
    else:
        compile_case(folder, files or {}, targets)
    return cut_down(folder / "build/runner/dcp-harness.json", kernel, audit, checkpoint)


@cache
def _compiled_toy() -> Path:
    """The toy as it stands, compiled once for all tests."""
    return compile_case(Path(mkdtemp()), {})


def compile_case(folder: Path, files: dict[str, str], targets: Iterable[str] = ()) -> Path:
    """Compile the toy with some files replaced into `folder/build`, whole."""
    case = folder / "toy"
    shutil.copytree(TOY, case, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in files.items():
        (case / name).write_text(text)
    text = (case / "registration.dcp").read_text()
    for digit, name in (("1", "private/evaluator.py"), ("2", "private/units.json")):
        text = re.sub(f"sha256:{digit}{{64}}", path_digest(case, name), text)
    compile_text(text, case, folder / "build", targets)
    return folder / "build"


def compile_text(text: str, case: Path, out: Path, targets: Iterable[str] = ()) -> Path:
    """Compile a registration in the folder `case`, put its sealed files in place, return its
    dcp-harness.json.
    """
    compilation = Compilation(SourceFile("registration.dcp", text), DiskWorkspace(str(case)))
    errors = [found.message for found in compilation.diagnostics if found.is_error]
    assert compilation.is_sound and compilation.analysis is not None, errors
    read = compilation.workspace.bytes
    write_build(out, build_files(compilation.analysis, compilation.waivers, read, targets=targets))
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(case / "private", out / "runner/private", ignore=ignored)
    return out / "runner/dcp-harness.json"


def cut_down(config: Path, kernel: Any = None, audit: Any = None, checkpoint: Any = None) -> Path:
    """Reduce a compiled audit to `FEW` sessions, with the given changes."""
    counts = FEW | (audit or {})
    edit(config, lambda document: document["audit"].update(counts))
    edit(
        config.with_name("compiled.json"),
        lambda document: _reduce(document, counts, kernel or {}, checkpoint),
    )
    with suppress(StrictJsonError):  # a registration that cannot be read foretells nothing
        foretell(config)
    return config


def _reduce(document: Any, counts: dict[str, Any], kernel: dict[str, Any], checkpoint: Any) -> None:
    fixed = document["fixed"]
    document["config"]["audit"].update(counts)
    document["checkpoint"] = checkpoint or document["checkpoint"]
    fixed["notes"]["dcp_lang"].update(
        challengers=counts["challenger_episodes"], positive_controls=counts["positive_control_episodes"]
    )
    limits = counts["max_feedback_pair_replacements"], counts["max_sham_pair_replacements"]
    fixed |= {
        "grade_requested": counts.get("grade", "evidence"),
        "min_n_ind": 2,
        "registered_n_feedback_pairs": counts["feedback_pairs"],
        "registered_n_sham_pairs": counts["sham_pairs"],
        "max_feedback_pair_replacements": limits[0],
        "max_sham_pair_replacements": limits[1],
        "gate3_pair_replacement_policy": "preaction_transport_pair_replacement_v1" if any(limits) else "none",
    } | kernel
    document["fixed"] = fixed


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """A temporary folder, in memory where there is such a place: the harness forces every file to disk."""
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Overrides pytest's folder for these tests."""
    with folder_in_memory() as folder:
        yield folder


@pytest.fixture(scope="session")
def compile_toy_in() -> Callable[..., Path]:
    """`compile_into`, for fixtures that choose their own folder."""
    return compile_into


@pytest.fixture
def compile_toy(tmp_path: Path) -> Callable[..., Path]:
    """`compile_into` the test's own folder."""
    return partial(compile_into, tmp_path)


def sessions_under_way(run: Path) -> set[str]:
    """Challengers whose agent was started, just after its prompt was written, and has not returned.

    One that returned with a committed `finish` is not lost, though its turn may not be recorded yet.
    """
    prompts = run.glob("episodes/challenge/*/turns/001/prompt.txt")
    begun = [prompt for prompt in prompts if prompt.stat().st_size]
    return {prompt.parents[2].name for prompt in begun if not prompt.with_name("agent_result.json").exists()}
