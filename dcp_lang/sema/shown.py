"""How many findings of one file are shown: a file that is wrong everywhere is not told so 40,000 times."""

from __future__ import annotations

from dcp_lang.diagnostics.model import MOST_SHOWN, Diagnostic, Sink
from dcp_lang.diagnostics.registry import Rule
from dcp_lang.source import SourceFile

RULE = Rule("I902", "findings-not-shown", "info", "there are more findings than are shown")
RULES = (RULE,)


def shown(found: list[Diagnostic]) -> list[Diagnostic]:
    """Of more findings than are shown those that are, in the order given, and one more that says how many are not."""
    first = sorted(range(len(found)), key=lambda index: not found[index].is_error)[:MOST_SHOWN]
    last = found[max(first)]
    message = f"{len(found) - MOST_SHOWN:,} more findings are not shown"
    more = RULE.found(last.source, last.span, message, help="mend the ones that are shown first")
    return [*(found[index] for index in sorted(first)), more]


def may_be_shown(sink: Sink, source: SourceFile, start: int) -> bool:
    """Whether an error that cannot be waived is shown, were it found now: not after as many others as are shown.

    What would only be said of one that is not shown need not be found out.
    """
    first = sink.first.setdefault(source, [])
    if len(first) == MOST_SHOWN and start > first[-1]:
        return False
    from bisect import bisect_left

    at = bisect_left(first, start)
    if at < MOST_SHOWN and first[at : at + 1] != [start]:
        first.insert(at, start)
        del first[MOST_SHOWN:]
    return at < MOST_SHOWN
