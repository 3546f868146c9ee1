"""Each fault: its code, the characters it marks, what it says, and the text that its fix gives."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from syntax_reading import applied, read

from dcp_lang.syntax.rules import RULES


class Case(NamedTuple):
    text: str
    code: str
    marked: str
    says: str
    fixed: str | None = None


CASES = [
    Case("\ufeffdcp 1", "E004", "\ufeff", "U+FEFF", "dcp 1"),
    Case("a = 1\rb = 2", "E005", "\r", "carriage return"),
    Case('a = "one\rtwo"', "E005", "\r", "carriage return"),
    Case("# x\rb = 2", "E005", "\r", "carriage return"),
    Case("  # x\n", "E006", "", "declares nothing"),
    Case("a = 1 − b", "E010", "−", "U+2212 MINUS SIGN is not `-`", "a = 1 - b"),
    Case("a = 1 – 2", "E010", "–", "U+2013 EN DASH", "a = 1 - 2"),
    Case("a = “text”", "E010", "“text”", "U+201C LEFT DOUBLE QUOTATION MARK", 'a = "text"'),
    Case("a = „text“", "E010", "„text“", "U+201E", 'a = "text"'),
    Case("сount = 1", "E010", "сount", "U+0441 CYRILLIC SMALL LETTER ES is not `c`", "count = 1"),
    Case("a = ΑΒ", "E010", "ΑΒ", "U+0391 GREEK CAPITAL LETTER ALPHA is not `A`", "a = AB"),
    Case("a = µ", "E010", "µ", "U+00B5 MICRO SIGN is not `μ`", "a = μ"),
    Case("ϵ = 1", "E010", "ϵ", "U+03F5", "ε = 1"),
    Case("𝛿 = 1", "E010", "𝛿", "U+1D6FF", "δ = 1"),
    Case("ｒequire a", "E010", "ｒequire", "U+FF52", "require a"),
    Case("a\u00a0= 1", "E010", "\u00a0", "U+00A0 NO-BREAK SPACE is not a space", "a = 1"),
    Case("a = 1 \u3000\u3000+ 2", "E010", "\u3000\u3000", "IDEOGRAPHIC SPACE", "a = 1  + 2"),
    Case("require a ≤ b", "E010", "≤", "U+2264", "require a <= b"),
    Case("require a≠b", "E010", "≠", "not `!=`", "require a!=b"),
    Case("require a ∈ b", "E010", "∈", "not `in`", "require a  in  b"),
    Case("a = 5％", "E010", "％", "U+FF05 FULLWIDTH PERCENT SIGN is not `%`", "a = 5%"),
    Case("a = ٩٠", "E011", "٩٠", "ARABIC-INDIC DIGIT NINE is not the digit `9`", "a = 90"),
    Case("a = ３.５", "E011", "３.５", "FULLWIDTH DIGIT THREE", "a = 3.5"),
    Case("epi\u200bsodes = 1", "E012", "\u200b", "U+200B ZERO WIDTH SPACE cannot be seen", "episodes = 1"),
    Case('a = "x\u00ady"', "E012", "\u00ad", "U+00AD SOFT HYPHEN", 'a = "xy"'),
    Case("a = 1 # x\u2060", "E012", "\u2060", "U+2060 WORD JOINER", "a = 1 # x"),
    Case("a = 1 # \u200e", "E012", "\u200e", "U+200E LEFT-TO-RIGHT MARK", "a = 1 # "),
    Case('a = "\u202ex"', "E013", "\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE", 'a = "x"'),
    Case("a = 1 # \u2066", "E013", "\u2066", "U+2066 LEFT-TO-RIGHT ISOLATE", "a = 1 # "),
    Case("a\u2069 = 1", "E013", "\u2069", "U+2069", "a = 1"),
    Case('a = "\x07"', "E014", "\x07", "U+0007", 'a = ""'),
    Case("a = 1\x00", "E014", "\x00", "U+0000", "a = 1"),
    Case('a = "\x85"', "E014", "\x85", "U+0085", 'a = ""'),
    Case('a = "\u2028"', "E014", "\u2028", "U+2028", 'a = ""'),
    Case('a = "\ud800"', "E014", "\ud800", "U+D800", 'a = ""'),
    Case("a = $b", "E015", "$", "unexpected character `$`"),
    Case("a = 1 € 2", "E015", "€", "U+20AC EURO SIGN"),
    Case("café = 1", "E015", "é", "U+00E9 LATIN SMALL LETTER E WITH ACUTE"),
    Case("λ = 1", "E015", "λ", "U+03BB GREEK SMALL LETTER LAMDA"),
    Case("a = b && c", "E015", "&&", "`&&`", "a = b  and  c"),
    Case("a = !b", "E015", "!", "`!`", "a =  not b"),
    Case("a = 1; b = 2", "E015", ";", "`;`", "a = 1, b = 2"),
    Case("a = 1;\n", "E015", ";", "`;`", "a = 1\n"),
    Case('a = "cafe\u0301"', "E016", '"cafe\u0301"', "normalization form C", 'a = "café"'),
    Case("a = ½", "E017", "½", "write `1/2`", "a = 1/2"),
    Case("a = 5e3", "E020", "5e3", "exponent", "a = 5_000"),
    Case("a = 0.1.2", "E023", "0.1.2", "2 decimal points"),
    Case("a = 5%%", "E024", "5%%", "`5%`", "a = 5%"),
    Case("a = 5 %%", "E024", "5 %%", "`5%`", "a = 5%"),
    Case("a = 5% %", "E024", "5% %", "`5%`", "a = 5%"),
    Case("a = .5", "E026", ".5", "no digit", "a = 0.5"),
    Case("a = 5.", "E026", "5.", "no digit", "a = 5"),
    Case("a = 5.%", "E026", "5.%", "no digit", "a = 5%"),
    Case("a = 1__0", "E027", "1__0", "`1__0`", "a = 1_0"),
    Case("a = 1_", "E027", "1_", "`1_`", "a = 1"),
    Case("a = 1_.5", "E027", "1_.5", "underscore", "a = 1.5"),
    Case("a = 1._5", "E027", "1._5", "underscore", "a = 1.5"),
    Case("a = 10USD", "E028", "10USD", "`10` runs into `USD`", "a = 10 USD"),
    Case("a = 0x1F", "E028", "0x1F", "`0` runs into `x1F`"),
    Case("a = 5%5", "E028", "5%5", "`5%` runs into `5`"),
    Case("a = 5 %", "E029", " %", "right after its number", "a = 5%"),
    Case('a = "text', "E030", '"text', "no closing quote"),
    Case('a = "text\nb = 1', "E030", '"text', "no closing quote"),
    Case('a = """text\nb = 1', "E030", '"""text', "no closing quotes"),
    Case('a = "', "E030", '"', "no closing quote"),
    Case(r'a = "\q"', "E031", r"\q", r"`\q`", r'a = "\\q"'),
    Case('a = """x\\\ny"""', "E031", "\\\n", "`\\` is no escape"),
    Case("a = 'it'", "E032", "'it'", "double quotes", 'a = "it"'),
    Case("""a = 'say "x"'""", "E032", """'say "x"'""", "double quotes", r'a = "say \"x\""'),
    Case("a = [1, 2\nb = 3", "E040", "[", "`[` is not closed", "a = [1, 2]\nb = 3"),
    Case("a = f(1", "E040", "(", "`(` is not closed", "a = f(1)"),
    Case("a {\n  b = 1\n", "E041", "{", "not closed", "a {\n  b = 1\n}\n"),
    Case("a = 1 }", "E042", "}", "`}` closes nothing", "a = 1 "),
    Case("a = 1)", "E042", ")", "`)` closes nothing", "a = 1"),
    Case("a = [1)", "E043", ")", "`[` is closed by `)`", "a = [1]"),
    Case("a = f(1]", "E043", "]", "`(` is closed by `]`", "a = f(1)"),
    Case("a = = 1", "E050", "=", "unexpected `=`, expected a value"),
    Case("a = 1 2", "E050", "2", "unexpected number `2`, expected the end of the statement"),
    Case("a = f(b c)", "E050", "c", "unexpected name `c`, expected `,` or `)`"),
    Case("a = [b 'c']".replace("'", '"'), "E050", '"c"', "unexpected string, expected `,` or `]`"),
    Case("a =\n", "E050", "", "unexpected end of line, expected a value"),
    Case("a =", "E050", "", "unexpected end of file, expected a value"),
    Case("a", "E050", "", "unexpected end of file, expected `=` or `{`"),
    Case("episodes 96", "E050", "", "expected `=` or `{`", "episodes = 96"),
    Case("a : b\n", "E050", "", "expected `{`", "a  = b\n"),
    Case("a: 5", "E050", "5", "unexpected number `5`, expected a name", "a = 5"),
    Case("a == 5", "E050", "==", "expected `=` or `{`", "a = 5"),
    Case("require a = 5", "E050", "=", "expected the end of the statement", "require a == 5"),
    Case("a-b = 5", "E050", "-", "expected `=` or `{`", "a_b = 5"),
    Case("use", "E050", "", "expected a value"),
    Case("allow E412", "E050", "", "expected `because`"),
    Case("allow E412 because x", "E050", "x", "expected a string in quotes"),
    Case("dcp 1 2", "E050", "2", "expected the end of the statement"),
    Case("a, b = 1", "E050", ",", "unexpected `,`, expected `=` or `{`"),
    Case("= 5", "E050", "=", "expected a statement"),
    Case("default = 90", "E051", "default", "`default` is a reserved word"),
    Case("a = use", "E051", "use", "`use` is a reserved word"),
    Case("a = b.within", "E051", "within", "`within` is a reserved word"),
    Case("auto { b = 1 }", "E051", "auto", "`auto` is a reserved word"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case.text))
def test_one_fault_one_finding(case: Case) -> None:
    result = read(case.text)
    (fault,) = result.found
    assert fault.code == case.code
    assert case.text[fault.span.start : fault.span.end] == case.marked
    assert case.says in fault.message
    if case.fixed is not None:
        assert applied(result) == case.fixed
        assert [c for c in read(case.fixed).codes if c != "E006"] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case.text))
def test_messages_keep_to_the_style(case: Case) -> None:
    (fault,) = read(case.text).found
    assert "\n" not in fault.message + fault.help + fault.label
    assert not fault.message.endswith(".")
    assert fault.message[0].islower() or not fault.message[0].isalpha() or fault.message.startswith("U+")


def test_every_rule_but_those_of_the_whole_source_has_a_case() -> None:
    elsewhere = {"E001", "E002", "E003", "E007", "E021", "E022", "E025", "E044"}
    assert {case.code for case in CASES} == {rule.code for rule in RULES} - elsewhere


def test_windows_line_ends_hide_nothing() -> None:
    assert read('a = "cafe\u0301"\r\nb = "\u200b"\r\n').codes == ["E016", "E012"]


def test_strings_may_hold_any_script_and_marks_of_direction() -> None:
    assert read('a = "שלום \u200f\u200e 日本語 été − “x” 🙂 \u00a0"').codes == []
    assert read("a = 1 # été − “x” 日本語").codes == []


def test_all_faults_of_a_line_that_differ_are_reported() -> None:
    assert read("a = 1e3 + 0.1.2").codes == ["E020", "E023"]


def test_one_kind_of_look_alike_is_reported_once_a_line() -> None:
    assert read("a = 1 − 2 − 3\nb = 1 − 2").codes == ["E010", "E010"]
