"""No text makes reading fail, none makes it slow: random and mutated texts, and much of anything."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_programs import programs
from syntax_reading import Read, read

from dcp_lang.diagnostics.model import Sink
from dcp_lang.syntax import MAX_BYTES, read_source
from dcp_lang.syntax.findings import MAX_FAULTS
from dcp_lang.syntax.printer import format_file, same_tree

_PIECES = [
    *'{}()[]",=:<>.-+*/#%\\;!&$ \n\r\t',
    *['"""', "==", "a", "b = 1", "use", "require", "when", "else", "auto", "not", "on", "because", "dcp 1"],
    *["5", "5%", "1e9", "0.1.2", "0,05", "1__0", "10USD", "x = f(", "g {", "\n  ", "\n}\n", "\r\n", "'"],
    *[
        "δ",
        "с",
        "−",
        "“",
        "”",
        "½",
        "٣",
        "é",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\x00",
        "\ud800",
        "e\u0301",
        "\u00a0",
    ],
]


def check(result: Read) -> None:
    """What holds for any text: places within it, findings up to the cap; without any, it can be formatted."""
    size = len(result.source.text)
    assert len(result.found) <= MAX_FAULTS + 1
    for fault in result.found:
        edits = fault.fix.edits if fault.fix else ()
        for span in (fault.span, *(label.span for label in fault.labels), *(edit.span for edit in edits)):
            assert 0 <= span.start <= span.end <= size
    if not result.found:
        again = read(format_file(result.file, result.source))
        assert not again.found and same_tree(result.file, again.file)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))
def test_scraps(text: str) -> None:
    check(read(text))


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(), max_size=80))
def test_random_characters(text: str) -> None:
    check(read(text))


@settings(max_examples=60, deadline=None)
@given(programs(), st.data())
def test_mutated_programs(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 5))
        text = text[:at] + data.draw(st.sampled_from(["", *_PIECES])) + text[at + cut :]
    check(read(text))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60))
def test_random_bytes(data: bytes) -> None:
    sink = Sink()
    source = read_source("test.dcp", data, sink)
    if source is None:
        assert len(sink.sorted()) == 1
    else:
        check(read(source.text))


#: A quarter of the cap: a quadratic step would still take minutes.
_SIZE = MAX_BYTES // 4

_LARGE = {
    **{mark: mark * _SIZE for mark in "[({])}\"',=:.-#%;\\\r\n"},
    "words": "a " * (_SIZE // 2),
    "one word": "a" * _SIZE,
    "digits": "1" * _SIZE,
    "numbers": "1," * (_SIZE // 2),
    "signs": "-" * _SIZE,
    "sum": "a = " + "1+" * (_SIZE // 2 - 4) + "1",
    "chain": "a = " + "a<" * (_SIZE // 2 - 4) + "a",
    "dotted": "a = " + "a." * (_SIZE // 2 - 4) + "a",
    "list": "a = [" + "1," * (_SIZE // 2 - 6) + "]",
    "fields": "a=1\n" * (_SIZE // 4),
    "faulty fields": "a==\n" * (_SIZE // 4),
    "open calls": "a=f(1\n" * (_SIZE // 6),
    "open blocks": "a{\n" * (_SIZE // 3),
    "open strings": 'a="\n' * (_SIZE // 4),
    "unclosed text": '"""' + "a b c\n" * (_SIZE // 6 - 1),
    "unclosed text of quotes": '"""' + 'a " "" \\' * (_SIZE // 8 - 1),
    "wrong pairs": "[" * (_SIZE // 2) + ")" * (_SIZE // 2),
    "crossed pairs": "([)" * (_SIZE // 3),
    "look-alikes": "с " * (_SIZE // 3),
    "invisible": "\u200b" * (_SIZE // 3),
    "spaces": "\u00a0" * (_SIZE // 2),
    "quotes": "“" * (_SIZE // 3),
    "letters": "é" * (_SIZE // 2),
    "exponent": "1" * (_SIZE // 2) + "e" + "1" * (_SIZE // 2 - 1),
    "too deep": ("a=" + "[" * 33 + "]" * 33 + "\n") * (_SIZE // 69),
    "records": "a = " + "{a=" * 32 + "1," * (_SIZE // 3) + "}" * 32,
    "not composed": 'a="e\u0301"\n' * (_SIZE // 8),
    "blanks": " " * MAX_BYTES,
    "blanks after all": "a = 1" + " \t" * (MAX_BYTES // 2 - 3),
    "open block before comments": "a {\n" + "#\n" * (_SIZE // 4) + "a\n" * (_SIZE // 4 - 2),
}


@pytest.mark.parametrize("text", _LARGE.values(), ids=_LARGE.keys())
def test_anything_large_is_read_in_time(text: str) -> None:
    before = time.process_time()
    found = read(text).found
    assert len(found) <= MAX_FAULTS + 1
    # Ten times what the slowest of them takes.
    assert time.process_time() - before < 8
