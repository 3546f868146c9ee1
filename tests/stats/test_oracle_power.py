"""Every reference table about power, assurance, losses and stopping, row by row."""

from fractions import Fraction

from dcp_lang.stats.assurance import assured_null_pairs, assured_pairs, assured_positive_controls
from dcp_lang.stats.attrition import arm_health
from dcp_lang.stats.planning import least_episodes, tolerated_failures
from dcp_lang.stats.power import (
    adequacy_power,
    feedback_power,
    hit_rate_ceiling,
    null_power,
    recovery_assurance,
    recovery_power,
)
from dcp_lang.stats.regions import feedback_region, null_region

from .reference import agrees, half_unit, needs_oracle, rows

pytestmark = needs_oracle

ALPHA, MARGIN, BAND = Fraction("0.01"), Fraction("0.51"), Fraction("0.17")


def test_zero_hit_power() -> None:
    for row in rows("power_zero_hit"):
        power = recovery_power(row["n"], Fraction("0.05"), Fraction("0.05"), Fraction(row["p_B"]))
        assert agrees(power, row["power"]), row


def test_hit_rate_ceiling() -> None:
    for row in rows("zero_hit_pB_ceiling"):
        n, assurance, ceiling = row["n"], Fraction(row["assurance"]), Fraction(row["p_B_max"])
        assert least_episodes(Fraction(row["alpha"]), Fraction("0.05")) == n
        assert (
            hit_rate_ceiling(n, assurance) <= ceiling < hit_rate_ceiling(n, assurance) + Fraction(1, 10**12)
        )
        assert (1 - ceiling + half_unit(row["p_B_max"])) ** n > assurance
        assert (1 - ceiling - half_unit(row["p_B_max"])) ** n < assurance


def test_beta_prior() -> None:
    for row in rows("assurance_zero_hit_beta"):
        assert agrees(recovery_assurance(row["n"], row["a"], row["b"]), row["assurance"]), row


def test_adequacy_saw_tooth() -> None:
    for row in rows("power_adequacy_sawtooth"):
        n, alpha, floor = row["n"], Fraction("0.005"), Fraction("0.8")
        tolerated = tolerated_failures(n, alpha, floor)
        assert (-1 if tolerated is None else tolerated) == row["f_max"], row
        for recall in ("0.95", "0.98"):
            assert agrees(adequacy_power(n, alpha, floor, Fraction(recall)), row[f"power_{recall}"]), row


def test_feedback_saw_tooth() -> None:
    for row in rows("power_evidence_sawtooth"):
        n = row["n"]
        assert [least for least, _ in feedback_region(n, ALPHA, MARGIN)] == row["region"], row
        for p10, p01 in (("0.95", "0.01"), ("0.98", "0")):
            power = feedback_power(n, ALPHA, MARGIN, Fraction(p10), Fraction(p01))
            assert agrees(power, row["power_0.95_0.01" if p01 == "0.01" else "power_0.98_0"]), row


def test_null_saw_tooth() -> None:
    for row in rows("power_sham_sawtooth"):
        n = row["n"]
        assert [list(cells) for cells in null_region(n, ALPHA, BAND)] == row["region"], row
        for q in ("0.01", "0.005"):
            assert agrees(null_power(n, ALPHA, BAND, Fraction(q), Fraction(q)), row[f"power_{q}"]), row


def test_assured_positive_controls() -> None:
    floor = Fraction("0.8")
    for row in rows("power_adequacy_n"):
        alpha, recall, target = Fraction(row["alpha"]), Fraction(row["true_recall"]), Fraction(row["target"])
        found = assured_positive_controls(alpha, floor, recall, target)
        assert found is not None and (found.first, found.safe) == (row["first"], row["stable"]), row
        assert agrees(adequacy_power(found.first, alpha, floor, recall), row["power_first"]), row


def test_assured_pairs() -> None:
    for row in rows("power_evidence_n"):
        truth = Fraction(row["p10"]), Fraction(row["p01"])
        found = assured_pairs(Fraction(row["alpha"]), Fraction(row["d"]), *truth, Fraction(row["target"]))
        assert found is not None and (found.first, found.safe) == (row["first"], row["stable"]), row
        power = feedback_power(found.first, Fraction(row["alpha"]), Fraction(row["d"]), *truth)
        assert agrees(power, row["power_first"]), row


def test_assured_null_pairs() -> None:
    for row in rows("power_sham_n"):
        alpha, band, q = Fraction(row["alpha"]), Fraction(row["s"]), Fraction(row["q"])
        found = assured_null_pairs(alpha, band, q, q, Fraction(row["target"]))
        assert found is not None and (found.first, found.safe) == (row["first"], row["stable"]), row
        assert agrees(null_power(found.first, alpha, band, q, q), row["power_first"]), row


def test_arm_health() -> None:
    for row in rows("power_arm_health"):
        assert agrees(arm_health(row["n"], Fraction(row["cap"]), Fraction(row["m"])), row["power"]), row
