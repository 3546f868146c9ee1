"""What may be written where the cursor stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dcp_lang.driver import Compilation
from dcp_lang.editing.context import Context, context_at, opened_text
from dcp_lang.editing.hover import field_markdown, section_markdown
from dcp_lang.editing.outline import NOWHERE
from dcp_lang.editing.paths import entries
from dcp_lang.editing.skeleton import block_lines, registration_lines
from dcp_lang.language.fields import FIELDS, SECTION_TABLE, FieldSpec, fields_of
from dcp_lang.language.types import (
    ChoiceType,
    CountType,
    EitherType,
    FieldType,
    ListType,
    MaterialType,
    NumberType,
    Option,
    QuantityType,
    TextType,
    type_text,
)
from dcp_lang.language.units import CURRENCIES, find_unit, unit_words
from dcp_lang.resources import profile_names
from dcp_lang.sema.examples import declared_name, field_example, value_example
from dcp_lang.sema.quantities import COMPUTED, TOTALS, symbols
from dcp_lang.sema.rules import ALL_RULES
from dcp_lang.source import Span
from dcp_lang.syntax import tables

_ESCAPE = re.compile(r"\\([\\$}])")
#: An escaped character, or a gap with what is proposed for it.
_SNIPPET = re.compile(r"\\([\\$}])|\$\{\d+(?::((?:\\.|[^}])*))?\}")


class Suggestion(NamedTuple):
    """One offer: its label and kind (a name of the protocol's), what it inserts in snippet syntax, and why.

    Lower `rank` comes first.
    """

    label: str
    kind: str
    snippet: str
    detail: str = ""
    documentation: str = ""
    rank: int = 1


class Completion(NamedTuple):
    """The offers, and the text that each of them replaces."""

    suggestions: tuple[Suggestion, ...]
    span: Span


def complete(compilation: Compilation, offset: int) -> Completion:
    """Everything that fits at a place; inside texts only names of files and profiles, nothing inside comments."""
    opened = opened_text(compilation.source.text, offset)
    if opened is not None:
        return _completed_text(compilation, *opened)
    context = context_at(compilation.source.text, offset)
    found = () if context.in_text else tuple(_suggestions(compilation, context))
    return Completion(tuple({s.label: s for s in reversed(found)}.values())[::-1], context.word)


def _completed_text(compilation: Compilation, context: Context, before: Span) -> Completion:
    """The name of a file or profile, where a text is one; of a path its last step is replaced."""
    inner, is_use = context.frames[-1], context.block.head[:1] == ("use",)
    typed = compilation.source.text[before.start : before.end]
    if inner.function == "file" and inner.position == 0:
        folder = typed[: typed.rfind("/") + 1]
        found = tuple(_paths(compilation, folder, ".dcp" if is_use else ""))
        return Completion(found, Span(before.start + len(folder), before.end))
    names = profile_names() if is_use and inner is context.block else ()
    return Completion(
        tuple(Suggestion(n, "module", plain(n), "a profile that is shipped") for n in names), before
    )


def _paths(compilation: Compilation, folder: str, ending: str) -> Iterator[Suggestion]:
    for name, is_folder in entries(compilation, folder):
        if is_folder:
            yield Suggestion(f"{name}/", "folder", plain(f"{name}/"), "folder")
        elif name.endswith(ending):
            yield Suggestion(name, "file", plain(name), "file")


def _suggestions(compilation: Compilation, context: Context) -> Iterator[Suggestion]:
    block = context.block
    statement = block.head[:1]
    if context.before == tables.NUMBER:
        yield from _units(context)
    elif statement and statement[0] in ("require", "use", "allow") and not block.is_value:
        yield from _keyword_statement(statement[0])
    elif block.is_value or context.calls:
        yield from _values(compilation, context)
    elif block.section == NOWHERE:
        yield from _outside(compilation) if len(context.frames) == 1 and not block.head else ()
    else:
        yield from _statements(compilation, block.section, block.head)


def plain(text: str) -> str:
    """A text in snippet syntax."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def filled_in(snippet: str) -> str:
    """The text of a snippet whose every gap is left as it is proposed."""
    return _SNIPPET.sub(lambda part: part[1] or _ESCAPE.sub(r"\1", part[2] or ""), snippet)


# Statements


def _outside(compilation: Compilation) -> Iterator[Suggestion]:
    if not compilation.file.statements:
        yield Suggestion("dcp 1", "keyword", "dcp 1\n", "the edition", rank=0)
    yield Suggestion("use", "keyword", 'use "${1:dcp.kernel/2}"', "put a profile in force")
    for grade in ("core", "evidence"):
        lines = registration_lines(grade)
        yield Suggestion(
            f"registration : {grade}",
            "snippet",
            plain("\n".join(lines)) + "\n",
            f"a whole registration of grade {grade}",
            section_markdown(""),
        )


def _statements(compilation: Compilation, section: str, head: tuple[str, ...]) -> Iterator[Suggestion]:
    """Fields and blocks that the section lacks and that begin with the words that stand there."""
    fields, blocks, grade = _present(compilation)
    start = " ".join(head) + " " if head else ""
    for spec in _rows(section):
        name = declared_name(spec)
        if spec.path not in fields and spec.path not in SECTION_TABLE and name.startswith(start):
            yield _field(spec, name[len(start) :])
    for path, block in SECTION_TABLE.items():
        name = path.replace(".", " ") if not section else path.removeprefix(section + ".")
        is_here = path.startswith(section + ".") if section else not block.prose and path.count(".") < 2
        if path and is_here and path not in blocks and name.startswith(start):
            snippet = plain("\n".join(block_lines(block, grade)))
            rank = 0 if block.presence in ("required", grade) else 2
            yield Suggestion(
                name[len(start) :],
                "class",
                snippet[len(start) :],
                f"block, {block.presence}",
                section_markdown(path),
                rank,
            )
    if not section and not head:
        yield Suggestion("require", "keyword", "require ${1:ε < δ_min}", "a condition of your own", rank=3)
        yield Suggestion("allow", "keyword", 'allow ${1:CODE} because "${2:why}"', "waive a finding", rank=3)


def _present(compilation: Compilation) -> tuple[set[str], set[str], str]:
    """Fields and blocks that are there, and the grade."""
    if compilation.analysis is None:
        return set(), set(), "core"
    resolved = compilation.analysis.registration.resolved
    return set(resolved.fields), set(resolved.sections), resolved.grade


def _rows(section: str) -> Iterator[FieldSpec]:
    """The fields of a section, the roles of the author's own labels (`given …`) among them."""
    yield from (f for f in fields_of(section) if f.name not in ("*", "total") and not _is_label(f))
    start = section + "." if section else ""
    yield from (f for f in FIELDS.values() if f.name == "*" and f.section.rpartition(".")[0] + "." == start)


def _is_label(spec: FieldSpec) -> bool:
    return bool(spec.section) and spec.name == "name" and SECTION_TABLE[spec.section].label == "word"


def _field(spec: FieldSpec, name: str) -> Suggestion:
    """A declaration; `name` is what is to be written of its name, of a role's with a name of the author's last."""
    own = name if spec.name != "*" else name.removesuffix("name") + "${1:name}"
    value = field_example(spec).partition(" = ")[2]
    return Suggestion(
        name.removesuffix(" name") if spec.name == "*" else name,
        "property",
        f"{own} = ${{2:{plain(value)}}}",
        f"{type_text(spec.type)}; {spec.presence}",
        field_markdown(spec, spec.path),
        0 if spec.presence in ("required", "evidence") else 2,
    )


# Values


def _values(compilation: Compilation, context: Context) -> Iterator[Suggestion]:
    spec = context.field
    if spec is None:
        return
    if spec.may_be_auto and not context.calls:
        yield Suggestion("auto", "keyword", "auto", "computed by the planner", rank=0)
    yield from _parameters(spec.type, context)
    if context.expected is not None:
        yield from _of_type(context.expected)
        if isinstance(context.expected, NumberType) and not context.calls:
            yield from _numbers(compilation, spec)


def _parameters(kind: FieldType, context: Context) -> Iterator[Suggestion]:
    """The parameters of the call that the cursor stands in."""
    call = context.calls[-1] if context.calls else None
    if call is None or call.bracket != "(" or call.is_value:
        return
    outer = context._replace(frames=context.frames[:-1]).expected
    option = outer.find(call.function) if isinstance(outer, ChoiceType) else None
    for parameter in option.parameters if option else ():
        snippet = f"{parameter.name} = ${{1:{plain(value_example(parameter.type))}}}"
        yield Suggestion(parameter.name, "variable", snippet, type_text(parameter.type))


def _of_type(kind: FieldType) -> Iterator[Suggestion]:
    match kind:
        case ChoiceType(options):
            yield from (_option(o) for o in options)
        case ListType(item):
            yield Suggestion("[…]", "snippet", f"[${{1:{plain(value_example(item))}}}]", type_text(kind))
        case EitherType(first, second):
            yield from _of_type(first)
            yield from _of_type(second)
        case MaterialType(file, folder, sealed):
            if file or folder:
                yield Suggestion('file("…")', "function", 'file("${1}")', "committed by its digest")
            if sealed:
                yield Suggestion('sealed("sha256:…")', "function", 'sealed("sha256:${1}")', "never opened")
        case TextType() | CountType() | QuantityType() | NumberType():
            yield Suggestion(value_example(kind), "value", plain(value_example(kind)), type_text(kind))


def _option(option: Option) -> Suggestion:
    needed = [p for p in option.parameters if p.default is None and not p.optional]
    places = (f"{p.name} = ${{{i}:{plain(value_example(p.type))}}}" for i, p in enumerate(needed, 1))
    snippet = option.name + (f"({', '.join(places)})" if needed else "")
    return Suggestion(option.name, "enumMember", snippet, option.doc, rank=0)


def _numbers(compilation: Compilation, spec: FieldSpec) -> Iterator[Suggestion]:
    """Numbers declared in the same block: a field may be computed from them."""
    present = _present(compilation)[0]
    for other in fields_of(spec.section):
        if other.path in present and other.path != spec.path and isinstance(other.type, NumberType):
            name = other.symbol or other.name
            yield Suggestion(name, "property", name, other.doc)


def _units(context: Context) -> Iterator[Suggestion]:
    kind = context.expected
    dimension = (
        kind.dimension if isinstance(kind, QuantityType) else kind.noun if isinstance(kind, CountType) else ""
    )
    for word in unit_words():
        unit = find_unit(word)
        if unit is not None and dimension in ("", unit.dimension):
            common = word not in CURRENCIES or word in ("USD", "EUR", "GBP", "CHF", "JPY")
            yield Suggestion(word, "unit", word, unit.dimension, rank=1 if common else 2)


# Conditions, profiles, waivers


def _keyword_statement(keyword: str) -> Iterator[Suggestion]:
    if keyword == "use":
        for name in profile_names():
            yield Suggestion(f'"{name}"', "module", f'"{name}"', "a profile that is shipped")
        yield Suggestion('file("…")', "function", 'file("${1}")', "an authority's own profile")
    elif keyword == "allow":
        yield from _waivable()
    else:
        yield from _conditions()


def _waivable() -> Iterator[Suggestion]:
    for rule in ALL_RULES:
        if rule.waivable or rule.severity != "error":
            snippet = f'{rule.code} because "${{1:why}}"'
            yield Suggestion(rule.code, "enumMember", snippet, rule.name, rule.summary)


def _conditions() -> Iterator[Suggestion]:
    yield Suggestion("x", "property", "x", "the target's score")
    yield Suggestion("score", "function", "score(${1:b})", "the baseline's score")
    yield from (
        Suggestion(name, "property", name, "computed by the planner") for name in (*COMPUTED, *TOTALS)
    )
    for spec in FIELDS.values():
        if spec.name != "*" and spec.section != "target" and spec.path != "baseline.score":
            name = spec.symbol if spec.section == "thresholds" and spec.symbol else spec.path
            yield Suggestion(name, "property", name, spec.doc, rank=2)
    for word in ("when", "else", "and", "or", "not", "contains", "within"):
        yield Suggestion(word, "keyword", word, rank=3)
    for word in sorted(symbols()):
        yield Suggestion(word, "enumMember", word, "an alternative of a choice", rank=4)
