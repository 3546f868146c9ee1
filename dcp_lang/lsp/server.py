"""The server: one handler per request, each a line or two over `editing` and `convert`.

Documents are sent whole: they are small, and the protocol's incremental edits count lines in ways that differ.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from dcp_lang import __version__
from dcp_lang.diagnostics.model import Edit
from dcp_lang.editing import names
from dcp_lang.editing.completion import complete
from dcp_lang.editing.fixes import ALL, QUICK, actions, format_edit
from dcp_lang.editing.hover import hover
from dcp_lang.editing.targets import file_target
from dcp_lang.editing.tokens import KINDS, MODIFIERS
from dcp_lang.lsp import convert
from dcp_lang.lsp.documents import Document, Documents, uri_of
from dcp_lang.source import Span

server = LanguageServer("dcpc", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
documents = Documents()


def _publish(document: Document) -> None:
    found = convert.diagnostics(document)
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, found, document.version)
    )


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(params: types.DidOpenTextDocumentParams) -> None:
    """Check a document that was opened."""
    item = params.text_document
    _publish(documents.put(item.uri, item.text, item.version))


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(params: types.DidChangeTextDocumentParams) -> None:
    """Check a document that was changed; the last change is the whole text."""
    item = params.text_document
    _publish(documents.put(item.uri, params.content_changes[-1].text, item.version))


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
def did_save(params: types.DidSaveTextDocumentParams) -> None:
    """Check all again: what was saved may be a file that a registration commits to."""
    for document in documents.files_changed():
        _publish(document)


@server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
    """Check all again with the files as they are now."""
    for document in documents.files_changed():
        _publish(document)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def did_close(params: types.DidCloseTextDocumentParams) -> None:
    """Take the findings of a closed document away."""
    uri = params.text_document.uri
    documents.close(uri)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


@server.feature(types.TEXT_DOCUMENT_HOVER)
def on_hover(params: types.HoverParams) -> types.Hover | None:
    """What to say about a place."""
    document = documents.get(params.text_document.uri)
    found = document and hover(document.compilation, document.positions.offset(params.position))
    if not document or not found:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, found.text)
    return types.Hover(content, document.positions.range(found.span))


@server.feature(
    types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["=", " ", "(", "[", ","])
)
def on_completion(params: types.CompletionParams) -> types.CompletionList | None:
    """What may be written at a place."""
    document = documents.get(params.text_document.uri)
    if document is None:
        return None
    offset = document.positions.offset(params.position)
    return convert.completion_list(document, complete(document.compilation, offset))


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def on_definition(params: types.DefinitionParams) -> types.Location | None:
    """Where a name is declared, or the file or profile that a text names."""
    document = documents.get(params.text_document.uri)
    if document is None:
        return None
    offset = document.positions.offset(params.position)
    path = file_target(document.compilation, offset)
    if path is not None:
        start = types.Position(0, 0)
        return types.Location(uri_of(path), types.Range(start, start))
    span = names.definition(document.compilation, offset)
    return None if span is None else types.Location(document.uri, document.positions.range(span))


@server.feature(types.TEXT_DOCUMENT_REFERENCES)
def on_references(params: types.ReferenceParams) -> list[types.Location]:
    """Every mention of a name."""
    document = documents.get(params.text_document.uri)
    if document is None:
        return []
    found = names.references(document.compilation, document.positions.offset(params.position))
    wanted = (o for o in found if params.context.include_declaration or not o.is_declaration)
    return [types.Location(document.uri, document.positions.range(o.span)) for o in wanted]


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def on_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """Every mention of a name, to be marked."""
    document = documents.get(params.text_document.uri)
    if document is None:
        return []
    found = names.references(document.compilation, document.positions.offset(params.position))
    return [types.DocumentHighlight(document.positions.range(o.span)) for o in found]


@server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
def on_prepare_rename(params: types.PrepareRenameParams) -> types.Range | None:
    """The name at a place, when it is one that can change."""
    document = documents.get(params.text_document.uri)
    if document is None:
        return None
    offset = document.positions.offset(params.position)
    here = names.occurrence_at(document.compilation, offset)
    fault = names.rename(document.compilation, offset).fault
    return None if fault or here is None else document.positions.range(here.span)


@server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
def on_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Change a name everywhere; a name that cannot change says why."""
    document = documents.get(params.text_document.uri)
    if document is None:
        return None
    offset = document.positions.offset(params.position)
    found = names.rename(document.compilation, offset, params.new_name)
    if found.fault:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Error, found.fault))
        return None
    return convert.workspace_edit(document, [Edit(span, params.new_name) for span in found.spans])


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def on_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The outline."""
    document = documents.get(params.text_document.uri)
    return [] if document is None else convert.symbols(document)


@server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
def on_folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """What can be folded away."""
    document = documents.get(params.text_document.uri)
    return [] if document is None else convert.folding_ranges(document)


@server.feature(
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensLegend(list(KINDS), list(MODIFIERS))
)
def on_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
    """What every word is."""
    document = documents.get(params.text_document.uri)
    return types.SemanticTokens([] if document is None else convert.token_data(document))


@server.feature(types.TEXT_DOCUMENT_FORMATTING)
def on_formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    """The canonical layout; the client's own wishes about tabs are not part of it."""
    document = documents.get(params.text_document.uri)
    edit = document and format_edit(document.compilation)
    return convert.text_edits(document, [edit]) if document and edit else None


@server.feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind(QUICK), types.CodeActionKind(ALL)]),
)
def on_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be offered for a stretch of text, of the kinds that were asked for."""
    document = documents.get(params.text_document.uri)
    if document is None:
        return []
    span: Span = document.positions.span(params.range)
    only = params.context.only
    found = actions(document.compilation, span)
    wanted = (a for a in found if only is None or any(a.kind.startswith(kind) for kind in only))
    return [convert.code_action(document, action) for action in wanted]


@server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
def on_hints(params: types.InlayHintParams) -> list[types.InlayHint]:
    """What was computed."""
    document = documents.get(params.text_document.uri)
    return [] if document is None else convert.inlay_hints(document, document.positions.span(params.range))
