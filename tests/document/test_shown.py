"""How exact numbers are shown."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.canonical import number_text
from dcp_lang.emit.document.inline import Number
from dcp_lang.emit.document.shown import counted, plain_number, probability, quantity


@pytest.mark.parametrize(
    ("amount", "unit", "shown"),
    [
        ("1800", "s", "30 min"),
        ("5400", "s", "1 h 30 min"),
        ("90061", "s", "1 d 1 h 1 min 1 s"),
        ("0.5", "s", "0.5 s"),
        ("0", "s", "0 s"),
        ("3221225472", "B", "3 GiB"),
        ("3000000000", "B", "3 GB"),
        ("1536", "B", "1.5 KiB".replace("1.5 KiB", "1536 B")),
        ("2048", "B", "2 KiB"),
        ("10", "USD", "10 USD"),
        ("56.4", "USD", "56.40 USD"),
        ("12500.5", "EUR", "12,500.50 EUR"),
        ("10/3", "USD", "10/3 USD"),
        ("20", "requests", "20 requests"),
    ],
)
def test_quantities(amount: str, unit: str, shown: str) -> None:
    assert quantity({"amount": amount, "unit": unit}) == Number(shown, f"{amount} {unit}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.05", "0.05 (5%)"),
        ("1", "1 (100%)"),
        ("0", "0 (0%)"),
        ("1/7", "1/7"),
        ("0.00125", "0.00125 (0.125%)"),
        ("0.8855470070562801", "0.8855470070562801"),
    ],
)
def test_shares_have_their_percentage_where_it_is_short(text: str, shown: str) -> None:
    assert probability(text) == Number(shown, text)


@given(st.fractions(min_value=0, max_value=1, max_denominator=10**6))
def test_a_percentage_is_exact(share: Fraction) -> None:
    shown = probability(number_text(share)).shown
    _, _, percent = shown.partition(" (")
    assert not percent or Fraction(percent.removesuffix("%)")) == 100 * share


def test_counts() -> None:
    assert counted(1, "unit").shown == "1 unit"
    assert counted(0, "pair").shown == "0 pairs"
    assert counted(100_000, "unit") == Number("100,000 units", "100000")
    assert plain_number(9999).shown == "9999"
    assert plain_number("0.000123").shown == "0.000123"
