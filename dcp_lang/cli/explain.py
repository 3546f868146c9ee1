"""`dcpc explain CODE` and `dcpc rules`"""

from __future__ import annotations

import click

from dcp_lang.language.fields import FIELDS, SECTION_TABLE, FieldSpec
from dcp_lang.language.names import resolve_name
from dcp_lang.language.types import type_text


@click.command("explain")
@click.argument("topic")
def command(topic: str) -> int:
    """Explain a code (`E203`), a rule's name, a field (`thresholds.epsilon`, `ε`) or a block (`gate recovery`)."""
    from dcp_lang.diagnostics.pages import load_page

    page = load_page(topic)
    if page is not None:
        click.echo(page.text.rstrip())
        return 0
    text = field_text(topic)
    if text is None:
        raise click.UsageError(f"there is no code, field or block `{topic}`; `dcpc rules` lists the codes")
    click.echo(text)
    return 0


def field_text(topic: str) -> str | None:
    """What the field table says of a field or block, or None."""
    path = topic.strip().replace(" ", ".")
    path = f"{path}.*" if f"{path}.*" in FIELDS else path  # the fields that the author names
    symbols = [s.path for s in FIELDS.values() if s.symbol == topic]
    rows = [FIELDS[p] for p in symbols or resolve_name(path)]
    if rows:
        return "\n\n".join(_row(r) for r in rows)
    if path in SECTION_TABLE and path:
        fields = "\n".join(f"  {f.name:<24} {f.doc}" for f in FIELDS.values() if f.section == path)
        return f"{path.replace('.', ' ')}\n\n{SECTION_TABLE[path].doc}\n\n{fields}"
    return None


def _row(spec: FieldSpec) -> str:
    lines = [
        f"{spec.path}" + (f"  ({spec.symbol})" if spec.symbol else ""),
        "",
        spec.doc,
        "",
        f"  takes     {type_text(spec.type)}",
        f"  presence  {spec.presence}",
    ]
    if spec.kernel:
        lines.append(f"  kernel    {spec.kernel}")
    if spec.paper:
        lines.append(f"  paper     {spec.paper}")
    return "\n".join(lines)


@click.command("rules")
def rules() -> int:
    """List every rule: code, severity, name."""
    from dcp_lang.diagnostics.pages import all_pages

    for page in all_pages():
        click.echo(f"{page.code}  {page.slug:<36} {page.summary}")
    return 0
