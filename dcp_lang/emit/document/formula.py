"""Formulas as small trees with two renderings: MathML for pages, plain text for Markdown and for voices.

Hand-made, because a document must not load a computer algebra system to print `1 - α^(1/n) <= ρ`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from markupsafe import escape


class Atom(NamedTuple):
    """A leaf: `tag` is the MathML element (`mi` identifier, `mn` number, `mo` operator)."""

    tag: str
    text: str


class Sub(NamedTuple):
    """A symbol with an index: δ_min."""

    base: str
    below: str


class Power(NamedTuple):
    """base^exponent."""

    base: Formula
    exponent: Formula


class Over(NamedTuple):
    """A fraction with a bar."""

    above: Formula
    below: Formula


class Root(NamedTuple):
    """A square root."""

    inside: Formula


class Row(NamedTuple):
    """Formulas side by side."""

    parts: tuple[Formula, ...]


Formula: TypeAlias = Atom | Sub | Power | Over | Root | Row

_WORD = re.compile("\ue000\\d+\ue001|\\d+(?:\\.\\d+)?|[^\\W\\d_]+(?:_\\w+)?\\*?|//|\\S")
_OPERATORS = frozenset(("+", "−", "·", "/", "=", "<", "≤", ">", "≥", "(", ")", "[", "]", ",", "±", "⊆", "|"))


def parse_formula(text: str, values: Mapping[str, Formula] | None = None) -> Formula:
    """A formula from a line of text: `p_B ≤ 1 − α^{1/n}`.

    `{ }` groups, `^` raises, `//` draws a fraction bar, `√` takes a root, `_` gives an index, `*` after a
    name is part of it; `values` replaces whole words. ValueError when a group does not close.
    """
    return _row(iter(_WORD.findall(text)), values or {}, closing="")


def _row(words: Iterator[str], values: Mapping[str, Formula], closing: str) -> Formula:
    parts: list[Formula] = []
    for word in words:
        if word == closing:
            closing = ""
            break
        if word in ("^", "//"):
            right = _operand(next(words), words, values)
            left = _left_operand(parts)
            parts.append(Power(left, right) if word == "^" else Over(left, right))
        else:
            parts.append(_operand(word, words, values))
    if closing:
        raise ValueError("a group of a formula does not close")
    return parts[0] if len(parts) == 1 else Row(tuple(parts))


def _left_operand(parts: list[Formula]) -> Formula:
    """Take the last part off, or all of a parenthesis that it closes."""
    start, depth = len(parts), 0
    while start == len(parts) or depth:
        start -= 1
        depth += (parts[start] == Atom("mo", ")")) - (parts[start] == Atom("mo", "("))
    operand = tuple(parts[start:])
    del parts[start:]
    return operand[0] if len(operand) == 1 else Row(operand)


def _operand(word: str, words: Iterator[str], values: Mapping[str, Formula]) -> Formula:
    if word == "{":
        return _row(words, values, "}")
    if word == "√":
        return Root(_operand(next(words), words, values))
    return values[word] if word in values else _atom(word)


def _atom(word: str) -> Formula:
    if word in _OPERATORS:
        return Atom("mo", word)
    if word[0].isdigit():
        return number_formula(word)
    if word.endswith("*") and len(word) > 1:
        # Shown beside its letter, as in A*: raised it would stand far above the line.
        return Power(Atom("mi", word[:-1]), Atom("mo", "*"))
    base, underscore, index = word.partition("_")
    return Sub(base, index) if underscore else Atom("mi", word)


def number_formula(text: str) -> Formula:
    """An exact number in the spelling of the JSON: a decimal, or a fraction with a bar."""
    above, slash, below = text.partition("/")
    number = Atom("mn", above.replace("-", "−"))
    return Over(number, Atom("mn", below)) if slash else number


def plain(formula: Formula) -> str:
    """A formula in one line of text."""
    match formula:
        case Atom(_, text):
            return text
        case Sub(base, below):
            return f"{base}_{below}"
        case Power(base, Atom("mo", star)):
            return f"{plain(base)}{star}"
        case Power(base, exponent):
            return f"{_grouped(base)}^{_grouped(exponent)}"
        case Over(above, below):
            return f"{_grouped(above)}/{_grouped(below)}"
        case Root(inside):
            return f"√{_grouped(inside)}"
        case Row(parts):
            return _side_by_side([plain(part) for part in parts])


def _grouped(formula: Formula) -> str:
    text = plain(formula)
    bracketed = text.startswith("(") and text.endswith(")") and text.count("(") == 1
    return text if isinstance(formula, Atom | Sub) or bracketed else f"({text})"


def _side_by_side(words: list[str]) -> str:
    """Blanks around operators; none inside brackets, before an argument list or after a sign."""
    text = ""
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        calls = word in ("(", "[") and before not in _OPERATORS
        tight = not text or calls or word in (")", "]", ",") or before in ("(", "[", "±")
        text += word if tight else f" {word}"
    return text


def mathml(formula: Formula, display: bool = False) -> str:
    """A formula as a MathML element, its plain text as `alttext`."""
    block = ' display="block"' if display else ""
    return f'<math{block} alttext="{escape(plain(formula))}">{_element(formula)}</math>'


def _element(formula: Formula) -> str:
    match formula:
        case Atom("mo", "(" | ")" | "[" | "]" | "|" as text):
            return f'<mo stretchy="false">{text}</mo>'
        case Atom(tag, text):
            return f"<{tag}>{escape(text)}</{tag}>"
        case Sub(base, below):
            return f"<msub><mi>{escape(base)}</mi><mi>{escape(below)}</mi></msub>"
        case Power(base, Atom("mo", star)):
            return f'<mrow>{_element(base)}<mo lspace="0" rspace="0">{star}</mo></mrow>'
        case Power(base, exponent):
            return f"<msup>{_element(base)}{_element(exponent)}</msup>"
        case Over(above, below):
            return f"<mfrac>{_element(above)}{_element(below)}</mfrac>"
        case Root(inside):
            return f"<msqrt>{_element(inside)}</msqrt>"
        case Row(parts):
            return f"<mrow>{''.join(_element(part) for part in parts)}</mrow>"
