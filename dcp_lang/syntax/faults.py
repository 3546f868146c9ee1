"""Words the findings of reading: one function per rule, given the source, the place and the facts.

Loaded only for a source that has a fault.
"""

from __future__ import annotations

from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix, Label
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import rules


def replacing(title: str, span: Span, text: str, *, safe: bool = True) -> Fix:
    """A fix of one edit."""
    return Fix(title, (Edit(span, text),), safe)


def code_point(character: str) -> str:
    """`U+2212 MINUS SIGN`."""
    import unicodedata

    return f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"


# The source as a whole -------------------------------------------------------------------------------------


def source_too_large(source: SourceFile, size: int, limit: int, of: str = "bytes") -> Diagnostic:
    return rules.SOURCE_TOO_LARGE.found(
        source,
        Span(0, 0),
        f"the source has {size} {of}, at most {limit} are read",
        help="a registration is a page or two; keep data in files of its own, named with `file(…)`",
    )


def not_text(source: SourceFile) -> Diagnostic:
    return rules.NOT_TEXT.found(
        source,
        Span(0, 0),
        "this is a binary file, not a text",
        help="a registration is a text in UTF-8",
    )


def not_utf_8(source: SourceFile, offset: int, byte: int, position: int) -> Diagnostic:
    return rules.NOT_UTF_8.found(
        source,
        Span(offset, offset + 1),
        f"byte {byte:#04x} at position {position} is not UTF-8",
        help="save the file in UTF-8",
    )


def byte_order_mark(source: SourceFile) -> Diagnostic:
    span = Span(0, 1)
    return rules.BYTE_ORDER_MARK.found(
        source,
        span,
        "the source starts with a byte order mark, U+FEFF",
        help="save the file in UTF-8 without a byte order mark",
        fix=replacing("remove the byte order mark", span, ""),
    )


def lone_return(source: SourceFile, span: Span) -> Diagnostic:
    return rules.LONE_RETURN.found(
        source,
        span,
        "a carriage return without a line feed does not end a line",
        help="end lines with a line feed, or with a carriage return and a line feed",
    )


def empty_file(source: SourceFile) -> Diagnostic:
    return rules.EMPTY_FILE.found(
        source,
        Span(0, 0),
        "the source declares nothing",
        help="start with `dcp 1` and a `registration`; `dcpc init` writes one that checks clean",
    )


def too_many_faults(source: SourceFile, span: Span) -> Diagnostic:
    return rules.TOO_MANY_FAULTS.found(
        source, span, "from here on the source has more faults than are reported"
    )


# Characters ------------------------------------------------------------------------------------------------


def look_alike(source: SourceFile, span: Span, found: str, meant: str, fix: Fix | None) -> Diagnostic:
    return rules.LOOK_ALIKE.found(
        source,
        span,
        f"{code_point(found)} is not `{meant}`, it only looks like it"
        if meant.strip()
        else f"{code_point(found)} is not a space",
        fix=fix,
    )


def non_ascii_digit(source: SourceFile, span: Span, found: str, meant: str, fix: Fix) -> Diagnostic:
    return rules.NON_ASCII_DIGIT.found(
        source, span, f"{code_point(found)} is not the digit `{meant}`", fix=fix
    )


def invisible(source: SourceFile, span: Span, found: str) -> Diagnostic:
    return rules.INVISIBLE.found(
        source,
        span,
        f"{code_point(found)} cannot be seen",
        help="what is registered must be what is read",
        fix=replacing("remove it", span, ""),
    )


def bidirectional(source: SourceFile, span: Span, found: str) -> Diagnostic:
    return rules.BIDIRECTIONAL.found(
        source,
        span,
        f"{code_point(found)} changes the order in which the source is shown",
        help="what is registered must be what is read; U+200E and U+200F may stand in strings",
        fix=replacing("remove it", span, "", safe=False),
    )


def control(source: SourceFile, span: Span, found: str) -> Diagnostic:
    return rules.CONTROL.found(
        source,
        span,
        f"the control character U+{ord(found):04X} may not stand in a source",
        fix=replacing("remove it", span, "", safe=False),
    )


