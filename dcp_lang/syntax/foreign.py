"""What to make of characters that no word or sign of the language has."""

from __future__ import annotations

import re

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import characters, faults, tables
from dcp_lang.syntax.mended import Mended
from dcp_lang.syntax.numbers import is_number
from dcp_lang.syntax.quotes import DOUBLE_QUOTES, mend_quotes, mend_single

_WORD_RUN = re.compile(r"[A-Za-z0-9_]+|[^\x00-\x7F]")
_DIGIT_RUN = re.compile(r"\d(?:[\d._%]*[\d%])?")
_OTHERS = re.compile(r"[^\x00-\x7F]+")
_BLANK_LINE_END = re.compile(r"[ \t]*(?:#|\r?\n|\Z)")

#: Signs of other languages: what they are taken for.
_SIGNS = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}


def mend_word(source: SourceFile, start: int, plain: int) -> Mended | None:
    """A word with characters that look like its letters; None where no word starts.

    `plain` is the terminal of a word that is no keyword. A word with a letter that looks like none of the
    language cannot be read.
    """
    end, meant, odd = start, "", ""
    while match := _WORD_RUN.match(source.text, end):
        part = match[0] if match[0].isascii() else characters.word_character(match[0])
        if part is None and not match[0].isalpha():
            break
        odd = odd or ("" if part == match[0] else match[0])
        meant += match[0] if part is None else part
        end = match.end()
    span = Span(start, end)
    if not meant and odd:
        return Mended(None, start, end, _in_word(source, span, odd, meant))
    if not meant or meant[0] in "0123456789":
        return None
    kind = tables.SPELLINGS.get(meant, plain)
    if not odd:
        return Mended(kind, start, end)
    if not all(c.isascii() or c in characters.GREEK for c in meant):
        odd = next(c for c in meant if not c.isascii() and c not in characters.GREEK)
        return Mended(tables.BROKEN, start, end, _unknown_letter(source, span, odd))
    return Mended(kind, start, end, _in_word(source, span, odd, meant), meant)


def _unknown_letter(source: SourceFile, span: Span, letter: str) -> Diagnostic:
    help = "words are of ASCII letters, digits, `_` and the letters δ ε ρ α μ; other text stands in strings"
    at = source.text.index(letter, span.start)
    return faults.unexpected_character(source, Span(at, at + 1), letter, help=help)


def _in_word(source: SourceFile, span: Span, odd: str, meant: str) -> Diagnostic:
    """The fault of a word by the first character that is not what it looks like."""
    at = source.text.index(odd, span.start)
    if characters.is_bidirectional(odd):
        return faults.bidirectional(source, Span(at, at + 1), odd)
    if characters.is_invisible(odd):
        return faults.invisible(source, Span(at, at + 1), odd)
    fix = faults.replacing(f"write `{meant}`", span, meant)
    return faults.look_alike(source, span, odd, characters.word_character(odd) or "", fix)


def mend_foreign(source: SourceFile, start: int) -> Mended:
    """A character outside ASCII that is part of no word and can be seen or is a control."""
    found = source.text[start]
    span = Span(start, start + 1)
    if characters.is_control(found):
        return Mended(None, start, _end_of_run(source.text, start), faults.control(source, span, found))
    if characters.is_space(found):
        span = Span(start, _end_of_run(source.text, start))
        fix = faults.replacing("write a space", span, " ")
        return Mended(None, span.start, span.end, faults.look_alike(source, span, found, " ", fix))
    if found in DOUBLE_QUOTES:
        return mend_quotes(source, start)
    return _digits(source, start) or _sign(source, span, found) or _unknown(source, start, found)


def _end_of_run(text: str, start: int) -> int:
    """The end of a run of one character."""
    end = start + 1
    while text.startswith(text[start], end):
        end += 1
    return end


def _digits(source: SourceFile, start: int) -> Mended | None:
    match = _DIGIT_RUN.match(source.text, start)
    if match is None:
        return None
    span = Span(*match.span())
    meant = characters.decimal_digits(match[0])
    fix = faults.replacing(f"write `{meant}`", span, meant)
    fault = faults.non_ascii_digit(source, span, match[0][0], meant[0], fix)
    return Mended(tables.NUMBER if is_number(meant) else tables.BROKEN, span.start, span.end, fault, meant)


def _sign(source: SourceFile, span: Span, found: str) -> Mended | None:
    meant = characters.sign(found)
    if meant is None:
        return None
    kind = tables.SPELLINGS.get(meant)
    word = f" {meant} " if meant.isalpha() else meant
    fix = faults.replacing(f"write `{meant}`", span, word)
    return Mended(kind, span.start, span.end, faults.look_alike(source, span, found, meant, fix), meant)


def _unknown(source: SourceFile, start: int, found: str) -> Mended:
    fraction = characters.vulgar_fraction(found)
    span = Span(start, start + 1)
    if fraction:
        return Mended(
            tables.BROKEN, span.start, span.end, faults.vulgar_fraction(source, span, found, fraction)
        )
    run = _OTHERS.match(source.text, start)
    assert run is not None
    help = "other text stands in strings"
    return Mended(None, start, run.end(), faults.unexpected_character(source, span, found, help=help))


def mend_sign(source: SourceFile, start: int) -> Mended:
    """A character of ASCII that no sign of the language has."""
    text = source.text
    found = text[start]
    span = Span(start, start + 1)
    if found == "\r":
        return Mended(tables.NEWLINE, span.start, span.end, faults.lone_return(source, span))
    if characters.is_control(found):
        return Mended(None, span.start, span.end, faults.control(source, span, found))
    if found == ";":
        return _semicolon(source, span)
    if found == "'" and (string := mend_single(source, start)):
        return string
    found = text[start : start + 2] if text[start : start + 2] in _SIGNS else found
    span = Span(start, start + len(found))
    if found not in _SIGNS:
        return Mended(None, span.start, span.end, faults.unexpected_character(source, span, found))
    word = _SIGNS[found]
    fix = faults.replacing(f"write `{word}`", span, f" {word} ", safe=False)
    fault = faults.unexpected_character(source, span, found, help=f"it is written `{word}`", fix=fix)
    return Mended(tables.SPELLINGS[word], span.start, span.end, fault, word)


def _semicolon(source: SourceFile, span: Span) -> Mended:
    """Ends nothing at the end of a line, else stands for a comma."""
    is_last = _BLANK_LINE_END.match(source.text, span.end) is not None
    help = "a statement ends with its line or with a comma"
    fix = faults.replacing("remove it" if is_last else "write a comma", span, "" if is_last else ",")
    fault = faults.unexpected_character(source, span, ";", help=help, fix=fix)
    return Mended(None if is_last else tables.COMMA, span.start, span.end, fault)
