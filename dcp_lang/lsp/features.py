"""What the server can do: one function per request, each a line or two over `editing` and `convert`.

Each takes an open document and the request's parameters, and returns the result as JSON, None for `null`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dcp_lang.diagnostics.model import Edit
from dcp_lang.editing import names
from dcp_lang.editing.completion import complete
from dcp_lang.editing.fixes import ALL, QUICK, actions, format_edit
from dcp_lang.editing.hover import hover
from dcp_lang.editing.targets import file_target
from dcp_lang.editing.tokens import KINDS, MODIFIERS
from dcp_lang.lsp import convert
from dcp_lang.lsp.documents import Document
from dcp_lang.lsp.params import RefusedError, get, offset, span
from dcp_lang.lsp.positions import Range
from dcp_lang.lsp.wire import Json

#: ServerCapabilities. Texts are sent whole (1): they are small, and only their latest state counts.
CAPABILITIES: Json = {
    "positionEncoding": "utf-16",
    "textDocumentSync": {"openClose": True, "change": 1, "save": {"includeText": False}},
    "hoverProvider": True,
    "completionProvider": {"triggerCharacters": ["=", " ", "(", "[", ",", '"', "/"]},
    "definitionProvider": True,
    "referencesProvider": True,
    "documentHighlightProvider": True,
    "renameProvider": {"prepareProvider": True},
    "documentSymbolProvider": True,
    "foldingRangeProvider": True,
    "semanticTokensProvider": {
        "legend": {"tokenTypes": list(KINDS), "tokenModifiers": list(MODIFIERS)},
        "full": True,
    },
    "documentFormattingProvider": True,
    "codeActionProvider": {"codeActionKinds": [QUICK, ALL]},
    "inlayHintProvider": True,
}


def on_hover(document: Document, params: object) -> Json | None:
    """What to say about a place."""
    found = hover(document.compilation, offset(document, params, "position"))
    if found is None:
        return None
    return {"contents": convert.markdown(found.text), "range": document.positions.range(found.span)}


def on_completion(document: Document, params: object) -> Json:
    """What may be written at a place."""
    at = offset(document, params, "position")
    return convert.completion_list(document, complete(document.compilation, at))


def on_definition(document: Document, params: object) -> Json | None:
    """Where a name is declared, or the file or profile that a text names."""
    at = offset(document, params, "position")
    path = file_target(document.compilation, at)
    if path is not None:
        return convert.file_location(path)
    declared = names.definition(document.compilation, at)
    return None if declared is None else convert.location(document, declared)


def on_references(document: Document, params: object) -> list[Json]:
    """Every mention of a name."""
    found = names.references(document.compilation, offset(document, params, "position"))
    is_all = get(params, bool, "context", "includeDeclaration")
    return [convert.location(document, o.span) for o in found if is_all or not o.is_declaration]


def on_highlight(document: Document, params: object) -> list[Json]:
    """Every mention of a name, to be marked."""
    found = names.references(document.compilation, offset(document, params, "position"))
    return [{"range": document.positions.range(o.span)} for o in found]


def on_prepare_rename(document: Document, params: object) -> Range | None:
    """The name at a place, when it is one that can change."""
    at = offset(document, params, "position")
    here = names.occurrence_at(document.compilation, at)
    fault = names.rename(document.compilation, at).fault
    return None if fault or here is None else document.positions.range(here.span)


def on_rename(document: Document, params: object) -> Json:
    """Change a name everywhere; raises `RefusedError` for a name that cannot change."""
    name = get(params, str, "newName")
    found = names.rename(document.compilation, offset(document, params, "position"), name)
    if found.fault:
        raise RefusedError(found.fault)
    return convert.workspace_edit(document, [Edit(where, name) for where in found.spans])


def on_symbols(document: Document, params: object) -> list[Json]:
    """The outline."""
    return convert.symbols(document)


def on_folding(document: Document, params: object) -> list[Json]:
    """What can be folded away."""
    return convert.folding_ranges(document)


def on_tokens(document: Document, params: object) -> Json:
    """What every word is."""
    return {"data": convert.token_data(document)}


def on_formatting(document: Document, params: object) -> list[Json] | None:
    """The canonical layout; the editor's own wishes about tabs are not part of it."""
    edit = format_edit(document.compilation)
    return convert.text_edits(document, [edit]) if edit else None


def on_actions(document: Document, params: object) -> list[Json]:
    """What can be offered for a stretch of text, of the kinds that were asked for."""
    context = get(params, dict, "context")
    only = [kind for kind in context.get("only") or [""] if isinstance(kind, str)]
    found = actions(document.compilation, span(document, params))
    wanted = (a for a in found if any(_is_of_kind(a.kind, kind) for kind in only))
    return [convert.code_action(document, action) for action in wanted]


def _is_of_kind(kind: str, wanted: str) -> bool:
    """Kinds are hierarchical: `source` holds `source.fixAll`, the empty one holds all."""
    return f"{kind}.".startswith(f"{wanted}." if wanted else "")


def on_hints(document: Document, params: object) -> list[Json]:
    """What was computed."""
    return convert.inlay_hints(document, span(document, params))


REQUESTS: dict[str, Callable[[Document, object], Any]] = {
    "textDocument/hover": on_hover,
    "textDocument/completion": on_completion,
    "textDocument/definition": on_definition,
    "textDocument/references": on_references,
    "textDocument/documentHighlight": on_highlight,
    "textDocument/prepareRename": on_prepare_rename,
    "textDocument/rename": on_rename,
    "textDocument/documentSymbol": on_symbols,
    "textDocument/foldingRange": on_folding,
    "textDocument/semanticTokens/full": on_tokens,
    "textDocument/formatting": on_formatting,
    "textDocument/codeAction": on_actions,
    "textDocument/inlayHint": on_hints,
}
