"""Names: from the tree of a file to one registration whose every field and block is known.

Assumes a tree without syntax faults in the statements that it keeps. The result is best effort, with every
unknown name and repetition reported; `missing.py` then reports what is absent.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from dcp_lang.language.fields import (
    FIELDS,
    SECTION_TABLE,
    SectionSpec,
    fields_of,
    find_field,
    wanted,
)
from dcp_lang.memory import Memory
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.sema.faults import Faults
from dcp_lang.sema.model import Declared, Part, Resolved
from dcp_lang.sema.profile import Profile
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    V = TypeVar("V")

GRADES = ("core", "evidence")

#: What a statement of the registration's own level declares, by the statement's identity; it is kept beside it.
_known = Memory(2**20)


class Resolver:
    """Walks one registration block and files every field under its path.

    `extents` maps the path of every block to its whole span, `unknown` lists the names that nothing has: what
    is then absent may be meant by them.
    """

    def __init__(self, source: SourceFile, faults: Faults) -> None:
        self.source = source
        self.faults = faults
        self.fields: dict[str, Declared] = {}
        self.parts: list[Part] = []
        self.sections: dict[str, Span] = {}
        self.extents: dict[str, Span] = {}
        self.unknown: list[tuple[str, str]] = []
        self.requires: list[ast.Require] = []
        self.allows: list[ast.Allow] = []

    def resolve(self, block: ast.Block, edition: int, profiles: Sequence[Profile]) -> Resolved:
        """Everything that the registration block declares."""
        grade = self._grade(block)
        self.sections[""], self.extents[""] = block.head_span, block.span
        self._registration(block.body)
        complete = self._is_complete(grade) and not self.unknown
        return Resolved(
            self.source,
            edition,
            self._name(block),
            grade,
            block.head_span,
            self.fields,
            tuple(self.parts),
            self.sections,
            tuple(self.requires),
            tuple(self.allows),
            tuple(profiles),
            complete,
        )

    def _name(self, block: ast.Block) -> str:
        names = [item.name for item in block.head[1:] if isinstance(item, ast.Word)]
        if len(names) != 1 or len(block.head) != 2:
            doc = "The name is one word; it names the files that are made."
            self.faults.missing(
                "the registration's name", block.head_span, doc, "registration my_audit : core { … }"
            )
        return names[0] if names else ""

    def _grade(self, block: ast.Block) -> str:
        if block.tag is None:
            doc = "The grade is the claim: `core`, or `evidence` with Gate 3."
            self.faults.missing("the grade", block.head_span, doc, "registration my_audit : core { … }")
        elif block.tag.name in GRADES:
            return block.tag.name
        else:
            self.faults.unknown("grade", block.tag.text, block.tag.span, GRADES)
        # What the author meant shows in the blocks: the other rules then speak to the point.
        return "evidence" if _has_block(block, "gate", "feedback") else "core"

    def _is_complete(self, grade: str) -> bool:
        """Whether all is there that the grade requires; what is not is reported."""
        blocks, fields = wanted(grade)
        if blocks.keys() <= self.sections.keys() and fields.keys() <= self.fields.keys():
            return True
        from dcp_lang.sema.missing import report_missing

        return report_missing(self, blocks, fields)

    def _registration(self, body: Sequence[ast.Statement]) -> None:
        """The registration's own level, where a statement that was read before declares what it did then."""
        for statement in body:
            known = _known.get(id(statement))
            if known is None or not self._takes(known[1]):
                self._part(statement)
        self._prose("", [s for s in body if type(s) is ast.Prose])

    def _takes(self, part: Part) -> bool:
        """Declare a part, unless something in it is declared already."""
        if not (
            self.fields.keys().isdisjoint(part.fields) and self.sections.keys().isdisjoint(part.sections)
        ):
            return False
        self.fields.update(part.fields)
        self.sections.update(part.sections)
        self.extents.update(part.extents)
        self.parts.append(part)
        return True

    def _part(self, statement: ast.Statement) -> None:
        """Declare a statement, and remember what it declares where nothing is amiss."""
        said = self.faults.sink.added
        done = [len(found) for found in (self.fields, self.sections, self.extents)]
        self._statement("", statement)
        if self.faults.sink.added > said or type(statement) not in (ast.Field, ast.Block):
            return
        part = Part(
            _after(self.fields, done[0]), _after(self.sections, done[1]), _after(self.extents, done[2])
        )
        self.parts.append(part)
        _known.keep(id(statement), (statement, part), statement.span.end - statement.span.start)

    def _body(self, section: str, body: Sequence[ast.Statement]) -> None:
        self._prose(section, [s for s in body if type(s) is ast.Prose])
        for statement in body:
            self._statement(section, statement)

    def _statement(self, section: str, statement: ast.Statement) -> None:
        if type(statement) is ast.Field:  # nearly every statement
            self._field(section, statement)
            return
        match statement:
            case ast.Block():
                self._block(section, statement.head, statement.body, statement.head_span, statement.span)
            case ast.Require() if not section:
                self.requires.append(statement)
            case ast.Allow() if not section:
                self.allows.append(statement)
            case ast.Require() | ast.Allow():
                message = f"this statement stands inside `{_words(section)}`"
                help = "move it to the registration's own level, beside the blocks"
                self.faults.misplaced(message, statement.span, help=help)
            case ast.Prose():
                pass
            case _:
                message = "this statement has no place inside a registration"
                self.faults.misplaced(
                    message, statement.span, help="move it outside the registration's braces"
                )

    def _prose(self, section: str, prose: Sequence[ast.Prose]) -> None:
        if not prose:
            return
        span = prose[0].span.to(prose[-1].span)
        spec = SECTION_TABLE.get(section)
        if spec is None or not spec.prose:
            self.faults.misplaced("a bare text has no place here", span, help='give it a name: `word = "…"`')
            return
        self._declare(section, ast.ListExpr(tuple(p.text for p in prose), span), span, span)

    # Fields

    def _field(self, section: str, field: ast.Field) -> None:
        head, value, span = field
        if type(value) is ast.Record:
            self._block(section, head, value.body, span, value.span)
        elif len(head) == 1 and type(head[0]) is ast.Word:
            self._declare(_join(section, head[0].name), value, span, head[0].span, head)
        else:
            self._long_field(section, field)

    def _long_field(self, section: str, field: ast.Field) -> None:
        words = [item for item in field.head if isinstance(item, ast.Word)]
        if section == "" and words and words[0].name == "errors" and len(field.head) == 2:
            self._errors_auto(field)
        elif len(words) != len(field.head) or not words:
            self.faults.misplaced("a field's name is made of words", field.span, help="write `word = value`")
        else:
            head = words[0].span.to(words[-1].span)
            self._declare(_join(section, *(w.name for w in words)), field.value, field.span, head, words)

    def _errors_auto(self, field: ast.Field) -> None:
        """`errors 5% = auto`: every alpha is computed."""
        if not self._open("errors", field.span):
            return
        total = field.head[1]
        if isinstance(total, ast.Number | ast.Quantity):
            self._declare("errors.total", total, total.span, total.span)
        for spec in fields_of("errors")[1:]:
            self.fields[spec.path] = Declared(spec, spec.path, field.value, field.span, field.head[0].span)

    def _declare(
        self, path: str, expr: ast.Expr, span: Span, head: Span, words: Sequence[ast.HeadItem] = ()
    ) -> None:
        spec = find_field(path)
        if spec is None or (spec.path == path and spec.name == "*"):
            self._unknown_field(path, [w for w in words if isinstance(w, ast.Word)], head)
        elif path in self.fields:
            self.faults.duplicate(f"`{_shown(path)}`", head, self.fields[path].head_span)
        else:
            self.fields[path] = Declared(spec, path, expr, span, head)

    def _unknown_field(self, path: str, words: Sequence[ast.Word], span: Span) -> None:
        section = path.rsplit(".", len(words))[0] if "." in path and len(words) < path.count(".") + 1 else ""
        self.unknown.append((section, " ".join(w.name for w in words)))
        where = f"`{_words(section)}`" if section else "a registration"
        word, known = " ".join(w.text for w in words), _names_in(section)
        if word in known:
            self.faults.misplaced(f"`{word}` is a block, not a field", span, help=f"write `{word} {{ … }}`")
        else:
            self.faults.unknown("field", word, span, known, where)

    # Blocks

    def _block(
        self,
        section: str,
        head: Sequence[ast.HeadItem],
        body: Sequence[ast.Statement],
        span: Span,
        extent: Span,
    ) -> None:
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
            self.faults.duplicate(f"`{_words(path)}`", span, self.sections[path])
            return False
        self.sections[path] = span
        return True

    def _label(self, spec: SectionSpec, rest: Sequence[ast.HeadItem], span: Span) -> None:
        match spec.label, rest:
            case "word", [ast.Word() as word]:
                name = ast.Text(word.text, word.text, word.span)
                self._declare(spec.path + ".name", name, word.span, word.span)
            case "number", [(ast.Number() | ast.Quantity()) as total]:
                self._declare(spec.path + ".total", total, total.span, total.span)
            case "", []:
                pass
            case _:
                shape, example = _LABELS[spec.label]
                self.unknown.append((spec.path, "total" if spec.label == "number" else "name"))
                path = _words(spec.path)
                message = f"`{path}` takes {shape}"
                self.faults.misplaced(message, span, help=f"write `{path}{example} {{ … }}`")

    def _unknown_block(self, section: str, words: Sequence[ast.Word], span: Span) -> None:
        self.unknown.append((section, " ".join(w.name for w in words)))
        word = " ".join(w.text for w in words[:2]) or "…"
        self.faults.unknown("block", word, span, _blocks_in(section))


