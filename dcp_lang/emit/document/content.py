"""From the frozen registration to sections: content templates hold our words, the values are put in.

Templates below `templates/preregistration/` hold wording, order and conditions; they cannot calculate, since
values are not numbers to them but things to print.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from dcp_lang.emit.document.blocks import Block, Figure, Prose, Section, Source
from dcp_lang.emit.document.environment import Functions, environment
from dcp_lang.emit.document.inline import Code, Line, User, joined
from dcp_lang.emit.document.ladder import Rung, ladder
from dcp_lang.emit.document.markup import MarkupError, Values, parse_document
from dcp_lang.emit.document.plot import Curve, plot
from dcp_lang.emit.document.shown import counted
from dcp_lang.emit.document.values import Value, bare, names, percent
from dcp_lang.language.fields import canonical_order
from dcp_lang.language.types import LINE

_ENTRY = "preregistration/document.j2"
#: The values of the document that is being made.
_VALUES: ContextVar[Values] = ContextVar("values")


def document_sections(
    frozen: Mapping[str, Any], sha256: str, templates: Path | None = None
) -> tuple[Section, ...]:
    """All sections of a frozen registration."""
    values = Values()
    token = _VALUES.set(values)
    try:
        env = environment(templates, _mark, _FILTERS, _TESTS)
        text = env.get_template(_ENTRY).render(_context(frozen), sha256=(Code(sha256),))
    finally:
        _VALUES.reset(token)
    return parse_document(text, values)


def _context(frozen: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(sorted(frozen["fields"].items(), key=lambda field: canonical_order(field[0])))
    return names(fields) | {
        "evidence": frozen["grade"] == "evidence",
        "figures": Value(frozen["plan"]["figures"], None),
        "plan": Value(frozen["plan"], None),
        "frozen": Value(
            {k: frozen[k] for k in ("compiler", "slot", "profiles", "rules", "obligations", "waivers")}, LINE
        ),
        "edition": Value(frozen["edition"], None),
        "contracts": [((Code(name),), (Code(sha),)) for name, sha in sorted(frozen["contracts"].items())],
        "materials": _materials(fields),
        "undeclared": _undeclared(fields),
        "normal_form": str(frozen["source"]),
        "prose": _prose,
        "source": Source,
        "operating": _operating,
        "ladder": _ladder,
    }


def _mark(value: object) -> str:
    return _VALUES.get().mark(_printed(value))


def _printed(value: object) -> Line | Block:
    """What a template may print; bare text is taken for the author's."""
    if isinstance(value, Value):
        return value.line
    if isinstance(value, str):
        return (User(value),)
    if isinstance(value, tuple | Block):
        return value
    # What is undefined, or forbidden in the sandbox, raises its own error when it is made a text.
    raise MarkupError(f"a template prints {value}, which is no value of the registration")


_FILTERS: Functions = (
    ("percent", percent),
    ("bare", bare),
    ("either", lambda value: joined([each.line for each in value], "or")),
    ("counted", lambda value, noun: (counted(value.value, noun),)),
    ("code", lambda value: (Code(str(value.value if isinstance(value, Value) else value)),)),
    ("inequalities", lambda value: joined([(Code(str(each["text"].value)),) for each in value])),
    ("labelled", lambda section: section.labelled()),
    ("ours", lambda text: (str(text),)),
)
_TESTS: Functions = (("zero", lambda value: value.value in (0, "0")),)


def _prose(value: Value) -> Prose:
    return Prose(str(value.value))


def _operating(figures: Value, title: str, truth: str, axis: str) -> Figure:
    """The plot of an operating characteristic; its table stands beside it."""
    rows = figures.value["operating"]
    expected = next((row["truth"] for row in rows if row.get("expected")), None)
    curve = Curve(tuple((row["truth"], row["passes"]) for row in rows), axis, expected)
    return Figure(plot(curve, title), f"{title}: probability of passing against the {truth}.")


def _ladder(rungs: Sequence[Sequence[str]]) -> Figure:
    alt = f"Decision ladder: the first question that stops decides; passing all ends in “{rungs[-1][0]}”."
    return Figure(ladder(tuple(Rung(*rung) for rung in rungs)), alt)


def _materials(fields: Mapping[str, Any]) -> list[tuple[Line, Line, Line]]:
    """(field, path, digest) of every committed file, folder and sealed digest."""
    rows: list[tuple[Line, Line, Line]] = []
    for path, entry in fields.items():
        value = entry["value"]
        if isinstance(value, Mapping) and ("sha256" in value or "sealed" in value):
            rows += [((Code(path),), *row) for row in _material_rows(value)]
    return rows


def _material_rows(value: Mapping[str, Any]) -> list[tuple[Line, Line]]:
    if "sealed" in value:
        return [((Code(value["at"]) if "at" in value else "sealed",), (Code(value["sealed"]),))]
    name = value.get("file") or value["folder"]
    files = [((Code(name + f["path"]),), (Code(f["sha256"]),)) for f in value.get("files", [])]
    return [((Code(name),), (Code(value["sha256"]),)), *files]


def _undeclared(fields: Mapping[str, Any]) -> list[tuple[Line, Value]]:
    root = names(fields)
    rows: list[tuple[Line, Value]] = []
    for path, entry in fields.items():
        if entry["origin"] in ("default", "profile"):
            value: Any = root[path.partition(".")[0]]
            for part in path.split(".")[1:]:
                value = value[part]
            rows.append(((Code(path),), value))
    return rows
