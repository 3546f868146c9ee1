"""The sealed evaluator: deterministic SQLite work of an index plan on a private event service.

Work is counted in SQLite virtual-machine instructions. A progress handler that is called after every single
instruction counts what SQLite's own `SQLITE_STMTSTATUS_VM_STEP` counts (equal on SQLite 3.40, compared
through its `sqlite_stmt` table). Equal library, data and statement give an equal count, on any machine.
Another SQLite version may need a few instructions more per statement (39 and 44 for one indexed query in 3.40
and 3.51), which moves a score by less than 0.001; the recovery line lies 0.005 below the target, the next
level 0.21 below it.

The data are balanced: every kind of event has the same number of rows for every account, so each family costs
the same without its index, and a plan's score depends only on how many busy families it found.
"""

import json
import random
import sqlite3
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

ACCOUNTS = 48
ROWS_PER_ACCOUNT = 5
MAX_INDEXES = 4
HERE = Path(__file__).parent

FAMILIES = tuple(json.loads((HERE / "traffic.json").read_text()))

TABLE = "CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT, account INTEGER, at INTEGER, amount INTEGER)"
QUERY = "SELECT id, at, amount FROM events WHERE kind = '{family}' AND account = ? ORDER BY at, id"
INDEX = "CREATE INDEX ix_{family} ON events (account, at) WHERE kind = '{family}'"


class PlanError(ValueError):
    """A plan that breaks a validity rule."""


def hidden_traffic():
    """Queries of each family per unit of time; the four busy ones carry 24 times the others' traffic."""
    return json.loads((HERE / "traffic.json").read_text())


def parse_plan(value):
    """The families to index, from `{"indexes": [family, ...]}`. Raises `PlanError` with the broken rule."""
    if not isinstance(value, dict) or set(value) != {"indexes"} or not isinstance(value["indexes"], list):
        raise PlanError('a plan is {"indexes": [family, ...]}')
    plan = value["indexes"]
    if len(plan) > MAX_INDEXES:
        raise PlanError(f"at most {MAX_INDEXES} indexes may be created, not {len(plan)}")
    if any(family not in FAMILIES for family in plan) or len(set(plan)) != len(plan):
        raise PlanError("each index must be for one known family, named once")
    return frozenset(plan)


def score(plan, traffic, workload):
    """Share of the traffic-weighted work that `plan` removes, exact, in [0, 1].

    `PlanError` if a query result changes.
    """
    before, rows_before = measure(frozenset(), workload)
    after, rows_after = measure(plan, workload)
    if rows_before != rows_after:
        raise PlanError("a query result is not preserved")
    total = sum(traffic[family] * before[family] for family in FAMILIES)
    removed = sum(traffic[family] * (before[family] - after[family]) for family in FAMILIES)
    return Fraction(max(removed, 0), total)


@lru_cache(maxsize=4096)
def measure(plan, workload):
    """Instructions and result rows of one query per family, on the database and parameters of a workload
    name.
    """
    database = build(workload)
    for family in sorted(plan):
        database.execute(INDEX.format(family=family))
    draw = random.Random(f"{workload} parameters")
    work, rows = {}, {}
    for family in FAMILIES:
        work[family], rows[family] = count(database, QUERY.format(family=family), (draw.randrange(ACCOUNTS),))
    database.close()
    return work, rows


def build(workload):
    """An event service: every kind of event equally often for every account, in drawn order."""
    draw = random.Random(workload)
    events = [(family, account) for family in FAMILIES for account in range(ACCOUNTS)] * ROWS_PER_ACCOUNT
    draw.shuffle(events)
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT, account INTEGER, at INTEGER, amount INTEGER)"
    )
    database.executemany(
        "INSERT INTO events (kind, account, at, amount) VALUES (?, ?, ?, ?)",
        ((kind, account, at, draw.randrange(1000)) for at, (kind, account) in enumerate(events)),
    )
    return database


def count(database, statement, parameters):
    """Virtual-machine instructions of one statement, and its rows."""
    steps = 0

    def instruction():
        nonlocal steps
        steps += 1
        return 0

    database.set_progress_handler(instruction, 1)
    rows = database.execute(statement, parameters).fetchall()
    database.set_progress_handler(None, 1)
    return steps, rows
