"""Names: from the tree of a file to one registration whose every field and block is known.

Assumes a tree without syntax faults in the statements that it keeps. Returns None only when the file holds no
registration at all; otherwise a best-effort `Resolved`, with every unknown name, repetition and absence reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dcp_lang.language.fields import (
    EVIDENCE,
    FIELDS,
    REQUIRED,
    FieldSpec,
    SECTION_TABLE,
    SectionSpec,
    fields_of,
    find_field,
)
from dcp_lang.sema.faults import Faults, closest
from dcp_lang.sema.model import Declared, Resolved
from dcp_lang.sema.profile import Profile
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Field and block names whose second word is the author's own label.
ROLES = ("known", "given", "web", "lineage")


class Resolver:
    """Walks one registration block and files every field under its path."""

    def __init__(self, source: SourceFile, faults: Faults) -> None:
        self.source = source
        self.faults = faults
        self.fields: dict[str, Declared] = {}
        self.sections: dict[str, Span] = {}
        self.extents: dict[str, Span] = {}
        self.complete = True
        self._unknown: list[tuple[str, str]] = []
        self._broken = [d.span for d in faults.sink.sorted() if d.code.startswith("E0")]
        self.requires: list[ast.Require] = []
        self.allows: list[ast.Allow] = []

    def resolve(self, block: ast.Block, edition: int, profiles: Sequence[Profile]) -> Resolved:
        """Everything that the registration block declares."""
        grade = self._grade(block)
        self.sections[""] = block.head_span
        self.extents[""] = block.span
        self._body("", block.body)
        self._missing(grade, block.head_span)
        name = block.head[1].name if len(block.head) > 1 and isinstance(block.head[1], ast.Word) else ""
        if not name:
            self.faults.missing("the registration's name", block.head_span, "", "registration my_audit : core { … }")
        return Resolved(
            self.source, edition, name, grade, block.head_span, self.fields, self.sections,
            tuple(self.requires), tuple(self.allows), tuple(profiles), self.complete,
        )  # fmt: skip

    def _grade(self, block: ast.Block) -> str:
        if block.tag is None:
            self.faults.missing(
                "the grade", block.head_span, "The grade is the claim: `core`, or `evidence` with Gate 3.",
                "registration name : core { … }",
            )  # fmt: skip
            return "evidence" if _has_block(block, "gate", "feedback") else "core"
        if block.tag.name not in ("core", "evidence"):
            self.faults.unknown("grade", block.tag.text, block.tag.span, ("core", "evidence"))
            return "core"
        return block.tag.name

    def _body(self, section: str, body: Sequence[ast.Statement]) -> None:
        prose = [s for s in body if isinstance(s, ast.Prose)]
        if prose:
            self._prose(section, prose)
        for statement in body:
            self._statement(section, statement)

    def _statement(self, section: str, statement: ast.Statement) -> None:
        match statement:
            case ast.Field(head, ast.Record(body, extent), span):
                self._block(section, head, body, span, extent)
            case ast.Field():
                self._field(section, statement)
            case ast.Block():
                self._block(section, statement.head, statement.body, statement.head_span, statement.span)
            case ast.Require() if not section:
                self.requires.append(statement)
            case ast.Allow() if not section:
                self.allows.append(statement)
            case ast.Require() | ast.Allow():
                self.faults.shape(
                    f"this condition stands inside `{section.replace('.', ' ')}`", statement.span,
                    help="move it to the registration's own level, beside the blocks",
                )  # fmt: skip
            case ast.Prose():
                pass
            case _:
                self.faults.shape("this statement has no place inside a registration", statement.span)

    def _prose(self, section: str, prose: Sequence[ast.Prose]) -> None:
        spec = SECTION_TABLE.get(section)
        if spec is None or not spec.prose:
            self.faults.shape("a bare text has no place here", prose[0].span, help="give it a name: `word = \"…\"`")
            return
        span = prose[0].span.to(prose[-1].span)
        self._declare(section, tuple(p.text for p in prose), span, span)

    def _field(self, section: str, field: ast.Field) -> None:
        words = [item for item in field.head if isinstance(item, ast.Word)]
        if section == "" and words and words[0].name == "errors" and len(field.head) == 2:
            self._errors_auto(field)
            return
        if len(words) != len(field.head) or not words:
            self.faults.shape("a field's name is made of words", field.span)
            return
        self._declare(_join(section, *(w.name for w in words)), field.value, field.span, _head_span(words), words)

    def _errors_auto(self, field: ast.Field) -> None:
        total = field.head[1]
        self._open("errors", field.span)
        if isinstance(total, (ast.Number, ast.Quantity)):
            self._declare("errors.total", total, total.span, total.span)
        for spec in fields_of("errors")[1:]:
            self.fields[spec.path] = Declared(spec, spec.path, field.value, field.span, field.head[0].span)

    def _block(
        self, section: str, head: Sequence[ast.HeadItem], body: Sequence[ast.Statement], span: Span, extent: Span
    ) -> None:  # fmt: skip
        words = [item for item in head if isinstance(item, ast.Word)]
        found = _find_section(section, words)
        if found is None:
            self._unknown_block(section, words, head[0].span)
            return
        spec, used = found
        if not self._open(spec.path, span):
            return
        self.extents[spec.path] = extent
        self._label(spec, head[used:], span)
        self._body(spec.path, body)

    def _open(self, path: str, span: Span) -> bool:
        if path in self.sections:
            self.faults.duplicate(f"`{path.replace('.', ' ')}`", span, self.sections[path])
            return False
        self.sections[path] = span
        return True

    def _label(self, spec: SectionSpec, rest: Sequence[ast.HeadItem], span: Span) -> None:
        wanted = {"": 0, "word": 1, "number": 1}[spec.label]
        if len(rest) != wanted:
            shape = {"": "no label", "word": "one name", "number": "a number"}[spec.label]
            self.faults.shape(f"`{spec.path.replace('.', ' ')}` takes {shape}", span)
        elif spec.label == "word" and isinstance(rest[0], ast.Word):
            self._declare(spec.path + ".name", rest[0], rest[0].span, rest[0].span)
        elif spec.label == "number" and isinstance(rest[0], (ast.Number, ast.Quantity)):
            self._declare(spec.path + ".total", rest[0], rest[0].span, rest[0].span)

    def _declare(
        self, path: str, expr: ast.Expr | tuple[ast.Text, ...] | ast.Word, span: Span, head: Span,
        words: Sequence[ast.Word] = (),
    ) -> None:  # fmt: skip
        spec = find_field(path)
        if spec is None or spec.path == path and path.endswith(".*"):
            self._unknown_field(path, words, head)
        elif path in self.fields:
            self.faults.duplicate(f"`{_shown(path)}`", head, self.fields[path].head_span)
        else:
            self.fields[path] = Declared(spec, path, expr, span, head)

    def _unknown_field(self, path: str, words: Sequence[ast.Word], span: Span) -> None:
        section = path.rpartition(".")[0] if len(words) < 2 else path.rsplit(".", len(words))[0]
        known = [s.name if s.name != "*" else s.section.rpartition(".")[2] for s in _fields_below(section)]
        known += [p[len(section) :].lstrip(".").partition(".")[0] for p in SECTION_TABLE if p.startswith(section) and p != section]
        self._unknown.append((section, " ".join(w.name for w in words)))
        self.complete = False
        where = f"`{section.replace('.', ' ')}`" if section else "a registration"
        word = words[0] if words else None
        self.faults.unknown("field", " ".join(w.text for w in words) if word else path, span, known, where)

    def _unknown_block(self, section: str, words: Sequence[ast.Word], span: Span) -> None:
        self._unknown.append((section, " ".join(w.name for w in words)))
        self.complete = False
        known = {p.rpartition(section + ".")[2].replace(".", " ") if section else p.replace(".", " ") for p in SECTION_TABLE if p}
        self.faults.unknown("block", " ".join(w.text for w in words[:2]) or "…", span, known)

    def _missing(self, grade: str, span: Span) -> None:
        wanted = (REQUIRED, EVIDENCE) if grade == "evidence" else (REQUIRED,)
        for section in SECTION_TABLE.values():
            above = section.path.rpartition(".")[0] if section.prose else ""
            if section.presence in wanted and section.path not in self.sections and above in self.sections:
                self._absent(above, section.path, f"the block `{section.path.replace('.', ' ')}`", section.doc, _block_example(section))
        for spec in FIELDS.values():
            if spec.presence not in wanted or spec.path in self.fields or spec.section not in self.sections:
                continue
            if spec.path not in SECTION_TABLE:
                self._absent(spec.section, spec.path, f"`{spec.name}`", spec.doc, f"see `dcpc explain {spec.path}`")

    def _absent(self, section: str, path: str, what: str, doc: str, example: str) -> None:
        """Report an absence, unless a fault that is already reported may have caused it."""
        self.complete = False
        meant = any(closest(word, [path.rpartition(".")[2], path.replace(".", " ")]) for at, word in self._unknown if at == section)
        if not meant and section not in map(self._section_at, self._broken):
            self.faults.missing(what, self.sections[section], doc, example)

    def _section_at(self, span: Span) -> str:
        """The innermost block that holds a place."""
        around = [p for p, e in self.extents.items() if e.start <= span.start <= e.end]
        return max(around, key=lambda p: self.extents[p].start, default="")


def _has_block(block: ast.Block, *names: str) -> bool:
    heads = (s.head for s in block.body if isinstance(s, ast.Block))
    return any(tuple(h.name for h in head if isinstance(h, ast.Word)) == names for head in heads)


def _find_section(section: str, words: Sequence[ast.Word]) -> tuple[SectionSpec, int] | None:
    """The section that a head opens and how many of its words name it: two (`gate recovery`) before one (`task`)."""
    for used in (2, 1):
        path = _join(section, *(w.name for w in words[:used]))
        if len(words) >= used and path in SECTION_TABLE:
            return SECTION_TABLE[path], used
    return None


def _fields_below(section: str) -> list[FieldSpec]:
    direct = fields_of(section)
    roles = [s for s in FIELDS.values() if s.name == "*" and s.section.rpartition(".")[0] == section]
    return [*direct, *roles]


def _join(section: str, *names: str) -> str:
    return ".".join((section, *names)) if section else ".".join(names)


def _head_span(words: Sequence[ast.Word]) -> Span:
    return words[0].span.to(words[-1].span)


def _shown(path: str) -> str:
    return path.rpartition(".")[2] if path.count(".") < 2 else path


def _block_example(section: SectionSpec) -> str:
    label = {"": "", "word": " name", "number": " 5%"}[section.label]
    return f"add `{section.path.replace('.', ' ')}{label} {{ … }}`"
