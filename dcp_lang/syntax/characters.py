"""Characters beside ASCII: which of them a source may hold, and which letter or sign they look like."""

from __future__ import annotations

import unicodedata

#: The letters that words may have beside ASCII.
GREEK = "δεραμ"

#: Marks of direction, which strings of right-to-left scripts need.
DIRECTION_MARKS = "\u200e\u200f"

_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_LETTERS = dict(
    zip(
        "АВЕКМНОРСТХЅІЈаеорсухѕіјһԁԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοικνυ" + "ıɑµϵϱ",
        "ABEKMHOPCTXSIJaeopcyxsijhdqw" + "ABEZHIKMNOPTYXoikvu" + "iaμερ",
        strict=True,
    )
)

#: Signs and what they look like or mean.
SIGNS = (
    dict.fromkeys("−–—‐‑‒﹣－", "-")
    | dict.fromkeys("×∗⋅·✕", "*")
    | dict.fromkeys("÷∕⁄", "/")
    | {"≤": "<=", "≥": ">=", "≠": "!=", "≦": "<=", "≧": ">=", "⩽": "<=", "⩾": ">="}
    | {"∈": "in", "∋": "contains", "∧": "and", "∨": "or", "¬": "not", "≔": "=", "∶": ":", "‚": ",", "٫": "."}
)


def is_control(character: str) -> bool:
    """Controls, separators of lines and paragraphs, halves of surrogate pairs; not tab and line feed."""
    return unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") and character not in "\t\n"


def is_bidirectional(character: str) -> bool:
    """Embeddings, overrides and isolates (UAX #9): they reorder what stands after them."""
    return character in _BIDIRECTIONAL


def is_invisible(character: str) -> bool:
    """Format characters, which take no place; among them the direction marks."""
    return unicodedata.category(character) == "Cf" and character not in _BIDIRECTIONAL


def is_space(character: str) -> bool:
    """A space other than the one of ASCII."""
    return character != " " and unicodedata.category(character) == "Zs"


def word_character(character: str) -> str | None:
    """The character of a word that this one is or looks like, `c` for the Cyrillic `с`; else None.

    An invisible character counts as none at all, "".
    """
    if is_invisible(character) or is_bidirectional(character):
        return ""
    meant = _LETTERS.get(character, character)
    meant = meant if meant.isascii() or meant in GREEK else _other_width(character)
    is_word = len(meant) == 1 and (meant in GREEK or meant == "_" or (meant.isascii() and meant.isalnum()))
    return meant if is_word else None


def _other_width(character: str) -> str:
    """The common form of a wide, narrow, small or mathematical variant; any other character as it is."""
    is_variant = unicodedata.decomposition(character).startswith(("<wide>", "<narrow>", "<small>", "<font>"))
    return unicodedata.normalize("NFKC", character) if is_variant else character


def sign(character: str) -> str | None:
    """The ASCII sign that this one stands for: `<=` for `≤`, `%` for `％`; else None."""
    meant = SIGNS.get(character) or _other_width(character)
    return meant if meant.isascii() else None


def vulgar_fraction(character: str) -> str | None:
    """`1/2` for `½`; else None."""
    if not unicodedata.decomposition(character).startswith("<fraction>"):
        return None
    return unicodedata.normalize("NFKC", character).replace("\u2044", "/")


def decimal_digits(text: str) -> str:
    """The text with the decimal digits of all scripts as ASCII digits."""
    return "".join(str(unicodedata.decimal(c, c)) for c in text)
