"""A file that is wrong everywhere gets 500 findings and one that counts the rest."""

from __future__ import annotations

from bases import base

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.driver import Compilation, NoFiles
from dcp_lang.sema.shown import MOST, shown
from dcp_lang.source import SourceFile, Span


def compiled(text: str) -> Compilation:
    return Compilation(SourceFile("many.dcp", text), NoFiles())


def test_the_cap_itself_is_shown_whole_and_one_more_is_counted() -> None:
    one = len(compiled(base("core")).diagnostics)
    assert one < MOST
    for extra in (0, 1, 700):
        fields = "".join(f"zzz{i} = {i}\n" for i in range(MOST - one + extra))
        found = compiled(
            base("core").replace("registration base : core {\n", f"registration base : core {{\n{fields}")
        )
        codes = [d.code for d in found.diagnostics]
        assert len(codes) == MOST + (extra > 0) and not found.is_sound
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
