"""What to say about the thing under the pointer, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from dcp_lang.diagnostics.pages import Page, all_pages
from dcp_lang.driver import Compilation
from dcp_lang.editing.fixes import own_findings
from dcp_lang.editing.names import occurrence_at
from dcp_lang.editing.outline import NOWHERE, Node, nodes_at, outline, walk
from dcp_lang.language.fields import SECTION_TABLE, FieldSpec, find_field
from dcp_lang.language.types import ChoiceType, EitherType, FieldType, ListType, Option, type_text
from dcp_lang.language.units import find_unit
from dcp_lang.language.values import value_text
from dcp_lang.sema.examples import declared_name
from dcp_lang.sema.materials import MaterialError
from dcp_lang.source import Span
from dcp_lang.syntax import ast
from dcp_lang.syntax.spelling import expression_text

_KEYWORDS = {
    "require": "**require** *condition* [**when** *guard*] [**else** *message*]\n\nA condition of your own, "
    "decided like the built-in rules: proved, refuted, deferred to the verifier, or entailed by a gate.",
    "allow": '**allow** CODE **because** "…"\n\nWaives a finding; the reason is frozen with the registration.',
    "use": "**use** *profile*\n\nPuts the rules of a profile in force: one that is shipped, or an authority's file.",
    "dcp": "**dcp** *edition*\n\nThe edition of the language, the first statement of every file.",
    "auto": "**auto**\n\nComputed by the planner, exactly, and frozen as computed.",
}


_UNKNOWN_SCORE = (
    "**x**\n\nThe target's score, unknown before the run: what a condition says of it is entailed by a gate, or "
    "deferred to the verifier."
)


class Hover(NamedTuple):
    """Markdown about a stretch of text."""

    text: str
    span: Span


def hover(compilation: Compilation, offset: int) -> Hover | None:
    """The innermost thing at a place that there is something to say about; findings there come last."""
    found = next(_candidates(compilation, offset), None)
    findings = [d for d in own_findings(compilation) if d.span.start <= offset <= d.span.end]
    pages = [_finding(page) for page in map(_page, dict.fromkeys(d.code for d in findings)) if page]
    if found is None and not pages:
        return None
    span = found.span if found else findings[0].span
    return Hover("\n\n---\n\n".join([*([found.text] if found else []), *pages]), span)


def field_markdown(spec: FieldSpec, path: str, compilation: Compilation | None = None) -> str:
    """The row of a field: its names, sentence, value here, range, paper reference."""
    title = f"**{_title(spec, path)}** · `{path}`"
    facts = [f"Takes {type_text(spec.type)} ({_presence(spec)})"]
    if value := compilation and _value(compilation, path):
        facts.insert(0, value)
    if spec.paper:
        facts.append(f"Paper: {spec.paper}")
    if spec.kernel:
        facts.append(f"Kernel: `{spec.kernel}`")
    return "\n\n".join([title, spec.doc, "  \n".join(facts)])


def _title(spec: FieldSpec, path: str) -> str:
    """How a registration speaks of a field: by its symbol, or as it is declared, a role by the author's name."""
    name = spec.symbol or declared_name(spec)
    own = path.rpartition(".")[2]
    return name.removesuffix("name") + own if spec.name == "*" and own != "*" else name


def section_markdown(path: str) -> str:
    """What a block is for."""
    section = SECTION_TABLE[path]
    return f"**{path.replace('.', ' ') or 'registration'}** ({section.presence})\n\n{section.doc}"


def _candidates(compilation: Compilation, offset: int) -> Iterator[Hover]:
    around = nodes_at(outline(compilation), offset)
    if not around:
        return
    node = around[-1]
    if node.head_span.start <= offset <= node.head_span.end and (text := _head(compilation, node)):
        yield Hover(text, node.head_span)
    yield from _mention(compilation, offset)
    parts = [p for p in walk(node.statement) if p.span.start <= offset <= p.span.end]
    for part in sorted(parts, key=lambda p: p.span.end - p.span.start):
        if text := _part(compilation, node, part):
            yield Hover(text, part.span)
    word = type(node.statement).__name__.lower()
    keyword = _KEYWORDS.get("dcp" if word == "edition" else word)
    if keyword:
        yield Hover(keyword, node.span)


def _head(compilation: Compilation, node: Node) -> str:
    if node.kind != "field":
        return section_markdown(node.path) if node.path in SECTION_TABLE else ""
    spec = None if node.path == NOWHERE else find_field(node.path)
    return field_markdown(spec, node.path, compilation) if spec else ""


