"""How many findings of one file are shown: a file that is wrong everywhere is not told so 40,000 times."""

from __future__ import annotations

from dcp_lang.diagnostics.model import MOST_SHOWN, Diagnostic
from dcp_lang.diagnostics.registry import Rule

RULE = Rule("I902", "findings-not-shown", "info", "there are more findings than are shown")
RULES = (RULE,)


def shown(found: list[Diagnostic]) -> list[Diagnostic]:
    """Of more findings than are shown those that are, in the order given, and one more that says how many are not."""
    first = sorted(range(len(found)), key=lambda index: not found[index].is_error)[:MOST_SHOWN]
    last = found[max(first)]
    message = f"{len(found) - MOST_SHOWN:,} more findings are not shown"
    more = RULE.found(last.source, last.span, message, help="mend the ones that are shown first")
    return [*(found[index] for index in sorted(first)), more]
