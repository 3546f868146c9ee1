"""Reads a source that has faults: reports each once, keeps every sound statement.

Runs only when the plain way failed. Characters are mended first, then brackets, then statements: a
statement that no rule allows is taken back to where it started, reported unless a fault within it is reported
already, and skipped to where the next one may start. A field whose value is lost stays, with a broken value.
"""

from __future__ import annotations

from typing import Any

from dcp_lang.source import Span
from dcp_lang.syntax import ast, faults, tables
from dcp_lang.syntax.brackets import cut_deep, repair
from dcp_lang.syntax.build import Body, Builder
from dcp_lang.syntax.expected import acceptable
from dcp_lang.syntax.findings import EnoughError, Findings
from dcp_lang.syntax.layout import CLOSERS, MAX_TOKENS, PARTNERS, counted, is_long, lay_out, starts_statement
from dcp_lang.syntax.lexer import Lexed, Token, lex
from dcp_lang.syntax.mend import Mender, check_text
from dcp_lang.syntax.numbers import mend_commas
from dcp_lang.syntax.parser import run
from dcp_lang.syntax.unexpected import is_token, word_unexpected

#: States in which a statement may start, and those after a whole one.
_STARTS = frozenset(s for s, row in enumerate(tables.GOTOS) if tables.STATEMENT_RULE in row)
_ENDS = frozenset(s for s, row in enumerate(tables.GOTOS) if tables.SEPARATOR_RULE in row)


def recover(findings: Findings, lexed: Lexed | None = None) -> ast.File:
    """The tree of a source with faults, as much of it as can be read; empty when the faults are too many.

    `lexed` is the whole of it where its tokens have no fault.
    """
    try:
        return _recover(findings, lexed)
    except EnoughError:
        return ast.File((), (), Span(0, len(findings.source.text)))
    finally:
        findings.flush()


def _recover(findings: Findings, lexed: Lexed | None) -> ast.File:
    source = findings.source
    mender = Mender(findings)
    lexed = lexed or lex(source.text, mender)
    if is_long(lexed.tokens):
        size = counted(lexed.tokens)
        findings.give_up(faults.source_too_large(source, size, MAX_TOKENS, "words and signs"))
    tokens = _join_commas(mender, findings, repair(findings, lexed.tokens))
    tokens = lay_out(cut_deep(findings, tokens), len(source.text))
    check_text(findings, lexed.tokens, lexed.comments)
    builder = _MendedBuilder(source.text, mender.spellings)
    body = run(tokens, builder, _Recovery(findings, tokens, builder))
    if not body and not len(findings):
        findings.add(faults.empty_file(source))
    return ast.File(body, tuple(lexed.comments), Span(0, len(source.text)))


def _join_commas(mender: Mender, findings: Findings, tokens: list[Token]) -> list[Token]:
    """Numbers joined by commas outside of lists and calls: a comma for a point, or between digits."""
    if all(kind != tables.COMMA for kind, _, _ in tokens):
        return tokens
    joined = Lexed([], [])
    is_list = [False]
    joined_to = 0
    for token in tokens:
        kind, start, end = token
        if kind in PARTNERS:
            is_list.append(kind != tables.LBRACE)
        elif kind in CLOSERS:
            is_list.pop()
        elif kind == tables.NUMBER and not is_list[-1] and _follows_number(joined.tokens, start):
            mended = mend_commas(findings.source, joined.tokens[-2][1])
            if mended:
                joined_to = mender.apply(mended, joined)
                continue
        if start >= joined_to:
            joined.tokens.append(token)
            joined_to = end
    return joined.tokens


def _follows_number(tokens: list[Token], start: int) -> bool:
    """Whether a number and a comma stand before an offset, without a blank."""
    if len(tokens) < 2:
        return False
    (number, _, number_end), (comma, comma_start, comma_end) = tokens[-2:]
    is_pair = number == tables.NUMBER and comma == tables.COMMA
    return is_pair and number_end == comma_start and comma_end == start


class _MendedBuilder(Builder):
    """Reads the tokens that were mended as they should have been written."""

    def __init__(self, text: str, spellings: dict[int, str]) -> None:
        super().__init__(text)
        self._spellings = spellings

    def spelled(self, token: Token) -> str:
        return self._spellings.get(token[1]) or super().spelled(token)