def unexpected_character(
    source: SourceFile, span: Span, found: str, *, help: str = "", fix: Fix | None = None
) -> Diagnostic:
    name = f"`{found}`" if found.isascii() else code_point(found)
    return rules.UNEXPECTED_CHARACTER.found(source, span, f"unexpected character {name}", help=help, fix=fix)


def not_nfc(source: SourceFile, span: Span, normal: str) -> Diagnostic:
    return rules.NOT_NFC.found(
        source,
        span,
        "the string is not in Unicode normalization form C: the same letters would have two digests",
        fix=replacing("write it in form C", span, normal),
    )


def vulgar_fraction(source: SourceFile, span: Span, found: str, meant: str) -> Diagnostic:
    return rules.VULGAR_FRACTION.found(
        source,
        span,
        f"{code_point(found)} is no number, write `{meant}`",
        fix=replacing(f"write `{meant}`", span, meant, safe=False),
    )


# Numbers ---------------------------------------------------------------------------------------------------


def exponent(source: SourceFile, span: Span, text: str, meant: str | None) -> Diagnostic:
    return rules.EXPONENT.found(
        source,
        span,
        f"`{text}` has an exponent, numbers are written out",
        help="" if meant else "at most 15 digits before the point and 12 after it are kept",
        fix=replacing(f"write `{meant}`", span, meant) if meant else None,
    )


def decimal_comma(source: SourceFile, span: Span, text: str, meant: str) -> Diagnostic:
    return rules.DECIMAL_COMMA.found(
        source,
        span,
        f"a comma separates statements and items, the decimal sign is a point: `{meant}`",
        fix=replacing(f"write `{meant}`", span, meant, safe=False),
        notes=(f"`{text}` reads as two numbers",),
    )


def group_comma(source: SourceFile, span: Span, text: str, meant: str) -> Diagnostic:
    return rules.GROUP_COMMA.found(
        source,
        span,
        f"a comma separates statements and items, an underscore groups digits: `{meant}`",
        fix=replacing(f"write `{meant}`", span, meant, safe=False),
        notes=(f"`{text}` reads as {text.count(',') + 1} numbers",),
    )


def second_point(source: SourceFile, span: Span, text: str) -> Diagnostic:
    return rules.SECOND_POINT.found(
        source,
        span,
        f"`{text}` has {text.count('.')} decimal points",
        help="a number has one; a version belongs in a string",
    )


def double_percent(source: SourceFile, span: Span, meant: str) -> Diagnostic:
    return rules.DOUBLE_PERCENT.found(
        source,
        span,
        f"more than one percent sign, `{meant}` is written once",
        fix=replacing(f"write `{meant}`", span, meant, safe=False),
    )


def too_many_digits(source: SourceFile, span: Span, have: int, limit: int, where: str) -> Diagnostic:
    return rules.TOO_MANY_DIGITS.found(
        source,
        span,
        f"{have} digits {where} the decimal point, at most {limit} are kept",
        help="round in the direction that claims less, or write a quotient such as `1/7`",
    )


def bare_point(source: SourceFile, span: Span, text: str, meant: str) -> Diagnostic:
    return rules.BARE_POINT.found(
        source,
        span,
        f"`{text}` has no digit on one side of its point",
        fix=replacing(f"write `{meant}`", span, meant),
    )


def misplaced_underscore(source: SourceFile, span: Span, text: str, meant: str) -> Diagnostic:
    return rules.MISPLACED_UNDERSCORE.found(
        source,
        span,
        f"an underscore stands between two digits, not as in `{text}`",
        fix=replacing(f"write `{meant}`", span, meant),
    )


def joined_word(source: SourceFile, span: Span, number: str, word: str) -> Diagnostic:
    return rules.JOINED_WORD.found(
        source,
        span,
        f"the number `{number}` runs into `{word}`",
        help="a blank separates a number from its unit: `10 USD`",
        fix=replacing("put a blank between them", span, f"{number} {word}", safe=False),
    )


