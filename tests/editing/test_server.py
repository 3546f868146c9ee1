"""The language server from end to end: a real process, driven by a client of the protocol."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest_asyncio = pytest.importorskip("pytest_asyncio", reason="no client: pip install pytest-lsp")
pytest_lsp = pytest.importorskip("pytest_lsp", reason="no client: pip install pytest-lsp")

from lsprotocol import types  # noqa: E402

pytestmark = pytest.mark.asyncio

TEXT = """dcp 1
registration a : core {
  title = "😀", claim = "said", mode = prospektive
  baseline zero { artifact = file("b.json"), score = 0 }
  thresholds { δ_min = 0.5, ε = δ_min / 100, ρ = 5% }
  require ε < x - score(zero)
}
"""


class Editor:
    """An editor with one open file."""

    def __init__(self, client: Any, path: Path) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.document = types.TextDocumentIdentifier(self.uri)
        self.version = 0
        self.text = ""

    async def show(self, text: str) -> list[Any]:
        """Open or change the file; its findings once they have come."""
        self.version, self.text = self.version + 1, text
        if self.version == 1:
            item = types.TextDocumentItem(self.uri, "dcp", self.version, text)
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        else:
            identifier = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
            change = types.TextDocumentContentChangeWholeDocument(text)
            self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        return await self.findings()

    async def findings(self) -> list[Any]:
        """The findings that are published next."""
        await asyncio.wait_for(self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), 20)
        return list(self.client.diagnostics[self.uri])

    def at(self, fragment: str) -> Any:
        """The place of a fragment, in UTF-16 code units."""
        before = self.text[: self.text.index(fragment)]
        line = before.rpartition("\n")[2]
        return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)

    def slice(self, where: Any) -> str:
        """The text of a range on one line."""
        line = self.text.split("\n")[where.start.line].encode("utf-16-le")
        return line[2 * where.start.character : 2 * where.end.character].decode("utf-16-le")

    def place(self, kind: Any, fragment: str, **more: Any) -> Any:
        """Parameters of a request about a place."""
        return kind(text_document=self.document, position=self.at(fragment), **more)


@pytest_asyncio.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    (tmp_path / "b.json").write_text("{}", encoding="utf-8")
    client = pytest_lsp.make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "dcp_lang", "lsp", env={**os.environ})
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    await client.initialize_session(
        types.InitializeParams(capabilities=capabilities, root_uri=tmp_path.as_uri())
    )
    yield Editor(client, tmp_path / "räg 1.dcp")
    await client.shutdown_session()
    await client.stop()


async def test_findings_follow_the_text(editor: Editor) -> None:
    found = await editor.show(TEXT)
    unknown = next(d for d in found if d.code == "E101")
    assert editor.slice(unknown.range) == "prospektive" and unknown.source == "dcpc"
    # The emoji before it is one character and two code units.
    assert unknown.range.start.character == TEXT.split("\n")[2].index("prospektive") + 1
    assert "did you mean `prospective`?" in unknown.message
    assert not [d for d in await editor.show(TEXT.replace("prospek", "prospec")) if d.code == "E101"]


async def test_findings_bring_their_other_places(editor: Editor) -> None:
    found = await editor.show(TEXT.replace("ε = δ_min / 100", "ε = 0.6"))
    wrong = next(d for d in found if d.code == "E202")
    places = [(r.location.uri, editor.slice(r.location.range)) for r in wrong.related_information]
    assert (editor.uri, "δ_min = 0.5") in places


async def test_hover_definition_references_and_highlights(editor: Editor) -> None:
    await editor.show(TEXT)
    client = editor.client
    hover = await client.text_document_hover_async(editor.place(types.HoverParams, "ε < x"))
    assert "thresholds.epsilon" in hover.contents.value and editor.slice(hover.range) == "ε"
    target = await client.text_document_definition_async(editor.place(types.DefinitionParams, "zero)"))
    assert target.range.start == editor.at("zero {")
    file = await client.text_document_definition_async(editor.place(types.DefinitionParams, "b.json"))
    assert file.uri.endswith("/b.json")
    context = types.ReferenceContext(include_declaration=False)
    used = await client.text_document_references_async(
        editor.place(types.ReferenceParams, "δ_min = ", context=context)
    )
    assert [u.range.start for u in used] == [editor.at("δ_min / 100")]
    marks = await client.text_document_document_highlight_async(
        editor.place(types.DocumentHighlightParams, "zero)")
    )
    assert [editor.slice(m.range) for m in marks] == ["zero", "zero"]


async def test_renaming_changes_every_mention_or_says_why_not(editor: Editor) -> None:
    await editor.show(TEXT)
    ready = await editor.client.text_document_prepare_rename_async(
        editor.place(types.PrepareRenameParams, "zero)")
    )
    assert editor.slice(ready) == "zero"
    edit = await editor.client.text_document_rename_async(
        editor.place(types.RenameParams, "zero)", new_name="naught")
    )
    change = edit.document_changes[0]
    assert change.text_document.version == 1
    assert [(e.range.start, e.new_text) for e in change.edits] == [
        (editor.at("zero {"), "naught"),
        (editor.at("zero)"), "naught"),
    ]
    assert (
        await editor.client.text_document_prepare_rename_async(
            editor.place(types.PrepareRenameParams, "ε < x")
        )
        is None
    )


async def test_completion_is_a_snippet_for_the_word_before_the_cursor(editor: Editor) -> None:
    await editor.show(TEXT.replace("  require", "  sel\n  require"))
    position = editor.at("\n  require")
    found = await editor.client.text_document_completion_async(
        types.CompletionParams(text_document=editor.document, position=position)
    )
    item = next(i for i in found.items if i.label == "selection")
    assert item.insert_text_format == types.InsertTextFormat.Snippet
    assert editor.slice(item.text_edit.range) == "sel" and "rule = " in item.text_edit.new_text
    assert "How the target artifact is selected" in item.documentation.value


async def test_quick_fixes_belong_to_their_findings(editor: Editor) -> None:
    found = await editor.show(TEXT)
    unknown = next(d for d in found if d.code == "E101")
    context = types.CodeActionContext(diagnostics=[unknown], only=[types.CodeActionKind.QuickFix])
    offers = await editor.client.text_document_code_action_async(
        types.CodeActionParams(editor.document, unknown.range, context)
    )
    offer = next(o for o in offers if o.title == "write `prospective`")
    assert list(offer.diagnostics) == [unknown]
    assert offer.edit.document_changes[0].edits[0] == types.TextEdit(unknown.range, "prospective")


async def test_outline_folds_tokens_layout_and_hints(editor: Editor) -> None:
    await editor.show(TEXT)
    client, document = editor.client, editor.document
    outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    names = [child.name for child in outline[1].children]
    assert names[:2] == ["title", "claim"] and names[-1] == "require ε < x - score(zero)"
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert [(f.start_line, f.end_line) for f in folds] == [(1, 5)]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert len(tokens.data) % 5 == 0 and list(tokens.data[:5]) == [0, 0, 3, 0, 0]
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, types.FormattingOptions(tab_size=8, insert_spaces=False))
    )
    assert edits and edits[0].range.start.line == 2
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert [h.label for h in hints if h.position.line == 4] == ["= 0.005", "1% of δ_min"]


async def test_a_file_that_appears_mends_its_finding(editor: Editor, tmp_path: Path) -> None:
    found = await editor.show(TEXT.replace("b.json", "c.json"))
    assert "E802" in [d.code for d in found]
    (tmp_path / "c.json").write_text("{}", encoding="utf-8")
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(editor.document))
    assert "E802" not in [d.code for d in await editor.findings()]


async def test_a_closed_file_has_no_findings(editor: Editor) -> None:
    await editor.show(TEXT)
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.document))
    assert await editor.findings() == []
