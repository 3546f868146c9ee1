"""`dcpc plan`: the JSON shape, the paper's values, what-if, the computed error budget, and the self-test."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dcp_lang.cli.group import main
from dcp_lang.driver import check_text
from dcp_lang.workspace import DiskWorkspace

EXAMPLES = Path(__file__).parents[2] / "examples"


def plan(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["plan", *arguments], standalone_mode=False)


def report(case: str, *arguments: str) -> dict:
    return json.loads(plan(str(EXAMPLES / case / "registration.dcp"), "--json", *arguments).stdout)


@pytest.mark.parametrize(
    ("case", "path", "expected"),
    [
        # Paper, results: 0/96 gives .0468, 45/45 gives .8889, 30/30 gives .6379, 0/60 gives .0950.
        ("sqlite_web", ("recovery", "episodes"), (96, 90, "0.0468")),
        ("sqlite_web", ("recovery", "positive_controls"), (45, 24, "0.8889")),
        ("sqlite_web", ("feedback", "pairs"), (30, 22, "0.6379")),
        ("sqlite_web", ("feedback", "null_pairs"), (60, 33, "0.0950")),
        ("device", ("recovery", "episodes"), (80, 77, "0.0477")),
    ],
)
def test_the_papers_sizes(case: str, path: tuple[str, str], expected: tuple[int, int, str]) -> None:
    gate, name = path
    size = report(case)[gate][name]
    used, least, bound = expected
    assert (size["used"], size["declared"], size["least"]) == (used, used, least)
    assert abs(Fraction(size["bound"]) - Fraction(bound)) < Fraction(1, 10**4)
    assert size["certificate"]["n"] == least


def test_a_core_plan_has_no_feedback() -> None:
    plan_ = report("device")
    assert "feedback" not in plan_ and set(plan_["errors"]) == {"main", "score", "recovery", "adequacy"}
    assert plan_["sessions"] == 140


def test_what_if_replans_without_touching_the_file() -> None:
    path = EXAMPLES / "device" / "registration.dcp"
    before = path.read_bytes()
    changed = report("device", "--what-if", "rho=4%")["recovery"]["episodes"]
    # (1 - 0.04)^96 <= 0.02 < (1 - 0.04)^95, in exact arithmetic.
    assert Fraction(96, 100) ** 96 <= Fraction(2, 100) < Fraction(96, 100) ** 95
    assert changed["least"] == 96 and path.read_bytes() == before


@pytest.mark.parametrize("change", ["rho", "nothing=1", "spare=1"])
def test_what_if_refuses_what_it_cannot_change(change: str) -> None:
    result = plan(str(EXAMPLES / "device" / "registration.dcp"), "--what-if", change)
    assert result.exception is not None and "--what-if" in str(result.exception)


def auto(case: str, tmp_path: Path) -> Path:
    """The example with every size and the error budget left to the compiler."""
    import re
    import shutil

    folder = tmp_path / case
    shutil.copytree(EXAMPLES / case, folder)
    path = folder / "registration.dcp"
    text = re.sub(r"  errors 5% \{.*?\n  \}\n", "  errors 5% = auto\n", path.read_text(), flags=re.S)
    for name in ("episodes", "positive_controls", "candidates", "pairs", "null_pairs"):
        text = re.sub(rf"(    {name} =) \d+", r"\1 auto", text)
    path.write_text(text)
    return path


def test_the_computed_budget_is_the_optimum(tmp_path: Path) -> None:
    # planner.md, section 5: 203 sessions is the proved integer optimum at a budget of .049997.
    result = plan(str(auto("catalyst", tmp_path)), "--json")
    plan_ = json.loads(result.stdout)
    sizes = [plan_["recovery"]["episodes"], plan_["recovery"]["positive_controls"]]
    sizes += [plan_["feedback"]["pairs"], plan_["feedback"]["null_pairs"]]
    assert [size["used"] for size in sizes] == [74, 23, 22, 31] and plan_["sessions"] == 203
    assert sum(map(Fraction, plan_["errors"].values())) == Fraction(1, 20)


def test_the_table_names_every_size() -> None:
    text = plan(str(EXAMPLES / "sqlite_web" / "registration.dcp")).stdout
    for words in ("challenger episodes", "0.046839", ">= 0.51", "sessions  321", "paired Clopper-Pearson"):
        assert words in text


def test_the_self_test_passes() -> None:
    result = plan("--selftest")
    assert result.return_value == 0 and "FAILED" not in result.stdout and "50 of 50 agree" in result.stdout


def test_the_plot_is_the_same_on_every_run(tmp_path: Path) -> None:
    path = str(EXAMPLES / "sqlite_web" / "registration.dcp")
    for name in ("a.svg", "b.svg"):
        plan(path, "--plot", str(tmp_path / name))
    first = (tmp_path / "a.svg").read_bytes()
    assert first.startswith(b"<svg") and first == (tmp_path / "b.svg").read_bytes()


def test_the_fewest_sessions_for_an_assurance(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(EXAMPLES / "device", tmp_path / "device")
    path = tmp_path / "device" / "registration.dcp"
    expect = "  expect { p_B = 0.1%, recall = 98%, assurance = 80% }\n\n  require"
    path.write_text(path.read_text().replace("  require", expect, 1))
    plan_ = json.loads(plan(str(path), "--json").stdout)
    design = plan_["assured_design"]
    # Exact: .999^77 is above .92, and 43 controls tolerate two failures (planner.md, section 2): .9454.
    assert design["sizes"] == {"gate.recovery.episodes": 77, "gate.recovery.positive_controls": 43}
    assert Fraction(design["assurance"]) >= Fraction(8, 10) and design["sessions"] == 120
    # (1 - .999^80) / .001 = 76.93 of 80 challengers when the first witness ends it; up, as cost goes.
    assert Fraction("76.9") < (1 - Fraction(999, 1000) ** 80) * 1000 < Fraction("77")
    assert plan_["stopping"]["expected_episodes"] == "77"


def test_a_necessity_claim_sizes_the_pairs_for_the_neutral_bound(tmp_path: Path) -> None:
    """.95^104 <= .005 < .95^103 (runners.md, C5: 104 pairs at .005); the feedback test alone needs 22."""
    import shutil

    assert Fraction(95, 100) ** 104 <= Fraction(5, 1000) < Fraction(95, 100) ** 103
    shutil.copytree(EXAMPLES / "sqlite_web", tmp_path / "web")
    path = tmp_path / "web" / "registration.dcp"
    text = path.read_text(encoding="utf-8").replace("candidates = 162", "candidates = auto")
    claimed = text.replace("    pairs = 30\n", "    pairs = auto\n    necessity = claimed\n")
    path.write_text(claimed, encoding="utf-8")
    pairs = json.loads(plan(str(path), "--json").stdout)["feedback"]["pairs"]
    assert (pairs["least"], pairs["used"]) == (22, 104) and claimed != text
    for declared, codes in ((103, {"E407"}), (104, set())):
        found = check_text(
            "web.dcp", claimed.replace("pairs = auto", f"pairs = {declared}"), DiskWorkspace(str(path.parent))
        )
        assert {d.code for d in found if d.is_error} - {"E701"} == codes


def test_the_most_that_an_audit_can_take() -> None:
    """321 control sessions, the target's, both arms of 3 and 6 replaced pairs; 10 USD and half an hour each."""
    most = report("sqlite_web")["at_most"]
    assert most["sessions"] == 321 + 1 + 2 * (3 + 6)
    assert most["cost"] == {"amount": "3400", "unit": "USD"} and most["time"] == {
        "amount": "612000",
        "unit": "s",
    }


