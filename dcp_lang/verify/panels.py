"""Three small SVG figures, made by hand: same record, same bytes. Every number in them stands in a table too.

Nothing depends on colour: kinds differ by shape and by label. Coordinates are tenths of a pixel.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import escape
from typing import Any, NamedTuple

_WIDTH, _HEIGHT, _MARGIN = 640, 145, 30
_BASE = 120


class Axis(NamedTuple):
    """A horizontal axis from `low` to `high`."""

    low: Fraction
    high: Fraction

    def at(self, value: Fraction) -> str:
        """The x coordinate of `value`, clamped to the axis."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return _tenths(_MARGIN + share * (_WIDTH - 2 * _MARGIN))

    def draw(self) -> Iterator[str]:
        yield _line(self.at(self.low), _BASE, self.at(self.high), _BASE)
        for step in range(5):
            value = self.low + (self.high - self.low) * step / 4
            yield _line(self.at(value), _BASE, self.at(value), _BASE + 5)
            yield _text(self.at(value), _BASE + 18, _decimal(value))


def score_panel(gates: Mapping[str, Any]) -> str:
    """Challenger scores as bars over [0, 1], with the baseline, the recovery line and x."""
    outcome, recovery = gates.get("outcome"), gates.get("recovery")
    if not outcome or not recovery:
        return ""
    axis = Axis(Fraction(0), Fraction(1))
    bars = recovery["scores"]["values"]
    most = max((bar["count"] for bar in bars), default=1)
    width = Fraction(recovery["scores"]["bin"])
    body = [*axis.draw()]
    for bar in bars:
        height = Fraction(70 * bar["count"], most)
        place = axis.at(Fraction(bar["score"]) + width / 2)
        body.append(_line(place, _tenths(_BASE - height), place, _BASE, "bar"))
        if width == 0 and len(bars) <= 8:
            body.append(_text(place, _tenths(_BASE - height - 4), f"{bar['count']}×"))
    marks = (
        ("baseline", outcome["baseline"], "middle"),
        ("recovery line", outcome["recovery_line"], "end"),
        ("x", outcome["x"], "start"),
    )
    for label, value, anchor in marks:
        body += _mark(axis, label, Fraction(value), 12, anchor)
    return _figure("scores", "Challenger scores against baseline, recovery line and x", body)


def effect_panel(gates: Mapping[str, Any]) -> str:
    """The interval of the feedback effect with its margin."""
    gate = gates.get("feedback")
    if not gate or gate["interval"] is None:
        return ""
    axis = Axis(Fraction(-1), Fraction(1))
    body = [*axis.draw(), *_whiskers(axis, gate["interval"]), *_pair_bars(gate["pairs"])]
    body += _mark(axis, "δ_evidence + δ_sham", Fraction(gate["margin"]), 60)
    return _figure("effect", "Pair outcomes, and the interval of the feedback effect with its margin", body)


def null_panel(gates: Mapping[str, Any]) -> str:
    """The interval of the null calibration in its band."""
    gate = gates.get("calibration")
    if not gate or gate["interval"] is None:
        return ""
    band = Fraction(gate["band"])
    reach = max(band * Fraction(3, 2), *(abs(Fraction(end)) for end in gate["interval"]))
    axis = Axis(-reach, reach)
    body = [*axis.draw(), *_whiskers(axis, gate["interval"])]
    body += [*_mark(axis, "-δ_sham", -band, 40), *_mark(axis, "+δ_sham", band, 40)]
    return _figure("null", "Interval of the null calibration in its band", body)


def _pair_bars(pairs: Mapping[str, Any]) -> Iterator[str]:
    """One segment for each kind of pair, as long as its share."""
    kinds = {
        "first_only": "truthful only",
        "both": "both",
        "neither": "neither",
        "second_only": "neutral only",
    }
    if "both" not in pairs or not pairs["analysed"]:
        return
    left, full = Fraction(_MARGIN), _WIDTH - 2 * _MARGIN
    for key, label in kinds.items():
        width = Fraction(full * pairs[key], pairs["analysed"])
        if width:
            yield f'<rect x="{_tenths(left)}" y="14" width="{_tenths(width)}" height="22"/>'
            yield _text(_tenths(left + width / 2), 30, f"{pairs[key]} {label}")
        left += width


def _whiskers(axis: Axis, ends: list[str]) -> Iterator[str]:
    low, high = (axis.at(Fraction(end)) for end in ends)
    yield _line(low, 95, high, 95, "interval")
    for end in (low, high):
        yield _line(end, 87, end, 103, "interval")


def _mark(axis: Axis, label: str, value: Fraction, top: int, anchor: str = "middle") -> list[str]:
    """A dashed line with its label above it, or to one side where two lines may lie close together."""
    place = axis.at(value)
    text = f'<text x="{place}" y="{top}" text-anchor="{anchor}">{escape(f"{label} {_decimal(value)}")}</text>'
    return [_line(place, top + 4, place, _BASE, "mark"), text]


def _figure(name: str, title: str, body: list[str]) -> str:
    head = f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="panel-{name}">'
    return f'{head}<title id="panel-{name}">{escape(title)}</title>{"".join(body)}</svg>'


def _line(x1: Any, y1: Any, x2: Any, y2: Any, kind: str = "axis") -> str:
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _text(x: Any, y: Any, text: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle">{escape(text)}</text>'


def _tenths(value: Fraction) -> str:
    whole, tenth = divmod(round(value * 10), 10)
    return f"{whole}.{tenth}" if tenth else str(whole)


def _decimal(value: Fraction) -> str:
    """A label of at most four decimals, cut towards zero: where a mark stands, not what was decided."""
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value.numerator) * 10**4 // value.denominator, 10**4)
    return f"{sign}{whole}.{rest:04}".rstrip("0").rstrip(".")
