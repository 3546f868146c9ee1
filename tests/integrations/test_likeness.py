"""What a policy preserves: the schema of the truthful message, and its length within a registered share."""

from __future__ import annotations

from typing import Any

import pytest

from dcp_lang.integrations.likeness import differences
from dcp_lang.integrations.task import length_of

SCHEMA = {"preserves": [{"choice": "timing"}, {"choice": "schema"}]}


def length_within(share: str) -> dict[str, Any]:
    return {"preserves": [{"choice": "length", "within": share}]}


@pytest.mark.parametrize(
    ("sent", "same"),
    [
        ({"work": {"a": 9, "b": 0.5}, "rows": [1, 2]}, True),
        ({"work": {"a": 1, "b": 2}, "rows": [3, 4], "note": ""}, False),
        ({"work": {"a": 1}, "rows": [3, 4]}, False),
        ({"work": {"a": 1, "b": "2"}, "rows": [3, 4]}, False),
        ({"work": {"a": 1, "b": True}, "rows": [3, 4]}, False),
        ({"work": {"a": 1, "b": None}, "rows": [3, 4]}, False),
        ({"work": {"a": 1, "b": 2}, "rows": [3, 4, 5]}, False),
    ],
)
def test_schema_is_keys_and_types(sent: Any, same: bool) -> None:
    truthful = {"work": {"a": 1, "b": 2}, "rows": [3, 4]}
    assert (list(differences(SCHEMA, sent, truthful)) == []) is same


@pytest.mark.parametrize(("length", "same"), [(17, False), (18, True), (22, True), (23, False)])
def test_length_reaches_to_the_registered_share_and_no_further(length: int, same: bool) -> None:
    """Twenty characters, within a tenth: 18 to 22. A text has two quotation marks."""
    assert length_of("x" * 18) == 20
    found = list(differences(length_within("0.1"), "x" * (length - 2), "x" * 18))
    assert (found == []) is same


def test_an_exact_share_is_not_rounded() -> None:
    """A third of three is one, which the double nearest to 1/3 would miss."""
    assert list(differences(length_within("1/3"), "xx", "x")) == []


def test_what_was_not_registered_is_not_asked_for() -> None:
    assert list(differences({"sends": "noise"}, {"other": 1}, {"work": [1, 2]})) == []
