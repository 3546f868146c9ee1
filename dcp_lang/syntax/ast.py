"""The tree of one `.dcp` file. Every node is immutable and carries its span.

One form for everything: a statement is a field, a block, or one of the few keyword statements. Roles and
labels (`given workspace = …`, `gate recovery { … }`) are kept as written; `sema` decides what they mean.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang import record
from dcp_lang.record import TYPE_CHECKING
from dcp_lang.source import Span

if TYPE_CHECKING:
    from typing import TypeAlias


#: A node of the tree. (`Record` is one kind of node here.)
Node = record.Record


# Expressions ------------------------------------------------------------------------------------------------


class Number(Node):
    """An exact number: `text` as written (`5%`, `200_000`), `value` the rational it names (5% is 1/20)."""

    value: Fraction
    text: str
    span: Span


class Quantity(Node):
    """A number with a unit word: `10 USD`, `30 min`, `96 episodes`."""

    number: Number
    unit: Word
    span: Span


class Text(Node):
    """A string; `value` after escapes, `raw` as written with its quotes."""

    value: str
    raw: str
    span: Span


class Auto(Node):
    """`auto`: computed by the planner."""

    span: Span


class Word(Node):
    """One identifier as written; `name` is the ASCII spelling (`delta_min` for `δ_min`)."""

    name: str
    text: str
    span: Span


class Name(Node):
    """A dotted name: `ε`, `policy.neutral.preserves`."""

    parts: tuple[Word, ...]
    span: Span

    @property
    def dotted(self) -> str:
        """ASCII spelling with dots."""
        return ".".join(part.name for part in self.parts)


class Argument(Node):
    """An argument of a call, with its name when given (`at_most = 20 requests`)."""

    name: Word | None
    value: Expr
    span: Span


class Call(Node):
    """`file("task.py")`, `score(b)`, `hosts(["sqlite.org"], at_most = 20 requests)`."""

    function: Word
    arguments: tuple[Argument, ...]
    span: Span


class ListExpr(Node):
    """`[timing, schema]`."""

    items: tuple[Expr, ...]
    span: Span


class Record(Node):
    """`{ pairs = 3, null_pairs = 6 }` to the right of an equals sign: the same statements as in a block."""

    body: tuple[Statement, ...]
    span: Span


class Unary(Node):
    """`-x` or `not x`."""

    operator: str
    operand: Expr
    span: Span


class Binary(Node):
    """`+ - * /`, `and`, `or`, and the infix words `on` and `within`."""

    operator: str
    left: Expr
    right: Expr
    span: Span


class Comparison(Node):
    """A chain: `0 <= ε < δ_min`. Operators: `== != < <= > >= in contains`."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span


class Broken(Node):
    """Stands where a value could not be read. Its fault is reported: nothing more needs to be said about it.

    A field whose value is broken still counts as declared, whatever kind of statement its head names.
    """

    span: Span


Expr: TypeAlias = (
    Number | Quantity | Text | Auto | Name | Call | ListExpr | Record | Unary | Binary | Comparison | Broken
)

# Statements -------------------------------------------------------------------------------------------------


class Field(Node):
    """`given workspace = file("workspace/")`: the head's words and numbers (`errors 5% = auto`), a value."""

    head: tuple[HeadItem, ...]
    value: Expr
    span: Span


class Block(Node):
    """`registration sqlite_web : evidence { … }`: head, optional tag after the colon, body."""

    head: tuple[HeadItem, ...]
    tag: Word | None
    body: tuple[Statement, ...]
    span: Span
    head_span: Span


class Prose(Node):
    """A bare string inside a list-like block (`valid { "…" }`)."""

    text: Text
    span: Span


class Require(Node):
    """`require condition [when guard] [else "message"]`."""

    condition: Expr
    when: Expr | None
    message: Text | None
    span: Span


class Allow(Node):
    """`allow CODE because "…"`."""

    code: Word
    reason: Text
    span: Span


class Default(Node):
    """`default errors.neutral = 0.5%` (in a profile)."""

    path: Name
    value: Expr
    span: Span


class Use(Node):
    """`use "dcp.kernel/2"` or `use file("authority.dcp")`."""

    target: Expr
    span: Span


class Edition(Node):
    """`dcp 1`, the first statement of every file."""

    number: Number
    span: Span


HeadItem: TypeAlias = Word | Number | Quantity | Text
Statement: TypeAlias = Field | Block | Prose | Require | Allow | Default | Use | Edition


class Comment(Node):
    """A comment with its `#`, and whether something else stands before it on its line."""

    text: str
    trailing: bool
    span: Span


class File(Node):
    """All statements of one file in order, and its comments in order."""

    statements: tuple[Statement, ...]
    comments: tuple[Comment, ...]
    span: Span
