"""The quantities that conditions are about: a value where it is known, else the interval of the type."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dcp_lang.language.fields import FIELDS, find_field
from dcp_lang.language.names import resolve_name
from dcp_lang.language.types import ChoiceType, FieldType, ListType
from dcp_lang.language.values import Amount, Choice, Material, Value
from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.sema.terms import Items, Num, Ref, Sym, number

if TYPE_CHECKING:
    from dcp_lang.sema.model import TypedRegistration

#: Values of the plan that a condition may name, with the path of the field that they stand for.
COMPUTED = {
    "n.recovery": "gate.recovery.episodes",
    "n.controls": "gate.recovery.positive_controls",
    "n.pairs": "gate.feedback.pairs",
    "n.null_pairs": "gate.feedback.null_pairs",
}
TOTALS = ("sessions", "cost")


def value_term(value: Value) -> Num | Sym | Items:
    """A field's value as a term: a choice is its name, committed material its digest."""
    match value:
        case Fraction() | int():
            return number(value)
        case Amount(amount, unit):
            return Num(amount, unit)
        case Choice(name) | str(name):
            return Sym(name)
        case Material():
            return Sym(value.sha256)
        case _:
            return Items(tuple(v.name if isinstance(v, Choice) else str(v) for v in value))


def target_score(reg: TypedRegistration) -> Ref:
    """x: known in a retrospective registration, else anywhere on the scale."""
    return Ref("x", number(reg.number("target.score")) if reg.has("target.score") else None)


def baseline_score(reg: TypedRegistration) -> Ref:
    """score(b): declared, or sealed and then anywhere on the scale."""
    value = reg.value("baseline.score")
    return Ref("score(b)", number(value) if isinstance(value, Fraction) else None)


def field_term(reg: TypedRegistration, path: str, name: str = "") -> Ref:
    """A reference to a field of the registration, under its short name."""
    if path == "baseline.score":
        return baseline_score(reg)
    short = path.rpartition(".")[2] if path.startswith("thresholds.") else path
    return Ref(name or short, value_term(reg.value(path)))


class Argument(Record):
    """An argument of a choice: `family.alpha`, `policy.neutral.preserves.length.within`.

    `option` names the item of a list that has it, empty for a field that is one choice.
    """

    path: str
    option: str
    parameter: str


def find_argument(name: str) -> Argument | None:
    """The argument that a dotted name means, by the types of the field table."""
    head, _, parameter = name.rpartition(".")
    owner, _, option = head.rpartition(".")
    for path in _paths(head):
        if _has_parameter(_kind(path), "", parameter):
            return Argument(path, "", parameter)
    for path in _paths(owner):
        kind = _kind(path)
        if isinstance(kind, ListType) and _has_parameter(kind.item, option, parameter):
            return Argument(path, option, parameter)
    return None


def _paths(name: str) -> list[str]:
    labelled = [name] if find_field(name) else []
    return labelled or (resolve_name(name) if name else [])


def _kind(path: str) -> FieldType | None:
    spec = find_field(path)
    return spec.type if spec else None


def _has_parameter(kind: FieldType | None, option: str, parameter: str) -> bool:
    options = kind.options if isinstance(kind, ChoiceType) else ()
    return any(p.name == parameter for o in options if option in ("", o.name) for p in o.parameters)


def argument_term(reg: TypedRegistration, argument: Argument) -> Num | Sym | Items | None:
    """The value of an argument, None when the choice made has none; raises `MissingFieldError`."""
    value = reg.value(argument.path)
    for choice in value if type(value) is tuple else (value,):
        if isinstance(choice, Choice) and argument.option in ("", choice.name):
            found = choice.get(argument.parameter)
            return None if found is None else value_term(found)
    return None


@lru_cache(maxsize=1)
def symbols() -> frozenset[str]:
    """Every word that names a choice, the grades included."""
    names = {"core", "evidence"}
    # A type that many fields share is looked at once.
    kinds: list[FieldType] = list({id(field.type): field.type for field in FIELDS.values()}.values())
    for kind in kinds:
        if type(kind) is ListType:
            kinds.append(kind.item)
        elif type(kind) is ChoiceType:
            for option in kind.options:
                names.add(option.name)
                kinds += [parameter.type for parameter in option.parameters]
    return frozenset(names)
