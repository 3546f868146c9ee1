"""E704 to E708: what dcp-harness refuses when it loads its configuration."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report

from dcp_lang.canonical import number_text
from dcp_lang.language.values import Amount, Choice

IMAGE = Rule("E704", "docker-without-image", "error", "docker execution names no container image")
BYTES = Rule("E705", "delivered-above-raw", "error", "the gateway would deliver more bytes than it may fetch")
MEMORY = Rule("E706", "memory-too-small", "error", "the runner needs at least 512 MB of memory for a session")
CPUS = Rule("E707", "too-little-cpu", "error", "the runner needs at least a tenth of a processor")
MODELS = Rule("E708", "requested-model-empty", "error", "a model id is blank")
RULES = (IMAGE, BYTES, MEMORY, CPUS, MODELS)

_MEGABYTE = 2**20


def check(reg: TypedRegistration, report: Report) -> None:
    """The loader's own conditions (dcp-harness 0.1.1, `load_config`)."""
    interface = reg.choice("model.interface")
    if interface.name == "claude_code" and interface.argument("execution").name == "docker" and not interface.get("image"):
        report.add(IMAGE, "model.interface", "`claude_code(execution = docker)` has no image", label="needs `image = \"…@sha256:…\"`", help="name the image by its digest")
    for path, entry in reg.entries.items():
        if path.startswith("information.web.") and isinstance(entry.value, Choice):
            _bytes(report, path, entry.value)
    memory = reg.amount("budget.session.memory").number
    if memory < 512 * _MEGABYTE:
        report.add(MEMORY, "budget.session.memory", f"memory is {number_text(memory / _MEGABYTE)} MiB, but the runner needs 512 MiB", label="needs 512 MiB", help="write `memory = 512 MiB` or more")
    if reg.number("budget.session.cpus") * 10 < 1:
        report.add(CPUS, "budget.session.cpus", f"cpus is {number_text(reg.number('budget.session.cpus'))}, but the runner needs 0.1", label="needs 0.1", help="write `cpus = 0.1` or more")
    for path in ("model.id", "model.requested"):
        if not reg.text(path).strip():
            report.add(MODELS, path, f"`{path.rpartition('.')[2]}` is blank", help="name the model")


def _bytes(report: Report, path: str, web: Choice) -> None:
    raw, delivered = web.get("raw"), web.get("delivered")
    if isinstance(raw, Amount) and isinstance(delivered, Amount) and delivered.number > raw.number:
        report.add(BYTES, path, f"delivered is {number_text(delivered.number)} B, but raw is {number_text(raw.number)} B", label=f"needs delivered <= {number_text(raw.number)} B", help="raise raw or lower delivered")
