"""What a registration lacks: blocks and fields that its grade requires, each with an example that passes."""

from __future__ import annotations

from itertools import islice

from dcp_lang.record import TYPE_CHECKING

if TYPE_CHECKING:
    from dcp_lang.language.fields import FieldSpec, SectionSpec
    from dcp_lang.sema.resolve import Resolver
    from dcp_lang.source import Span

#: Of a flood of unknown names only the first ones excuse what is missing.
_EXCUSES = 500


def report_missing(
    resolver: Resolver, wanted_blocks: dict[str, SectionSpec], wanted_fields: dict[str, FieldSpec]
) -> bool:
    """Report every absence of what is wanted; whether nothing was absent.

    An absence is not reported where a fault that is already known may have caused it: a statement in the same
    block that could not be read, or a name that nothing has and that is close to the absent one.
    """
    blocks = [s for s in wanted_blocks.values() if _is_absent(resolver, s)]
    fields = [s for s in wanted_fields.values() if _lacks(resolver, s)]
    if not blocks and not fields:
        return True
    from dcp_lang.sema.examples import field_example

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
    return False


def _is_absent(resolver: Resolver, section: SectionSpec) -> bool:
    return section.path not in resolver.sections and _above(section) in resolver.sections


def _above(section: SectionSpec) -> str:
    """The block that a block stands in: only the prose blocks stand inside another."""
    return section.path.rpartition(".")[0] if section.prose else ""


def _lacks(resolver: Resolver, field: FieldSpec) -> bool:
    return field.path not in resolver.fields and field.section in resolver.sections


class _Excuses:
    """Faults already reported that may explain an absence."""

    def __init__(self, resolver: Resolver) -> None:
        self.unknown = list(islice(dict.fromkeys(resolver.unknown), _EXCUSES))
        spans = [d.span for d in resolver.faults.sink if d.code.startswith("E0")]
        self.broken = {_section_at(resolver.extents, span) for span in spans}

    def covers(self, section: str, name: str) -> bool:
        """Whether an absence in a section is explained."""
        from dcp_lang.sema.closest import closest  # only a faulty source needs it

        meant = (closest(word, (name, name.rpartition(" ")[2])) for at, word in self.unknown if at == section)
        return section in self.broken or any(meant)


def _section_at(extents: dict[str, Span], span: Span) -> str:
    """The innermost block that holds a place."""
    around = [p for p, e in extents.items() if e.start <= span.start <= e.end]
    return max(around, key=lambda p: extents[p].start, default="")


def _block_example(section: SectionSpec) -> str:
    label = {"": "", "word": " name", "number": " 5%"}[section.label]
    return f"{section.path.replace('.', ' ')}{label} {{ … }}"
