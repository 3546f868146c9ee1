"""Fixes: the safe ones mend without a change of meaning, comments kept; the others mend what they are offered for."""

from __future__ import annotations

import pytest
from bases import base, findings
from literate import patched

from dcp_lang.diagnostics.fixes import apply_fixes


@pytest.mark.parametrize(
    "patch",
    [
        "- time   = 30 min\n+ time   = 30 Min  # half an hour",
        "- cost   = 10 USD\n+ cost   = 10 usd",
        "- memory = 3 GiB\n+ memory = 3 gib",
        "- subject = autonomous_agent\n+ Subject = Autonomous_Agent",
        '- title   = "Partial indexes for an event service"\n+ TITLE   = "Partial indexes for an event service"',
    ],
)
def test_letters_of_another_case_are_mended_safely(patch: str) -> None:
    text = patched(base("evidence"), patch)
    found = findings(text)
    assert found and all(d.fix and d.fix.safe for d in found)
    mended = text
    for _ in range(3):
        # A misspelt field hides what its value says: that is mended in turn.
        mended = apply_fixes(found[0].source, found).text if found else mended
        found = findings(mended)
    assert found == []
    assert ("# half an hour" in mended) == ("# half an hour" in text)


def test_a_missing_edition_is_added() -> None:
    text = base("core").replace("dcp 1\n\n", "")
    (found,) = findings(text)
    assert found.code == "E108"
    assert findings(apply_fixes(found.source, [found]).text) == []


@pytest.mark.parametrize(
    ("patch", "code"),
    [
        ("- episodes          = 90\n+ episodes          = 80", "E301"),
        ("- positive_controls = 24\n+ positive_controls = 4", "E303"),
        ("- candidates        = 134\n+ candidates        = 100", "E305"),
        (
            "- pairs      = 22\n+ pairs      = 12\n- candidates        = 134\n+ candidates        = auto",
            "E403",
        ),
        ("- null_pairs = 33\n+ null_pairs = 12", "E404"),
        ("- δ_sham     = 0.17\n+ δ_sham     = 0.3", "E401"),
        ("- ε          = 0.005\n+ ε          = 0.5", "E202"),
        ("- cost = 3_000 USD\n+ cost = 100 USD", "E701"),
        ("- web               = observed_bytes\n+ web               = none", "E307"),
        ("- necessity  = not_claimed\n+ necessity  = claimed", "E407"),
        ("- preserves = [timing, schema, length]\n+ preserves = [timing]", "E408"),
    ],
)
def test_an_offered_fix_mends_its_finding_and_is_never_applied_unasked(patch: str, code: str) -> None:
    text = patched(base("evidence"), patch)
    (found,) = (d for d in findings(text) if d.code == code)
    assert found.fix is not None and not found.fix.safe
    assert apply_fixes(found.source, [found]).text == text
    mended = apply_fixes(found.source, [found], unsafe=True).text
    assert code not in {d.code for d in findings(mended)}
