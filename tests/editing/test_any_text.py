"""Whatever stands in the file, and wherever the cursor is: every feature answers, within the text."""

from __future__ import annotations

from drawn import EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st
from registrations import AnyFiles

from dcp_lang.driver import Compilation
from dcp_lang.editing import names
from dcp_lang.editing.completion import complete
from dcp_lang.editing.fixes import actions, format_edit
from dcp_lang.editing.folding import folds
from dcp_lang.editing.hints import hints
from dcp_lang.editing.hover import hover
from dcp_lang.editing.outline import every_node, outline
from dcp_lang.editing.targets import file_target
from dcp_lang.editing.tokens import semantic_tokens
from dcp_lang.source import SourceFile, Span

TEXT = (EXAMPLES / "sqlite_web" / "registration.dcp").read_text(encoding="utf-8")
_PIECES = st.sampled_from(
    ["", "{", "}", '"', "=", " auto", "δ", "😀", "\r", "[", ")", "\n", "# a", "0", " USD"]
)


@st.composite
def _unfinished(draw: st.DrawFn) -> tuple[str, int]:
    """An example with a stretch taken out and something put in its place, and a cursor near by."""
    start = draw(st.integers(0, len(TEXT)))
    end = draw(st.integers(start, min(len(TEXT), start + draw(st.sampled_from([0, 3, 80, 4000])))))
    text = TEXT[:start] + draw(_PIECES) + draw(_PIECES) + TEXT[end:]
    return text, min(len(text), start + draw(st.integers(0, 3)))


@settings(max_examples=60, deadline=None)
@given(_unfinished())
def test_every_feature_answers(case: tuple[str, int]) -> None:
    text, offset = case
    compilation = Compilation(SourceFile("a.dcp", text), AnyFiles())
    places = [d.span for d in compilation.diagnostics if d.source is compilation.source]
    places += [n.span for n in every_node(outline(compilation))]
    places += [o.span for o in names.occurrences(compilation)]
    places += [t.span for t in semantic_tokens(compilation)]
    places += [e.span for a in actions(compilation, Span(offset, offset)) for e in a.edits]
    places += [Span(h.offset, h.offset) for h in hints(compilation)]
    completion = complete(compilation, offset)
    places += [completion.span, *names.rename(compilation, offset).spans]
    found, edit = hover(compilation, offset), format_edit(compilation)
    places += [found.span] if found else []
    places += [edit.span] if edit else []
    file_target(compilation, offset)
    assert all(0 <= start <= end <= len(text) for start, end in places)
    assert completion.span.end == offset
    assert all(1 <= f.first < f.last <= compilation.source.line_count for f in folds(compilation))
