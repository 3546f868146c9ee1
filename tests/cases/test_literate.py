"""The machinery of literate cases, with a checker that finds every `bad`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from literate import Mark, accepted, marks_of, patched, read_cases, run, whole_source

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.source import SourceFile, Span

DOCUMENT = """# E101 bad-word

## failing

```dcp
a = bad
```

```text
old
```

## several

````dcp base=some
- x = 1
+ x = bad  # error: [E101]
````
"""


def check(name: str, text: str) -> list[Diagnostic]:
    source = SourceFile(name, text)
    return [
        Diagnostic("E101", "bad-word", "error", "bad", source, Span(*m.span()))
        for m in re.finditer("bad", text)
    ]


def test_cases_are_read_with_title_base_and_expectation() -> None:
    failing, several = read_cases(DOCUMENT)
    assert failing[:4] == ("failing", "", "a = bad\n", "old\n")
    assert several[:4] == ("several", "some", "- x = 1\n+ x = bad  # error: [E101]\n", None)


def test_accepting_replaces_the_rendering_alone() -> None:
    failing = read_cases(DOCUMENT)[0]
    text, _, _ = run(failing.source, check)
    renewed = accepted(DOCUMENT, failing, text)
    assert renewed == DOCUMENT.replace("old\n", text)
    assert read_cases(renewed)[0].expected == text
    assert text.startswith("error[E101]: bad\n --> $FILE:1:5\n")


def test_marks_name_line_severity_and_codes() -> None:
    clean, marks = marks_of("a = 1\nb = 2  # error: [E101] [E102]\n# c\nd # warning: [W101]\n")
    assert clean == "a = 1\nb = 2\n# c\nd\n"
    assert marks == [Mark(2, "error", "E101"), Mark(2, "error", "E102"), Mark(4, "warning", "W101")]


@pytest.mark.parametrize(
    ("source", "agrees"),
    [
        ("a = bad # error: [E101]\n", True),
        ("a = bad + bad # error: [E101] [E101]\n", True),
        ("a = good\n", True),
        ("a = bad\n", False),
        ("a = good # error: [E101]\n", False),
        ("a = bad # error: [E102]\n", False),
        ("a = bad # warning: [E101]\n", False),
        ("a = bad + bad # error: [E101]\n", False),
        ("# error: [E101]\na = bad\n", False),
    ],
)
def test_exactly_the_marked_codes_must_be_reported(source: str, agrees: bool) -> None:
    _, expected, found = run(source, check)
    assert (expected == found) is agrees


def test_a_base_is_patched_by_lines(tmp_path: Path) -> None:
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "registration.dcp").write_text("r {\n  x = 1\n  y = 2\n}\n")
    source = whole_source(read_cases(DOCUMENT)[1], tmp_path)
    assert source == "r {\n  x = bad  # error: [E101]\n  y = 2\n}\n"


def test_a_patch_may_delete_and_add_lines() -> None:
    assert patched("a\n  b\nc\n", "- b\n+ d\n+ e\n- c\n") == "a\n  d\n  e\n"


@pytest.mark.parametrize("patch", ["- absent", "- twice", "?", "a = 1"])
def test_a_patch_that_does_not_fit_is_refused(patch: str) -> None:
    with pytest.raises(ValueError, match=r"the base has|neither"):
        patched("twice\ntwice\n", patch)
