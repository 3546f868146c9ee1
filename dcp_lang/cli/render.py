"""`dcpc render registration.json --to md|html|pdf`"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dcp_lang.cli.frozen_input import frozen_bytes

if TYPE_CHECKING:
    from dcp_lang.emit.document import Document


@click.command("render")
@click.argument("registration", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "form",
    type=click.Choice(["md", "html", "pdf"]),
    default="html",
    show_default=True,
    help="The format of the document.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to; standard output without.")
@click.option(
    "--templates",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder whose templates come before the packaged ones.",
)
def command(registration: Path, form: str, output: Path | None, templates: Path | None) -> int:
    """Render a frozen registration, or the page that embeds one, as its preregistration document."""
    document = _document(_frozen(registration), templates)
    data = _rendered(document, form)
    if output is None:
        sys.stdout.buffer.write(data)
        return 0
    from dcp_lang.emit.writer import write_file

    write_file(output, data)
    return 0


def _frozen(path: Path) -> tuple[dict[str, Any], str]:
    """The registration in a JSON file or in a page, with its digest."""
    from dcp_lang.canonical import digest, load_strict

    data = frozen_bytes(path)
    try:
        frozen = load_strict(data, canonical=True)
    except ValueError as error:
        raise click.ClickException(f"{path} is no frozen registration: {error}") from error
    if not isinstance(frozen, dict) or not str(frozen.get("schema")).startswith("dcp-lang/registration/"):
        raise click.ClickException(f"{path} is no frozen registration")
    return frozen, digest(data)


def _document(registration: tuple[dict[str, Any], str], templates: Path | None) -> Document:
    from dcp_lang.emit.document import Document

    try:
        return Document(*registration, templates)
    except KeyError as error:
        raise click.ClickException(
            f"the registration lacks {error}: it was frozen by another version"
        ) from error


def _rendered(document: Document, form: str) -> bytes:
    if form == "pdf":
        from dcp_lang.emit.document.pdf import PdfUnavailableError, render_pdf

        try:
            return render_pdf(document)
        except PdfUnavailableError as error:
            raise click.ClickException(str(error)) from error
    return (document.markdown() if form == "md" else document.html()).encode()
