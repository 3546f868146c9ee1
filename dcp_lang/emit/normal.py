"""The normal form of a registration: its source in canonical order, evaluated, without comments or defaults.

Layout, comments, order of declarations, spelling of numbers and the way a value was computed all vanish; any
value stays. Compiling the normal form gives the same registration again, which is what makes the frozen JSON
re-derivable from itself.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.language.fields import SECTION_TABLE, SECTIONS, SectionSpec, find_field
from dcp_lang.language.types import ChoiceType, EitherType, FieldType, ListType, Parameter
from dcp_lang.language.values import Amount, Choice, Material, Value
from dcp_lang.sema.model import Entry, TypedRegistration
from dcp_lang.sema.profile import Profile
from dcp_lang.syntax import ast
from dcp_lang.syntax.spelling import expression_text

_INDENT = "  "
#: Parameters written as infix words: `maximize("…") on [0, 1]`, `length within 10%`.
_INFIX = ("on", "within")


def normal_source(reg: TypedRegistration) -> str:
    """The normal form as text of the language, ending with a newline."""
    lines = [f"dcp {reg.resolved.edition}"]
    lines += [f"use {quoted(p.name)}" for p in ordered_profiles(reg)]
    lines.append(f"registration {reg.name} : {reg.grade} {{")
    written = {p: e for p, e in reg.entries.items() if e.origin in ("declared", "computed")}
    for section in SECTIONS:
        lines += _section(section, written)
    lines += sorted(_INDENT + _require(r) for r in reg.resolved.requires)
    lines += sorted(
        f"{_INDENT}allow {a.code.text} because {quoted(a.reason.value)}" for a in reg.resolved.allows
    )
    return "\n".join([*lines, "}"]) + "\n"


def ordered_profiles(reg: TypedRegistration) -> list[Profile]:
    """The profiles by name, unless two give a default to one field: the first in use wins, so their
    order is a value.
    """
    profiles = reg.resolved.profiles
    defaults = [path for p in profiles for path in {path for path, _ in p.defaults}]
    return list(profiles) if len(set(defaults)) < len(defaults) else sorted(profiles, key=lambda p: p.name)


def _section(section: SectionSpec, written: dict[str, Entry]) -> list[str]:
    own = {p: e for p, e in written.items() if _section_of(p) == section.path and p != section.path}
    if section.prose or _is_nested(section):
        return []
    fields = [_field(p, e) for p, e in own.items() if p not in (_label_path(section), "task.valid")]
    if section.path == "":
        return [_INDENT + f for f in fields]
    if not own:
        return []
    body = [_INDENT * 2 + f for f in fields]
    if section.path == "task" and "task.valid" in written:
        body += _valid(written["task.valid"].value)
    body += [
        _INDENT * 2 + r
        for nested in SECTIONS
        if _parent(nested) == section.path
        for r in _record(nested, written)
    ]
    return [f"{_INDENT}{_head(section, own)} {{", *body, _INDENT + "}"]


def _record(section: SectionSpec, written: dict[str, Entry]) -> list[str]:
    """A block inside a block, on one line: `replacements = { pairs = 3, null_pairs = 6 }`."""
    fields = [_field(p, e) for p, e in written.items() if _section_of(p) == section.path]
    return (
        [f"{section.path.rpartition('.')[2]} = {{ {', '.join(fields)} }}"]
        if fields and _is_nested(section)
        else []
    )


def _parent(section: SectionSpec) -> str:
    return section.path.rpartition(".")[0]


def _is_nested(section: SectionSpec) -> bool:
    """Whether a block stands inside another one; `task.valid` is written by the task itself."""
    return not section.prose and _parent(section) in SECTION_TABLE and _parent(section) != ""


def _section_of(path: str) -> str:
    spec = find_field(path)
    section = spec.section if spec else ""
    # A labelled item (`information.given.*`) is written inside its block, role first.
    return section.rpartition(".")[0] if spec and spec.name == "*" else section


def _label_path(section: SectionSpec) -> str:
    return {"word": f"{section.path}.name", "number": f"{section.path}.total"}.get(section.label, "")


def _head(section: SectionSpec, own: dict[str, Entry]) -> str:
    words = section.path.replace(".", " ")
    label = own.get(_label_path(section))
    if label is None:
        return words
    return f"{words} {label.value if isinstance(label.value, str) else number_text(_fraction(label.value))}"


def _fraction(value: Value) -> Fraction:
    assert isinstance(value, (Fraction, int))
    return Fraction(value)


def _field(path: str, entry: Entry) -> str:
    spec = find_field(path)
    assert spec is not None, path
    name = " ".join(path.split(".")[-2:]) if spec.name == "*" else spec.name
    value = "auto" if entry.origin == "computed" else value_text(entry.value, spec.type)
    return f"{name} = {value}"


def _valid(rules: Value) -> list[str]:
    assert isinstance(rules, tuple)
    return [
        _INDENT * 2 + "valid {",
        *(f"{_INDENT * 3}{quoted(str(rule))}" for rule in rules),
        _INDENT * 2 + "}",
    ]


def _require(require: ast.Require) -> str:
    text = f"require {expression_text(require.condition, ascii=True)}"
    if require.when is not None:
        text += f" when {expression_text(require.when, ascii=True)}"
    return text + (f" else {quoted(require.message.value)}" if require.message else "")


def value_text(value: Value, kind: FieldType) -> str:
    """A value in the spelling of the language."""
    match value:
        case Fraction() | int():
            return number_text(Fraction(value))
        case Amount(number, unit):
            whole, _, parts = number_text(number).partition("/")
            return f"{whole} {unit}" + (f" / {parts}" if parts else "")
        case str():
            return quoted(value)
        case Material():
            return _material_text(value)
        case Choice():
            return _choice_text(value, kind)
        case _:
            item = kind.item if isinstance(kind, ListType) else kind
            return f"[{', '.join(value_text(v, item) for v in value)}]"


def _material_text(material: Material) -> str:
    if material.kind != "sealed":
        return f"file({quoted(material.path)})"
    place = f", at = {quoted(material.path)}" if material.path else ""
    return f"sealed({quoted(material.sha256)}{place})"


def _choice_text(value: Choice, kind: FieldType) -> str:
    if isinstance(kind, EitherType):
        kind = kind.second
    option = kind.find(value.name) if isinstance(kind, ChoiceType) else None
    types = {p.name: p for p in option.parameters} if option else {}
    plain = [_argument(types[n], v) for n, v in value.arguments if n not in _INFIX]
    infix = [f" {n} {value_text(v, types[n].type)}" for n, v in value.arguments if n in _INFIX]
    return value.name + (f"({', '.join(plain)})" if plain else "") + "".join(infix)


def _argument(parameter: Parameter, value: Value) -> str:
    return f"{parameter.name} = {value_text(value, parameter.type)}"


def quoted(text: str) -> str:
    """A text in double quotes with the escapes of the language."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f'"{text}"'