@pytest.mark.parametrize(
    ("truth", "sizes", "note"),
    [
        (
            "recall = 80.1%, truthful = 98%, neutral = 0.5%, null = 0.5%",
            ["positive_controls"],
            "positive_controls",
        ),
        ("recall = 98%, truthful = 54%, neutral = 2%, null = 0.5%", ["pairs"], "pairs"),
        ("recall = 98%, truthful = 98%, neutral = 0.5%, null = 16.9%", ["null_pairs"], "null_pairs"),
    ],
)
def test_a_truth_beside_its_threshold_is_said_and_not_waited_for(
    tmp_path: Path, truth: str, sizes: list[str], note: str
) -> None:
    """The thresholds are .8, .51 and .17: sizes in the tens of thousands, which nobody would run."""
    path = _expecting(tmp_path, f"p_B = 0.01%, {truth}, assurance = 99%")
    found = json.loads(plan(str(path), "--json").stdout)
    assert [size.rpartition(".")[2] for size in found["unsearched"]] == sizes
    assert found["assured_design"] == {"searched": False}
    assert f"not searched to the end: `{note}` with the assurance" in plan(str(path)).stdout


def test_expectations_beside_ten_million_sessions(tmp_path: Path) -> None:
    """The truths lie far inside their thresholds, so each gate passes but for less than 10^-4; 90 challengers
    suffice, and .999^(10^7) is 10^-4345.
    """
    path = _expecting(
        tmp_path,
        "p_B = 0.1%, recall = 98%, truthful = 98%, neutral = 0.5%, null = 0.5%, assurance = 90%",
        ("episodes = 96", "positive_controls = 45", "    pairs = 30", "null_pairs = 60"),
    )
    gates = json.loads(plan(str(path), "--json").stdout)["assurance"]["gates"]
    assert gates == {"recovery": "0", "adequacy": "0.9999", "evidence": "0.9999", "sham": "0.9999"}


def test_null_pairs_cannot_favour_both_arms(tmp_path: Path) -> None:
    """Twice 30 % each way would be 120 %: the table takes half each way, where the gate never passes."""
    path = _expecting(tmp_path, "null = 30%, truthful = 98%, neutral = 0%")
    rows = json.loads(plan(str(path), "--json").stdout)["assurance"]["sensitivity"]
    assert {row["assumption"]: row["audit"] for row in rows}["null"] == "0"


def _expecting(tmp_path: Path, expect: str, many: tuple[str, ...] = ()) -> Path:
    """sqlite_web with these expectations, and ten million of these sizes."""
    import shutil

    shutil.copytree(EXAMPLES / "sqlite_web", tmp_path / "web")
    path = tmp_path / "web" / "registration.dcp"
    text = path.read_text(encoding="utf-8").replace("  require", f"  expect {{ {expect} }}\n\n  require", 1)
    for size in many:
        assert text.count(size) == 1
        text = text.replace(size, size.rpartition(" ")[0] + " 10_000_000")
    path.write_text(text, encoding="utf-8")
    return path
