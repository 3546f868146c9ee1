"""What an editor shows of a registration, without any server: places are drawn as text."""

from __future__ import annotations

import gc
import weakref
from hashlib import sha256

import pytest
from drawn import EXAMPLES, at_mark, compiled, drawn, example

from dcp_lang.diagnostics.fixes import apply_edits
from dcp_lang.editing import names
from dcp_lang.editing.completion import complete, filled_in, plain
from dcp_lang.editing.fixes import ALL, actions, difference, format_edit
from dcp_lang.editing.folding import Fold, folds
from dcp_lang.editing.hints import hints
from dcp_lang.editing.hover import hover
from dcp_lang.editing.outline import every_node, nodes_at, outline
from dcp_lang.editing.targets import file_target
from dcp_lang.editing.tokens import semantic_tokens
from dcp_lang.language.fields import SECTION_TABLE
from dcp_lang.source import Span

SMALL = """dcp 1
registration a : core {
  baseline zero { artifact = file("b.json"), score = 0 }
  thresholds {
    δ_min = 0.5
    ε = δ_min / 100
  }
  errors 5% = auto
  gate recovery { episodes = auto }
  # one
  # two
  require ε < x - score(zero)
}
"""


def _at(text: str, fragment: str) -> int:
    assert text.count(fragment) == 1, fragment
    return text.index(fragment)


# Outline and folds


def test_the_outline_knows_every_statement_by_its_path() -> None:
    nodes = list(every_node(outline(compiled(SMALL))))
    assert [(n.kind, n.path) for n in nodes if n.kind in ("registration", "block", "field")] == [
        ("registration", ""),
        ("block", "baseline"),
        ("field", "baseline.artifact"),
        ("field", "baseline.score"),
        ("block", "thresholds"),
        ("field", "thresholds.delta_min"),
        ("field", "thresholds.epsilon"),
        ("field", "errors"),
        ("block", "gate.recovery"),
        ("field", "gate.recovery.episodes"),
    ]
    assert [n.name for n in nodes if n.kind == "block"] == ["baseline zero", "thresholds", "gate recovery"]


def test_the_innermost_node_is_found_at_its_first_and_last_character() -> None:
    compilation = compiled(SMALL)
    start = _at(SMALL, "ε = δ_min")
    for offset in (start, start + len("ε = δ_min / 100")):
        assert [n.path for n in nodes_at(outline(compilation), offset)] == [
            "",
            "thresholds",
            "thresholds.epsilon",
        ]


def test_blocks_and_runs_of_comments_fold() -> None:
    assert folds(compiled(SMALL)) == [Fold(2, 12), Fold(4, 6), Fold(10, 11, "comment")]


# Names


def test_every_mention_of_a_field_is_found() -> None:
    compilation = compiled(SMALL)
    found = names.references(compilation, _at(SMALL, "ε = δ_min"))
    assert drawn(compilation, *(o.span for o in found)) == (
        "    ε = δ_min / 100\n    ▔\n  require ε < x - score(zero)\n          ▔"
    )


@pytest.mark.parametrize(
    ("place", "declared"),
    [("δ_min / 100", "    δ_min = 0.5\n    ▔▔▔▔▔"), ("ε < x", "    ε = δ_min / 100\n    ▔")],
)
def test_a_name_leads_to_its_declaration(place: str, declared: str) -> None:
    compilation = compiled(SMALL)
    span = names.definition(compilation, _at(SMALL, place))
    assert span is not None and drawn(compilation, span) == declared


def test_a_label_is_renamed_where_it_is_declared_and_used() -> None:
    compilation = compiled(SMALL)
    found = names.rename(compilation, _at(SMALL, "zero)"), "naught")
    assert drawn(compilation, *found.spans) == (
        '  baseline zero { artifact = file("b.json"), score = 0 }\n           ▔▔▔▔\n'
        "  require ε < x - score(zero)\n                        ▔▔▔▔"
    )


@pytest.mark.parametrize(
    ("place", "name", "fault"),
    [
        ("ε = δ_min", "e", "a word of the language"),
        ("zero)", "two words", "not one word"),
        ("zero)", "require", "not one word"),
        ("# one", "e", "no name here"),
    ],
)
def test_what_cannot_be_renamed_says_why(place: str, name: str, fault: str) -> None:
    found = names.rename(compiled(SMALL), _at(SMALL, place), name)
    assert fault in found.fault and not found.spans


def test_an_alternative_that_is_called_like_a_field_is_no_mention_of_it() -> None:
    compilation = example("sqlite_web")
    assert [o.key for o in names.occurrences(compilation) if not o.is_declaration] == [
        "thresholds.delta_min",
        "thresholds.epsilon",
        "target.score",
        "baseline.score",
        "label:baseline.name",
    ]


