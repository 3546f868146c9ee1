"""Findings about names, types and units (E1xx), one function per code: the wording lives here and nowhere else."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix, Label, Sink
from dcp_lang.language.types import FieldType, NumberType, type_text
from dcp_lang.source import SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant: the same but for case, or within a third of its letters."""
    candidates = list(known)
    folded = {c.lower(): c for c in candidates}
    if word.lower() in folded:
        return folded[word.lower()]
    near = get_close_matches(word, candidates, 1, cutoff=0.67)
    return near[0] if near else None


class Faults:
    """Reports faults of one source file into a sink."""

    def __init__(self, source: SourceFile, sink: Sink) -> None:
        self.source = source
        self.sink = sink

    def _add(
        self,
        code: str,
        name: str,
        message: str,
        span: Span,
        *,
        label: str = "",
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str = "",
        fix: Fix | None = None,
    ) -> None:
        self.sink.add(
            Diagnostic(code, name, "error", message, self.source, span, label, labels, notes, help, fix)
        )

    def unknown(self, what: str, word: str, span: Span, known: Iterable[str], where: str = "") -> None:
        """E101: a field, block, choice, unit or name that the language does not have."""
        options = sorted(set(known))
        near = closest(word, options)
        fix = Fix(f"write `{near}`", (Edit(span, near),)) if near else None
        help = f"did you mean `{near}`?" if near else _one_of(options)
        place = f" in {where}" if where else ""
        self._add(
            "E101", "unknown-name", f"there is no {what} `{word}`{place}", span, label="not known", help=help, fix=fix
        )

    def duplicate(self, what: str, span: Span, first: Span) -> None:
        """E102: the same thing declared twice."""
        self._add(
            "E102", "declared-twice", f"{what} is declared twice", span,
            label="declared again", labels=(Label(first, "first declared here"),), help="keep one of the two",
        )  # fmt: skip

    def missing(self, what: str, span: Span, doc: str, example: str) -> None:
        """E103: something required is absent."""
        self._add(
            "E103", "missing-field", f"{what} is missing", span, label=f"needs {what}", notes=(doc,), help=example
        )  # fmt: skip

    def wrong_type(self, what: str, kind: FieldType, found: str, span: Span, help: str = "") -> None:
        """E104: a value of another type."""
        self._add(
            "E104", "wrong-type", f"{what} takes {type_text(kind)}, not {found}", span, label=found, help=help
        )  # fmt: skip

    def out_of_range(self, what: str, have: str, need: str, span: Span, help: str = "", fix: Fix | None = None) -> None:
        """E105: a value outside the range of its type."""
        self._add(
            "E105", "out-of-range", f"{what} is {have}, but needs {need}", span, label=f"have {have}", help=help, fix=fix
        )  # fmt: skip

    def units(self, message: str, span: Span, help: str = "", fix: Fix | None = None) -> None:
        """E106: units that do not agree, or a unit that is missing."""
        self._add("E106", "units-disagree", message, span, help=help, fix=fix)

    def not_constant(self, message: str, span: Span, help: str = "") -> None:
        """E107: an expression that has no value at compile time (a cycle, an unknown, a division by zero)."""
        self._add("E107", "no-value", message, span, help=help)

    def edition(self, message: str, span: Span, help: str, fix: Fix | None = None) -> None:
        """E108: the edition line is missing or names an edition that this compiler does not know."""
        self._add("E108", "unknown-edition", message, span, help=help, fix=fix)

    def shape(self, message: str, span: Span, first: Span | None = None, help: str = "") -> None:
        """E109: not exactly one registration (or profile) in the file, or a statement that has no place here."""
        labels = (Label(first, "the first one is here"),) if first else ()
        self._add("E109", "misplaced-statement", message, span, labels=labels, help=help)

    def text_shape(self, what: str, have: str, need: str, span: Span, help: str = "") -> None:
        """E110: a text that is not of the form it needs (identifier, digest, one line)."""
        self._add("E110", "malformed-text", f"{what} is not {need}", span, label=have, help=help)

    def placeholder(self, what: str, span: Span) -> None:
        """E605: prose that says nothing yet."""
        self._add("E605", "placeholder-text", f"{what} is a placeholder", span, help="write what will be done")

    def profile(self, name: str, span: Span, known: Iterable[str]) -> None:
        """E901: a profile that cannot be found."""
        near = closest(name, known)
        self._add(
            "E901", "unknown-profile", f"there is no profile `{name}`", span,
            help=f"did you mean `{near}`?" if near else _one_of(sorted(known)),
        )  # fmt: skip

    def material(self, code: str, name: str, message: str, span: Span, help: str = "") -> None:
        """E8xx: a file or digest that cannot be committed."""
        self._add(code, name, message, span, help=help)


def _one_of(options: list[str]) -> str:
    shown = ", ".join(f"`{o}`" for o in options[:12])
    return f"known here: {shown}" + (", …" if len(options) > 12 else "") if options else ""


def range_help(kind: NumberType) -> str:
    """How to write a number in the range of a type."""
    return f"{kind.name} means {kind.range_text}; `5%` and `0.05` are the same number"