def _mention(compilation: Compilation, offset: int) -> Iterator[Hover]:
    mention = occurrence_at(compilation, offset)
    if mention is None:
        return
    path = mention.key.removeprefix("label:")
    spec = find_field(path)
    if path == "target.score" and not _value(compilation, path):
        yield Hover(_UNKNOWN_SCORE, mention.span)
    elif spec is not None:
        yield Hover(field_markdown(spec, path, compilation), mention.span)


def _part(compilation: Compilation, node: Node, part: object) -> str:
    match part:
        case ast.Auto():
            value = _value(compilation, node.path)
            return _KEYWORDS["auto"] + (f"\n\n{value}" if value else "")
        case ast.Quantity():
            return _quantity(part)
        case ast.Call(ast.Word("file"), (ast.Argument(None, ast.Text(path)), *_)):
            return _file(compilation, path)
        case ast.Argument(ast.Word(name)):
            return _parameter(node, name)
        case ast.Word(name) | ast.Name((ast.Word(name),)):
            return _word(node, name)
        case ast.Binary() | ast.Unary():
            return _value(compilation, node.path)
        case _:
            return ""


def _quantity(quantity: ast.Quantity) -> str:
    unit = find_unit(quantity.unit.text)
    if unit is None:
        return ""
    value = value_text(quantity.number.value * unit.factor)
    about = f"{unit.dimension}, {value} {unit.base}"
    return f"**{expression_text(quantity)}**: {about if unit.base != unit.dimension else 'a number of ' + unit.base}"


def _file(compilation: Compilation, path: str) -> str:
    """What a file or folder commits to, as it is now."""
    try:
        found = compilation.workspace.material(path, folder=True)
    except MaterialError as error:
        return f"`{path}`: {error.message}"
    size = f"{len(found.files)} files" if found.kind == "folder" else f"{found.size} bytes"
    return f"`{path}`: {size}, committed by its digest\n\n`{found.sha256}`"


def _parameter(node: Node, name: str) -> str:
    """A parameter of an alternative, by its name."""
    spec = None if node.path == NOWHERE else find_field(node.path)
    known = [p for o in options(spec.type) for p in o.parameters if p.name == name] if spec else []
    return f"**{name}**: {type_text(known[0].type)}" if known else ""


def _word(node: Node, name: str) -> str:
    """A unit, or an alternative of the field's choice."""
    spec = None if node.path == NOWHERE else find_field(node.path)
    option = next((o for o in options(spec.type) if o.name == name), None) if spec else None
    if option is not None:
        parameters = "\n".join(f"* `{p.name}`: {type_text(p.type)}" for p in option.parameters)
        about = [option.doc, parameters] if option.doc or parameters else [spec.doc if spec else ""]
        return "\n\n".join(filter(None, [f"**{option.name}**", *about]))
    return ""


def options(kind: FieldType) -> list[Option]:
    """Every alternative that a value may be made of, those inside lists and parameters included."""
    match kind:
        case ChoiceType(alternatives):
            inner = [o for a in alternatives for p in a.parameters for o in options(p.type)]
            return [*alternatives, *inner]
        case ListType(item):
            return options(item)
        case EitherType(first, second):
            return options(first) + options(second)
        case _:
            return []


def _presence(spec: FieldSpec) -> str:
    if spec.default is not None:
        return f"default `{value_text(spec.default)}`"
    return {"auto": "computed when left out", "evidence": "required at grade evidence"}.get(
        spec.presence, spec.presence
    )


def _value(compilation: Compilation, path: str) -> str:
    """The value that a field has in this registration, and where it comes from."""
    if compilation.analysis is None or not compilation.analysis.registration.has(path):
        return ""
    entry = compilation.analysis.registration.entries[path]
    return f"Value: `{_clipped(value_text(entry.value))}` ({entry.origin})"


def _clipped(text: str) -> str:
    line = " ".join(text.replace("`", "'").split())
    return line if len(line) <= 80 else line[:79] + "…"


@cache
def _pages() -> dict[str, Page]:
    return {page.code: page for page in all_pages()}


def _page(code: str) -> Page | None:
    return _pages().get(code)


def _finding(page: Page) -> str:
    does, instead = page.sections["What it does"], page.sections["Use instead"]
    return f"**{page.code} {page.slug}**\n\n{does}\n\n{instead}\n\n*{page.sections['Reference']}*"
