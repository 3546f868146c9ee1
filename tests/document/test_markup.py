"""The markup of our own text, and the marks that keep values out of it."""

from __future__ import annotations

import pytest

from dcp_lang.emit.document.blocks import Bullets, Display, Figure, Items, Note, Paragraph, Prose, Table
from dcp_lang.emit.document.formula import Atom, Over, Power, Root, Row, Sub, mathml, parse_formula, plain
from dcp_lang.emit.document.inline import Code, Link, Math, Number, Strong, User, joined
from dcp_lang.emit.document.markup import MarkupError, Values, parse_document


def blocks(text: str, values: Values | None = None) -> tuple[object, ...]:
    """The blocks of one section."""
    (section,) = parse_document(f"## anchor | Title\n\n{text}", values or Values())
    return section.blocks


def test_sections_are_numbered_from_zero() -> None:
    sections = parse_document("## a | First\ntext\n\n## b | Second\n\ntext", Values())
    assert [(s.number, s.anchor, s.title) for s in sections] == [(0, "a", "First"), (1, "b", "Second")]


def test_inline_marks() -> None:
    (paragraph,) = blocks("a **b** `c` [d](e.1)\nand $p_B$, so")
    assert paragraph == Paragraph(
        ("a ", Strong("b"), " ", Code("c"), " ", Link("e.1", "d"), " and ", Math(Sub("p", "B")), ", so")
    )


def test_blocks() -> None:
    found = blocks("! note\ngoes on\n\n- one\n- two\n\n1. first\n$$ x < 1\nplain")
    assert found == (
        Note(("note goes on",)),
        Bullets((("one",), ("two",))),
        Bullets((("first",),), ordered=True),
        Display(Row((Atom("mi", "x"), Atom("mo", "<"), Atom("mn", "1")))),
        Paragraph(("plain",)),
    )


def test_items_hold_what_follows_until_a_bare_mark() -> None:
    items, after = blocks("@ G1.1 | Label | computed\ntext\n\nmore\n@ G1.2 | Other\ntext\n@\nafter")
    assert isinstance(items, Items)
    assert [(i.id, i.label, i.origin, len(i.blocks)) for i in items.items] == [
        ("G1.1", "Label", "computed", 2),
        ("G1.2", "Other", "", 1),
    ]
    assert after == Paragraph(("after",))


def test_tables() -> None:
    (table,) = blocks("|= Caption\n|* Name | # Count\n| a | 1\n| | \n|+ sum | 1")
    assert table == Table(
        "Caption",
        ("Name", "Count"),
        ((("a",), ("1",)), ((), ()), (("sum",), ("1",))),
        frozenset({1}),
        total=True,
    )


def test_values_are_never_read_as_markup() -> None:
    values = Values()
    mark = values.mark((User("**not strong** | $x$ \n## no"),))
    assert blocks(f"a {mark} b", values) == (Paragraph(("a ", User("**not strong** | $x$ \n## no"), " b")),)
    (table,) = blocks(f"|= C\n|* A | B\n| {mark} | {mark}", values)
    assert isinstance(table, Table) and len(table.rows[0]) == 2


def test_blocks_stand_alone_and_a_drawing_takes_the_table_after_it() -> None:
    values = Values()
    prose, figure = values.mark(Prose("author")), values.mark(Figure("<svg/>", "alt"))
    found = blocks(f"{prose}\n\n{figure}\n\n|= C\n|* A\n| b", values)
    assert found == (Prose("author"), Figure("<svg/>", "alt", Table("C", ("A",), ((("b",),),))))
    with pytest.raises(MarkupError, match="within a line"):
        blocks(f"see {prose}", values)


@pytest.mark.parametrize("text", ["text before a section", "| row without a table", "|+ total"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(MarkupError):
        parse_document(text if "before" in text else f"## a | b\n{text}", Values())
    with pytest.raises(MarkupError, match="1 cells below 2 heads"):
        blocks("|= C\n|* A | B\n| one")


def test_numbers_in_formulas_are_those_of_the_json() -> None:
    values = Values()
    mark = values.mark((Number("0.05 (5%)", "0.05"),))
    (display,) = blocks(f"$$ (1 − {mark})^{{90}}", values)
    assert isinstance(display, Display) and plain(display.formula) == "(1 − 0.05)^90"
    with pytest.raises(MarkupError, match="stands in a formula"):
        blocks(f"$$ x = {values.mark((User('y'),))}", values)


@pytest.mark.parametrize(
    ("text", "tree", "written"),
    [
        ("A*", Power(Atom("mi", "A"), Atom("mo", "*")), "A*"),
        ("{1/n}", Row((Atom("mn", "1"), Atom("mo", "/"), Atom("mi", "n"))), "1 / n"),
        ("√{V//n}", Root(Over(Atom("mi", "V"), Atom("mi", "n"))), "√(V/n)"),
        (
            "α^{1/n}",
            Power(Atom("mi", "α"), Row((Atom("mn", "1"), Atom("mo", "/"), Atom("mi", "n")))),
            "α^(1 / n)",
        ),
        ("δ_min", Sub("δ", "min"), "δ_min"),
    ],
)
def test_formulas(text: str, tree: object, written: str) -> None:
    assert parse_formula(text) == tree
    assert plain(parse_formula(text)) == written


def test_formulas_in_words_and_in_mathml() -> None:
    formula = parse_formula("LCB(μ(A*) − μ(b)) ≥ δ_min")
    assert plain(formula) == "LCB(μ(A*) − μ(b)) ≥ δ_min"
    assert plain(parse_formula("[LCB, UCB] ⊆ [{−δ_sham}, {+δ_sham}]")) == "[LCB, UCB] ⊆ [− δ_sham, + δ_sham]"
    assert mathml(parse_formula("p < 1/7")).startswith(
        '<math alttext="p &lt; 1 / 7"><mrow><mi>p</mi><mo>&lt;</mo>'
    )
    with pytest.raises(ValueError, match="does not close"):
        parse_formula("{ 1 / n")


def test_lists_in_words() -> None:
    assert joined([("a",)]) == ("a",)
    assert joined([("a",), ("b",)]) == ("a", " and ", "b")
    assert joined([("a",), ("b",), ("c",)], "or") == ("a", ", ", "b", " or ", "c")


def test_captions_heads_and_strong_words_are_ours_alone() -> None:
    values = Values()
    ours, number = values.mark(("Pairs",)), values.mark((Number("90", "90"),))
    (table,) = blocks(f"|= {ours}: table\n|* # {ours}\n| {number}", values)
    assert isinstance(table, Table) and (table.caption, table.head) == ("Pairs: table", ("Pairs",))
    assert blocks(f"**{ours}: too few.**", values) == (Paragraph((Strong("Pairs: too few."),)),)
    for text in (f"|= {number}\n|* A", f"|= C\n|* {number}", f"**{number}**", f"[{number}](card)"):
        with pytest.raises(MarkupError, match="only words of the template"):
            blocks(text, values)
