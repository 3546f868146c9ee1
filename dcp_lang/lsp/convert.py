"""From what `editing` says to what the protocol says (Language Server Protocol 3.17)."""

from __future__ import annotations

from collections.abc import Sequence

from dcp_lang.diagnostics.model import Diagnostic, Edit, Label
from dcp_lang.editing.completion import Completion, Suggestion, filled_in
from dcp_lang.editing.fixes import Action
from dcp_lang.editing.folding import folds
from dcp_lang.editing.hints import hints
from dcp_lang.editing.line_ends import in_line_ends_of
from dcp_lang.editing.outline import Node, outline
from dcp_lang.editing.tokens import KINDS, semantic_tokens
from dcp_lang.lsp.documents import Client, Document, uri_of
from dcp_lang.lsp.positions import Positions, Range
from dcp_lang.lsp.wire import Json
from dcp_lang.resources import data_dir, profile_names
from dcp_lang.source import SourceFile, Span

#: DiagnosticSeverity, SymbolKind, CompletionItemKind, InsertTextFormat of the protocol.
_SEVERITIES = {"error": 1, "warning": 2, "info": 3}
_SYMBOLS = {"registration": 2, "block": 3, "field": 7, "prose": 15, "require": 17}
_KEY = 20
_ITEMS = {
    "function": 3,
    "variable": 6,
    "class": 7,
    "module": 9,
    "property": 10,
    "unit": 11,
    "value": 12,
    "keyword": 14,
    "snippet": 15,
    "file": 17,
    "folder": 19,
    "enumMember": 20,
}
_PLAIN, _SNIPPET = 1, 2
_START: Range = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


def markdown(text: str) -> Json:
    """A text with markup."""
    return {"kind": "markdown", "value": text}


def diagnostics(document: Document) -> list[Json]:
    """All findings of a document; those in a profile that it uses stand at its first line."""
    return [diagnostic(document, d) for d in document.compilation.diagnostics]


def diagnostic(document: Document, found: Diagnostic) -> Json:
    """One finding, with its secondary places."""
    is_own = found.source is document.compilation.source
    said: Json = {
        "range": document.positions.range(found.span) if is_own else _START,
        "message": _message(found),
        "severity": _SEVERITIES[found.severity],
        "code": found.code,
        "source": "dcpc",
    }
    if found.labels:
        said["relatedInformation"] = [_related(document, found, label) for label in found.labels]
    return said


def _message(found: Diagnostic) -> str:
    remarks = [f"note: {note}" for note in found.notes] + ([f"help: {found.help}"] if found.help else [])
    return "\n".join([found.message, *remarks])


def _related(document: Document, found: Diagnostic, label: Label) -> Json:
    source = label.source or found.source
    return {"location": _location(document, source, label.span), "message": label.text}


def _location(document: Document, source: SourceFile, span: Span) -> Json:
    if source is document.compilation.source:
        return location(document, span)
    path = f"{data_dir('grammar')}/profiles/{source.name.replace('/', '-')}.dcp"
    shipped = source.name in profile_names()
    uri = uri_of(path) if shipped else document.uri.rpartition("/")[0] + "/" + source.name
    return {"uri": uri, "range": Positions(source.text).range(span)}


def location(document: Document, span: Span) -> Json:
    """A stretch of a document."""
    return {"uri": document.uri, "range": document.positions.range(span)}


def file_location(path: str) -> Json:
    """The start of a file."""
    return {"uri": uri_of(path), "range": _START}


def text_edits(document: Document, edits: Sequence[Edit]) -> list[Json]:
    """Edits of a document, in its line ends."""
    text = document.compilation.source.text
    return [
        {"range": document.positions.range(edit.span), "newText": in_line_ends_of(edit.text, text)}
        for edit in edits
    ]


def workspace_edit(document: Document, edits: Sequence[Edit]) -> Json:
    """Edits of the version that they were made for; an editor that knows versions refuses them for any other."""
    changes = text_edits(document, edits)
    if not document.client.has_versions:
        return {"changes": {document.uri: changes}}
    identifier = {"uri": document.uri, "version": document.version}
    return {"documentChanges": [{"textDocument": identifier, "edits": changes}]}


def code_action(document: Document, action: Action) -> Json:
    """An offer to change the text."""
    offer: Json = {
        "title": action.title,
        "kind": action.kind,
        "edit": workspace_edit(document, action.edits),
    }
    if action.diagnostic is not None:
        offer["diagnostics"] = [diagnostic(document, action.diagnostic)]
        offer["isPreferred"] = action.is_safe
    return offer


def symbols(document: Document) -> list[Json]:
    """The outline of blocks and fields."""
    return [_symbol(document, node) for node in outline(document.compilation)]


def _symbol(document: Document, node: Node) -> Json:
    return {
        "name": node.name,
        "kind": _SYMBOLS.get(node.kind, _KEY),
        "range": document.positions.range(node.span),
        "selectionRange": document.positions.range(node.head_span),
        "children": [_symbol(document, child) for child in node.children],
    }


def folding_ranges(document: Document) -> list[Json]:
    """What can be folded away."""
    found = folds(document.compilation)
    return [{"startLine": f.first - 1, "endLine": f.last - 1, "kind": f.kind} for f in found]


def inlay_hints(document: Document, span: Span) -> list[Json]:
    """What was computed, within a stretch of text."""
    return [
        {
            "position": document.positions.position(h.offset),
            "label": h.text,
            "tooltip": h.tooltip,
            "paddingLeft": True,
        }
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
            moved = at["character"] - (character if at["line"] == line else 0)
            length = document.positions.units(part)
            data += [at["line"] - line, moved, length, KINDS.index(token.kind), int(token.is_declaration)]
            line, character = at["line"], at["character"]
    return data


def completion_list(document: Document, completion: Completion) -> Json:
    """Offers that replace the word before the cursor."""
    where = document.positions.range(completion.span)
    items = [_item(s, where, document.client) for s in completion.suggestions]
    return {"isIncomplete": False, "items": items}


def _item(suggestion: Suggestion, where: Range, client: Client) -> Json:
    text = suggestion.snippet if client.has_snippets else filled_in(suggestion.snippet)
    item: Json = {
        "label": suggestion.label,
        "kind": _ITEMS[suggestion.kind],
        "detail": suggestion.detail,
        "sortText": f"{suggestion.rank}{suggestion.label}",
        "insertTextFormat": _SNIPPET if client.has_snippets else _PLAIN,
        "textEdit": {"range": where, "newText": text},
    }
    if suggestion.documentation:
        item["documentation"] = markdown(suggestion.documentation)
    return item
