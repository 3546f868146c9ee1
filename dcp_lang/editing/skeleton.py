"""What a registration still lacks, written out: blocks and fields with examples that pass."""

from __future__ import annotations

from dcp_lang.language.fields import (
    EVIDENCE,
    REQUIRED,
    SECTION_TABLE,
    FieldSpec,
    SectionSpec,
    fields_of,
)
from dcp_lang.sema.examples import field_example
from dcp_lang.sema.model import Resolved

_LABELS = {"": "", "word": " name", "number": " 5%"}
#: What a block should hold though no field of it is required.
_USUAL = {"information": ('given guidance = "none"',)}
_IN_HEAD = {"word": "name", "number": "total"}


def lacking(resolved: Resolved, section: str) -> list[str]:
    """The lines that `section` lacks: its required fields, and its required blocks with theirs."""
    wanted = _wanted(resolved.grade)
    blocks = [s for s in _blocks_in(section, wanted) if s.path not in resolved.sections]
    fields = [f for f in _fields_in(section, wanted) if f.path not in resolved.fields]
    lines = [field_example(f) for f in fields]
    for block in blocks:
        lines += [*([""] if lines and not section else []), *block_lines(block, resolved.grade)]
    return lines


def block_lines(block: SectionSpec, grade: str) -> list[str]:
    """A block with everything that its grade requires, indented by two blanks a level."""
    if block.path == "errors":
        return ["errors 5% = auto"]
    wanted = _wanted(grade)
    name = block.path.rpartition(".")[2] if block.prose else block.path.replace(".", " ")
    inner = [field_example(f) for f in _fields_in(block.path, wanted)]
    inner += _USUAL.get(block.path, ())
    inner += ['"what every artifact must meet"'] * block.prose
    for below in _blocks_in(block.path, wanted):
        inner += block_lines(below, grade)
    return [f"{name}{_LABELS[block.label]} {{", *(f"  {line}" for line in inner), "}"]


def registration_lines(grade: str) -> list[str]:
    """A whole registration of a grade, every value an example."""
    inner = [field_example(f) for f in _fields_in("", _wanted(grade))]
    for block in _blocks_in("", _wanted(grade)):
        inner += ["", *block_lines(block, grade)]
    return [f"registration my_audit : {grade} {{", *(f"  {line}".rstrip() for line in inner), "}"]


def _wanted(grade: str) -> tuple[str, ...]:
    return (REQUIRED, EVIDENCE) if grade == "evidence" else (REQUIRED,)


def _fields_in(section: str, wanted: tuple[str, ...]) -> list[FieldSpec]:
    """The required fields that stand in the block's body: not its label, and not what is a block of prose."""
    label = _IN_HEAD.get(SECTION_TABLE[section].label)
    rows = fields_of(section)
    return [
        f
        for f in rows
        if f.presence in wanted and f.path not in SECTION_TABLE and (not section or f.name != label)
    ]


def _blocks_in(section: str, wanted: tuple[str, ...]) -> list[SectionSpec]:
    """Required blocks whose place is in the body of `section`: only prose blocks stand inside another."""
    above = {s.path: s.path.rpartition(".")[0] if s.prose else "" for s in SECTION_TABLE.values()}
    return [s for s in SECTION_TABLE.values() if s.path and s.presence in wanted and above[s.path] == section]
