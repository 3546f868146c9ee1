"""The two SQLite audits: their evaluators, feedback and agents, and a few sessions through the real harness."""

from __future__ import annotations

import json
import random
import sqlite3
from fractions import Fraction
from itertools import combinations, permutations
from math import prod, sqrt
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("dcp_harness", reason="the examples run on dcp-harness")

from dcp.bundle import verify_bundle

from dcp_lang.integrations.compiled import path_digest
from dcp_lang.integrations.dcp_harness import RequestRefused, ScriptedBackend, recorded_pages, run_audit
from dcp_lang.integrations.likeness import differences
from dcp_lang.integrations.load import load_file
from dcp_lang.integrations.scripted import Session
from dcp_lang.integrations.task import Episode

from .conftest import compile_text, cut_down

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTH = pytest.mark.parametrize("case", ["sqlite_web", "sqlite_core"])


def load(case: str, name: str) -> Any:
    return SimpleNamespace(**run_path(str(EXAMPLES / case / name)))


@pytest.fixture(scope="module")
def web() -> Any:
    return load("sqlite_web", "private/evaluator.py")


@pytest.fixture
def task() -> Any:
    """The Web task's code without a registration."""
    return object.__new__(load("sqlite_web", "task.py").Task)


def episode(workspace: Path, key: str = "key", null: bool = False) -> Episode:
    return Episode(workspace, key, null, from_checkpoint=False, claim_id="claim")


# ---- work and score ----------------------------------------------------------------------------------------


@BOTH
def test_counted_instructions_are_sqlites_own(case: str) -> None:
    """SQLite reports its counter SQLITE_STMTSTATUS_VM_STEP in the table sqlite_stmt, where it is compiled in."""
    evaluator = load(case, "private/evaluator.py")
    connection = evaluator.connect(evaluator.SEALED)
    options = {row[0] for row in connection.execute("PRAGMA compile_options")}
    if "ENABLE_STMTVTAB" not in options:
        pytest.skip("this SQLite has no sqlite_stmt table")
    statement = evaluator.QUERY.format(family=next(iter(evaluator.TRAFFIC)))
    steps, _ = evaluator.count(connection, statement, (3,))
    row = connection.execute("SELECT nstep, run FROM sqlite_stmt WHERE sql = ?", (statement,)).fetchone()
    assert row == (steps, 1)


def test_a_query_beyond_the_limit_is_stopped(web: Any) -> None:
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n WHERE i <> ?"
    )
    with pytest.raises(sqlite3.OperationalError):
        web.count(sqlite3.connect(":memory:"), endless, (0,))


def test_every_family_costs_the_same_without_and_with_its_index(web: Any) -> None:
    bare, _ = web.measure(frozenset(), web.SEALED)
    assert len(set(bare.values())) == 1 and len(bare) == 16
    four = frozenset(list(web.TRAFFIC)[:4])
    work, _ = web.measure(four, web.SEALED)
    assert {work[name] for name in web.TRAFFIC if name not in four} == set(bare.values())
    assert len({work[name] for name in four}) == 1
    # A partial index turns a scan of 3,840 rows into a search of five.
    assert work[min(four)] * 100 < bare[min(four)]


def test_score_has_one_level_per_number_of_busy_families(web: Any) -> None:
    """The paper prints .0369, .2491, .4612, .6734 and .8855 for its own data; the structure is the same here."""
    busy = [name for name, count in web.TRAFFIC.items() if count == 24]
    quiet = [name for name, count in web.TRAFFIC.items() if count == 1]
    assert (len(busy), len(quiet)) == (4, 12)
    levels = [web.removed_share(frozenset(busy[:k] + quiet[: 4 - k]), web.TRAFFIC) for k in range(5)]
    others = [
        web.removed_share(frozenset(busy[-k:] * (k > 0) + quiet[k - 4 :] * (k < 4)), web.TRAFFIC)
        for k in range(5)
    ]
    assert levels == others
    # With share s removed per indexed query, k busy families give s (24 k + 4 - k) / 108.
    share = levels[4] * Fraction(108, 96)
    assert levels == [share * (23 * k + 4) / 108 for k in range(5)]
    assert [round(float(level), 2) for level in levels] == [0.04, 0.25, 0.46, 0.67, 0.89]


