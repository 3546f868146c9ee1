"""The types of fields. A type says its range; the range is not checked again anywhere else."""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import TypeAlias

    from dcp_lang.language.values import Value


class NumberType(Record):
    """An exact number between `low` and `high`; an open end is excluded."""

    name: str
    low: Fraction
    high: Fraction
    low_open: bool = False
    high_open: bool = False

    def contains(self, value: Fraction) -> bool:
        """Whether a value lies in the range."""
        above = self.low < value if self.low_open else self.low <= value
        below = value < self.high if self.high_open else value <= self.high
        return above and below

    @property
    def range_text(self) -> str:
        """`0 < p <= 1` in words of the language."""
        left, right = ("<" if o else "<=" for o in (self.low_open, self.high_open))
        return f"{self.low} {left} value {right} {self.high}"


class CountType(Record):
    """A whole number of `noun`, written bare or with its noun: `96` or `96 episodes`."""

    noun: str
    minimum: int = 0
    maximum: int = 10**9


class QuantityType(Record):
    """A positive quantity of a dimension, always with its unit: `10 USD`, `30 min`."""

    dimension: str


class TextType(Record):
    """A string; `shape` names a stricter form (`identifier`, `digest`, `line`), empty for prose."""

    shape: str = ""
    maximum: int = 100_000


class MaterialType(Record):
    """`file("…")`, `sealed("sha256:…")`, both, or plain prose too where `prose` says so."""

    file: bool = True
    folder: bool = False
    sealed: bool = True
    prose: bool = False


class Parameter(Record):
    """A parameter of an alternative; the first may be given by position. No default means required unless
    optional.
    """

    name: str
    type: FieldType
    default: Value | None = None
    optional: bool = False


class Option(Record):
    """One alternative of a choice: `prospective`, `exhaustive(units)`."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    doc: str = ""


class ChoiceType(Record):
    """One of several alternatives."""

    options: tuple[Option, ...]

    def find(self, name: str) -> Option | None:
        """The alternative with this name."""
        return next((o for o in self.options if o.name == name), None)


class ListType(Record):
    """A list of at least `minimum` items, no two alike."""

    item: FieldType
    minimum: int = 0


class EitherType(Record):
    """A value of the first type, or of the second: `score = 0` or `score = sealed("sha256:…")`."""

    first: FieldType
    second: FieldType


FieldType: TypeAlias = (
    NumberType | CountType | QuantityType | TextType | MaterialType | ChoiceType | ListType | EitherType
)

_ZERO, _ONE = Fraction(0), Fraction(1)
PROBABILITY = NumberType("Probability", _ZERO, _ONE)
OPEN_PROBABILITY = NumberType("OpenProbability", _ZERO, _ONE, True, True)
POSITIVE_PROBABILITY = NumberType("PositiveProbability", _ZERO, _ONE, True)
SCORE = NumberType("Score", _ZERO, _ONE)
POSITIVE = NumberType("Positive", _ZERO, Fraction(10**9), True)

PROSE = TextType()
LINE = TextType("line", 1000)
IDENTIFIER = TextType("identifier", 128)
DIGEST = TextType("digest", 71)


def choice(*names: str) -> ChoiceType:
    """A choice of plain names."""
    return ChoiceType(tuple(Option(name) for name in names))


def type_text(kind: FieldType) -> str:
    """What a field takes, in one phrase."""
    match kind:
        case NumberType():
            return f"a number, {kind.range_text}"
        case CountType(noun, minimum):
            return f"a whole number of {noun}, at least {minimum}"
        case QuantityType(dimension):
            return f"a quantity of {dimension} with its unit"
        case TextType(shape):
            return {"": "a text", "line": "a text of one line"}.get(shape, f"a text that is an {shape}")
        case MaterialType():
            return _material_text(kind)
        case ChoiceType(options):
            return "one of " + ", ".join(f"`{o.name}`" for o in options)
        case ListType(item):
            return f"a list, each item {type_text(item)}"
        case EitherType(first, second):
            return f"{type_text(first)}, or {type_text(second)}"


def _material_text(kind: MaterialType) -> str:
    forms = ['`file("…")`'] if kind.file or kind.folder else []
    forms += ['`sealed("sha256:…")`'] if kind.sealed else []
    forms += ["a text"] if kind.prose else []
    return " or ".join(forms)
