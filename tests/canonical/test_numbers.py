"""One spelling per exact number: freeze.md, and cases H04, H05, H10, H11 of the collected mishaps."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcp_lang.canonical import MAX_NUMBER_CHARS, number_text, parse_number

SPELLINGS = [
    (Fraction(1, 20), "0.05"),
    (Fraction(-1, 2), "-0.5"),
    (Fraction(3), "3"),
    (Fraction(-300), "-300"),
    (Fraction(0), "0"),
    (Fraction(1, 7), "1/7"),
    (Fraction(-22, 7), "-22/7"),
    (Fraction(1, 30), "1/30"),
    (Fraction(1, 8), "0.125"),
    (Fraction(1, 5), "0.2"),
    (Fraction(1001, 1000), "1.001"),
    (Fraction(10**15), "1000000000000000"),
    # Python prints 1e-05, JavaScript 0.00001: neither float is ever asked.
    (Fraction(1, 100_000), "0.00001"),
    (Fraction(2, 100_000), "0.00002"),
    (Fraction("0.012345678901234567"), "0.012345678901234567"),
    (Fraction(9007199254740993), "9007199254740993"),
]


@pytest.mark.parametrize(("value", "text"), SPELLINGS)
def test_spelling(value: Fraction, text: str) -> None:
    assert number_text(value) == text
    assert parse_number(text) == value


def test_whole_numbers_of_python_are_spelled_as_rationals() -> None:
    assert number_text(90) == number_text(Fraction(90)) == "90"


@given(st.fractions())
def test_text_and_value_are_one_to_one(value: Fraction) -> None:
    assert parse_number(number_text(value)) == value


@given(st.integers(-(10**20), 10**20), st.integers(0, 30), st.integers(0, 30))
def test_a_finite_decimal_is_written_as_one_and_no_shorter_decimal_is_equal(
    p: int, twos: int, fives: int
) -> None:
    value = Fraction(p, 2**twos * 5**fives)
    text = number_text(value)
    assert "/" not in text
    whole, _, fraction = text.partition(".")
    assert value.denominator == 1 or value * 10 ** (len(fraction) - 1) % 1 != 0
    assert Fraction(whole + fraction) == value * 10 ** len(fraction)


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("0.050", "0.05"),
        ("1.0", "1"),
        ("-0", "0"),
        ("0.0", "0"),
        ("00.5", "0.5"),
        ("01", "1"),
        (".5", "0.5"),
        ("1/2", "0.5"),
        ("2/14", "1/7"),
        ("3/1", "3"),
        ("0/7", "0"),
        ("01/7", "1/7"),
    ],
)
def test_a_second_spelling_is_refused_and_the_first_is_named(text: str, spelling: str) -> None:
    with pytest.raises(ValueError, match=f"second spelling of '{spelling}'$"):
        parse_number(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", " 1", "1 ", "1\n", "+1", "1e3", "1_000", "1,5", "5%", "0x10", "NaN", "inf", "-", "/", "."),
        *("1/0", "1/-7", "1/7/9", "--1", "1/0.5", "٣", "１", "1\u20442", "−1"),
    ],
)
def test_no_other_text_is_a_number(text: str) -> None:
    with pytest.raises(ValueError, match="is not an exact number"):
        parse_number(text)


def test_the_longest_number_is_bounded_on_both_sides() -> None:
    longest = "9" * MAX_NUMBER_CHARS
    assert number_text(parse_number(longest)) == longest
    for value in (
        Fraction(10**MAX_NUMBER_CHARS),
        Fraction(-(10 ** (MAX_NUMBER_CHARS - 1))),
        Fraction(1, 10 ** (MAX_NUMBER_CHARS - 1)),
        Fraction(1, 3**9000),
        Fraction(10**3000, 3**3000),
        Fraction(1, 2**20_000),
    ):
        with pytest.raises(ValueError, match="more than 4096 characters"):
            number_text(value)
    for text in (longest + "9", "9" * 1_000_000):
        with pytest.raises(ValueError, match="more than 4096 characters"):
            parse_number(text)
