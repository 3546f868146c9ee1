"""The decision as files: canonical `decision.json`, `decision.md`, self-contained `decision.html`."""

import json
from html import escape
from pathlib import Path
from typing import Any

from dcp_lang.canonical import canonical_bytes, digest
from dcp_lang.resources import template_dir
from dcp_lang.verify.decision import DecisionRecord
from dcp_lang.verify.panels import effect_panel, null_panel, score_panel
from dcp_lang.verify.view import OUTCOMES, sections

_PANELS = {"recovery": score_panel, "feedback": effect_panel, "calibration": null_panel}


def report_files(record: DecisionRecord) -> dict[str, bytes]:
    """File name to bytes; the same record gives the same bytes."""
    data = record.as_json()
    frozen = canonical_bytes(data)
    page = _page(data, digest(frozen))
    return {
        "decision.json": frozen,
        "decision.md": _render("decision.md.j2", page),
        "decision.html": _render("decision.html.j2", page),
    }


def decision_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `decision.json`."""
    schema: dict[str, Any] = json.loads(Path(__file__).with_name("decision.schema.json").read_bytes())
    return schema


def _page(data: dict[str, Any], sha256: str) -> dict[str, Any]:
    """What the templates show; they compute nothing."""
    from markupsafe import Markup

    parts = list(sections(data))
    quantities = data["quantities"] or {}
    drawn = {name: draw(quantities) for name, draw in _PANELS.items()}
    # The panels are our own markup around escaped labels; the template escapes everything else.
    return {
        "title": OUTCOMES[data["decision"]["outcome"]],
        "claim": quantities["scope"]["claim"] if quantities else "unknown",
        "parts": parts,
        "panels": {name: Markup(svg) for name, svg in drawn.items() if svg},
        "sha256": sha256,
    }


def _render(name: str, page: dict[str, Any]) -> bytes:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(template_dir()),
        undefined=StrictUndefined,
        autoescape=name.endswith(".html.j2"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["cell"] = markdown_cell
    return environment.get_template(name).render(page).encode("utf-8")


def markdown_cell(text: str) -> str:
    """Text for one cell of a Markdown table: no markup of its own, on one line."""
    flat = " ".join(text.split())
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#!~" else char for char in escape(flat, quote=False))
