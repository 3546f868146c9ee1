"""From what `editing` says to what the protocol says."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from dcp_lang.diagnostics.model import Diagnostic, Edit, Label
from dcp_lang.editing.completion import Completion, Suggestion
from dcp_lang.editing.fixes import Action
from dcp_lang.editing.folding import folds
from dcp_lang.editing.hints import hints
from dcp_lang.editing.outline import Node, outline
from dcp_lang.editing.tokens import KINDS, semantic_tokens
from dcp_lang.lsp.documents import Document, uri_of
from dcp_lang.lsp.positions import Positions
from dcp_lang.resources import data_dir, profile_names
from dcp_lang.source import SourceFile, Span

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_SYMBOLS = {
    "registration": types.SymbolKind.Module,
    "block": types.SymbolKind.Namespace,
    "field": types.SymbolKind.Property,
    "prose": types.SymbolKind.String,
    "require": types.SymbolKind.Boolean,
}
_ITEMS = {
    "keyword": types.CompletionItemKind.Keyword,
    "snippet": types.CompletionItemKind.Snippet,
    "class": types.CompletionItemKind.Class,
    "property": types.CompletionItemKind.Property,
    "variable": types.CompletionItemKind.Variable,
    "function": types.CompletionItemKind.Function,
    "value": types.CompletionItemKind.Value,
    "enumMember": types.CompletionItemKind.EnumMember,
    "unit": types.CompletionItemKind.Unit,
    "module": types.CompletionItemKind.Module,
}


def diagnostics(document: Document) -> list[types.Diagnostic]:
    """All findings of a document; those in a profile that it uses stand at its first line."""
    return [diagnostic(document, d) for d in document.compilation.diagnostics]


def diagnostic(document: Document, found: Diagnostic) -> types.Diagnostic:
    """One finding, with its secondary places."""
    is_own = found.source is document.compilation.source
    start = types.Position(0, 0)
    return types.Diagnostic(
        range=document.positions.range(found.span) if is_own else types.Range(start, start),
        message=_message(found),
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source="dcpc",
        related_information=[_related(document, found, label) for label in found.labels] or None,
    )


def _message(found: Diagnostic) -> str:
    remarks = [f"note: {note}" for note in found.notes] + ([f"help: {found.help}"] if found.help else [])
    return "\n".join([found.message, *remarks])


def _related(document: Document, found: Diagnostic, label: Label) -> types.DiagnosticRelatedInformation:
    source = label.source or found.source
    return types.DiagnosticRelatedInformation(_location(document, source, label.span), label.text)


def _location(document: Document, source: SourceFile, span: Span) -> types.Location:
    if source is document.compilation.source:
        return types.Location(document.uri, document.positions.range(span))
    path = f"{data_dir('grammar')}/profiles/{source.name.replace('/', '-')}.dcp"
    shipped = source.name in profile_names()
    uri = uri_of(path) if shipped else document.uri.rpartition("/")[0] + "/" + source.name
    return types.Location(uri, Positions(source.text).range(span))


def text_edits(document: Document, edits: Sequence[Edit]) -> list[types.TextEdit]:
    """Edits of a document."""
    return [types.TextEdit(document.positions.range(edit.span), edit.text) for edit in edits]


def workspace_edit(document: Document, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Edits of the version that they were made for; a client refuses them for any other."""
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
    change = types.TextDocumentEdit(identifier, list(text_edits(document, edits)))
    return types.WorkspaceEdit(document_changes=[change])


def code_action(document: Document, action: Action) -> types.CodeAction:
    """An offer to change the text."""
    mends = None if action.diagnostic is None else [diagnostic(document, action.diagnostic)]
    return types.CodeAction(
        title=action.title,
        kind=types.CodeActionKind(action.kind),
        diagnostics=mends,
        is_preferred=(action.is_safe and action.diagnostic is not None) or None,
        edit=workspace_edit(document, action.edits),
    )


def symbols(document: Document) -> list[types.DocumentSymbol]:
    """The outline of blocks and fields."""
    return [_symbol(document, node) for node in outline(document.compilation.file)]


def _symbol(document: Document, node: Node) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=node.name,
        kind=_SYMBOLS.get(node.kind, types.SymbolKind.Key),
        range=document.positions.range(node.span),
        selection_range=document.positions.range(node.head_span),
        children=[_symbol(document, child) for child in node.children],
    )


def folding_ranges(document: Document) -> list[types.FoldingRange]:
    """What can be folded away."""
    found = folds(document.compilation)
    return [types.FoldingRange(f.first - 1, f.last - 1, kind=types.FoldingRangeKind(f.kind)) for f in found]


def inlay_hints(document: Document, span: Span) -> list[types.InlayHint]:
    """What was computed, within a stretch of text."""
    return [
        types.InlayHint(document.positions.position(h.offset), h.text, tooltip=h.tooltip, padding_left=True)
        for h in hints(document.compilation)
        if span.start <= h.offset <= span.end
    ]


def token_data(document: Document) -> list[int]:
    """Semantic tokens in the protocol's relative form, five numbers each."""
    data: list[int] = []
    line = character = 0
    for token in semantic_tokens(document.compilation):
        for part in document.positions.lines(token.span):
            at = document.positions.position(part.start)
            moved = at.character - (character if at.line == line else 0)
            length = document.positions.units(part)
            data += [at.line - line, moved, length, KINDS.index(token.kind), int(token.is_declaration)]
            line, character = at.line, at.character
    return data


def completion_list(document: Document, completion: Completion) -> types.CompletionList:
    """Offers that replace the word before the cursor."""
    where = document.positions.range(completion.span)
    return types.CompletionList(False, [_item(s, where) for s in completion.suggestions])


def _item(suggestion: Suggestion, where: types.Range) -> types.CompletionItem:
    documentation = types.MarkupContent(types.MarkupKind.Markdown, suggestion.documentation)
    return types.CompletionItem(
        label=suggestion.label,
        kind=_ITEMS[suggestion.kind],
        detail=suggestion.detail,
        documentation=documentation if suggestion.documentation else None,
        sort_text=f"{suggestion.rank}{suggestion.label}",
        insert_text_format=types.InsertTextFormat.Snippet,
        text_edit=types.TextEdit(where, suggestion.snippet),
    )
