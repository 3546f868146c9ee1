"""Good registrations, with where each value stands: what mutations start from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.driver import Compilation
from dcp_lang.emit.kernel import kernel_registration
from dcp_lang.emit.registration import frozen_registration
from dcp_lang.language.values import Amount, Material, Value
from dcp_lang.sema.materials import MISSING, MaterialError
from dcp_lang.source import SourceFile, Span
from dcp_lang.syntax import ast, parse

ROOT = Path(__file__).resolve().parents[2]
BASES, EXAMPLES = ROOT / "tests" / "cases" / "bases", ROOT / "examples"


class Files:
    """Every file is there, with the digest of its name, but for ``missing…`` and what leaves the folder."""

    def material(self, path: str, folder: bool) -> Material:
        if path.startswith(("missing", "..", "/")):
            raise MaterialError(MISSING, f"there is no file `{path}`")
        digest = "sha256:" + hashlib.sha256(path.encode()).hexdigest()
        kind = "folder" if folder and path.endswith("/") else "file"
        return Material(kind, path, digest, 1, (("a", digest, 1),) if kind == "folder" else ())

    def bytes(self, path: str) -> bytes:
        raise MaterialError(MISSING, f"there is no file `{path}`")


def check(text: str) -> list[Diagnostic]:
    """The findings of a source."""
    return Compilation(SourceFile("mutant.dcp", text), Files()).diagnostics


@dataclass
class Good:
    """A sound registration: its text, its values by path, and the spans of values, fields and blocks."""

    name: str
    text: str
    facts: dict[str, Any]
    values: dict[str, Span]
    fields: dict[str, Span]
    heads: dict[str, Span]
    blocks: dict[str, Span]
    kernel: dict[str, Any]
    frozen: dict[str, Any]
    texts: dict[str, str] = field(default_factory=dict)

    def value_text(self, path: str) -> str:
        """A value as it is written."""
        return self.text[slice(*self.values[path])]

    def with_value(self, path: str, value: str) -> str:
        """The source with another value of one field."""
        return self.replaced(self.values[path], value)

    def replaced(self, span: Span, text: str) -> str:
        """The source with another text in one place."""
        return self.text[: span.start] + text + self.text[span.end :]


def load(*folders: Path) -> list[Good]:
    """The registrations of the folders, each with its own folder, and a sampled variant of the evidence base."""
    sources = sorted(path for folder in folders for path in folder.glob("*/registration.dcp"))
    texts = {f"{p.parent.parent.name}/{p.parent.name}": p.read_text(encoding="utf-8") for p in sources}
    sampled = (BASES / "evidence" / "registration.dcp").read_text(encoding="utf-8")
    sampled = sampled.replace("exhaustive(7 units)", "sampled(100_000 units)")
    texts["bases/sampled"] = sampled.replace("    lattice    = 1/7\n", "")
    return [_good(name, text.replace("δ_min / 100", "0.005")) for name, text in texts.items()]


def _good(name: str, text: str) -> Good:
    compilation = Compilation(SourceFile(name, text), Files())
    analysis = compilation.analysis
    assert analysis is not None and compilation.is_sound, (name, [d.message for d in compilation.diagnostics])
    reg = analysis.registration
    declared = reg.resolved.fields
    # An `auto` that the plan has filled in is not a fact of the source.
    facts = {p: _fact(e.value) for p, e in reg.entries.items() if e.origin != "computed"}
    return Good(
        name,
        text,
        facts | {"grade": reg.grade},
        {p: d.expr.span for p, d in declared.items()},
        {p: d.span for p, d in declared.items()},
        {p: d.head_span for p, d in declared.items()},
        dict(_blocks(parse(SourceFile(name, text), Sink()).statements)),
        kernel_registration(reg, "sha256:" + hashlib.sha256(text.encode()).hexdigest()),
        frozen_registration(analysis, compilation.waivers),
    )


def _fact(value: Value) -> Any:
    if isinstance(value, Amount):
        return value.number
    return Fraction(value) if isinstance(value, int) else value


def _blocks(statements: tuple[ast.Statement, ...]) -> Iterator[tuple[str, Span]]:
    """Blocks of the registration by their words."""
    for statement in statements:
        if isinstance(statement, ast.Block):
            words = [w.name for w in statement.head if isinstance(w, ast.Word)]
            two = words[0] in ("gate", "policy", "budget")
            yield " ".join(words[:2] if two else words[:1]), statement.span
            yield from _blocks(statement.body)
