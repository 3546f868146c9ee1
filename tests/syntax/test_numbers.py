"""Numbers are exact, and the caps hold at the very digit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syntax_reading import read, value

from dcp_lang.syntax import ast
from dcp_lang.syntax.build import exact_value


def number(text: str) -> Fraction:
    node = value(text)
    assert isinstance(node, ast.Number)
    assert node.text == text
    return node.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5%", Fraction(1, 20)),
        ("0.5", Fraction(1, 2)),
        ("0.005", Fraction(1, 200)),
        ("0.1%", Fraction(1, 1000)),
        ("200_000", Fraction(200_000)),
        ("1_0.2_5", Fraction(41, 4)),
        ("007", Fraction(7)),
        ("999999999999999", Fraction(10**15 - 1)),
        ("0.000000000001", Fraction(1, 10**12)),
        ("123456789012345.123456789012%", Fraction(123456789012345123456789012, 10**14)),
    ],
)
def test_a_number_is_the_rational_that_it_spells(text: str, expected: Fraction) -> None:
    assert number(text) == expected


@given(st.integers(0, 10**15 - 1), st.integers(0, 10**12 - 1), st.booleans())
def test_any_decimal_within_the_caps(whole: int, fraction: int, percent: bool) -> None:
    text = f"{whole}.{fraction:012d}" + "%" * percent
    expected = (whole + Fraction(fraction, 10**12)) / (100 if percent else 1)
    assert number(text) == expected == exact_value(text)


def test_no_binary_fraction_comes_between() -> None:
    # In binary floating point 0.1 * 0.05 is 0.005000000000000001.
    assert number("0.1") * number("5%") == number("0.005")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("9" * 15, []),
        ("9" * 16, ["E025"]),
        ("0." + "1" * 12, []),
        ("0." + "1" * 13, ["E025"]),
        ("1_" * 14 + "1", []),
        ("1_" * 15 + "1", ["E025"]),
        ("9" * 10_000, ["E025"]),
    ],
)
def test_caps(text: str, codes: list[str]) -> None:
    assert read(f"x = {text}").codes == codes


def test_a_number_over_the_cap_says_have_and_limit() -> None:
    (fault,) = read("x = 0.1234567890123").found
    assert fault.message == "13 digits after the decimal point, at most 12 are kept"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1e9", "1_000_000_000"),
        ("2.5e-3", "0.0025"),
        ("1E+2%", "100%"),
        ("1e-12", "0.000000000001"),
        ("9e14", "900_000_000_000_000"),
        ("1_0e1", "100"),
    ],
)
def test_an_exponent_is_written_out_exactly(text: str, meant: str) -> None:
    (fault,) = read(f"x = {text}").found
    assert fault.code == "E020" and fault.fix is not None and fault.fix.safe
    assert fault.fix.edits[0].text == meant
    mantissa, exponent = text.replace("_", "").rstrip("%").lower().split("e")
    percent = Fraction(1, 100) if text.endswith("%") else 1
    assert exact_value(meant) == Fraction(mantissa) * Fraction(10) ** int(exponent) * percent


@pytest.mark.parametrize("text", ["1e-13", "1e15", "1e9999", "1e99999999", "9" * 200 + "e1"])
def test_an_exponent_beyond_the_caps_has_no_fix(text: str) -> None:
    (fault,) = read(f"x = {text}").found
    assert fault.code == "E020" and fault.fix is None


def test_a_mended_number_counts_as_the_one_that_was_meant() -> None:
    for text, expected in (("1e2", 100), ("5 %", Fraction(1, 20)), ("0,5", Fraction(1, 2)), ("３", 3)):
        (field,) = read(f"x = {text}").file.statements
        assert isinstance(field, ast.Field) and isinstance(field.value, ast.Number)
        assert field.value.value == expected


def test_a_comma_is_not_blamed_for_a_word() -> None:
    assert read("x = [1,05x]").codes == ["E028"]


@pytest.mark.parametrize("text", ["[0,1]", "f(1,2)", "[0.5,0.25]", "[1,234]", "[1,2,3]"])
def test_a_list_without_blanks_is_a_list(text: str) -> None:
    value(text)


@pytest.mark.parametrize(
    ("text", "code", "meant"),
    [
        ("x = 0,05", "E021", "0.05"),
        ("x = [0,05]", "E021", "0.05"),
        ("x = f(0,05, 1)", "E021", "0.05"),
        ("x = 12,5%", "E021", "12.5%"),
        ("x = 1,000,000", "E022", "1_000_000"),
        ("x = 12,345,678.5", "E022", "12_345_678.5"),
        ("x = [1,000]", "E022", "1_000"),
        ("x = 1,234", "E022", "1_234"),
        ("a { b = 1,5, c = 2 }", "E021", "1.5"),
    ],
)
def test_commas_in_numbers(text: str, code: str, meant: str) -> None:
    (fault,) = read(text).found
    assert fault.code == code
    assert fault.fix is not None and fault.fix.edits[0].text == meant and not fault.fix.safe
