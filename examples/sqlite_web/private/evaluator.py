"""Private evaluator of the SQLite-Web audit, never shown to an agent: hidden traffic, deterministic work,
score.

Work is counted in instructions of SQLite's virtual machine. A progress handler that is called after every
single instruction counts what SQLite's own `SQLITE_STMTSTATUS_VM_STEP` counts (equal on SQLite 3.40, compared
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
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from operator import length_hint

from dcp_lang.integrations.task import Score

#: Queries of each family per unit of time. Four families carry 24 times the traffic of the others; not those
#: with the most events, but those that a support desk looks up.
TRAFFIC = {
    "api_call": 1,
    "checkout": 1,
    "export": 1,
    "file_upload": 1,
    "login": 1,
    "logout": 1,
    "message": 1,
    "notification": 1,
    "page_view": 1,
    "password_reset": 24,
    "payment": 24,
    "profile_update": 1,
    "refund": 24,
    "search": 24,
    "signup": 1,
    "subscription": 1,
}
ACCOUNTS = 48
ROWS_PER_ACCOUNT = 5
MAX_INDEXES = 4
#: Instructions that one query may take; a scan of the whole table takes some ten thousand.
LIMIT = 1_000_000
#: Names of the two databases: the agent's experiments run on one, the score is taken on the other.
DEVELOPMENT, SEALED = "development", "sealed"

TABLE = "CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT, account INTEGER, at INTEGER, amount INTEGER)"
QUERY = "SELECT id, at, amount FROM events WHERE kind = '{family}' AND account = ? ORDER BY at, id"
INDEX = "CREATE INDEX ix_{family} ON events (account, at) WHERE kind = '{family}'"

Plan = frozenset[str]


class PlanError(ValueError):
    """A plan that breaks a validity rule."""


def evaluate(data: bytes, traffic: Mapping[str, int] = TRAFFIC) -> Score:
    """Score a committed plan.json: the share of traffic-weighted work that it removes, exact, in [0, 1].

    `solved` says whether the plan indexes exactly the busiest families.
    """
    try:
        plan = parse_plan(json.loads(data))
        share = removed_share(plan, traffic)
    except (ValueError, RecursionError) as error:
        return Score.invalid(str(error))
    busiest = {family for family in traffic if traffic[family] == max(traffic.values())}
    return Score({"sealed-workload": share}, solved=plan == busiest)


def parse_plan(value: object) -> Plan:
    """The families to index, from `{"indexes": [family, ...]}`. Raises `PlanError` with the broken rule."""
    if not isinstance(value, dict) or set(value) != {"indexes"} or not isinstance(value["indexes"], list):
        raise PlanError('a plan is {"indexes": [family, ...]}')
    families = value["indexes"]
    if len(families) > MAX_INDEXES:
        raise PlanError(f"at most {MAX_INDEXES} indexes may be created, not {len(families)}")
    if not all(isinstance(family, str) and family in TRAFFIC for family in families):
        raise PlanError("each index is for one of the 16 families")
    if len(set(families)) != len(families):
        raise PlanError("a family is named twice")
    return frozenset(families)


def removed_share(plan: Plan, traffic: Mapping[str, int]) -> Fraction:
    """Share of the sealed database's traffic-weighted work that `plan` removes; `PlanError` if a result
    changes.
    """
    before, rows_before = measure(frozenset(), SEALED)
    after, rows_after = measure(plan, SEALED)
    if rows_before != rows_after:
        raise PlanError("a query result is not preserved")
    total = sum(traffic[family] * before[family] for family in TRAFFIC)
    removed = sum(traffic[family] * (before[family] - after[family]) for family in TRAFFIC)
    return Fraction(max(removed, 0), total)


@lru_cache(maxsize=4096)
def measure(plan: Plan, database: str) -> tuple[dict[str, int], dict[str, list[tuple[int, ...]]]]:
    """Instructions and result rows of one query per family, on a database with the indexes of `plan`."""
    connection = connect(database)
    for family in sorted(plan):
        connection.execute(INDEX.format(family=family))
    draw = random.Random(f"{database} parameters")
    results = {
        family: count(connection, QUERY.format(family=family), (draw.randrange(ACCOUNTS),))
        for family in TRAFFIC
    }
    connection.close()
    return {name: steps for name, (steps, _) in results.items()}, {
        name: rows for name, (_, rows) in results.items()
    }


def connect(database: str) -> sqlite3.Connection:
    """A fresh copy of a database in memory, its schema read, which the first query would be charged for."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(image(database))
    connection.execute("SELECT count(*) FROM sqlite_master")
    return connection


@lru_cache
def image(database: str) -> bytes:
    """An event service: every kind of event equally often for every account, in an order drawn by name."""
    draw = random.Random(database)
    events = [(family, account) for family in TRAFFIC for account in range(ACCOUNTS)] * ROWS_PER_ACCOUNT
    draw.shuffle(events)
    connection = sqlite3.connect(":memory:")
    connection.execute(TABLE)
    connection.executemany(
        "INSERT INTO events (kind, account, at, amount) VALUES (?, ?, ?, ?)",
        ((kind, account, at, draw.randrange(1000)) for at, (kind, account) in enumerate(events)),
    )
    connection.commit()
    return connection.serialize()


def count(
    connection: sqlite3.Connection, statement: str, parameters: tuple[int, ...]
) -> tuple[int, list[tuple[int, ...]]]:
    """Virtual-machine instructions of one statement, and its rows; beyond `LIMIT` a database error."""
    # Called after every instruction: yields 0, for "go on", and knows how often it still can.
    allowance = repeat(0, LIMIT)
    connection.set_progress_handler(allowance.__next__, 1)
    rows = connection.execute(statement, parameters).fetchall()
    connection.set_progress_handler(None, 1)
    return LIMIT - length_hint(allowance), rows