def detached_percent(source: SourceFile, span: Span) -> Diagnostic:
    return rules.DETACHED_PERCENT.found(
        source,
        span,
        "a percent sign stands right after its number: `5%`",
        fix=replacing("close the gap", span, "%"),
    )


# Strings ---------------------------------------------------------------------------------------------------


def unclosed_string(source: SourceFile, span: Span, quotes: str) -> Diagnostic:
    return rules.UNCLOSED_STRING.found(
        source,
        span,
        "the string has no closing quote" if len(quotes) == 1 else "the string has no closing quotes",
        label=f"closing {quotes} is missing",
        help='a text of several lines stands in three quotes, """ … """' if len(quotes) == 1 else "",
    )


def unknown_escape(source: SourceFile, span: Span, escape: str) -> Diagnostic:
    return rules.UNKNOWN_ESCAPE.found(
        source,
        span,
        f"`{escape}` is no escape",
        help=r"the escapes are \" \\ \n and \t; a backslash itself is written \\",
        fix=replacing(r"write a backslash, `\\`", span, "\\" + escape, safe=False),
    )


def single_quotes(source: SourceFile, span: Span, meant: str) -> Diagnostic:
    return rules.SINGLE_QUOTES.found(
        source,
        span,
        "a string stands in double quotes",
        fix=replacing("use double quotes", span, meant),
    )


# Brackets --------------------------------------------------------------------------------------------------


def unclosed_bracket(source: SourceFile, span: Span, opener: str, closer: str, end: int) -> Diagnostic:
    return rules.UNCLOSED_BRACKET.found(
        source,
        span,
        f"`{opener}` is not closed",
        label="opened here",
        labels=(Label(Span(end, end), f"`{closer}` belongs here at the latest"),),
        fix=replacing(f"insert `{closer}`", Span(end, end), closer, safe=False),
    )


def unclosed_block(source: SourceFile, span: Span, end: int, brace: str) -> Diagnostic:
    return rules.UNCLOSED_BLOCK.found(
        source,
        span,
        "the block is not closed",
        label="opened here",
        labels=(Label(Span(end, end), "`}` belongs here at the latest"),),
        fix=replacing("insert `}`", Span(end, end), brace, safe=False),
    )


def unmatched_bracket(source: SourceFile, span: Span, closer: str) -> Diagnostic:
    return rules.UNMATCHED_BRACKET.found(
        source,
        span,
        f"`{closer}` closes nothing",
        fix=replacing("remove it", span, "", safe=False),
    )


def mismatched_bracket(source: SourceFile, span: Span, opener: Span, meant: str) -> Diagnostic:
    opened, closed = source.text[opener.start : opener.end], source.text[span.start : span.end]
    return rules.MISMATCHED_BRACKET.found(
        source,
        span,
        f"`{opened}` is closed by `{closed}`",
        label=f"`{meant}` belongs here",
        labels=(Label(opener, "opened here"),),
        fix=replacing(f"write `{meant}`", span, meant, safe=False),
    )


def too_deep(source: SourceFile, span: Span, limit: int, what: str) -> Diagnostic:
    return rules.TOO_DEEP.found(source, span, f"more than {limit} {what} nest here")


# Tokens ----------------------------------------------------------------------------------------------------


def unexpected_token(
    source: SourceFile, span: Span, found: str, expected: str, *, help: str = "", fix: Fix | None = None
) -> Diagnostic:
    return rules.UNEXPECTED_TOKEN.found(
        source,
        span,
        f"unexpected {found}, expected {expected}",
        label=f"expected {expected}",
        help=help,
        fix=fix,
    )


def reserved_word(source: SourceFile, span: Span, word: str) -> Diagnostic:
    return rules.RESERVED_WORD.found(
        source,
        span,
        f"`{word}` is a reserved word and names nothing",
        help=f"choose another name, such as `{word}_`" if word != "auto" else "`auto` stands for a value",
    )
