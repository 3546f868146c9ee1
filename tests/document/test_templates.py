"""Templates of an authority: before the packaged ones, in a sandbox, without a way round the escaping."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from registrations import EVIDENCE, frozen, replaced

from dcp_lang.emit.document import document_files
from dcp_lang.emit.document.environment import environment
from dcp_lang.emit.document.markup import MarkupError


def files_with(folder: Path, **templates: str) -> dict[str, bytes]:
    """The document with these templates in place of the packaged ones (`__` for a folder, `_j2` for the suffix)."""
    for name, text in templates.items():
        path = folder / name.replace("__", "/").replace("_j2", ".j2")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    title = '"<b>Partial</b> *indexes* {{ 7*7 }}"'
    value = frozen(replaced(EVIDENCE, {'"Partial indexes chosen from measured work"': title}))
    return document_files(value, "sha256:" + "0" * 64, templates=folder)


def test_wording_can_be_changed_in_one_place_for_all_formats(tmp_path: Path) -> None:
    text = (
        "## own | Of the authority\n\n@ Z1 | Bound\nAt most {{ thresholds.rho | percent }} for {{ title }}."
    )
    files = files_with(tmp_path, preregistration__document_j2=text)
    markdown, html = files["preregistration.md"].decode(), files["preregistration.html"].decode()
    assert "At most 0.05 (5%) for \\<b\\>Partial\\</b\\> \\*indexes\\* {{ 7\\*7 }}." in markdown
    assert (
        '<data value="0.05">0.05 (5%)</data> for <bdi>&lt;b&gt;Partial&lt;/b&gt; *indexes* {{ 7*7 }}</bdi>.'
        in html
    )
    assert 'id="gate1"' not in html


def test_a_page_of_ones_own_is_escaped_too(tmp_path: Path) -> None:
    files = files_with(
        tmp_path, preregistration_md_j2="{{ title }}", **{"preregistration.html_j2": "<p>{{ title }}</p>"}
    )
    assert files["preregistration.html"] == b"<p>&lt;b&gt;Partial&lt;/b&gt; *indexes* {{ 7*7 }}</p>"
    (tmp_path / "preregistration.md.j2").write_text("{{ title }}")
    again = files_with(tmp_path)
    assert again["preregistration.md"] == rb"\<b\>Partial\</b\> \*indexes\* {{ 7\*7 }}"


def test_what_is_missing_may_be_asked_for_and_not_printed(tmp_path: Path) -> None:
    asks = "## a | B\n\n{% if gate.nothing.at_all is defined %}yes{% else %}no{% endif %}"
    assert b"no" in files_with(tmp_path, preregistration__document_j2=asks)["preregistration.md"]
    for prints in (
        "{{ gate.nothing }}",
        "{{ figures.nothing.at_all }}",
        "{{ notes.exposure.more }}",
        "{{ unknown }}",
    ):
        with pytest.raises(jinja2.UndefinedError):
            files_with(tmp_path, preregistration__document_j2=f"## a | B\n\n{prints}")


def test_values_cannot_be_calculated_with(tmp_path: Path) -> None:
    for calculation in (
        "{{ thresholds.rho + 1 }}",
        "{{ thresholds.rho * 2 }}",
        "{{ figures.recovery.n - 1 }}",
    ):
        with pytest.raises(TypeError):
            files_with(tmp_path, preregistration__document_j2=f"## a | B\n\n{calculation}")


def test_the_sandbox_holds(tmp_path: Path) -> None:
    for escape in (
        "{{ title.__class__.__mro__ }}",
        "{{ prose.__globals__ }}",
        "{{ ''.__class__ }}",
        "{% set _ = materials.append(1) %}",
        "{{ ladder.__code__.co_consts }}",
    ):
        with pytest.raises(jinja2.exceptions.SecurityError):
            files_with(tmp_path, preregistration__document_j2=f"## a | B\n\n{escape}")


def test_templates_lie_below_their_folder(tmp_path: Path) -> None:
    (tmp_path / "outside.j2").write_text("secret")
    inner = tmp_path / "templates"
    with pytest.raises(jinja2.TemplateNotFound):
        files_with(inner, preregistration__document_j2="## a | B\n\n{% include '../outside.j2' %}")


def test_a_template_that_prints_no_document_says_so(tmp_path: Path) -> None:
    with pytest.raises(MarkupError, match="before the first section"):
        files_with(tmp_path, preregistration__document_j2="just text")


def test_packaged_templates_hold_no_arithmetic() -> None:
    """No operator of Jinja stands between values: only names, tests, comparisons, lists and filters."""
    env = environment()
    assert env.loader is not None
    names = [n for n in env.loader.list_templates() if n.startswith(("preregistration", "blocks"))]
    assert len(names) >= 12
    arithmetic = (
        jinja2.nodes.Add,
        jinja2.nodes.Sub,
        jinja2.nodes.Mul,
        jinja2.nodes.Div,
        jinja2.nodes.Pow,
        jinja2.nodes.Mod,
        jinja2.nodes.FloorDiv,
    )
    for name in names:
        tree = env.parse(env.loader.get_source(env, name)[0])
        for node in tree.find_all(arithmetic):
            assert isinstance(node, jinja2.nodes.Add) and isinstance(node.right, jinja2.nodes.List), (
                name,
                node,
            )
