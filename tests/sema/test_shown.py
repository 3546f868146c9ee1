"""A file that is wrong everywhere gets 500 findings and one that counts the rest."""

from __future__ import annotations

from bases import base

from dcp_lang.diagnostics.model import MOST_SHOWN, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.driver import Compilation, NoFiles
from dcp_lang.sema.shown import shown
from dcp_lang.source import SourceFile, Span


def compiled(text: str) -> Compilation:
    return Compilation(SourceFile("many.dcp", text), NoFiles())


def test_the_cap_itself_is_shown_whole_and_one_more_is_counted() -> None:
    one = len(compiled(base("core")).diagnostics)
    assert one < MOST_SHOWN
    for extra in (0, 1, 700):
        fields = "".join(f"zzz{i} = {i}\n" for i in range(MOST_SHOWN - one + extra))
        found = compiled(
            base("core").replace("registration base : core {\n", f"registration base : core {{\n{fields}")
        )
        codes = [d.code for d in found.diagnostics]
        assert len(codes) == MOST_SHOWN + (extra > 0) and not found.is_sound
        if extra:
            assert codes[-1] == "I902" and found.diagnostics[-1].message.startswith(
                f"{extra:,} more findings"
            )


def test_errors_come_before_lints_and_the_order_stays() -> None:
    source = SourceFile("many.dcp", "x" * 700)
    lint, fault = Rule("W999", "a-lint", "warning", ""), Rule("E999", "a-fault", "error", "")
    rows = [(lint if i < 600 else fault).found(source, Span(i, i + 1), str(i)) for i in range(650)]
    kept = [d.message for d in shown(rows)]
    assert kept == [str(i) for i in (*range(450), *range(600, 650))] + ["150 more findings are not shown"]


def test_every_unknown_word_that_is_shown_comes_with_advice_whatever_is_found_first() -> None:
    """Names in conditions are found after all fields, but stand before them here; 200 of 700 fields are hidden."""
    names = "".join(f"require episode{i} < 5\n" for i in range(50))
    fields = "".join(f"titel{i} = {i}\n" for i in range(1000, 1700))
    found = compiled(
        base("core").replace("registration base : core {\n", f"registration base : core {{\n{names}{fields}")
    )
    *known, last = found.diagnostics
    one = len(compiled(base("core")).diagnostics)
    assert last.message == f"{250 + one} more findings are not shown"
    assert [d.message for d in known[:51:50]] == [
        "there is no name `episode0`",
        "there is no field `titel1000` in a registration",
    ]
    assert {d.code for d in known} == {"E101"} and all(d.help for d in known)
    assert known[0].help == "did you mean `episodes`?"


def test_a_finding_with_less_advice_is_the_same_finding() -> None:
    sink, rule, source = Sink(), Rule("E999", "a-fault", "error", ""), SourceFile("one.dcp", "x")
    sink.add(rule.found(source, Span(0, 1), "wrong", help="mend it"))
    sink.add(rule.found(source, Span(0, 1), "wrong"))
    sink.add(rule.found(source, Span(0, 0), "wrong"))
    assert [(d.span, d.help) for d in sink.sorted()] == [(Span(0, 0), ""), (Span(0, 1), "mend it")]
    assert sink.added == 3


def test_why_a_condition_is_false_is_said_where_it_is_shown() -> None:
    """The first 500 have all their words, whatever else is found; those behind them are counted."""
    extra = "".join(f"  require ρ < 1 / {1000 + i}\n" for i in range(MOST_SHOWN + 50))
    found = compiled(
        base("core").replace("  policy challenger {", extra + "  policy challenger {")
    ).diagnostics
    false = [d for d in found if d.code == "E209"]
    assert len(false) > MOST_SHOWN - 20 and found[-1].code == "I902"
    assert [d.message for d in false] == [f"`ρ < 1 / {1000 + i}` is false" for i in range(len(false))]
    assert all(d.label == "have ρ = 0.05" for d in false)
    assert len(found) - 1 + int(found[-1].message.split()[0]) > MOST_SHOWN + 50