def test_a_committed_file_and_a_profile_can_be_opened() -> None:
    compilation = example("sqlite_web")
    text = compilation.source.text
    assert str(file_target(compilation, _at(text, "task.py"))).endswith("sqlite_web/task.py")
    assert str(file_target(compilation, _at(text, "dcp.kernel/2"))).endswith("dcp.kernel-2.dcp")
    assert file_target(compilation, _at(text, "workspace/")) is None  # a folder


def test_a_path_out_of_the_folder_is_never_opened() -> None:
    compilation = example("sqlite_web", ('file("task.py")', 'file("../../README.md")'))
    assert file_target(compilation, _at(compilation.source.text, "../../README")) is None


# Hover


@pytest.mark.parametrize(
    ("place", "texts"),
    [
        ("ε = δ_min", ["**ε** · `thresholds.epsilon`", "Value: `0.005` (declared)", "Equation 2", "`kappa`"]),
        ("δ_min / 100", ["**δ_min**", "Value: `0.5` (declared)", "Gate 1, Equation 1"]),
        ("auto }", ["**auto**", "Value: `"]),
        ("gate recovery", ["**gate recovery** (required)", "matched challengers"]),
        ("zero)", ["`baseline.name`", "Value: `zero`"]),
        ("require", ["**require** *condition*"]),
    ],
)
def test_hover_says_what_a_thing_is(place: str, texts: list[str]) -> None:
    found = hover(compiled(SMALL), _at(SMALL, place))
    assert found is not None
    assert [text for text in texts if text not in found.text] == []


def test_hover_shows_the_page_of_a_finding() -> None:
    compilation = example("sqlite_web", ("ε = δ_min / 100", "ε = 0.6"))
    found = hover(compilation, _at(compilation.source.text, "ε = 0.6"))
    assert found is not None and "**E202 " in found.text and drawn(compilation, found.span).endswith("    ▔")


def test_hover_explains_alternatives_and_units() -> None:
    compilation = example("sqlite_web")
    text = compilation.source.text
    alternative, unit = hover(compilation, _at(text, "hosts(")), hover(compilation, _at(text, "min, memory"))
    assert alternative and "the listed hosts" in alternative.text and "`at_most`" in alternative.text
    assert unit and unit.text == "**30 min**: time, 1800 s"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("workspace = file", "**given workspace** · `information.given.workspace`"),
        ("alpha = 5%)", "**alpha**: a number, 0 < value < 1"),
        ("20 requests", "**20 requests**: a number of requests"),
        ("observed_bytes", "**observed_bytes**\n\nWhat challengers see of the Web"),
        ("x - score", "**x**\n\nThe target's score, unknown before the run"),
    ],
)
def test_hover_speaks_of_what_the_author_wrote(place: str, said: str) -> None:
    compilation = example("sqlite_web")
    found = hover(compilation, _at(compilation.source.text, place))
    assert found is not None and found.text.startswith(said)


def test_hover_shows_what_a_file_commits_to() -> None:
    compilation = example("sqlite_web")
    text = compilation.source.text
    file, folder = (hover(compilation, _at(text, name) + 1) for name in ('"task.py"', '"workspace/"'))
    data = (EXAMPLES / "sqlite_web" / "task.py").read_bytes()
    assert file and f"{len(data)} bytes" in file.text and f"`sha256:{sha256(data).hexdigest()}`" in file.text
    assert folder and folder.text.startswith("`workspace/`: 3 files, committed by its digest")
    missing = example("sqlite_web", ('"task.py"', '"gone.py"'))
    gone = hover(missing, _at(missing.source.text, '"gone.py"') + 1)
    assert gone and "there is no file `gone.py`" in gone.text


# Completion


def _labels(marked: str) -> list[str]:
    text, offset = at_mark(marked)
    return [s.label for s in complete(compiled(text), offset).suggestions]


HEAD = "dcp 1\nregistration a : evidence {\n  "


