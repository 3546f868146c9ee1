"""The machine formats: JSON and SARIF against their schemas, the others against injection."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from pydantic import ValidationError
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as SarifLog

import dcp_lang.diagnostics
from dcp_lang.diagnostics.formats import FORMATS, pieces
from dcp_lang.diagnostics.json_ import diagnostic_object
from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.summary import summarize
from dcp_lang.source import SourceFile, Span

GOLDEN = Path(__file__).parent / "golden"
SCHEMA = Path(dcp_lang.diagnostics.__file__).parent / "diagnostics.schema.json"
SUFFIXES = {"text": "txt", "json": "json", "sarif": "sarif", "github": "github.txt", "markdown": "md"}

hostile = st.text(st.one_of(st.characters(), st.sampled_from("`|<>&:,%\n\r*_[]()!#@ ")), max_size=30)


def _hostile(name: str, message: str) -> Diagnostic:
    return Diagnostic("E101", "wrong", "error", message, SourceFile(name, message), Span(0, 1), help=message)


@pytest.mark.parametrize("name", FORMATS)
def test_golden(name: str, findings: list[Diagnostic], golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"whole-report.{SUFFIXES[name]}", FORMATS[name](findings))


@given(hostile, hostile)
@settings(max_examples=50, deadline=None)
def test_json_is_valid_and_plain(name: str, message: str) -> None:
    text = FORMATS["json"]([_hostile(name, message)])
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(json.loads(text))
    assert text.isascii() and json.loads(text)["diagnostics"][0]["message"] == message


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_json_in_pieces_is_the_whole_as_the_standard_library_writes_it(
    count: int, findings: list[Diagnostic]
) -> None:
    """Byte for byte, and no piece holds two findings."""
    shown = (findings * 3)[:count]
    parts = list(pieces("json", iter(shown)))
    document = {
        "schema": "dcp-lang/diagnostics/1",
        "diagnostics": [diagnostic_object(d) for d in shown],
        "summary": summarize(shown)._asdict(),
    }
    assert "".join(parts) == json.dumps(document, indent=2) + "\n" == FORMATS["json"](shown)
    assert len(parts) == count + 2


@pytest.mark.parametrize("form", FORMATS)
def test_pieces_are_the_whole(form: str, findings: list[Diagnostic]) -> None:
    assert "".join(pieces(form, iter(findings))) == FORMATS[form](findings)


def test_json_of_nothing() -> None:
    found = json.loads(FORMATS["json"]([]))
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(found)
    assert found["diagnostics"] == [] and found["summary"] == {
        "errors": 0,
        "warnings": 0,
        "infos": 0,
        "files": 0,
    }


@given(hostile, hostile)
@settings(max_examples=50, deadline=None)
def test_sarif_is_valid(name: str, message: str) -> None:
    """The model is generated from the official schema and forbids what the schema forbids."""
    log = json.loads(FORMATS["sarif"]([_hostile(name, message)]))
    SarifLog.model_validate(log)
    log["runs"][0]["results"][0]["unknown"] = 1
    with pytest.raises(ValidationError):
        SarifLog.model_validate(log)


def test_sarif_points_where_the_finding_is(findings: list[Diagnostic]) -> None:
    log = SarifLog.model_validate_json(FORMATS["sarif"](findings))
    run = log.runs[0]
    assert [rule.id for rule in run.tool.driver.rules or ()] == ["E203", "I901", "W604"]
    result = run.results[0]
    assert (run.tool.driver.rules or ())[result.ruleIndex].id == result.ruleId == "E203"
    place = result.locations[0].physicalLocation
    assert place.artifactLocation.uri == "sub%20mit/registration.dcp"
    region = place.region
    text = findings[0].source.text
    assert text[region.charOffset : region.charOffset + region.charLength] == "0.6"
    assert text.splitlines()[region.startLine - 1][region.startColumn - 1 : region.endColumn - 1] == "0.6"
    assert result.relatedLocations[1].physicalLocation.artifactLocation.uri == "authority.dcp"
    replacement = result.fixes[0].artifactChanges[0].replacements[0]
    assert (replacement.deletedRegion.startColumn, replacement.insertedContent.text) == (9, "0.005")


def test_sarif_of_nothing_is_a_run_without_results() -> None:
    log = SarifLog.model_validate_json(FORMATS["sarif"]([]))
    assert log.runs[0].results == []


@given(hostile, hostile)
@settings(max_examples=100, deadline=None)
def test_workflow_command_is_one_line_and_undone_by_the_runner(name: str, message: str) -> None:
    text = FORMATS["github"]([_hostile(name, message)])
    assert text.count("\n") == 1 and "\r" not in text
    assert text.startswith("::error file=")
    properties, _, data = text.removeprefix("::error ").partition("::")
    assert properties.split(",")[-1] == "title=E101 wrong"
    if name.isprintable():
        assert _decoded(properties.split(",")[0]) == f"file={name}"
    if message.isprintable():
        assert _decoded(data) == f"{message}\nhelp: {message}\n" if message else "\n"


def _decoded(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, char)
    return text


@given(hostile, hostile)
@settings(max_examples=100, deadline=None)
def test_markdown_cannot_be_broken_out_of(name: str, message: str) -> None:
    """A CommonMark parser sees one table of one row, one code block, and no markup from the source."""
    text = FORMATS["markdown"]([_hostile(name, message)])
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    kinds = [t.type for t in tokens if t.level == 0]
    table = ["heading_open", "inline", "heading_close", "table_open", "table_close"]
    assert [k for k in kinds if k != "inline"] == [
        k for k in (*table, "html_block", "fence", "html_block") if k != "inline"
    ]
    cells = [t for t in tokens if t.type == "inline" and t.level == 4]
    assert len(cells) == 10
    inner = {child.type for cell in cells for child in cell.children or ()}
    assert inner <= {"text", "html_inline", "text_special"}
    html = {c.content for cell in cells for c in cell.children or () if c.type == "html_inline"}
    assert html <= {"<code>", "</code>"}


def test_markdown_of_nothing() -> None:
    assert FORMATS["markdown"]([]) == "### No findings\n"


def test_only_the_asked_format_is_imported() -> None:
    code = (
        "import sys; before = set(sys.modules);"
        "from dcp_lang.diagnostics.formats import FORMATS; FORMATS['text']([]);"
        "print(sorted(m for m in set(sys.modules) - before if m.startswith('dcp_lang.diagnostics.')));"
        "print({'json', 'urllib', 'pathlib', 'dataclasses', 'inspect'} & (set(sys.modules) - before) or '')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, heavy = run.stdout.splitlines()
    names = ("cells", "formats", "frame", "model", "paint", "summary", "text")
    assert modules == str([f"dcp_lang.diagnostics.{name}" for name in names])
    assert heavy == ""
