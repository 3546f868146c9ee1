"""The preregistration document: a view of the frozen registration. Every number in it is found in the JSON."""

from __future__ import annotations

from typing import Any


def preregistration_markdown(frozen: dict[str, Any], sha256: str) -> str:
    """The document in Markdown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from dcp_lang.resources import template_dir

    environment = Environment(loader=FileSystemLoader(template_dir()), undefined=StrictUndefined, autoescape=False)
    fields = frozen["fields"]
    rows = [{"name": p, "value": e["value"]} for p, e in fields.items() if not isinstance(e["value"], (dict, list))]
    rows.append({"name": "digest", "value": sha256})
    template = environment.get_template("preregistration.md.j2")
    return template.render(title=fields["title"]["value"], claim=fields["claim"]["value"], rows=rows)
