"""E714: a Web host is a bare host name."""

from __future__ import annotations

import re

from dcp_lang.diagnostics.registry import Rule
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.report import Report
from dcp_lang.sema.rules.challenger_matched import web_access

RULE = Rule("E714", "malformed-host", "error", "a Web host is not a bare host name")
RULES = (RULE,)

_HOST = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
_BARE = re.compile(r"(?:[a-z]+://)?([^/:@]+)(?::\d+)?(?:/.*)?", re.IGNORECASE)


def check(reg: TypedRegistration, report: Report) -> None:
    """The gateway compares whole host names, lower case (dcp-harness 0.1.1; RFC 1123, section 2.1)."""
    for path, web in web_access(reg).items():
        for host in map(str, web.get("allowed", ())):
            if _HOST.fullmatch(host) is None:
                bare = _BARE.fullmatch(host)
                near = bare[1].lower() if bare else ""
                report.add(
                    RULE,
                    path,
                    f"`{host}` is not a host name",
                    label="needs a name such as `sqlite.org`",
                    help=f"write `{near}`"
                    if _HOST.fullmatch(near)
                    else "write the name alone, in lower case",
                )
