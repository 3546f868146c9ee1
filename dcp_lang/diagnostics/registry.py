"""What a rule is, and how rules are found by code or by name.

The passes own their rules: each keeps a plain tuple of `Rule` beside the code that raises them. Nothing
registers itself on import; whoever needs them all (`explain`, `rules`, SARIF) joins the tuples with `index`.
"""

from __future__ import annotations

from collections.abc import Iterable

from dcp_lang.diagnostics.model import Diagnostic, Fix, Label, Severity
from dcp_lang.record import Record
from dcp_lang.source import SourceFile, Span


class Rule(Record):
    """One thing that the compiler can find fault with.

    `code` is stable and never reused (E, W or I and three digits); `name` says what is wrong, so that
    ``allow CODE because "…"`` reads well; `since` is the version that introduced it.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    since: str = "0.1.0"
    waivable: bool = False

    def found(
        self,
        source: SourceFile,
        span: Span,
        message: str,
        *,
        label: str = "",
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        help: str = "",
        fix: Fix | None = None,
    ) -> Diagnostic:
        """The diagnostic that says this rule is broken at `span`."""
        return Diagnostic(
            self.code, self.name, self.severity, message, source, span, label, labels, notes, help, fix
        )


def index(rules: Iterable[Rule]) -> dict[str, Rule]:
    """Rules by code and by name (the two never collide: only codes have capitals).

    Raises `ValueError` when two rules share a code or a name.
    """
    found: dict[str, Rule] = {}
    for rule in rules:
        for key in (rule.code, rule.name):
            if key in found:
                raise ValueError(f"two rules are called {key}")
            found[key] = rule
    return found
