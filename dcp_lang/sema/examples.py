"""Examples of values: what a finding about an absence or a type shows as one that passes."""

from __future__ import annotations

from dcp_lang.language.fields import FieldSpec
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


def field_example(field: FieldSpec) -> str:
    """A declaration that passes: `turns = 1`, `mode = prospective`, `given name = file("a-file")`."""
    known = _EXAMPLES.get(field.path) or _EXAMPLES.get(field.name)
    return f"{declared_name(field)} = {known or value_example(field.type)}"


def declared_name(field: FieldSpec) -> str:
    """What stands before the `=` of a declaration.

    Thresholds are declared by their symbols; `x` and `score(b)` are symbols of conditions only. A role is declared
    with a name of the author's, `name` here.
    """
    if field.name == "*":
        return f"{field.section.rpartition('.')[2]} name"
    return field.symbol if field.section == "thresholds" and field.symbol else field.name


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
    "task.score": 'maximize("what is measured") on [0, 1]',
    "baseline.score": "0.25",
    "target.score": "0.9356",
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
_TEXTS = {
    "identifier": '"a-name"',
    "name": "a_name",
    "digest": _SAMPLE_DIGEST,
    "salt": '"…32 hex digits…"',
}


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
            return _TEXTS.get(shape, '"…what it is, in words…"')
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
