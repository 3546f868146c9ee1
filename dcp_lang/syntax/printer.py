"""The canonical layout of a file.

One statement per line, two blanks per level, one blank around `=` and operators, nothing aligned. At most
one blank line between statements, none at the ends of a block. A list, call or record stands on one line when
it fits into 100 columns and holds no comment, else one item per line; so does a block, but only when it was
written on one line. A `require` that does not fit continues with `when` and `else` on lines of their own.
Numbers, strings and comments are kept as written. A comment stays where it stands: on its own line, or at the
end of the line of what is before it; one in the midst of an expression moves before it.
"""

from __future__ import annotations

from dcp_lang.record import TYPE_CHECKING, Record
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast
from dcp_lang.syntax.spelling import Speller

if TYPE_CHECKING:
    from typing import Any, TypeAlias

#: Most columns of a line that can be broken.
WIDTH = 100

_INDENT = "  "


def format_file(file: ast.File, source: SourceFile, *, ascii: bool = False) -> str:
    """The canonical text of a file read from `source` without faults; with `ascii`, words without Greek."""
    return _Printer(file, source.text, ascii).run()


def same_tree(left: Any, right: Any) -> bool:
    """Whether two trees mean the same: equal but for places, and words equal in their ASCII spelling.

    Comments are compared by their text, so that `same_tree(file, other)` also says that none was lost.
    """
    if type(left) is not type(right):
        return False
    if isinstance(left, Span):
        return True
    if isinstance(left, ast.Word):
        return bool(left.name == right.name)
    if isinstance(left, ast.Comment):
        return bool(left.text.rstrip() == right.text.rstrip())
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(same_tree, left, right))
    return bool(left == right)


_Item: TypeAlias = ast.Statement | ast.Argument | ast.Expr
_STATEMENTS = (
    ast.Field,
    ast.Block,
    ast.Prose,
    ast.Require,
    ast.Allow,
    ast.Default,
    ast.Use,
    ast.Edition,
)


class _Breakable(Record):
    """A list, call or record: its opening, a place on the line of that, its items, its closing."""

    opener: str
    start: int
    items: tuple[_Item, ...]
    closer: str


class _RawSpeller(Speller):
    """Keeps the lines of a string."""

    def text(self, node: ast.Text) -> str:
        return node.raw


