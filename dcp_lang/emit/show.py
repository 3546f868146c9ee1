"""A frozen registration as text for a terminal: every field by section, sizes, rules that need the reader."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from dcp_lang.frozen import Field, Registration
from dcp_lang.language.fields import canonical_order, find_field
from dcp_lang.language.values import value_text

_MARKS = {"declared": " ", "default": "d", "profile": "p", "computed": "c"}
_INDENT = "    "


def registration_text(reg: Registration, width: int = 100) -> str:
    """The view, `width` columns wide; the letter before a value says that the author did not write it."""
    parts = [*_head(reg), *_sections(reg, width), *_plan(reg), *_conditions(reg)]
    return "\n".join(parts) + "\n"


def _head(reg: Registration) -> Iterator[str]:
    yield f"{reg.name}: {reg.grade}"
    yield f"{_INDENT}{reg.digest}"
    yield f"{_INDENT}edition {reg.edition}, frozen by {reg.compiler}"
    local = ", reserved by nobody but the claimant" if reg.slot.local else ""
    yield f"{_INDENT}slot {reg.slot.id}{local}"


def _sections(reg: Registration, width: int) -> Iterator[str]:
    section = None
    for path in sorted(reg.fields, key=canonical_order):
        own = path.rpartition(".")[0]
        if own != section:
            section = own
            yield f"\n{section or 'registration'}"
        yield _row(reg.fields[path], width)


def _row(field: Field, width: int) -> str:
    spec = find_field(field.path)
    name = (spec.symbol if spec else "") or field.path.rpartition(".")[2]
    head = f"{_INDENT}{name:<24}{_MARKS[field.origin]} "
    text = " ".join(value_text(field.value).split())
    return textwrap.fill(text, width, initial_indent=head, subsequent_indent=" " * len(head)) or head


def _plan(reg: Registration) -> Iterator[str]:
    yield f"\nplan: {reg.plan.sessions} sessions"
    for path, size in reg.plan.sizes.items():
        least = "no n is enough" if size.least is None else f"at least {size.least}"
        shown = (size.certificate or {}).get("at_n", [])
        because = " and ".join(str(part["text"]) for part in shown)
        yield f"{_INDENT}{path:<34} {size.used:>6}  {least}" + (f", since {because}" if because else "")


def _conditions(reg: Registration) -> Iterator[str]:
    proved = sum(rule.status == "proved" for rule in reg.rules)
    yield f"\nrules: {proved} of {len(reg.rules)} proved"
    yield from (f"{_INDENT}{r.status:<9} {r.code}  {r.condition}" for r in reg.rules if r.status != "proved")
    for waiver in reg.waivers:
        yield f"{_INDENT}waived    {waiver.code}  {waiver.message}: {waiver.reason}"
    yield "\nd default, p profile, c computed; every other value was declared"