#: What each kind of label is, and how it looks.
_LABELS = {"": ("no label", ""), "word": ("one name", " name"), "number": ("a number", " 5%")}


def _has_block(block: ast.Block, *names: str) -> bool:
    heads = (s.head for s in block.body if isinstance(s, ast.Block))
    return any(tuple(h.name for h in head if isinstance(h, ast.Word)) == names for head in heads)


def _find_section(section: str, words: Sequence[ast.Word]) -> tuple[SectionSpec, int] | None:
    """The section that a head opens and how many of its words name it: two (`gate recovery`) before one
    (`task`).
    """
    for used in range(min(len(words), 2), 0, -1):
        path = _join(section, *[w.name for w in words[:used]])
        if path in SECTION_TABLE:
            return SECTION_TABLE[path], used
    return None


@lru_cache
def _blocks_in(section: str) -> tuple[str, ...]:
    """The blocks of the language, those inside a block by their names there."""
    return tuple(_words(path.removeprefix(section + ".")) for path in SECTION_TABLE if path)


@lru_cache
def _names_in(section: str) -> tuple[str, ...]:
    """What may be declared directly inside a block: its fields, its roles (`given`) and its blocks."""
    fields = [s.name for s in FIELDS.values() if s.section == section and s.name != "*"]
    roles = [
        _last(s.section) for s in FIELDS.values() if s.name == "*" and s.section.rpartition(".")[0] == section
    ]
    start = section + "." if section else ""
    blocks = [p[len(start) :].partition(".")[0] for p in SECTION_TABLE if p and p.startswith(start)]
    return (*fields, *roles, *blocks)


def _after(found: dict[str, V], count: int) -> dict[str, V]:
    """What came after the first so many."""
    return dict(islice(found.items(), count, None))


def _join(section: str, *names: str) -> str:
    return ".".join((section, *names)) if section else ".".join(names)


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _words(path: str) -> str:
    return path.replace(".", " ")


def _shown(path: str) -> str:
    return _last(path) if path.count(".") < 2 else path