def test_only_the_four_busy_families_reach_the_recovery_line(web: Any) -> None:
    """Line: target less ε = .5 / 100; any other plan has at most three busy families."""
    busy = frozenset(name for name, count in web.TRAFFIC.items() if count == 24)
    target = web.removed_share(busy, web.TRAFFIC)
    line = target - Fraction(5, 1000)
    assert target >= Fraction(1, 2)
    three = [frozenset(trio) | {"login"} for trio in combinations(sorted(busy), 3)]
    assert max(web.removed_share(plan, web.TRAFFIC) for plan in three) < line


@BOTH
@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (["login"] * 2, "twice"),
        (["nonsense"], "one of the 16"),
        ([1], "one of the 16"),
        ([["login"]], "one of the 16"),
        ("login", "a plan is"),
    ],
)
def test_plans_that_break_a_rule_are_invalid(case: str, plan: Any, reason: str) -> None:
    evaluator = load(case, "private/evaluator.py")
    name = next(iter(evaluator.TRAFFIC))
    text = json.dumps({"indexes": plan}).replace("login", name)
    score = evaluator.evaluate(text.encode())
    assert not score.valid and reason in score.reason


@BOTH
def test_four_indexes_are_allowed_and_five_are_not(case: str) -> None:
    evaluator = load(case, "private/evaluator.py")
    names = list(evaluator.TRAFFIC)
    assert evaluator.evaluate(json.dumps({"indexes": names[:4]}).encode()).valid
    assert "at most 4" in evaluator.evaluate(json.dumps({"indexes": names[:5]}).encode()).reason


