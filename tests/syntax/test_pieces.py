"""A text read in pieces is the text read as one, whatever was read before."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from bases import base
from hypothesis import given, settings
from hypothesis import strategies as st
from pieces import PIECES, TOKEN
from syntax_programs import programs

from dcp_lang.memory import Memory
from dcp_lang.syntax import ast, pieces
from dcp_lang.syntax.layout import MAX_DEPTH
from dcp_lang.syntax.pieces import FaultyError, read_in_pieces, read_whole


def whole(text: str) -> ast.File | None:
    try:
        return read_whole(text)
    except FaultyError:
        return None


def typed(tree: Any) -> Any:
    """A tree with its classes: records compare as the tuples that they are."""
    return (type(tree), [typed(part) for part in tree]) if isinstance(tree, tuple) else tree


def agrees(text: str) -> bool:
    """Whether the pieces say what the whole says; False where they do not stand for themselves."""
    read = read_in_pieces(text)
    assert read is None or typed(read) == typed(whole(text))
    return read is not None


@pytest.mark.parametrize("name", ["core", "evidence"])
@pytest.mark.parametrize("by", [0, 1, 40, 3])
def test_a_registration_wherever_its_pieces_stand(name: str, by: int) -> None:
    """Read first, or moved from where it was read before, forth and back."""
    text = base(name)
    assert agrees(text.replace("dcp 1\n", "dcp 1" + " " * by + "\n"))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([base("core"), base("evidence")]), st.data())
def test_changed_registrations(text: str, data: st.DataObject) -> None:
    tokens = TOKEN.findall(text)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        tokens[at] = data.draw(
            st.sampled_from([*PIECES, '"""', "\n\n  ", "\n}", "{\n", "# {\n", tokens[at] * 2])
        )
    agrees("".join(tokens))


@settings(max_examples=100, deadline=None)
@given(st.lists(programs(), min_size=1, max_size=4))
def test_programs_as_bodies(bodies: list[str]) -> None:
    pieces = [re.sub("^", "  ", body.strip(), flags=re.MULTILINE) for body in bodies]
    agrees("dcp 1\n\nregistration r : core {\n" + "\n\n".join(pieces) + "\n}\n")


FRAME = "dcp 1\n\nregistration r : core {{\n{}\n}}\n"
#: Cuts that are wrong, and texts that look like the frame of a registration.
WRONG = {
    "a blank line in a text": FRAME.format('  a = """x\n\n  b = 2"""'),
    "a blank line in a list": FRAME.format("  a = [1,\n\n  2]"),
    "a block over a blank line": FRAME.format("  a {\n    b = 1\n\n  c = 2\n  }"),
    "a guard after a blank line": FRAME.format("  require a\n\n  when b"),
    "an opening after a blank line": FRAME.format("  a\n\n  { b = 1 }"),
    "a closing and an opening": FRAME.format("  a = 1\n\n  } b {\n\n  c = 2"),
    "the frame in a text": 'dcp 1\nx = """\nregistration r {\n  a = 1\n\n  b = 2\n}\n"""\n',
    "another block at the end": "dcp 1\n\nregistration r : core {\n  a = 1\n}\nb {\n}\n",
    "a record": "dcp 1\n\nregistration r = {\n  a = 1\n\n  b = 2\n}\n",
    "two blocks that open": "dcp 1\n\nregistration r { a {\n  b = 1\n\n  c = 2\n}\n}\n",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_wrong_cuts_leave_the_text_whole(text: str) -> None:
    assert not agrees(text)


def nested(brackets: int) -> str:
    return FRAME.format("  a = 1\n\n  b = " + "(" * brackets + "1" + ")" * brackets)


def test_the_depth_of_a_piece_counts_from_the_registration() -> None:
    """The deepest that may be, and one more, which the whole refuses too."""
    assert agrees(nested(MAX_DEPTH - 1))
    assert not agrees(nested(MAX_DEPTH)) and whole(nested(MAX_DEPTH)) is None


def test_comments_keep_their_places() -> None:
    text = "# a\ndcp 1\n\nregistration r : core {  # b\n  a = 1  # c\n\n  # d\n  b = 2\n\n  # e\n}\n# f\n"
    assert agrees(text)
    file = read_in_pieces(text)
    assert file and [c.text for c in file.comments] == ["# a", "# b", "# c", "# d", "# e", "# f"]
    assert [c.trailing for c in file.comments] == [False, True, True, False, False, False]


def test_what_was_read_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the one new piece is."""
    text, read = base("evidence"), pieces.run
    monkeypatch.setattr(pieces, "_known", Memory(2**16))
    read_in_pieces(text)
    sizes: list[int] = []
    monkeypatch.setattr(pieces, "run", lambda tokens, *rest: sizes.append(len(tokens)) or read(tokens, *rest))
    first = text.index("thresholds {")
    assert agrees(text[:first] + text[first:].replace("thresholds {", "thresholds { # new", 1))
    assert len(sizes) == 2  # the piece, and the whole to compare with
    assert sizes[0] < sizes[1] / 4


#: Digits in every place that has them, and where they say more than themselves.
DIGITS = FRAME.format(
    "\n\n".join(
        [
            "  a_1 = 105  # 7 of 12",
            '  b = "in 2026, \\"10\\" of 90" # 1',
            "  c d2 = 10.05 USD",
            "  e = f2(g = [1, 20, 3%], 4_000)",
            "  h = (5 # 6\n  ) / (7)",
            '  i = ("8")',
            "  j = [1,2,1_0]",
            "  block b1 90% : k2 {\n    l = -1\n    require m.n1 < 0.5 or 15 == 1.5 # 2\n  }",
            "  p = 999999999999999.999999999999%",
        ]
    )
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_other_digits_say_what_they_say(data: st.DataObject) -> None:
    """A piece that differs in digits only is not read, but where the whole has a fault its pieces have it too."""
    digits = [m.start() for m in re.finditer("[0-9]", DIGITS)]
    texts = [DIGITS]
    for _ in range(3):
        text = list(texts[-1])
        for at in data.draw(st.lists(st.sampled_from(digits), min_size=1, max_size=4)):
            text[at] = data.draw(st.sampled_from("0123456789"))
        texts.append("".join(text))
        if data.draw(st.booleans()):
            texts[-1] = texts[-1].replace("dcp", "# moved\n\ndcp", 1)
            digits = [m.start() for m in re.finditer("[0-9]", texts[-1])]
    for text in texts:
        assert agrees(text) == (whole(text) is not None)


def test_other_digits_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is parsed, and what says the same is the same object."""
    one = FRAME.format("  a {\n    b = 1.25\n    c = 5 # 1\n  }")
    first = read_in_pieces(one)
    monkeypatch.setattr(pieces, "run", None)
    second = read_in_pieces(one.replace("1.25", "1.39"))
    assert first and second
    (b, c), (b2, c2) = (file.statements[-1].body[0].body for file in (first, second))  # type: ignore[union-attr]
    assert b2.value == ast.Number(Fraction("1.39"), "1.39", b.value.span)
    assert c2 is c


def test_a_zero_after_a_comma_is_read() -> None:
    """`[1,2]` is a list of two, `[1,05]` may be meant as one number, which is a fault."""
    assert agrees(FRAME.format("  a = [1,25]"))
    assert not agrees(FRAME.format("  a = [1,05]"))
