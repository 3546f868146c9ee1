"""The text renderer: whole renderings as goldens, and laws that hold for every source."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix, Label
from dcp_lang.diagnostics.text import render_text
from dcp_lang.source import SourceFile, Span

GOLDEN = Path(__file__).parent / "golden"

BLOCKS = "a {\n  b {\n    c = 1\n    d = 2\n    e = 3\n    f = 4\n  }\n  g = 5; h {\n  i }\n}"
LONG = "x" * 300 + " bad " + "y" * 300


def _at(text: str, part: str, message: str = "wrong", label: str = "", **more: object) -> Diagnostic:
    start = text.index(part)
    span = Span(start, start + len(part))
    return Diagnostic("E101", "wrong", "error", message, SourceFile("a.dcp", text), span, label, **more)  # type: ignore[arg-type]


def _label(text: str, part: str, label: str) -> Label:
    start = text.index(part)
    return Label(Span(start, start + len(part)), label)


CASES: dict[str, Diagnostic] = {
    "label-after-caret": _at("a = 5 %%\n", "%%", label="two signs"),
    "labels-hang": _at(
        "a = b + c + d\n",
        "b",
        label="primary",
        labels=(_label("a = b + c + d\n", "c", "second"), _label("a = b + c + d\n", "d", "third")),
    ),
    "label-inside-another": _at(
        "a = b + c\n", "+", label="here", labels=(_label("a = b + c\n", "b + c", "sum"),)
    ),
    "labels-at-one-place": _at("a = b\n", "b", label="here", labels=(_label("a = b\n", "b", "again"),)),
    "lines-between-left-out": _at(BLOCKS, "g", label="late", labels=(_label(BLOCKS, "a", "early"),)),
    "lone-line-between-shown": _at(BLOCKS, "e = 3", labels=(_label(BLOCKS, "c = 1", "early"),)),
    "bracket-short": _at(BLOCKS, "h {\n  i }", label="starts amid a line"),
    "bracket-long": _at(BLOCKS, BLOCKS[BLOCKS.index("b {") : BLOCKS.index("\n  g")], label="this block"),
    "brackets-nested": _at(
        BLOCKS,
        BLOCKS,
        label="outer",
        labels=(_label(BLOCKS, "d = 2\n    e = 3", "inner"), _label(BLOCKS, "i", "in")),
    ),
    "wide-and-combining": _at(
        "漢字é = é漢 # δ\n", "漢 #", labels=(_label("漢字é = é漢 # δ\n", "字", "wide"),)
    ),
    "tabs": _at("\ta\t= b\n", "b", label="after two tabs"),
    "controls": _at("a = \x1b[2J\x00\u202e\x7f b\n", "b", message="seen \x1b[31m", label="\r\n\u2028"),
    "clipped": _at(LONG, "bad", label="amid a long line"),
    "clipped-span": _at(LONG, LONG, label="all of it"),
    "clipped-start": _at(LONG, "x", label="at the start"),
    "line-end": _at("a =\nb = 1\n", "\n", label="expected a value"),
    "notes-and-help": _at("a = 1\n", "1", notes=("one", "two\nlines"), help="try `2`"),
    "fix-replaces": _at("a = 1\n", "1", fix=Fix("write 2", (Edit(Span(4, 5), "2"),), safe=True)),
    "fix-deletes-line": _at("a = 1\nb = 2\nc = 3\n", "b", fix=Fix("delete it", (Edit(Span(6, 12), ""),))),
    "fix-inserts-line": _at("a = 1\nc = 3\n", "c", fix=Fix("add `b`", (Edit(Span(6, 6), "b = 2\n"),))),
    "fix-in-two-places": _at(
        "a = 1\nb = 2\nc = 3\n", "a", fix=Fix("swap", (Edit(Span(12, 13), "a"), Edit(Span(0, 1), "c")))
    ),
    "fix-of-long-line": _at(LONG, "bad", fix=Fix("mend", (Edit(Span(301, 304), "good"),))),
    "end-of-file": Diagnostic(
        "E101", "w", "error", "more", SourceFile("a.dcp", "a {"), Span(3, 3), "expected `}`"
    ),
    "after-last-newline": Diagnostic(
        "E101", "w", "error", "more", SourceFile("a.dcp", "a {\n"), Span(4, 4), "here"
    ),
    "empty-file": Diagnostic(
        "E101", "w", "error", "empty", SourceFile("a.dcp", ""), Span(0, 0), "no edition"
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_rendering(case: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{case}.txt", render_text([CASES[case]]))


def test_whole_report(findings: list[Diagnostic], golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "whole-report.txt", render_text(findings))


def test_colour_only_adds_colour(findings: list[Diagnostic], golden: Callable[[Path, str], None]) -> None:
    colored = render_text(findings, color=True)
    golden(GOLDEN / "whole-report.ansi", colored)
    for code in ("0", "1", "1;31", "1;33", "1;34", "1;36", "31", "32"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert [line.rstrip() for line in colored.splitlines()] == render_text(findings).splitlines()


def test_nothing_found_says_nothing() -> None:
    assert render_text([]) == ""


def test_limit_counts_what_is_left_out() -> None:
    text = render_text([_at("a = 1\n", "1")] * 5, limit=2)
    assert text.count("error[E101]") == 2
    assert "\n\n… and 3 more\n\n5 errors in 1 file; " in text


def test_summary_names_the_first_error() -> None:
    warning = _at("a = 1\n", "1")._replace(code="W101", severity="warning")
    text = render_text([warning, _at("a = 1\n", "1"), _at("a = 1\n", "1")])
    assert text.endswith('\n\n2 errors, 1 warning in 1 file; run "dcpc explain E101" for more\n')


sources = st.text(st.one_of(st.characters(), st.sampled_from("a \n\t漢é\u0301\x1b\r\u202e")), max_size=80)


@st.composite
def anywhere(draw: st.DrawFn) -> Diagnostic:
    """A finding with two labels at arbitrary, even impossible, spans of an arbitrary text."""
    text = draw(sources)
    ends = st.integers(0, len(text) + 2)
    spans = [Span(*sorted((draw(ends), draw(ends)))) for _ in range(3)]
    labels = tuple(Label(span, draw(sources)) for span in spans[1:])
    return Diagnostic(
        "E101", "w", "error", draw(sources), SourceFile("a", text), spans[0], draw(sources), labels
    )


@given(anywhere(), st.integers(1, 120))
@settings(max_examples=300)
def test_nothing_steers_the_terminal(diagnostic: Diagnostic, width: int) -> None:
    text = render_text([diagnostic], width=width)
    bad = [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn")]
    assert bad == []


def _columns(text: str) -> int:
    """Terminal columns, reckoned here independently for letters and marks."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" and not unicodedata.combining(c) for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


