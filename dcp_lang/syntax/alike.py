"""A piece of a text made of another that was read: moved to its place, and with digits of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dcp_lang.record import TYPE_CHECKING
from dcp_lang.source import Span
from dcp_lang.syntax import ast
from dcp_lang.syntax.build import ascii_name, exact_value
from dcp_lang.syntax.strings import string_value

if TYPE_CHECKING:
    from typing import Any, TypeAlias, TypeVar

    from dcp_lang.syntax.pieces import Read

    Tree = TypeVar("Tree", bound=tuple[Any, ...])
    Content: TypeAlias = tuple[tuple[ast.Statement, ...], tuple[ast.Comment, ...]]

    def _made(kind: type[Tree], parts: Iterable[Any]) -> Tree:
        """A tuple or a record of its parts."""
else:
    _made = tuple.__new__


class _UnlikeError(Exception):
    """More than its digits must be known of a piece to say what it holds."""


def alike(read: Read, piece: str, start: int) -> Content | None:
    """What a piece holds that differs from another in digits and place only; None where it must be read itself."""
    try:
        content = _with_digits(read.body, read, piece), _with_digits(read.comments, read, piece)
    except _UnlikeError:
        return None
    by = start - read.start
    return _moved(content, by) if by else content


def _with_digits(tree: Tree, read: Read, piece: str) -> Tree:
    """A tree of what was read as the piece says it: the same object where both say the same."""
    kind = type(tree)
    if kind is not tuple:
        start, end = tree.span  # type: ignore[attr-defined]
        start, end = start - read.start, end - read.start
        text = piece[start:end]
        if read.text.startswith(text, start):
            return tree
        if kind in _SPELLED:
            return _spelled(tree, read.text[start:end], text)
    return _made(
        kind,
        [_with_digits(p, read, piece) if isinstance(p, tuple) and type(p) is not Span else p for p in tree],
    )


def _spelled(token: Tree, was: str, text: str) -> Tree:
    """What is written in one token, written otherwise."""
    place, meaning = _SPELLED[type(token)]
    if token[place] != was:  # in parentheses
        raise _UnlikeError
    return _made(type(token), meaning(text, token))


#: Of what is written in one token: which of its fields holds it, and all its fields where another text is written.
_SPELLED: dict[type, tuple[int, Callable[[str, Any], tuple[Any, ...]]]] = {
    ast.Number: (1, lambda text, was: (exact_value(text), text, was.span)),
    ast.Text: (1, lambda text, was: (string_value(text), text, was.span)),
    ast.Word: (1, lambda text, was: (ascii_name(text), text, was.span)),
    ast.Comment: (0, lambda text, was: (text, was.trailing, was.span)),
}


def _moved(tree: Tree, by: int) -> Tree:
    """A tree with every span so many characters further on."""
    if type(tree) is Span:
        return _made(type(tree), (tree[0] + by, tree[1] + by))
    return _made(type(tree), [_moved(part, by) if isinstance(part, tuple) else part for part in tree])
