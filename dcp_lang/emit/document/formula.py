"""Formulas as small trees with two renderings: MathML for pages, plain text for Markdown and for readers aloud.

Hand-made, because a document must not load a computer algebra system to print `1 - α^(1/n) <= ρ`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from markupsafe import escape


class Atom(NamedTuple):
    """A leaf: `tag` is the MathML element (`mi` identifier, `mn` number, `mo` operator, `mtext` words)."""

    tag: str
    text: str


class Sub(NamedTuple):
    """A symbol with an index: δ_min."""

    base: str
    index: str


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

_OPERATORS = frozenset("+ − · / = < ≤ > ≥ ( ) [ ] , ± ∈ | ≠ ∧ ∨ ¬ ∑ Σ".split())
_TIGHT = frozenset("()[],|")
#: ASCII names of the language and the symbols that stand for them.
SYMBOLS = {
    "delta_min": Sub("δ", "min"),
    "delta_evidence": Sub("δ", "evidence"),
    "delta_sham": Sub("δ", "sham"),
    "recall_min": Sub("r", "min"),
    "rho_placebo": Sub("ρ", "placebo"),
    "p_B": Sub("p", "B"),
    "m_max": Sub("m", "max"),
    "epsilon": Atom("mi", "ε"),
    "rho": Atom("mi", "ρ"),
    "alpha": Atom("mi", "α"),
    "mu": Atom("mi", "μ"),
    "Delta": Atom("mi", "Δ"),
    "A*": Atom("mi", "A*"),
}


def math(text: str, **parts: Formula) -> Formula:
    """A formula from words separated by blanks: operators, numbers, names of `SYMBOLS`, and named parts."""
    atoms = tuple(parts[word] if word in parts else _atom(word) for word in text.split())
    return atoms[0] if len(atoms) == 1 else Row(atoms)


def _atom(word: str) -> Formula:
    if word in SYMBOLS:
        return SYMBOLS[word]
    if word in _OPERATORS:
        return Atom("mo", word)
    if word[0].isdigit():
        return number_formula(word)
    base, underscore, index = word.partition("_")
    return Sub(base, index) if underscore else Atom("mi", word)


def number_formula(text: str) -> Formula:
    """An exact number in the spelling of the JSON: a decimal, or a fraction with a bar."""
    above, slash, below = text.partition("/")
    return Over(Atom("mn", above), Atom("mn", below)) if slash else Atom("mn", text.replace("-", "−"))


def plain(formula: Formula) -> str:
    """A formula in one line of text."""
    match formula:
        case Atom(_, text):
            return text
        case Sub(base, index):
            return f"{base}_{index}"
        case Power(base, exponent):
            return f"{_grouped(base)}^{_grouped(exponent)}"
        case Over(above, below):
            return f"{_grouped(above)}/{_grouped(below)}"
        case Root(inside):
            return f"√({plain(inside)})"
        case Row(parts):
            return _side_by_side([plain(part) for part in parts])


def _grouped(formula: Formula) -> str:
    text = plain(formula)
    return text if isinstance(formula, Atom | Sub) else f"({text})"


def _side_by_side(words: list[str]) -> str:
    """Blanks around operators, none inside parentheses or before an argument list."""
    text = ""
    for previous, word in zip(["", *words], words, strict=False):
        tight = not previous or previous in "([" or word in _TIGHT - {"["} or previous in ("|", "±", "¬")
        text += word if tight and word != "|" else f" {word}"
    return text


def mathml(formula: Formula, *, display: bool = False) -> str:
    """A formula as a MathML element, its plain text as `alttext`."""
    block = ' display="block"' if display else ""
    return f'<math{block} alttext="{escape(plain(formula))}">{_element(formula)}</math>'


def _element(formula: Formula) -> str:
    match formula:
        case Atom(tag, text):
            return f"<{tag}>{escape(text)}</{tag}>"
        case Sub(base, index):
            return f"<msub><mi>{escape(base)}</mi><mi>{escape(index)}</mi></msub>"
        case Power(base, exponent):
            return f"<msup>{_element(base)}{_element(exponent)}</msup>"
        case Over(above, below):
            return f"<mfrac>{_element(above)}{_element(below)}</mfrac>"
        case Root(inside):
            return f"<msqrt>{_element(inside)}</msqrt>"
        case Row(parts):
            return f"<mrow>{''.join(_element(part) for part in parts)}</mrow>"
