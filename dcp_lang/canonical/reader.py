"""Text to value, strictly.

A reader of its own rather than hooks on `json.loads`: the depth is bounded before it recurses, every refusal
knows its place, and a duplicate key is named. A law in tests/canonical holds it to `json.loads`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import Any, NoReturn

from dcp_lang.canonical.errors import Kind, StrictJsonError, pointer
from dcp_lang.canonical.jcs import MAX_SAFE_INTEGER

_SPACES = re.compile(r"[ \t\n]*")
_STRING = re.compile(r'"([^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+)"')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NAME = re.compile(r"-?[A-Za-z]+")
_NAMES = {"true": True, "false": False, "null": None}
_SHORT_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Reader:
    """One pass over one text; `path` is the place of the value being read."""

    __slots__ = ("max_depth", "parse_float", "path", "pos", "text")

    def __init__(self, text: str, max_depth: int, parse_float: Callable[[str], Any] | None) -> None:
        self.text = text
        self.pos = 0
        self.path: list[str | int] = []
        self.max_depth = max_depth
        self.parse_float = parse_float

    def document(self) -> Any:
        """The one value of the text; StrictJsonError if there is none, or more text after it."""
        value = self._value()
        if self._peek():
            self._fail("syntax", "text after the end of the document")
        return value

    def _fail(self, kind: Kind, message: str) -> NoReturn:
        raise StrictJsonError(kind, message, where=pointer(self.path), offset=self.pos)

    def _peek(self) -> str:
        """The next character that is not a space, "" at the end."""
        head = self.text[self.pos : self.pos + 1]
        if head > " ":
            return head
        spaces = _SPACES.match(self.text, self.pos)
        assert spaces is not None
        self.pos = spaces.end()
        return self.text[self.pos : self.pos + 1]

    def _value(self) -> Any:
        head = self._peek()
        if head == '"':
            return self._string()
        if head == "{" or head == "[":
            if len(self.path) >= self.max_depth:
                self._fail("too-deep", f"nested deeper than {self.max_depth} levels")
            self.pos += 1
            return self._object() if head == "{" else self._array()
        number = _NUMBER.match(self.text, self.pos)
        return self._number(number) if number else self._name()

    def _object(self) -> dict[str, Any]:
        result: dict[str, Any] = {}
        if self._closed("}"):
            return result
        while True:
            key = self._key(result)
            self.path.append(key)
            self._expect(":")
            result[key] = self._value()
            self.path.pop()
            if self._closed("}"):
                return result
            self._expect(",")

    def _key(self, known: dict[str, Any]) -> str:
        if self._peek() != '"':
            self._fail("syntax", "expected a key in double quotes")
        start, key = self.pos, self._string()
        if key in known:
            self.pos = start
            self.path.append(key)
            self._fail("duplicate-key", f"a duplicate key {key!r}")
        return key

    def _array(self) -> list[Any]:
        result: list[Any] = []
        if self._closed("]"):
            return result
        while True:
            self.path.append(len(result))
            result.append(self._value())
            self.path.pop()
            if self._closed("]"):
                return result
            self._expect(",")

    def _closed(self, bracket: str) -> bool:
        """Step over `bracket` if it comes next."""
        if self._peek() != bracket:
            return False
        self.pos += 1
        return True

    def _expect(self, mark: str) -> None:
        found = self._peek()
        if found != mark:
            self._fail(
                "syntax",
                f"expected {mark!r}, found {found!r}" if found else f"expected {mark!r} before the end",
            )
        self.pos += 1

    def _string(self) -> str:
        match = _STRING.match(self.text, self.pos)
        if match is None:
            self._fail("syntax", "a text without an end, or with a control character or an unknown escape")
        text = self._unescape(match[1]) if "\\" in match[1] else match[1]
        self.pos = match.end()
        return text

    def _unescape(self, text: str) -> str:
        units = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SHORT_ESCAPES.get(m[2], m[2]), text)
        try:
            # UTF-16 joins the two halves of a pair and has no place for a half alone.
            return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            self._fail("lone-surrogate", "a text with a lone surrogate")

    def _number(self, match: re.Match[str]) -> Any:
        literal = match[0]
        if match[1] or match[2]:
            value = self._real(literal)
        # Length first: int() of thousands of digits is slow, or an error of another type.
        elif len(literal) > 17 or abs(int(literal)) > MAX_SAFE_INTEGER:
            self._fail("integer-too-large", "an integer beyond 2^53 - 1, which other readers would round")
        else:
            value = int(literal)
        self.pos = match.end()
        return value

    def _real(self, literal: str) -> Any:
        if not isfinite(float(literal)):
            self._fail("not-finite", "a number beyond the finite doubles")
        if self.parse_float is None:
            self._fail(
                "float-in-frozen-file", "a number with a fraction or an exponent: exact numbers are texts"
            )
        return self.parse_float(literal)

    def _name(self) -> bool | None:
        match = _NAME.match(self.text, self.pos)
        word = match[0] if match else self.text[self.pos : self.pos + 1]
        if word in ("NaN", "Infinity", "-Infinity"):
            self._fail("not-finite", f"{word} is not a JSON number")
        if word not in _NAMES:
            self._fail(
                "syntax", f"expected a value, found {word!r}" if word else "expected a value before the end"
            )
        self.pos += len(word)
        return _NAMES[word]
