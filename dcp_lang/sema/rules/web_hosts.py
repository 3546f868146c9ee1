"""E714: a Web host is a bare host name."""

from __future__ import annotations

import re

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report
from dcp_lang.sema.rules.challenger_matched import web_access

RULE = Rule("E714", "malformed-host", "error", "a Web host is not a bare host name")
RULES = (RULE,)

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_LABEL = _LETTERS | frozenset("0123456789-")
#: The host name in what was given instead.
_BARE = r"(?:[A-Za-z]+://)?([^/:@]+)(?::\d+)?(?:/.*)?"


def check(reg: TypedRegistration, report: Report) -> None:
    """The gateway compares whole host names, lower case (dcp-harness 0.1.1; RFC 1123, section 2.1)."""
    for path, web in web_access(reg).items():
        for host in map(str, web.get("allowed", ())):
            if not _is_host(host):
                _malformed(report, path, host)


def _is_host(text: str) -> bool:
    """Two labels or more; the last one has no digit in front, and two characters or more."""
    *_, last = labels = text.split(".")
    is_long_enough = len(labels) > 1 and len(last) > 1
    return is_long_enough and len(text) <= 253 and last[0] in _LETTERS and all(map(_is_label, labels))


def _is_label(text: str) -> bool:
    return 0 < len(text) <= 63 and _LABEL.issuperset(text) and "-" not in (text[0], text[-1])


def _malformed(report: Report, path: str, host: str) -> None:
    bare = re.fullmatch(_BARE, host)
    near = bare[1].lower() if bare else ""
    report.add(
        RULE,
        path,
        f"`{host}` is not a host name",
        label="needs a name such as `sqlite.org`",
        help=f"write `{near}`" if _is_host(near) else "write the name alone, in lower case",
    )
