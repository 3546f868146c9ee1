"""How many findings of one file are shown: a file that is wrong everywhere is not told so 40,000 times."""

from __future__ import annotations

from dcp_lang.diagnostics.model import Diagnostic, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.source import SourceFile

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


def may_be_shown(sink: Sink, source: SourceFile, start: int) -> bool:
    """Whether an error that cannot be waived is shown, were it found now: not after as many others as are shown.

    What would only be said of one that is not shown need not be found out.
    """
    first = sink.first.setdefault(source, [])
    if len(first) == MOST and start > first[-1]:
        return False
    from bisect import bisect_left

    at = bisect_left(first, start)
    if at < MOST and first[at : at + 1] != [start]:
        first.insert(at, start)
        del first[MOST:]
    return at < MOST