@given(st.text(st.sampled_from("ab δ漢字\u0301"), min_size=1, max_size=40), st.data())
@settings(max_examples=200)
def test_carets_stand_under_the_span(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start + 1, len(line)))
    text = render_text([Diagnostic("E1", "w", "error", "m", SourceFile("a", line), Span(start, end))])
    carets = " " * _columns(line[:start]) + "^" * max(_columns(line[start:end]), 1)
    assert text.splitlines()[3:5] == [f"1 | {line}".rstrip(), f"  | {carets}"]


@given(st.integers(0, 300), st.integers(1, 30), st.integers(0, 300), st.integers(40, 120))
@settings(max_examples=100)
def test_a_clipped_line_shows_its_span(before: int, length: int, after: int, width: int) -> None:
    line = "x" * before + "#" * length + "y" * after
    source = SourceFile("a", line)
    text = render_text(
        [Diagnostic("E1", "w", "error", "m", source, Span(before, before + length))], width=width
    )
    shown, carets = text.splitlines()[3:5]
    assert len(shown) <= width
    assert [i for i, c in enumerate(shown) if c == "#"] == [i for i, c in enumerate(carets) if c == "^"]
    assert shown.count("#") == length
    assert shown.startswith("1 | …") == (shown.count("x") < before)
    assert shown.endswith("…") == (shown.count("y") < after)


def test_hostile_line_renders_in_time() -> None:
    text = "\u0301" * 120_000 + "x" * 130_000
    source = SourceFile("a", text)
    found = [Diagnostic("E1", "w", "error", "m", source, Span(i * 2000, i * 2000 + 900)) for i in range(100)]
    started = time.process_time()
    assert len(render_text(found)) < 200_000
    assert time.process_time() - started < 5  # measured: a tenth of a second