@BOTH
@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[" * 100_000, b"NaN", b"null", b"1" * 5_000])
def test_hostile_bytes_are_an_invalid_artifact(case: str, data: bytes) -> None:
    """A crash of the verifier would leave an episode, and with it Core, unresolved."""
    assert not load(case, "private/evaluator.py").evaluate(data).valid


def test_a_plan_that_changes_a_result_is_invalid(web: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scope = web.removed_share.__globals__
    honest = scope["measure"]

    def broken(plan: Any, database: str) -> Any:
        work, rows = honest(plan, database)
        return (work, rows | {"login": []}) if plan else (work, rows)

    monkeypatch.setitem(scope, "measure", broken)
    assert "not preserved" in web.evaluate(b'{"indexes": ["login"]}').reason


@BOTH
def test_the_registered_baseline_scores_zero(case: str) -> None:
    score = load(case, "private/evaluator.py").evaluate((EXAMPLES / case / "baseline.json").read_bytes())
    assert score.valid and dict(score.units) == {"sealed-workload": 0}


@BOTH
def test_sealed_units_are_those_that_are_scored(case: str) -> None:
    evaluator = load(case, "private/evaluator.py")
    units = json.loads((EXAMPLES / case / "private/units.json").read_text())
    assert units == list(evaluator.evaluate(b'{"indexes": []}').units)


# ---- feedback ----------------------------------------------------------------------------------------------


def test_truthful_feedback_shows_the_traffic_and_the_others_do_not(
    task: Any, web: Any, tmp_path: Path
) -> None:
    request = {"indexes": ["login", "refund"]}
    sent = {policy: task.observe(policy, episode(tmp_path), request)["weighted_work"] for policy in POLICIES}
    work, _ = web.measure(frozenset(request["indexes"]), web.DEVELOPMENT)
    assert sent["truthful"] == {name: 4 * web.TRAFFIC[name] * steps for name, steps in work.items()}
    assert sent["neutral"] == {name: 27 * steps for name, steps in work.items()}
    # Uniform and true traffic have one sum, so the neutral total hides nothing but the direction.
    assert sum(4 * count for count in web.TRAFFIC.values()) == 16 * 27
    weights = [sent["reference_null"][name] // work[name] for name in work]
    assert sorted(weights) == [*range(19, 27), *range(28, 36)] and sum(weights) == 16 * 27


POLICIES = ("truthful", "neutral", "reference_null")


@pytest.mark.parametrize(
    "indexes", [[], ["refund"], ["refund", "search", "payment", "password_reset"], ["login"]]
)
def test_no_policy_gives_itself_away_by_schema_or_length(
    task: Any, tmp_path: Path, indexes: list[str]
) -> None:
    """Registered: schema, and length within 10%."""
    registered = {"preserves": [{"choice": "schema"}, {"choice": "length", "within": "0.1"}]}
    truth, *others = (task.observe(policy, episode(tmp_path), {"indexes": indexes}) for policy in POLICIES)
    assert [list(differences(registered, message, truth)) for message in others] == [[], []]


def test_a_null_task_states_its_traffic_and_is_scored_by_it(task: Any, web: Any, tmp_path: Path) -> None:
    here = episode(workspace(tmp_path), "pair-7", null=True)
    task.prepare(here)
    stated = json.loads((here.workspace / "traffic.json").read_text())
    assert sorted(stated.values()) == sorted(web.TRAFFIC.values()) and stated != web.TRAFFIC
    busy = sorted(name for name, count in stated.items() if count == 24)
    for plan, solved in ((busy, True), ([*busy[:3], "login" if "login" not in busy else "logout"], False)):
        (here.workspace / "plan.json").write_text(json.dumps({"indexes": plan}))
        assert task.score(here, here.workspace / "plan.json").solved is solved


def test_a_presentation_changes_the_order_and_nothing_else(task: Any, tmp_path: Path) -> None:
    orders = []
    for key in ("challenge-0001", "challenge-0002"):
        here = episode(workspace(tmp_path / key), key)
        task.prepare(here)
        orders.append(json.loads((here.workspace / "families.json").read_text()))
    assert list(orders[0]) != list(orders[1])
    assert orders[0] == orders[1] == json.loads((EXAMPLES / "sqlite_web/workspace/families.json").read_text())


def test_a_bad_request_is_refused(task: Any, tmp_path: Path) -> None:
    with pytest.raises(RequestRefused, match="at most 4"):
        task.measure(episode(tmp_path), {"indexes": ["login", "logout", "search", "refund", "export"]})


def workspace(folder: Path) -> Path:
    """A copy of the public files that an episode starts from."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (EXAMPLES / "sqlite_web/workspace").iterdir():
        (folder / path.name).write_text(path.read_text())
    return folder


# ---- agents ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "root", "odds"), [("sqlite_web", 4, 4_894), ("sqlite_core", 2, 5_085)])
def test_a_blind_guess_finds_all_four_as_seldom_as_the_agent_says(case: str, root: int, odds: int) -> None:
    """Exact up to doubles: the sum over all orders of the successive draws' probabilities."""
    evaluator = load(case, "private/evaluator.py")
    counts = json.loads((EXAMPLES / case / "workspace/families.json").read_text())
    weights = {name: count ** (1 / root) for name, count in counts.items()}
    busy = [name for name, count in evaluator.TRAFFIC.items() if count == max(evaluator.TRAFFIC.values())]
    total = sum(weights.values())
    chance = sum(
        prod(weights[name] / (total - sum(weights[n] for n in order[:i])) for i, name in enumerate(order))
        for order in permutations(busy)
    )
    assert round(1 / chance) == odds
    assert f"1/{odds:,}" in (EXAMPLES / case / "agent.py").read_text()


def test_the_guess_draws_in_proportion_to_its_weights() -> None:
    agent = load("sqlite_core", "agent.py")
    draws = [agent.guess({"a": 1, "b": 9}, random.Random(seed))[0] for seed in range(4000)]
    # First with probability 3 / 4; five standard deviations.
    assert abs(draws.count("b") / 4000 - 0.75) < 5 * sqrt(0.75 * 0.25 / 4000)


@pytest.mark.parametrize(("policy", "found"), [("truthful", 4), ("neutral", None), (None, None)])
def test_the_agent_finds_the_traffic_only_where_feedback_shows_it(
    task: Any, web: Any, tmp_path: Path, policy: str | None, found: int | None
) -> None:
    here = episode(workspace(tmp_path), "key")
    task.prepare(here)
    (here.workspace / "WEB_PRIVILEGED.json").write_text("{}")
    plan = play(task, here, policy)
    hits = sum(web.TRAFFIC[name] == 24 for name in plan)
    assert len(plan) == 4 and (hits == found if found else hits < 4)


def play(task: Any, here: Episode, policy: str | None) -> list[str]:
    """An episode of the Web agent; experiments are answered by `policy`, or withheld as from a challenger."""
    agent = load("sqlite_web", "agent.py").index_designer
    action, observation = here.workspace / ".dcp/action.json", here.workspace / ".dcp/observation.json"
    for turn in range(8):
        agent(Session(here.workspace, "", random.Random(f"{policy} {turn}")))
        committed = json.loads(action.read_text())
        if committed["action"] == "finish":
            return list(json.loads((here.workspace / "plan.json").read_text())["indexes"])
        answer = task.observe(policy, here, committed["payload"]) if policy else {"withheld": True}
        observation.write_text(json.dumps({"observation": answer}))
    raise AssertionError("the agent did not finish")


# ---- through the real harness ------------------------------------------------------------------------------


@BOTH
def test_the_registration_commits_to_the_sealed_files(case: str) -> None:
    text = (EXAMPLES / case / "registration.dcp").read_text()
    for name in ("private/evaluator.py", "private/units.json"):
        assert path_digest(EXAMPLES / case, name) in text, f"dcpc digest {name}"


def test_a_few_sessions_of_the_web_audit(tmp_path: Path) -> None:
    """The pages are captured once, disclosed to challengers, and branches start after them, before feedback."""
    case = EXAMPLES / "sqlite_web"
    offline = load_file(EXAMPLES / "offline.py")
    text = offline.for_scripted_agent((case / "registration.dcp").read_text(), "index_designer")
    config = cut_down(compile_text(text, case, tmp_path / "build"))
    model = offline.agent_name("index_designer")
    agent = ScriptedBackend(load_file(case / "agent.py").index_designer, model=model, accepted=(model,))
    bundle = run_audit(
        config, tmp_path / "run", backend=agent, web_fetcher=recorded_pages(case / "pages"), workers=2
    )
    run = tmp_path / "run"
    packet = json.loads((run / "web_snapshot/privileged_packet.json").read_text())
    assert [page["requested_url"] for page in packet["documents"]] == list(
        load("sqlite_web", "agent.py").PAGES
    )
    shown = json.loads((run / "episodes/challenge/challenge-0001/workspace/WEB_PRIVILEGED.json").read_text())
    assert shown == packet
    assert json.loads((run / "main/summary.json").read_text())["selected_checkpoint"] == 1
    gate3 = json.loads((bundle / "payload/gate3.json").read_text())
    gate1 = json.loads((bundle / "payload/gate1.json").read_text())
    target = gate1["astar"]["per_unit"]
    assert round(target[0], 2) == 0.89
    assert [pair["truthful"]["per_unit"] for pair in gate3["pairs"]] == [target] * 2
    assert all(pair["neutral"]["per_unit"] < target for pair in gate3["pairs"])
    assert {
        p[arm]["utility"] for p in gate3["sham"]["pairs"] for arm in ("reference_null", "proposed_sham")
    } == {1.0}
    assert verify_bundle(bundle)["ok"] is True
