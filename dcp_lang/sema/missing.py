"""What a registration lacks: blocks and fields that its grade requires, each with an example that passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dcp_lang.language.fields import (
    EVIDENCE,
    FIELDS,
    REQUIRED,
    SECTION_TABLE,
    FieldSpec,
    SectionSpec,
)
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
)
from dcp_lang.sema.faults import closest
from dcp_lang.source import Span

if TYPE_CHECKING:
    from dcp_lang.sema.resolve import Resolver


def report_missing(resolver: Resolver, grade: str) -> bool:
    """Report every absence; whether nothing was absent.

    An absence is not reported where a fault that is already known may have caused it: a statement in the same
    block that could not be read, or a name that nothing has and that is close to the absent one.
    """
    wanted = (REQUIRED, EVIDENCE) if grade == "evidence" else (REQUIRED,)
    blocks = [s for s in SECTION_TABLE.values() if s.presence in wanted and _is_absent(resolver, s)]
    fields = [s for s in FIELDS.values() if s.presence in wanted and _lacks(resolver, s)]
    excused = _Excuses(resolver)
    for block in blocks:
        name = block.path.replace(".", " ")
        above = _above(block)
        if not excused.covers(above, name):
            at = resolver.sections[above]
            resolver.faults.missing(f"the block `{name}`", at, block.doc, f"add `{_block_example(block)}`")
    for field in fields:
        if not excused.covers(field.section, field.name):
            at = resolver.sections[field.section]
            resolver.faults.missing(f"`{field.name}`", at, field.doc, f"add `{field_example(field)}`")
    return not blocks and not fields


def _is_absent(resolver: Resolver, section: SectionSpec) -> bool:
    return section.path not in resolver.sections and _above(section) in resolver.sections


def _above(section: SectionSpec) -> str:
    """The block that a block stands in: only the prose blocks stand inside another."""
    return section.path.rpartition(".")[0] if section.prose else ""


def _lacks(resolver: Resolver, field: FieldSpec) -> bool:
    at_hand = field.path in resolver.fields or field.path in SECTION_TABLE
    return not at_hand and field.section in resolver.sections


class _Excuses:
    """Faults already reported that may explain an absence."""

    def __init__(self, resolver: Resolver) -> None:
        self.unknown = resolver.unknown
        spans = [d.span for d in resolver.faults.sink.sorted() if d.code.startswith("E0")]
        self.broken = {_section_at(resolver.extents, span) for span in spans}

    def covers(self, section: str, name: str) -> bool:
        """Whether an absence in a section is explained."""
        meant = (closest(word, [name, name.rpartition(" ")[2]]) for at, word in self.unknown if at == section)
        return section in self.broken or any(meant)


def _section_at(extents: dict[str, Span], span: Span) -> str:
    """The innermost block that holds a place."""
    around = [p for p, e in extents.items() if e.start <= span.start <= e.end]
    return max(around, key=lambda p: extents[p].start, default="")


def _block_example(section: SectionSpec) -> str:
    label = {"": "", "word": " name", "number": " 5%"}[section.label]
    return f"{section.path.replace('.', ' ')}{label} {{ … }}"


# Examples of values


def field_example(field: FieldSpec) -> str:
    """A declaration that passes: `turns = 1`, `mode = prospective`."""
    known = _EXAMPLES.get(field.path) or _EXAMPLES.get(field.name)
    return f"{field.symbol or field.name} = {known or value_example(field.type)}"


#: Where the first value of the type would say little.
_EXAMPLES = {
    "id": '"my-claim-2026"',
    "mode": "prospective",
    "delta_min": "0.1",
    "epsilon": "0.001",
    "rho": "5%",
    "delta_evidence": "0.34",
    "delta_sham": "0.17",
    "turns": "8",
    "score": 'maximize("what is measured") on [0, 1]',
    "baseline.score": "0.25",
    "draws": '"fresh sessions on randomised presentations of the task"',
    "rule": '"the last artifact that the agent commits"',
    "stop": '"the budget is spent or the agent finishes"',
    "requested": '"model-name-1"',
    "model.id": '"model-name-1"',
    "reported": '["model-name-1"]',
    "tools": "[read, write, edit]",
    "main": "0.5%",
    "errors.score": "0.5%",
    "recovery": "1%",
    "adequacy": "0.5%",
    "evidence": "1%",
    "sham": "1%",
    "neutral": "0.5%",
    "checkpoint": 'after("the first snapshot")',
}
_SAMPLE_DIGEST = '"sha256:…64 hex digits…"'


def value_example(kind: FieldType) -> str:
    """A value of a type, in the spelling of the language."""
    match kind:
        case NumberType():
            return "5%"
        case CountType(_, minimum):
            return str(max(minimum, 1))
        case QuantityType(dimension):
            return {"money": "10 USD", "time": "30 min", "data": "2 GiB"}[dimension]
        case TextType(shape):
            return {"identifier": '"a-name"', "digest": _SAMPLE_DIGEST}.get(shape, '"…what it is, in words…"')
        case MaterialType(file):
            return 'file("a-file")' if file else f"sealed({_SAMPLE_DIGEST})"
        case ChoiceType(options):
            return _option_example(options[0])
        case ListType(item):
            return f"[{value_example(item)}]"
        case EitherType(first):
            return value_example(first)


def _option_example(option: Option) -> str:
    needed = [p for p in option.parameters if p.default is None and not p.optional]
    if not needed:
        return option.name
    return f"{option.name}({', '.join(f'{p.name} = {value_example(p.type)}' for p in needed)})"