class _Printer:
    def __init__(self, file: ast.File, text: str, is_ascii: bool) -> None:
        self._file = file
        self._text = text
        self._spell = _RawSpeller(is_ascii)
        self._lines: list[str] = []
        self._comments = list(reversed(file.comments))
        #: Where what was printed last ends in the source; None at the start of a block.
        self._last: int | None = None

    def run(self) -> str:
        self._body(self._file.statements, len(self._text), 0)
        return "\n".join(self._lines) + "\n" if self._lines else ""

    def _body(self, statements: tuple[ast.Statement, ...], end: int, depth: int) -> None:
        for statement in statements:
            self._before(statement.span.start, depth)
            self._statement(statement, depth)
            self._after(statement.span.end)
        self._before(end, depth, is_end=True)

    # Lines, blank lines and comments

    def _line(self, text: str, depth: int) -> None:
        self._lines.append(_INDENT * depth + text)

    def _gap(self, start: int) -> None:
        """A blank line when the source has one before `start`."""
        if self._last is not None and self._text.count("\n", self._last, start) > 1:
            self._lines.append("")

    def _before(self, start: int, depth: int, *, is_end: bool = False) -> None:
        """Print the comments before an offset, each on its line, and the blank line before what is there."""
        while self._comments and self._comments[-1].span.start < start:
            comment = self._comments.pop()
            self._gap(comment.span.start)
            self._line(comment.text.rstrip(), depth)
            self._last = comment.span.end
        if not is_end:
            self._gap(start)

    def _hoist(self, end: int, depth: int) -> None:
        """Print the comments within what is about to be printed before it."""
        while self._has_comment(end):
            self._line(self._comments.pop().text.rstrip(), depth)

    def _after(self, end: int) -> None:
        """Print the comment on the line of what was just printed, which ends at `end` in the source."""
        self._last = end
        if self._comments and "\n" not in self._text[end : self._comments[-1].span.start]:
            comment = self._comments.pop()
            self._lines[-1] += "  " + comment.text.rstrip()
            self._last = comment.span.end

    def _has_comment(self, end: int) -> bool:
        return bool(self._comments) and self._comments[-1].span.start < end

    # Statements

    def _statement(self, node: ast.Statement, depth: int) -> None:
        match node:
            case ast.Block():
                self._block(node, depth)
            case ast.Field() | ast.Default() | ast.Use():
                prefix, value = self._spell.declaration(node)
                self._value(prefix, value, "", depth)
            case ast.Require():
                self._require(node, depth)
            case _:
                self._hoist(node.span.end, depth)
                self._line(self._spell.statement(node), depth)

    def _block(self, node: ast.Block, depth: int) -> None:
        is_short = "\n" not in self._text[node.span.start : node.span.end]
        flat = self._spell.statement(node) if is_short or not node.body else ""
        if flat and self._fits(flat, depth) and not self._has_comment(node.span.end):
            self._line(flat, depth)
            return
        self._line(self._spell.block_head(node) + " {", depth)
        self._inside(node.head_span.end, node.body[0].span.start if node.body else node.span.end)
        self._body(node.body, node.span.end, depth + 1)
        self._line("}", depth)

    def _require(self, node: ast.Require, depth: int) -> None:
        self._hoist(node.span.end, depth)
        first, *rest = self._spell.requirement(node)
        flat = " ".join([first, *rest])
        if self._fits(flat, depth):
            self._line(flat, depth)
            return
        self._line(first, depth)
        for part in rest:
            self._line(part, depth + 1)

    # Expressions

    def _value(self, prefix: str, node: ast.Expr, suffix: str, depth: int) -> None:
        """Print a value between what stands before and after it on its line."""
        flat = prefix + self._spell.expression(node) + suffix
        is_whole = self._fits(flat, depth) and not self._has_comment(node.span.end)
        breakable = self._parts(node)
        if breakable is None or is_whole:
            self._hoist(node.span.end, depth)
            self._line(flat, depth)
            return
        self._line(prefix + breakable.opener, depth)
        first = breakable.items[0].span.start if breakable.items else node.span.end
        self._inside(breakable.start, first)
        for item in breakable.items:
            self._before(item.span.start, depth + 1)
            self._item(item, depth + 1)
            self._after(item.span.end)
        self._before(node.span.end, depth + 1, is_end=True)
        self._line(breakable.closer + suffix, depth)

    def _item(self, item: _Item, depth: int) -> None:
        """Print a statement of a record, an argument of a call or an item of a list."""
        if isinstance(item, ast.Argument):
            name = f"{self._spell.word(item.name)} = " if item.name else ""
            self._value(name, item.value, ",", depth)
        elif isinstance(item, _STATEMENTS):
            self._statement(item, depth)
        else:
            self._value("", item, ",", depth)

    def _parts(self, node: ast.Expr) -> _Breakable | None:
        """The parts of what can be broken; None for any other expression."""
        match node:
            case ast.Record() if node.body or self._has_comment(node.span.end):
                return _Breakable("{", node.span.start, node.body, "}")
            case ast.ListExpr() if node.items or self._has_comment(node.span.end):
                return _Breakable("[", node.span.start, node.items, "]")
            case ast.Call() if node.arguments or self._has_comment(node.span.end):
                opener = self._spell.word(node.function) + "("
                return _Breakable(opener, node.function.span.end, node.arguments, ")")
            case _:
                return None

    def _inside(self, start: int, end: int) -> None:
        """Print the comment on the line of an opening bracket; what follows starts a block."""
        if self._has_comment(end):
            self._after(start)
        self._last = None

    def _fits(self, text: str, depth: int) -> bool:
        return "\n" not in text and len(_INDENT) * depth + len(text) <= WIDTH
