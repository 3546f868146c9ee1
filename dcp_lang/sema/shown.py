"""How many findings of one file are shown: a file that is wrong everywhere is not told so 40,000 times."""

from __future__ import annotations

from dcp_lang.diagnostics.model import Diagnostic
from dcp_lang.diagnostics.registry import Rule

#: Most findings of one file that are shown; errors come before lints.
MOST = 500

RULE = Rule("I902", "findings-not-shown", "info", "there are more findings than are shown")
RULES = (RULE,)


def shown(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings to show, in the order given; where some are left out, one more that says how many."""
    if len(found) <= MOST:
        return found
    first = sorted(range(len(found)), key=lambda index: not found[index].is_error)[:MOST]
    last = found[max(first)]
    message = f"{len(found) - MOST:,} more findings are not shown"
    more = RULE.found(last.source, last.span, message, help="mend the ones that are shown first")
    return [*(found[index] for index in sorted(first)), more]
