"""Forms of texts that are told without patterns are those of the patterns that define them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.sema.reader import _SHAPES
from dcp_lang.sema.rules.web_hosts import _is_host

PATTERNS = {
    "identifier": r"[A-Za-z0-9][A-Za-z0-9._-]*",
    "digest": r"sha256:[0-9a-f]{64}",
    "salt": r"[0-9a-f]{32}",
    "name": r"[A-Za-z_][A-Za-z0-9_-]*",
    # A registration's texts hold no control characters but line ends and tabs.
    "line": r"[^\s\x00-\x1f\x7f](?:[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?",
}
#: RFC 1123, section 2.1; the last label starts with a letter, so that no address of numbers passes.
HOST = r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"

#: What the forms tell apart: letters, digits, marks, blanks, a control, a letter and a digit beyond ASCII.
TEXTS = st.text("aZf09_.-:/ \t\n\x7f\u00e9\u0663\u2028", max_size=8)


def test_every_shape_is_told_as_its_pattern_does() -> None:
    assert _SHAPES.keys() == PATTERNS.keys()


@pytest.mark.parametrize("shape", PATTERNS)
@given(data=st.data())
def test_a_text_has_a_shape_where_its_pattern_matches(shape: str, data: st.DataObject) -> None:
    pattern, (has_shape, _) = PATTERNS[shape], _SHAPES[shape]
    text = data.draw(TEXTS | st.from_regex(rf"(?a:{pattern})\Z") | st.from_regex(rf"\A.?{pattern}.?\Z"))
    assert has_shape(text) == (re.fullmatch(pattern, text) is not None)


@given(st.text("az09-.A", max_size=12) | st.from_regex(rf"\A{HOST}\Z") | st.from_regex(rf"\A{HOST}.?\Z"))
def test_a_host_is_told_as_its_pattern_does(text: str) -> None:
    assert _is_host(text) == (re.fullmatch(HOST, text) is not None)


@pytest.mark.parametrize(
    ("text", "is_host"),
    [
        *((f"{'a' * size}.org", size <= 63) for size in (63, 64)),
        *((f"a.{'b' * size}", 1 < size <= 63) for size in (1, 2, 63, 64)),
        *((f"{'a.' * count}org", count <= 125) for count in (125, 126)),
        *(
            (text, False)
            for text in ("", ".", "org", "a..org", "-a.org", "a-.org", "a.1b", "a.b-", "127.0.0.1")
        ),
    ],
)
def test_a_host_at_the_limits_of_its_parts(text: str, is_host: bool) -> None:
    """63 characters of a label, 253 of a name (RFC 1035, section 2.3.4, without the final dot)."""
    assert _is_host(text) == is_host
