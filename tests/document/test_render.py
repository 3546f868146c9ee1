"""`dcpc render`: from the JSON alone, or from a page, to any format."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from registrations import Made

from dcp_lang.canonical import canonical_bytes
from dcp_lang.cli.render import command


def run(*arguments: str) -> int:
    """Run the command as `dcpc render …`."""
    result = command.main([*arguments], prog_name="dcpc render", standalone_mode=False)
    assert isinstance(result, int)
    return result


def test_json_and_page_give_the_same_document(made: Made, tmp_path: Path) -> None:
    (tmp_path / "registration.json").write_bytes(made.registration)
    (tmp_path / "page.html").write_bytes(made.html.encode())
    for source in ("registration.json", "page.html"):
        for form, expected in (("md", made.markdown), ("html", made.html)):
            out = tmp_path / f"out.{form}"
            assert run(str(tmp_path / source), "--to", form, "-o", str(out)) == 0
            assert out.read_bytes() == expected.encode()


def test_standard_output_and_templates(
    made: Made, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    (tmp_path / "registration.json").write_bytes(made.registration)
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "preregistration.md.j2").write_text("{{ grade }} {{ sha256 }}")
    assert run(str(tmp_path / "registration.json"), "--to", "md", "--templates", str(templates)) == 0
    grade, sha = capsysbinary.readouterr().out.decode().split()
    assert grade == made.frozen["grade"] and sha in made.markdown


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"not json",
        b'{"schema": "dcp-lang/registration/1"}',
        b'{"schema":"another"}',
        b"<html></html>",
    ],
)
def test_what_is_no_frozen_registration_is_refused(data: bytes, tmp_path: Path) -> None:

    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(click.ClickException, match="no frozen registration"):
        run(str(path))


def test_a_registration_without_its_figures_is_refused(made: Made, tmp_path: Path) -> None:
    old = {**made.frozen, "plan": {k: v for k, v in made.frozen["plan"].items() if k != "figures"}}
    (tmp_path / "old.json").write_bytes(canonical_bytes(old))
    with pytest.raises(click.ClickException, match="lacks 'figures'"):
        run(str(tmp_path / "old.json"))