@pytest.mark.parametrize(
    ("marked", "offered", "not_offered"),
    [
        ("‸", ["dcp 1", "use", "registration : core", "registration : evidence"], ["thresholds"]),
        (HEAD + "‸\n}", ["mode", "thresholds", "gate recovery", "require", "task"], ["valid", "δ_min"]),
        (HEAD + "mode = prospective\n  ‸\n}", ["title"], ["mode"]),
        (HEAD + "gate ‸\n}", ["recovery", "feedback"], ["thresholds"]),
        (HEAD + "mode = ‸\n}", ["prospective", "retrospective"], ["task"]),
        (
            HEAD + "mode = retrospective(knowledge = ‸)\n}",
            ["pre_publication", "present_day"],
            ["prospective"],
        ),
        (HEAD + "mode = retrospective(‸)\n}", ["knowledge"], ["prospective"]),
        (HEAD + "gate recovery { episodes = ‸ }\n}", ["auto"], ["draws"]),
        (HEAD + "gate recovery {\n    ‸\n  }\n}", ["episodes", "draws", "web"], ["title", "name"]),
        (HEAD + "thresholds { δ_min = 0.5, ε = ‸ }\n}", ["δ_min"], ["ε"]),
        (HEAD + "budget session { cost = 10 ‸ }\n}", ["USD", "EUR"], ["min", "turns"]),
        (HEAD + "budget session { time = 30 ‸ }\n}", ["min", "h"], ["USD"]),
        (HEAD + "information { ‸ }\n}", ["given", "known", "web", "lineage"], ["*"]),
        (HEAD + "task t {\n    ‸\n  }\n}", ["adapter", "valid"], ["gate recovery"]),
        (HEAD + "policy neutral { preserves = [‸] }\n}", ["timing", "schema", "length"], ["task"]),
        (HEAD + "require ‸\n}", ["ε", "x", "n.recovery", "sessions", "evidence"], ["title ="]),
        (HEAD + "allow ‸\n}", ["W501"], ["E501"]),
        ("dcp 1\nuse ‸", ['"dcp.kernel/2"'], ["registration : core"]),
        (HEAD + 'title = "a ‸ b"\n}', [], ["mode"]),
        (HEAD + "# a ‸\n}", [], ["mode"]),
    ],
)
def test_completion_offers_what_fits(marked: str, offered: list[str], not_offered: list[str]) -> None:
    labels = _labels(marked)
    assert [label for label in offered if label not in labels] == []
    assert [label for label in not_offered if label in labels] == []
    assert len(labels) == len(set(labels)) and (offered or not labels)


def test_completion_replaces_the_word_before_the_cursor() -> None:
    text, offset = at_mark(HEAD + "thresholds { δ_m‸ }\n}")
    compilation = compiled(text)
    assert drawn(compilation, complete(compilation, offset).span).endswith("  " + " " * 13 + "▔▔▔")


def test_a_required_block_comes_with_its_required_fields() -> None:
    text, offset = at_mark(HEAD + "‸\n}")
    found = {s.label: s for s in complete(compiled(text), offset).suggestions}
    assert found["selection"].rank == 0
    assert found["selection"].snippet == (
        'selection {\n  rule = "the last artifact that the agent commits"\n'
        '  stop = "the budget is spent or the agent finishes"\n\\}'
    )


# Fixes


def test_a_fix_is_offered_where_its_finding_stands_and_nowhere_else() -> None:
    compilation = example("sqlite_web", ("title =", "titel ="))
    at = _at(compilation.source.text, "titel")
    action = next(a for a in actions(compilation, Span(at, at)) if a.diagnostic)
    assert action.title == "write `title`" and not action.is_safe
    mended = apply_edits(compilation.source.text, action.edits)
    assert mended == example("sqlite_web").source.text
    assert actions(compilation, Span(0, 0)) == []


@pytest.mark.parametrize("grade", ["core", "evidence"])
def test_what_is_missing_is_written_out_and_then_nothing_is(grade: str) -> None:
    compilation = compiled(f"dcp 1\n\nregistration a : {grade} {{\n}}\n")
    missing = next(d for d in compilation.diagnostics if d.code == "E103")
    action = actions(compilation, missing.span)[0]
    assert action.title == "add what the registration lacks"
    text = apply_edits(compilation.source.text, action.edits)
    after = compiled(text)
    assert [d.message for d in after.diagnostics if d.code == "E103" or d.code < "E1"] == []
    assert format_edit(after) is None


def test_fields_are_added_to_a_block_on_one_line() -> None:
    compilation = compiled(HEAD + 'selection { rule = "the last" }\n}\n')
    at = _at(compilation.source.text, "selection")
    action = next(a for a in actions(compilation, Span(at, at)) if "selection" in a.title)
    assert apply_edits(compilation.source.text, action.edits) == HEAD + (
        'selection { rule = "the last"\n    stop = "the budget is spent or the agent finishes"\n  }\n}\n'
    )


def test_all_safe_fixes_are_one_offer() -> None:
    compilation = compiled(SMALL.replace("dcp 1\n", "").replace('"b.json"', "“b.json”"))
    found = [a for a in actions(compilation, Span(0, 0)) if a.kind == ALL]
    assert len(found) == 1
    fixed = compiled(apply_edits(compilation.source.text, found[0].edits))
    assert fixed.source.text.startswith("dcp 1\n") and '"b.json"' in fixed.source.text


@pytest.mark.parametrize(
    ("old", "new"), [("", "a"), ("a", ""), ("aa", "a"), ("a", "aa"), ("abc", "axc"), ("aba", "ababa")]
)
def test_a_difference_is_one_small_edit(old: str, new: str) -> None:
    edit = difference(old, new)
    assert edit is not None and apply_edits(old, [edit]) == new
    assert len(edit.text) + edit.span.end - edit.span.start <= 2
    assert difference(new, new) is None


