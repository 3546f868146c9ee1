"""Drawings: inside their frame, in the right place, with words instead of colour."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from pages import Page

from dcp_lang.emit.document.ladder import Rung, ladder
from dcp_lang.emit.document.plot import Curve, plot
from dcp_lang.emit.document.svg import WIDTH, label


def coordinates(svg: str) -> list[tuple[int, int]]:
    """Every point that a drawing names."""
    points = [(int(x), int(y)) for x, y in re.findall(r"[ML](\d+) (\d+)", svg)]
    for names in ("x y", "cx cy", "x1 y1", "x2 y2"):
        x, y = names.split()
        points += [(int(a), int(b)) for a, b in re.findall(rf'\b{x}="(-?\d+)" {y}="(-?\d+)"', svg)]
    return points


def height(svg: str) -> int:
    """The height of a drawing's view box."""
    found = re.search(r'viewBox="0 0 360 (\d+)"', svg)
    assert found
    return int(found[1])


_curves = st.lists(
    st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=2, max_size=15, unique_by=lambda p: p[0]
)


@given(_curves)
def test_every_point_lies_inside_the_frame(points: list[tuple[int, int]]) -> None:
    ordered = tuple((str(Fraction(x, 1000)), str(Fraction(y, 1000))) for x, y in sorted(points))
    svg = plot(Curve(ordered, "truth", ordered[0][0]), "title")
    assert all(0 <= x <= WIDTH and 0 <= y <= height(svg) for x, y in coordinates(svg))
    assert svg.count("<circle") == len(points) + 1  # each point, and the ring around the expected one


def test_the_curve_goes_through_its_points() -> None:
    """The frame is 300 wide and 152 high: the middle of both is where one half lies."""
    svg = plot(Curve((("0", "1"), ("0.05", "0.5"), ("0.1", "0")), "p", "0.05"), "title")
    assert "M44 16 L194 92 L344 168" in svg
    assert '<circle cx="194" cy="92" r="6"/>' in svg and ">expected</text>" in svg


def test_labels_of_the_axis_do_not_run_into_each_other() -> None:
    points = tuple((str(Fraction(k, 1000)), "1") for k in range(0, 101, 5))
    svg = plot(Curve(points, "p"), "title")
    places = sorted(int(x) for x, y in re.findall(r'<text x="(\d+)" y="(\d+)"', svg) if y == "186")
    assert len(places) >= 4 and all(right - left >= 48 for left, right in pairwise(places))


def test_the_ladder_names_every_question_and_outcome() -> None:
    rungs = (Rung("Is the record sound?", "no", "audit incomplete"), Rung("Core certified", "", ""))
    svg = ladder(rungs)
    words = [w.text for w in Page(svg).words]
    assert words == ["Is the record sound?", "no", "audit", "incomplete", "Core certified"]
    assert all(0 <= x <= WIDTH and 0 <= y <= height(svg) for x, y in coordinates(svg))
    assert svg.count("<rect") == 3 and "font-weight" in svg


def test_labels_are_escaped_and_set_their_index() -> None:
    assert "a &lt; b" in label(0, 0, "a < b")
    assert 'δ<tspan dy="3" font-size="9">min</tspan>' in label(0, 0, "δ_min?")


def test_drawings_hold_no_colour() -> None:
    svg = plot(Curve((("0", "1"), ("1", "0")), "p"), "t") + ladder((Rung("a", "b", "c"),))
    assert set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) == {"none", "currentColor"}
