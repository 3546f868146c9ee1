"""Fixes: edits applied to text, and the changed lines that a finding shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.diagnostics.fixes import Change, apply_edits, apply_fixes, changes
from dcp_lang.diagnostics.model import Diagnostic, Edit, Fix
from dcp_lang.source import SourceFile, Span

SOURCE = SourceFile("a.dcp", "a = 1\nb = 2\nc = 3\n")


def _fixable(*edits: Edit, safe: bool = True) -> Diagnostic:
    return Diagnostic("E101", "w", "error", "m", SOURCE, Span(0, 1), fix=Fix("mend", edits, safe))


@st.composite
def texts_with_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text and edits of it that do not overlap, in any order."""
    text = draw(st.text(st.sampled_from("ab\n"), max_size=30))
    cuts = draw(st.lists(st.integers(0, len(text)), unique=True, max_size=8).map(sorted))
    spans = [Span(*pair) for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    edits = [Edit(span, draw(st.text(st.sampled_from("xy\n"), max_size=3))) for span in spans]
    return text + "\n", draw(st.permutations(edits))


@given(texts_with_edits())
def test_edits_replace_their_spans(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    expected = text
    for edit in sorted(edits, reverse=True):
        expected = expected[: edit.span.start] + edit.text + expected[edit.span.end :]
    assert apply_edits(text, edits) == expected


@given(texts_with_edits())
def test_changed_lines_tell_the_whole_edit(case: tuple[str, list[Edit]]) -> None:
    """Replacing the shown old lines by the new ones gives the edited text."""
    text, edits = case
    lines = text.split("\n")
    for change in reversed(changes(SourceFile("a", text), edits)):
        start = change.number - 1
        assert tuple(lines[start : start + len(change.old)]) == change.old
        lines[start : start + len(change.old)] = change.new
    assert "\n".join(lines) == apply_edits(text, edits)


def test_neighbouring_lines_are_one_change() -> None:
    edits = [Edit(Span(0, 1), "x"), Edit(Span(6, 7), "y")]
    assert changes(SOURCE, edits) == [Change(1, ("a = 1", "b = 2"), ("x = 1", "y = 2"))]


def test_joined_lines_show_both() -> None:
    assert changes(SOURCE, [Edit(Span(5, 6), ", ")]) == [Change(1, ("a = 1", "b = 2"), ("a = 1, b = 2",))]


def test_only_safe_fixes_are_applied_unless_asked() -> None:
    safe, unsafe = _fixable(Edit(Span(4, 5), "9")), _fixable(Edit(Span(10, 11), "8"), safe=False)
    assert apply_fixes(SOURCE, [safe, unsafe]) == ("a = 9\nb = 2\nc = 3\n", (safe,))
    assert apply_fixes(SOURCE, [safe, unsafe], unsafe=True) == ("a = 9\nb = 8\nc = 3\n", (safe, unsafe))


def test_a_fix_that_touches_another_waits() -> None:
    first, second = _fixable(Edit(Span(4, 5), "9")), _fixable(Edit(Span(10, 11), "7"), Edit(Span(5, 5), "0"))
    assert apply_fixes(SOURCE, [first, second]) == ("a = 9\nb = 2\nc = 3\n", (first,))


def test_the_same_fix_twice_is_applied_once() -> None:
    first = _fixable(Edit(Span(0, 0), "dcp 1\n"))
    again = first._replace(code="E102")
    assert apply_fixes(SOURCE, [first, again]) == ("dcp 1\na = 1\nb = 2\nc = 3\n", (first, again))


def test_fixes_of_other_files_are_left_alone() -> None:
    other = _fixable(Edit(Span(4, 5), "9"))._replace(source=SourceFile("b.dcp", SOURCE.text))
    assert apply_fixes(SOURCE, [other]) == (SOURCE.text, ())
