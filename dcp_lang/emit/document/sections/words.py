"""Phrases that several sections share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dcp_lang.emit.document.inline import Line, User, joined
from dcp_lang.emit.document.shown import counted, plain_number, probability, quantity
from dcp_lang.emit.document.view import View, code, user

INTERVAL = {True: "the paired-binary interval", False: "the empirical Bernstein interval"}


def gain(v: View) -> Line:
    """The gain over the baseline, as a formula."""
    return v.say("$μ ( A* ) − μ ( b )$")


def population_n(v: View) -> Line:
    """How many units Gate 1 evaluates."""
    return (plain_number(v.value("task.population")["units"]),)


def population(v: View) -> Line:
    """The population in words."""
    units = (counted(v.value("task.population")["units"], "unit"),)
    if v.is_exhaustive:
        return v.say("exhaustive: {units}, every one evaluated, so the mean is exact", units=units)
    return v.say("sampled: {units} drawn from the population", units=units)


def material(value: Any) -> Line:
    """A committed file, folder or sealed digest, or the author's words."""
    if not isinstance(value, Mapping):
        return (User(str(value)),)
    if "sealed" in value:
        place = (" (the auditor puts it at ", *code(value["at"]), ")") if "at" in value else ()
        return ("sealed, committed by ", *code(value["sealed"]), *place)
    if "folder" in value:
        count = (counted(len(value["files"]), "file"),)
        return (*code(value["folder"]), " with ", *count, ", manifest ", *code(value["sha256"]))
    return (
        *code(value["file"]),
        ", ",
        *code(value["sha256"]),
        ", ",
        quantity({"amount": str(value["size"]), "unit": "B"}),
    )


def names(values: list[str]) -> Line:
    """Names of the author in a row."""
    return joined([user(name) for name in values])


def web(value: Mapping[str, Any]) -> Line:
    """What the gateway lets through."""
    if value["choice"] == "none":
        return ("no Web access",)
    line: Line = ("through the recording gateway to ", *names(value["allowed"]))
    line += (
        ", subdomains included"
        if value["subdomains"]["choice"] == "yes"
        else ", no other host and no subdomain",
    )
    line += (
        ", at most ",
        counted(value["at_most"], "request"),
        " and ",
        counted(value["redirects"], "redirect"),
    )
    for key, phrase in (
        ("raw", "raw bytes"),
        ("delivered", "delivered bytes"),
        ("timeout", "time for each request"),
    ):
        if key in value:
            line += (f"; {phrase}: at most ", quantity(value[key]))
    return line


def preserves(value: list[Mapping[str, Any]]) -> Line:
    """What a message keeps of the truthful one."""
    parts: list[Line] = []
    for kept in value:
        within = kept.get("within")
        exact = within in (None, "0")
        parts.append((kept["choice"],) if exact else (f"{kept['choice']} within ", probability(within)))
    return joined(parts)
