"""Brackets that do not pair: reports each once, and gives tokens whose brackets do.

Which round or square bracket stays open is certain, for a brace ends all brackets within it. Which brace
stays open is not; indentation tells, as it tells a reader. A bracket that stays open ends before the line
that cannot belong to it any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from dcp_lang.source import Span
from dcp_lang.syntax import faults, tables
from dcp_lang.syntax.findings import Findings
from dcp_lang.syntax.layout import (
    CLOSERS,
    MAX_DEPTH,
    MAX_OPERATORS,
    OPERATORS,
    PARTNERS,
    STRUCTURE,
    Nesting,
    starts_statement,
)
from dcp_lang.syntax.lexer import Token

_SPELLED = {tables.RPAR: ")", tables.RSQB: "]", tables.RBRACE: "}"}
#: The two closers that are no braces, each by the other.
_OTHERS = {tables.RPAR: tables.RSQB, tables.RSQB: tables.RPAR}
_GOES_ON = OPERATORS | PARTNERS.keys() | {tables.COMMA, tables.EQUAL, tables.DOT}
_LINES = re.compile(r"^[ \t]*", re.MULTILINE)


class Pairing(NamedTuple):
    """Indices of brackets that do not pair: openers never closed, closers of nothing, and closers of the
    wrong kind with their opener."""

    unclosed: set[int]
    unmatched: set[int]
    mismatched: dict[int, int]


def pair(tokens: list[Token]) -> Pairing:
    """Pair brackets from left to right; a brace ends the other brackets within it."""
    found = Pairing(set(), set(), {})
    #: The open brackets by their closer, innermost last, above one that stands for none.
    opened = {closer: [-1] for closer in CLOSERS}
    braces = opened[tables.RBRACE]
    line_end = -1
    for index, (kind, _, _) in enumerate(tokens):
        if kind not in STRUCTURE:
            continue
        if kind in PARTNERS:
            opened[PARTNERS[kind]].append(index)
        elif kind == tables.RBRACE:
            for closer in _OTHERS:
                _leave_open(opened[closer], braces[-1], found)
            if braces[-1] >= 0:
                braces.pop()
            else:
                found.unmatched.add(index)
        elif kind == tables.NEWLINE:
            line_end = index
        else:
            _close(index, kind, line_end, opened, found)
    for brackets in opened.values():
        _leave_open(brackets, -1, found)
    return found


def _leave_open(brackets: list[int], outer: int, found: Pairing) -> None:
    """Give up the open brackets that are inside an outer one."""
    while brackets[-1] > outer:
        found.unclosed.add(brackets.pop())


def _close(index: int, kind: int, line_end: int, opened: dict[int, list[int]], found: Pairing) -> None:
    """Pair the bracket at `index` with the next open one of its kind; with the next of the other kind when
    there is no other, or when only that one stands on the same line. One that stands amid a later line closes
    none of the other kind."""
    brace = opened[tables.RBRACE][-1]
    partners, others = opened[kind], opened[_OTHERS[kind]]
    innermost = max(partners[-1], others[-1])
    is_near = innermost > max(brace, line_end)
    if partners[-1] > brace and (partners[-1] > line_end or not is_near):
        _leave_open(others, partners.pop(), found)
    elif innermost > brace and (is_near or index == line_end + 1):
        found.mismatched[index] = others.pop()
    else:
        found.unmatched.add(index)


def repair(findings: Findings, tokens: list[Token]) -> list[Token]:
    """Tokens whose brackets pair; what was amiss is reported."""
    pairing = pair(tokens)
    return _Repair(findings, tokens, pairing).run() if any(pairing) else tokens


class _Repair:
    def __init__(self, findings: Findings, tokens: list[Token], pairing: Pairing) -> None:
        self._findings = findings
        self._source = findings.source
        self._tokens = tokens
        self._pairing = pairing
        self._opened: list[int] = []
        self._repaired: list[Token] = []
        #: Of the line of each token, where it starts and with how many blanks.
        self._starts, self._indents = _lines(findings.source.text, tokens)
        #: Where the line starts on which a closer was last dropped: a fault on it is reported.
        self._dropped = -1
        #: By the brace of a block, whether it is indented: many lines may ask.
        self._indented: dict[int, bool] = {}
        #: Braces yet to be added and to be dropped.
        self._missing = sum(tokens[i][0] == tables.LBRACE for i in pairing.unclosed)
        self._surplus = sum(tokens[i][0] == tables.RBRACE for i in pairing.unmatched)
        text = findings.source.text
        #: Where an unclosed string last swallowed a brace: that one is missing for a reason that is reported.
        self._swallowed = max(
            (t[1] for t in tokens if t[0] == tables.BROKEN and "}" in text[t[1] : t[2]]), default=-1
        )

    def run(self) -> list[Token]:
        for index, token in enumerate(self._tokens):
            kept = self._token(index) if token[0] in STRUCTURE else token
            if kept is not None:
                self._repaired.append(kept)
        self._close_while(lambda _: True)
        return self._repaired

    def _token(self, index: int) -> Token | None:
        """The bracket or line end at `index` as it should be, after the closers that belong before it; None to
        drop it."""
        kind = self._tokens[index][0]
        if kind in PARTNERS:
            self._opened.append(index)
        elif kind == tables.RBRACE:
            return self._tokens[index] if self._ends_block(index) else None
        elif kind in CLOSERS:
            if index not in self._pairing.unmatched:
                return self._closer(index)
            self._drop(index)
            return None
        else:
            self._end_line(index)
        return self._tokens[index]

    # Closers that are there

    def _ends_block(self, index: int) -> bool:
        """Close what the brace at `index` closes; whether it closes a block."""
        if self._opened and self._is_no_block(self._opened[-1]):
            self._close_while(self._is_no_block)
        if not self._opened or (self._surplus and self._indents[index] > self._indents[self._opened[-1]]):
            self._surplus -= 1
            self._drop(index)
            return False
        self._opened.pop()
        return True

    def _is_no_block(self, opener: int) -> bool:
        return self._tokens[opener][0] != tables.LBRACE

    def _drop(self, index: int) -> None:
        line = self._starts[index]
        if line == self._dropped:
            return
        self._dropped = line
        kind, start, end = self._tokens[index]
        if not self._findings.within(line, start):
            self._findings.add(faults.unmatched_bracket(self._source, Span(start, end), _SPELLED[kind]))

    def _closer(self, index: int) -> Token | None:
        """The bracket at `index`, as the one that its opener wants; None when that is closed already."""
        unclosed = self._pairing.unclosed
        opener = self._pairing.mismatched.get(index)
        self._close_while(lambda inner: inner in unclosed and inner != opener)
        if not self._opened or self._tokens[self._opened[-1]][0] == tables.LBRACE:
            return None
        kind, start, end = self._tokens[index]
        opened = self._tokens[self._opened.pop()]
        if opener is not None:
            kind = PARTNERS[opened[0]]
            span, partner = Span(start, end), Span(opened[1], opened[2])
            self._findings.add(faults.mismatched_bracket(self._source, span, partner, _SPELLED[kind]))
        return PARTNERS[opened[0]], start, end

    # Closers that are missing

    def _end_line(self, index: int) -> None:
        """Close what the line after the line end at `index` shows to be over."""
        following = index + 1
        if self._opened and following < len(self._tokens) and self._tokens[following][0] != tables.NEWLINE:
            self._close_while(lambda opener: self._is_over(opener, following))

    def _is_over(self, opener: int, following: int) -> bool:
        is_block = self._tokens[opener][0] == tables.LBRACE
        if is_block and (self._missing <= 0 or not self._is_indented(opener)):
            return False
        if not is_block and opener not in self._pairing.unclosed:
            return False
        following_kind = self._tokens[following][0]
        inside, outside = self._indents[following], self._indents[opener]
        if is_block:
            return inside < outside if following_kind == tables.RBRACE else inside <= outside
        if inside <= outside and following_kind not in CLOSERS:
            return True
        goes_on = self._repaired and self._repaired[-1][0] in _GOES_ON
        return not goes_on and starts_statement(self._tokens, following)

    def _is_indented(self, opener: int) -> bool:
        """Whether the block at `opener` stands on its line or is indented against it."""
        if opener not in self._indented:
            after = opener + 1
            while self._tokens[after][0] == tables.NEWLINE:
                after += 1
            self._indented[opener] = after == opener + 1 or self._indents[after] > self._indents[opener]
        return self._indented[opener]

    def _close_while(self, is_over: Callable[[int], bool]) -> None:
        """Close open brackets, the innermost first; of those that end together the outermost is reported."""
        if not self._opened or not is_over(self._opened[-1]):
            return
        is_line_end = bool(self._repaired) and self._repaired[-1][0] == tables.NEWLINE
        at = len(self._repaired) - is_line_end
        end = self._repaired[at - 1][2] if at else 0
        is_next = True
        while is_next:
            opener = self._opened.pop()
            kind = self._tokens[opener][0]
            self._missing -= kind == tables.LBRACE
            self._repaired.insert(at, (PARTNERS[kind], end, end))
            at += 1
            is_next = bool(self._opened) and is_over(self._opened[-1])
            if kind == tables.LBRACE:
                self._report_block(opener, end)
            elif not is_next or self._tokens[self._opened[-1]][0] == tables.LBRACE:
                self._report_bracket(opener, end)

    def _report_bracket(self, opener: int, end: int) -> None:
        kind, start, _ = self._tokens[opener]
        if not self._findings.within(self._starts[opener], end):
            span, closer = Span(start, start + 1), _SPELLED[PARTNERS[kind]]
            opened = self._source.text[start : start + 1]
            self._findings.add(faults.unclosed_bracket(self._source, span, opened, closer, end))

    def _report_block(self, opener: int, end: int) -> None:
        start = self._tokens[opener][1]
        if start > self._swallowed:
            is_short = self._source.line_at(end) == self._source.line_at(start)
            brace = " }" if is_short else "\n" + " " * self._indents[opener] + "}"
            self._findings.add(faults.unclosed_block(self._source, Span(start, start + 1), end, brace))


def _lines(text: str, tokens: list[Token]) -> tuple[list[int], list[int]]:
    """For each token where the line on which it stands starts, and how many blanks that line starts with."""
    starts: list[int] = []
    indents: list[int] = []
    lines = _LINES.finditer(text)
    line, start, indent = next(lines, None), 0, 0
    for _, at, _ in tokens:
        while line is not None and line.start() <= at:
            start, indent = line.start(), line.end() - line.start()
            line = next(lines, None)
        starts.append(start)
        indents.append(indent)
    return starts, indents


def cut_deep(findings: Findings, tokens: list[Token]) -> list[Token]:
    """Tokens within the caps: what nests too deep is reported and taken for a value that cannot be read."""
    nesting = Nesting()
    kept: list[Token] = []
    done = 0
    while (index := nesting.fault(tokens, done)) is not None:
        kind, start, end = tokens[index]
        is_bracket = kind in PARTNERS
        limit, what = (MAX_DEPTH, "brackets") if is_bracket else (MAX_OPERATORS, "operators")
        if not findings.within(findings.source.line_start(start), start):
            findings.add(faults.too_deep(findings.source, Span(start, end), limit, what))
        kept += tokens[done : index if is_bracket else index + 1]
        done = _group_end(tokens, index) if is_bracket else _item_end(tokens, index + 1, nesting)
        kept.append((tables.BROKEN, end, tokens[done - 1][2]))
        if is_bracket:
            nesting.awaited.pop()
            nesting.operators.pop()
    return kept + tokens[done:]


def _group_end(tokens: list[Token], index: int) -> int:
    """Index after the bracket that closes the one at `index`."""
    depth = 0
    while True:
        depth += (tokens[index][0] in PARTNERS) - (tokens[index][0] in CLOSERS)
        index += 1
        if depth == 0:
            return index


def _item_end(tokens: list[Token], index: int, nesting: Nesting) -> int:
    """Index of the separator or closer that ends the item at `index`."""
    is_block = not nesting.awaited or nesting.awaited[-1] == tables.RBRACE
    ends = CLOSERS | ({tables.COMMA, tables.NEWLINE} if is_block else {tables.COMMA})
    while index < len(tokens) and tokens[index][0] not in ends:
        index = _group_end(tokens, index) if tokens[index][0] in PARTNERS else index + 1
    return index
