"""Findings about names, types and units (E1xx), one method per rule; their wording lives here alone."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dcp_lang.canonical import number_text
from dcp_lang.diagnostics.model import Edit, Fix, Label, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.language.types import FieldType, type_text
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dcp_lang.sema.materials import MaterialError

UNKNOWN = Rule("E101", "unknown-name", "error", "a word that the language does not know here")
TWICE = Rule("E102", "declared-twice", "error", "the same thing is declared twice")
MISSING = Rule("E103", "missing-field", "error", "something required is absent")
TYPE = Rule("E104", "wrong-type", "error", "a value is of another type than its field")
RANGE = Rule("E105", "out-of-range", "error", "a value lies outside the range of its type")
UNITS = Rule("E106", "units-disagree", "error", "units do not agree, or one is missing")
NO_VALUE = Rule("E107", "no-value", "error", "an expression has no value at compile time")
EDITION = Rule("E108", "unknown-edition", "error", "the edition is missing or not known")
MISPLACED = Rule("E109", "misplaced-statement", "error", "a statement has no place where it stands")
MALFORMED = Rule("E110", "malformed-text", "error", "a text is not of the form that its field needs")
PRECISION = Rule("E111", "number-not-exact", "error", "a computed number has no short exact spelling")
AMBIGUOUS = Rule("E112", "ambiguous-name", "error", "a name may mean more than one field")
PLACEHOLDER = Rule("E605", "placeholder-text", "error", "a text says nothing yet")
NO_PROFILE = Rule("E901", "unknown-profile", "error", "a profile in use cannot be found")
RULES = (
    UNKNOWN,
    TWICE,
    MISSING,
    TYPE,
    RANGE,
    UNITS,
    NO_VALUE,
    EDITION,
    MISPLACED,
    MALFORMED,
    PRECISION,
    AMBIGUOUS,
    PLACEHOLDER,
    NO_PROFILE,
)

#: Most names that a help text lists.
_SHOWN = 12


class Faults:
    """Reports faults of one source file into a sink."""

    def __init__(self, source: SourceFile, sink: Sink) -> None:
        self.source = source
        self.sink = sink

    def _add(
        self,
        rule: Rule,
        span: Span,
        message: str,
        *,
        label: str = "",
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str = "",
        fix: Fix | None = None,
    ) -> None:
        self.sink.add(
            rule.found(
                self.source, span, message, label=label, labels=labels, notes=notes, help=help, fix=fix
            )
        )

    def unknown(self, what: str, word: str, span: Span, known: Iterable[str], where: str = "") -> None:
        """E101: a field, block, choice, unit or name that the language does not have."""
        place = f" in {where}" if where else ""
        message = f"there is no {what} `{word}`{place}"
        from dcp_lang.sema.shown import may_be_shown  # only a faulty source needs it

        if not may_be_shown(self.sink, self.source, span.start):
            self._add(UNKNOWN, span, message)
            return
        from dcp_lang.sema.closest import closest  # only a faulty source needs it

        options = _sorted(tuple(known))
        near = closest(word, options)
        # Only the case of letters differs: nothing else can have been meant.
        certain = near is not None and near.lower() == word.lower()
        text = near and _in_place(word, near)
        fix = Fix(f"write `{text}`", (Edit(span, text),), certain) if text else None
        help = f"did you mean `{near}`?" if near else _one_of(options)
        self._add(UNKNOWN, span, message, label="not known", help=help, fix=fix)

    def duplicate(self, what: str, span: Span, first: Span) -> None:
        """E102: the same thing declared twice."""
        labels = (Label(first, "first declared here"),)
        self._add(
            TWICE,
            span,
            f"{what} is declared twice",
            label="declared again",
            labels=labels,
            help="keep one of the two",
        )

    def missing(self, what: str, span: Span, doc: str, example: str) -> None:
        """E103: something required is absent."""
        notes = (doc,) if doc else ()
        self._add(MISSING, span, f"{what} is missing", label=f"needs {what}", notes=notes, help=example)

    def wrong_type(self, what: str, kind: FieldType, found: str, span: Span, help: str = "") -> None:
        """E104: a value of another type."""
        from dcp_lang.sema.examples import value_example  # only a faulty source needs it

        message = f"{what} takes {type_text(kind)}, not {found}"
        self._add(TYPE, span, message, label=found, help=help or f"for example `{value_example(kind)}`")

    def operands(self, message: str, span: Span, help: str = "") -> None:
        """E104: an operator of a condition that cannot join what stands on its sides."""
        self._add(TYPE, span, message, help=help)

    def out_of_range(self, what: str, have: str, need: str, span: Span, help: str = "") -> None:
        """E105: a value outside the range of its type."""
        self._add(RANGE, span, f"{what} is {have}, but needs {need}", label=f"have {have}", help=help)

    def units(self, message: str, span: Span, help: str = "") -> None:
        """E106: units that do not agree, or a unit that is missing."""
        self._add(UNITS, span, message, help=help)

    def no_value(self, message: str, span: Span, help: str = "") -> None:
        """E107: an expression that has no value at compile time (a cycle, an unknown, a division by zero)."""
        self._add(NO_VALUE, span, message, help=help)

    def edition(self, message: str, span: Span, help: str, fix: Fix | None = None) -> None:
        """E108: the edition line is missing or names an edition that this compiler does not know."""
        self._add(EDITION, span, message, help=help, fix=fix)

    def misplaced(self, message: str, span: Span, first: Span | None = None, help: str = "") -> None:
        """E109: not exactly one registration or profile in a file, or a statement without a place here."""
        labels = (Label(first, "the first one is here"),) if first else ()
        self._add(MISPLACED, span, message, labels=labels, help=help)

    def malformed(self, what: str, have: str, need: str, span: Span, help: str = "") -> None:
        """E110: a text that is not of the form it needs (identifier, digest, one line)."""
        self._add(MALFORMED, span, f"{what} is not {need}", label=have, help=help)

    def not_exact(self, what: str, value: Fraction, span: Span) -> None:
        """E111: a number that the frozen registration could not spell."""
        places = "12 decimals or a fraction of at most 15 digits over 15"
        near = number_text(round(value, 12) or Fraction(1, 10**12))
        self._add(
            PRECISION,
            span,
            f"{what} has no exact spelling in {places}",
            label=f"about {near}",
            help=f"write a shorter number, such as {near}",
        )

    def ambiguous(self, name: str, span: Span, paths: Iterable[str]) -> None:
        """E112: a short name that several fields have."""
        options = sorted(paths)
        self._add(
            AMBIGUOUS,
            span,
            f"`{name}` may mean {_listed(options)}",
            help=f"write `{options[0]}`, for example",
        )

    def placeholder(self, what: str, span: Span) -> None:
        """E605: prose that says nothing yet."""
        self._add(PLACEHOLDER, span, f"{what} is a placeholder", help="write what will be done")

    def profile_file(self, path: str, span: Span) -> None:
        """E901: a profile's file that cannot be read."""
        help = "a profile is a text in UTF-8, of at most 256 KiB, below the registration's folder"
        self._add(NO_PROFILE, span, f"`{path}` cannot be read as a profile", help=help)

    def profile(self, name: str, span: Span, known: Iterable[str]) -> None:
        """E901: a profile that cannot be found."""
        from dcp_lang.sema.closest import closest

        near = closest(name, tuple(known))
        help = f"did you mean `{near}`?" if near else _one_of(tuple(sorted(known)))
        self._add(NO_PROFILE, span, f"there is no profile `{name}`", help=help)

    def material(self, error: MaterialError, span: Span) -> None:
        """E8xx: a file or digest that cannot be committed."""
        found = error.rule.found(self.source, span, error.message, help=error.help)
        self.sink.add(found)


def _in_place(word: str, near: str) -> str:
    """What to write for the first word of a block's head; empty where its second word would have to change too."""
    first, _, second = near.partition(" ")
    if " " not in word or not second:
        return near
    return first if word.lower().endswith(" " + second) else ""


# Remembered: what is asked for again and again is asked for among the same.
@lru_cache
def _sorted(known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(known)))


@lru_cache
def _one_of(options: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{o}`" for o in options[:_SHOWN])
    return f"known here: {shown}" + (", …" if len(options) > _SHOWN else "") if options else ""


def _listed(options: list[str]) -> str:
    return " or ".join(f"`{o}`" for o in options)