class _Recovery:
    """What the parser does where no rule allows the next token."""

    def __init__(self, findings: Findings, tokens: list[Token], builder: Builder) -> None:
        self._findings = findings
        self._source = findings.source
        self._tokens = tokens
        self._builder = builder

    def __call__(self, states: list[int], values: list[Any], index: int) -> int:
        """Take back the statement, report it, skip it; where reading goes on."""
        expected = acceptable(states)
        is_whole = tables.NEWLINE in expected and bool(values) and is_token(values[-1], tables.RBRACE)
        cut = _statement_state(states, values)
        taken = values[cut:]
        if not is_whole:
            del states[cut + 1 :], values[cut:]
        head = self._head(taken)
        brace = self._block_start(taken, index) if head and not is_whole else None
        end = self._statement_end(taken, index) if brace is None else brace
        is_first = not taken or is_token(taken[0], tables.NEWLINE) or is_token(taken[0], tables.COMMA)
        start = self._tokens[index][1] if is_first else _start(taken[0])
        if not self._findings.within(start, max(self._tokens[end][1], self._tokens[index][1] + 1)):
            self._findings.add(word_unexpected(self._source, self._tokens, index, expected, taken))
        if is_whole or states[-1] in _ENDS:
            return end
        if not head:
            return self._after_separator(end)
        if brace is None:
            values.append(_broken_field(head, taken, self._tokens[end - 1][2]))
            states.append(tables.GOTOS[states[-1]][tables.STATEMENT_RULE])
        else:
            values.append(head)
            states.append(tables.GOTOS[states[-1]][tables.HEAD_RULE])
        return end

    def _head(self, taken: list[Any]) -> list[Any]:
        """The words, numbers and strings that started a statement; none when it started with no word."""
        head: list[Any] = []
        for value in taken:
            if type(value) is list:
                head += value
            elif is_token(value, tables.WORD):
                head.append(self._builder.word(value))
            elif type(value) is tuple:
                break
            else:
                head.append(value)
        return head if head and type(head[0]) is ast.Word else []

    # Where a statement ends

    def _block_start(self, taken: list[Any], index: int) -> int | None:
        """Index of the brace that opens the body when only the head of a block is at fault."""
        if any(is_token(value, tables.EQUAL) for value in taken):
            return None
        depth = 0
        while depth or self._tokens[index][0] not in _HEAD_ENDS:
            depth += (self._tokens[index][0] in PARTNERS) - (self._tokens[index][0] in CLOSERS)
            index += 1
        return index if self._tokens[index][0] == tables.LBRACE else None

    def _statement_end(self, taken: list[Any], index: int) -> int:
        """Index of the separator, closing brace or end of file that ends the statement."""
        brackets = [value[0] for value in taken if type(value) is tuple]
        depth = sum((kind in PARTNERS) - (kind in CLOSERS) for kind in brackets)
        while True:
            kind = self._tokens[index][0]
            if kind in PARTNERS:
                depth += 1
            elif kind in CLOSERS:
                if depth == 0:
                    return index
                depth -= 1
            elif kind == tables.END or (depth == 0 and self._separates(index)):
                return index
            index += 1

    def _separates(self, index: int) -> bool:
        kind = self._tokens[index][0]
        return kind == tables.NEWLINE or (kind == tables.COMMA and starts_statement(self._tokens, index + 1))

    def _after_separator(self, index: int) -> int:
        """Index after a separator; the same when there is none."""
        if self._tokens[index][0] in (tables.COMMA, tables.NEWLINE):
            index += 1
        return index


def _statement_state(states: list[int], values: list[Any]) -> int:
    """Position on the stack of the state in which the innermost statement started, or after a whole one."""
    cut = len(states) - 1
    while states[cut] not in _ENDS and (states[cut] not in _STARTS or _is_body(values, cut)):
        cut -= 1
    return cut


_HEAD_ENDS = frozenset({tables.RBRACE, tables.LBRACE, tables.NEWLINE, tables.COMMA, tables.END, tables.EQUAL})


def _broken_field(head: list[Any], taken: list[Any], end: int) -> ast.Field:
    """The field that a faulty statement declares, named by the head before `=`, else by its words."""
    equals = next((value for value in taken if is_token(value, tables.EQUAL)), None)
    if equals is None:
        other = next((i for i, item in enumerate(head) if type(item) is not ast.Word), len(head))
        head = head[:other]
    start = equals[2] if equals else head[-1].span.end
    value = ast.Broken(Span(min(start, end), end))
    return ast.Field(tuple(head), value, head[0].span.to(value.span))


def _is_body(values: list[Any], index: int) -> bool:
    """Whether the value after a state is a body that is read to its end."""
    return index < len(values) and type(values[index]) is Body


def _start(value: Any) -> int:
    """The offset at which a value on the stack starts."""
    if type(value) is list:
        value = value[0]
    start: int = value[1] if type(value) is tuple else value.span.start
    return start
