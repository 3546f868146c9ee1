"""The operating characteristic as a plot: straight lines between the points of the table beside it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from dcp_lang.emit.document.svg import WIDTH, dot, drawing, label, line, path

_LEFT, _RIGHT, _TOP, _BOTTOM = 44, WIDTH - 16, 16, 168
_HEIGHT = 212
#: Labels on the axis keep at least this distance.
_APART = 48


class Curve(NamedTuple):
    """Points (truth, probability) as the JSON spells them, the name of the axis, the expected truth."""

    points: tuple[tuple[str, str], ...]
    axis: str
    expected: str | None = None


def plot(curve: Curve, title: str) -> str:
    """The curve as SVG."""
    low, high = Fraction(curve.points[0][0]), Fraction(curve.points[-1][0])
    places = {truth: _x(Fraction(truth), low, high) for truth, _ in curve.points}
    points = [(places[truth], _y(Fraction(passes))) for truth, passes in curve.points]
    parts = [*_frame(), path(points), *(dot(x, y) for x, y in points), *_ticks(places)]
    if curve.expected is not None:
        parts += _expected(curve, places)
    parts.append(label((_LEFT + _RIGHT) // 2, _HEIGHT - 6, curve.axis, "middle"))
    return drawing(_HEIGHT, title, parts)


def _x(value: Fraction, low: Fraction, high: Fraction) -> int:
    return _LEFT + round((value - low) / (high - low) * (_RIGHT - _LEFT))


def _y(share: Fraction) -> int:
    return _BOTTOM - round(share * (_BOTTOM - _TOP))


def _frame() -> list[str]:
    parts = [line(_LEFT, _BOTTOM, _RIGHT, _BOTTOM), line(_LEFT, _TOP, _LEFT, _BOTTOM)]
    for share in ("0", "0.5", "1"):
        height = _y(Fraction(share))
        parts += [line(_LEFT - 4, height, _LEFT, height), label(_LEFT - 8, height + 4, share, "end")]
    parts.append(line(_LEFT, _y(Fraction(1, 2)), _RIGHT, _y(Fraction(1, 2)), "1 4"))
    return parts


def _ticks(places: dict[str, int]) -> list[str]:
    """A tick at every point, a label at the ends and wherever there is room."""
    parts = [line(x, _BOTTOM, x, _BOTTOM + 4) for x in places.values()]
    items = list(places.items())
    last = items[-1]
    right = -_APART
    for truth, x in [*items[:-1], last]:
        if x - right >= _APART and (truth == last[0] or last[1] - x >= _APART):
            parts.append(label(x, _BOTTOM + 18, truth, "middle"))
            right = x
    return parts


def _expected(curve: Curve, places: dict[str, int]) -> list[str]:
    """A ring around the point that the planning assumption names; its label stands on the free side of the curve."""
    assert curve.expected is not None
    x, y = places[curve.expected], _y(Fraction(dict(curve.points)[curve.expected]))
    falls = Fraction(curve.points[0][1]) > Fraction(curve.points[-1][1])
    return [
        dot(x, y, filled=False),
        label(x + 11 if falls else x - 11, y, "expected", "start" if falls else "end"),
    ]
