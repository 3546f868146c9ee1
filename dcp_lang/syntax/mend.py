"""Where no token starts: reports why, and goes on as if what was meant were written."""

from __future__ import annotations

import unicodedata

from dcp_lang.source import Span
from dcp_lang.syntax import characters, faults, rules, tables
from dcp_lang.syntax.ast import Comment
from dcp_lang.syntax.findings import Findings
from dcp_lang.syntax.foreign import mend_foreign, mend_sign, mend_word
from dcp_lang.syntax.lexer import Lexed, Token
from dcp_lang.syntax.mended import Mended
from dcp_lang.syntax.numbers import mend_number
from dcp_lang.syntax.quotes import is_unclosed, mend_string, mend_unclosed, unclosed_text

#: Most places that are mended, whether each is reported or not: reading stays fast.
MAX_MENDED = 1000

#: Faults of which one line shows but the first: the rest of such a line is seldom better.
_ONCE_A_LINE = frozenset({rules.UNEXPECTED_CHARACTER.name, rules.LOOK_ALIKE.name, rules.INVISIBLE.name})


class Mender:
    """Mends one source; `spellings` holds, by offset, what tokens should have been."""

    def __init__(self, findings: Findings) -> None:
        self.spellings: dict[int, str] = {}
        self._findings = findings
        self._source = findings.source
        self._has_lone_return = False
        self._reported: tuple[str, int] = ("", 0)
        self._count = 0
        self._is_rewound = False

    def __call__(self, position: int, lexed: Lexed) -> int:
        """Mend the place at an offset; where to read on."""
        self._count += 1
        if self._count > MAX_MENDED:
            self._findings.give_up(faults.too_many_faults(self._source, Span(position, position + 1)))
        if is_unclosed(self._source.text, position):
            position = self._rewound(position, lexed)
            return self.apply(mend_unclosed(self._source, position), lexed)
        return self.apply(self._mended(position, lexed.tokens), lexed)

    def _rewound(self, position: int, lexed: Lexed) -> int:
        """Where the text starts that is not closed, with all forgotten that was read after it."""
        start = unclosed_text(self._source.text, lexed.tokens)
        if start is None or self._is_rewound:
            return position
        self._is_rewound = True
        self._findings.retract(start)
        while lexed.comments and lexed.comments[-1].span.start >= start:
            lexed.comments.pop()
        return start

    def apply(self, mended: Mended, lexed: Lexed) -> int:
        """Report what was mended and read it as what was meant; where to read on."""
        self._report(mended)
        while lexed.tokens and lexed.tokens[-1][1] >= mended.start:
            lexed.tokens.pop()
        if mended.kind is not None:
            lexed.tokens.append((mended.kind, mended.start, mended.end))
        if mended.spelling is not None:
            self.spellings[mended.start] = mended.spelling
        return mended.end

    def _mended(self, position: int, tokens: list[Token]) -> Mended:
        source = self._source
        character = source.text[position]
        if character == '"':
            return mend_string(source, position)
        if character in "0123456789":
            return mend_number(source, position)
        if character == "%":
            return self._percent(position, tokens)
        if character.isascii() and not character.isalpha() and character != "_":
            return mend_sign(source, position)
        if position == 0 and character == "\ufeff":
            return Mended(None, 0, 1, faults.byte_order_mark(source))
        plain = tables.UNIT if tokens and tokens[-1][0] == tables.NUMBER else tables.WORD
        return mend_word(source, position, plain) or mend_foreign(source, position)

    def _percent(self, position: int, tokens: list[Token]) -> Mended:
        """A percent sign apart from its number, or one too many."""
        text = self._source.text
        end = position + 1
        while text[end : end + 1] == "%":
            end += 1
        if not tokens or tokens[-1][0] != tables.NUMBER:
            fault = faults.unexpected_character(self._source, Span(position, end), "%")
            return Mended(None, position, end, fault)
        _, start, stop = tokens[-1]
        meant = self.spellings.get(start, text[start:stop]).removesuffix("%") + "%"
        if text[stop - 1] == "%" or end > position + 1:
            fault = faults.double_percent(self._source, Span(start, end), meant)
        else:
            fault = faults.detached_percent(self._source, Span(stop, end))
        return Mended(tables.NUMBER, start, end, fault, meant)

    def _report(self, mended: Mended) -> None:
        fault = mended.fault
        if fault is None or (fault.name == rules.LONE_RETURN.name and self._has_lone_return):
            return
        self._has_lone_return |= fault.name == rules.LONE_RETURN.name
        place = (fault.name, self._source.position(fault.span.start).line)
        if fault.name not in _ONCE_A_LINE or place != self._reported:
            self._findings.add(fault)
        self._reported = place


def check_text(findings: Findings, tokens: list[Token], comments: list[Comment]) -> None:
    """Report, in strings and comments, characters that deceive, and strings that are not in form C."""
    text = findings.source.text
    for comment in comments:
        _check_characters(findings, comment.span, allowed="")
    for kind, start, end in tokens:
        if kind != tables.STRING or (text.isascii() and text[start:end].isprintable()):
            continue
        _check_characters(findings, Span(start, end), allowed=characters.DIRECTION_MARKS)
        raw = text[start:end]
        if not unicodedata.is_normalized("NFC", raw):
            findings.add(faults.not_nfc(findings.source, Span(start, end), unicodedata.normalize("NFC", raw)))


def _check_characters(findings: Findings, span: Span, allowed: str) -> None:
    """Report the first character of a string or comment that may not stand in it."""
    source = findings.source
    text = source.text[span.start : span.end]
    if text.isprintable():
        return
    for offset, found in enumerate(text, span.start):
        if found.isprintable() or found in allowed:
            continue
        at = Span(offset, offset + 1)
        if found == "\r" and source.text[offset + 1 : offset + 2] != "\n":
            return findings.add(faults.lone_return(source, at))
        if characters.is_bidirectional(found):
            return findings.add(faults.bidirectional(source, at, found))
        if characters.is_invisible(found):
            return findings.add(faults.invisible(source, at, found))
        if characters.is_control(found) and found != "\r":
            return findings.add(faults.control(source, at, found))
