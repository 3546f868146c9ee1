"""Certificates are rechecked from the frozen values alone, with whole numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import log
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dcp_lang.canonical import canonical_bytes
from dcp_lang.frozen import read_registration
from dcp_lang.frozen.certificates import certificate_faults
from dcp_lang.frozen.exact import exceeds_logarithm, power_at_most

EPISODES = "gate.recovery.episodes"
PLACE = f"/plan/sizes/{EPISODES}"


def faults(web: bytes, change: Callable[[dict[str, Any]], Any]) -> list[tuple[str, str]]:
    value = json.loads(web)
    change(value)
    reg = read_registration(canonical_bytes(value))
    return [(fault.pointer, fault.message) for fault in certificate_faults(reg)]


def test_the_examples_certify_themselves(frozen_examples: dict[str, bytes]) -> None:
    for data in frozen_examples.values():
        assert faults(data, lambda value: None) == []


def _size(value: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = value["plan"]["sizes"][EPISODES]
    return found


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "threshold edited": (lambda v: v["fields"]["thresholds.rho"].update(value="0.049"), "/threshold"),
    "alpha edited": (lambda v: v["fields"]["errors.recovery"].update(value="0.009"), "/alpha"),
    "least one less": (lambda v: _size(v).update(least=89), "/n"),
    "certified n one less": (
        lambda v: (_size(v).update(least=89), _size(v)["certificate"].update(n=89, used=89)),
        "/at_n/0/n",
    ),
    "inequality for another n": (lambda v: _size(v)["certificate"]["at_n"][0].update(n=91), "/at_n/0/n"),
    "smaller base": (lambda v: _size(v)["certificate"]["at_n"][0].update(p="0.94"), "/at_n"),
    "larger base": (lambda v: _size(v)["certificate"]["at_n"][0].update(p="0.951"), "/at_n/0"),
    "larger bound": (lambda v: _size(v)["certificate"]["at_n"][0].update(bound="0.02"), "/at_n/0/bound"),
    "other kind": (lambda v: _size(v)["certificate"]["at_n"][0].update(kind="half-width"), "/at_n/0/kind"),
    "nothing below": (lambda v: _size(v)["certificate"].update(below=[]), "/below"),
    "below turned round": (
        lambda v: _size(v)["certificate"]["below"][0].update(relation="<="),
        "/below/0/relation",
    ),
    "limit too good": (lambda v: _size(v)["certificate"].update(bound="0.0468"), "/bound"),
    "certificate missing": (lambda v: _size(v).pop("certificate"), ""),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_false_certificate_is_named(name: str, web: bytes) -> None:
    change, below = CHANGES[name]
    place = PLACE + "/certificate" + below if below else PLACE
    assert place in [found for found, _ in faults(web, change)]


def test_fewer_than_the_least_are_refused(web: bytes) -> None:
    def change(value: dict[str, Any]) -> None:
        _size(value).update(used=89, declared=89)
        value["fields"][EPISODES]["value"] = 89
        _size(value)["certificate"]["planned"] = 89

    assert "89 is less than the least n, 90, and nothing is waived" in [m for _, m in faults(web, change)]


def test_sums_are_exact(web: bytes) -> None:
    def overspend(value: dict[str, Any]) -> None:
        value["fields"]["errors.neutral"]["value"] = "0.005000000001"

    assert [place for place, _ in faults(web, overspend)] == ["/fields/errors.total/value"]
    found = faults(web, lambda value: value["plan"].update(sessions=320))
    assert found == [("/plan/sessions", "320 stands here, the sizes take 321")]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.fractions(0, 1, max_denominator=50), st.integers(1, 40), st.fractions(0, 1, max_denominator=99))
def test_powers_are_compared_exactly(p: Fraction, n: int, bound: Fraction) -> None:
    if bound > 0:
        assert power_at_most(p, n, bound) == (p**n <= bound)


def test_a_power_equal_to_its_bound_holds() -> None:
    assert power_at_most(Fraction(19, 20), 7, Fraction(19, 20) ** 7)
    assert not power_at_most(Fraction(19, 20), 7, Fraction(19, 20) ** 7 - Fraction(1, 10**30))


def test_large_powers_are_enclosed() -> None:
    """n_req(1e-6, 1e-6) = 13,815,504 (design/planner.md, section 1: certified independently)."""
    base, alpha = 1 - Fraction(1, 10**6), Fraction(1, 10**6)
    assert power_at_most(base, 13_815_504, alpha)
    assert not power_at_most(base, 13_815_503, alpha)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.fractions(0, 30, max_denominator=1000), st.fractions(1, 10**9, max_denominator=1000))
def test_logarithms_agree_with_doubles_away_from_ties(p: Fraction, x: Fraction) -> None:
    if x > 1 and abs(float(p) - log(x)) > 1e-9:
        assert exceeds_logarithm(p, x) == (float(p) > log(x))