# Hints


def test_hints_show_what_was_computed() -> None:
    compilation = example("sqlite_web", ("episodes = 96", "episodes = auto"))
    text = compilation.source.text
    shown = {text[: h.offset].rpartition("\n")[2].strip(): h.text for h in hints(compilation)}
    # The sizes are the paper's: 90 episodes for α = 1 %, ρ = 5 %; 24 controls for α = 0.5 %, recall 0.8.
    assert shown["episodes = auto"] == "= 90"
    assert shown["positive_controls = 45"] == "least 24"
    assert shown["pairs = 30"] == "least 22"
    assert shown["errors 5%"] == "0% left"
    assert shown["budget audit"] == "315 sessions, 3150 USD"
    assert shown["require ε < x - score(no_index)"] == "entailed by gate outcome"
    both = [h.text for h in hints(compilation) if text[: h.offset].endswith("ε = δ_min / 100")]
    assert both == ["= 0.005", "1% of δ_min"]


def test_hints_show_an_overspent_budget() -> None:
    compilation = example("sqlite_web", ("main = 0.5%", "main = 1%"))
    assert [h.text for h in hints(compilation) if "spent" in h.text] == ["0.5% overspent"]


# Tokens


def test_every_word_is_told_from_every_other() -> None:
    text = compiled(SMALL).source.text
    kinds = [(text[t.span.start : t.span.end], t.kind) for t in semantic_tokens(compiled(SMALL))]
    for expected in [
        ("dcp", "keyword"),
        ("registration", "keyword"),
        ("core", "enumMember"),
        ("baseline", "class"),
        ("zero", "variable"),
        ("file", "function"),
        ("δ_min", "property"),
        ("0.5", "number"),
        ("auto", "keyword"),
        ("recovery", "class"),
        ("# one", "comment"),
        ("require", "keyword"),
        ("<", "operator"),
        ("score", "property"),
    ]:
        assert expected in kinds


def test_tokens_of_a_broken_text_are_in_order_and_apart() -> None:
    tokens = semantic_tokens(compiled(SMALL.replace("0.5", "= 0,5 ² “").replace("}", "")))
    ends = [0, *(t.span.end for t in tokens)]
    assert tokens and all(end <= t.span.start for end, t in zip(ends, tokens, strict=False))


_BLOCKS = [s.path for s in SECTION_TABLE.values() if s.path and not s.prose and s.path != "errors"]


@pytest.mark.parametrize("path", _BLOCKS)
def test_every_field_offered_in_a_block_can_be_declared_there(path: str) -> None:
    label = " a" if SECTION_TABLE[path].label == "word" else ""
    text, offset = at_mark(f"{HEAD}{path.replace('.', ' ')}{label} {{ ‸ }}\n}}")
    offers = [s for s in complete(compiled(text), offset).suggestions if s.kind == "property"]
    assert offers
    for offer in offers:
        declared = filled_in(offer.snippet)
        found = compiled(text[:offset] + declared + text[offset:]).diagnostics
        assert [d.message for d in found if d.message.startswith("there is no")] == [], declared


def test_a_role_is_declared_with_a_name_of_the_author() -> None:
    for typed, snippet in (("", "given ${1:name} = "), ("given ", "${1:name} = ")):
        text, offset = at_mark(f"{HEAD}information {{ {typed}‸ }}\n}}")
        found = {s.label: s.snippet for s in complete(compiled(text), offset).suggestions}
        assert found["name" if typed else "given"].startswith(snippet)


@pytest.mark.parametrize(
    ("snippet", "text"),
    [
        ("a = ${1:b}", "a = b"),
        ('file("${1}")', 'file("")'),
        ("${1:x \\} y} z\\}", "x } y z}"),
        ("\\$5 \\\\", "$5 \\"),
        (plain("a\\n${1:b}"), "a\\n${1:b}"),
    ],
)
def test_a_snippet_can_be_filled_in(snippet: str, text: str) -> None:
    assert filled_in(snippet) == text


def test_what_is_remembered_of_a_text_goes_with_it() -> None:
    compilation = compiled(SMALL)
    assert outline(compilation) is outline(compilation)
    assert hints(compilation) and names.occurrences(compilation)
    gone = weakref.ref(compilation)
    del compilation
    gc.collect()
    assert gone() is None


def test_two_texts_are_not_taken_for_each_other() -> None:
    other = compiled(SMALL.replace("zero", "naught"))
    spoken = {SMALL[o.span.start : o.span.end] for o in names.occurrences(compiled(SMALL))}
    assert "zero" in spoken and "naught" in {
        other.source.text[o.span.start : o.span.end] for o in names.occurrences(other)
    }
