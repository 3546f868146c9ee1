"""Private evaluator of the SQLite-Core audit, never shown to an agent: hidden traffic, deterministic work,
score.

A shop keeps its orders in one table and asks for those of one customer in one status. Statuses are unequally
common, so an index saves a family of queries more or less, and a plan's score depends on which families it
found, not only on how many. Work is counted in instructions of SQLite's virtual machine, by a progress
handler that is called after every single one; examples/sqlite_web/private/evaluator.py says how far that
number is reproducible.
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

#: Orders in each status, and queries of each family per unit of time.
ORDERS = {
    "backordered": 90,
    "cancelled": 210,
    "delivered": 900,
    "disputed": 60,
    "draft": 330,
    "exchanged": 120,
    "gift": 75,
    "invoiced": 390,
    "on_hold": 150,
    "packed": 240,
    "paid": 480,
    "picked": 300,
    "preordered": 180,
    "refunded": 170,
    "returned": 270,
    "shipped": 570,
}
BUSY, QUIET = 30, 1
TRAFFIC = {
    status: BUSY if status in ("disputed", "on_hold", "packed", "returned") else QUIET for status in ORDERS
}
CUSTOMERS = 30
MAX_INDEXES = 4
#: Instructions that one query may take; a scan of the whole table takes some ten thousand.
LIMIT = 1_000_000
#: Names of the two databases: the agent's experiments run on one, the score is taken on the other.
DEVELOPMENT, SEALED = "development", "sealed"

TABLE = (
    "CREATE TABLE orders"
    " (id INTEGER PRIMARY KEY, status TEXT, customer INTEGER, placed INTEGER, total INTEGER)"
)
QUERY = "SELECT count(*), sum(total), max(placed) FROM orders WHERE status = '{family}' AND customer = ?"
INDEX = "CREATE INDEX ix_{family} ON orders (customer) WHERE status = '{family}'"

Plan = frozenset[str]


class PlanError(ValueError):
    """A plan that breaks a validity rule."""


def evaluate(data: bytes) -> Score:
    """Score a committed plan.json: the share of traffic-weighted work that it removes, exact, in [0, 1]."""
    try:
        share = removed_share(parse_plan(json.loads(data)))
    except (ValueError, RecursionError) as error:
        return Score.invalid(str(error))
    return Score({"sealed-workload": share})


def parse_plan(value: object) -> Plan:
    """The families to index, from `{"indexes": [family, ...]}`. Raises `PlanError` with the broken rule."""
    if not isinstance(value, dict) or set(value) != {"indexes"} or not isinstance(value["indexes"], list):
        raise PlanError('a plan is {"indexes": [family, ...]}')
    families = value["indexes"]
    if len(families) > MAX_INDEXES:
        raise PlanError(f"at most {MAX_INDEXES} indexes may be created, not {len(families)}")
    if not all(isinstance(family, str) and family in ORDERS for family in families):
        raise PlanError("each index is for one of the 16 families")
    if len(set(families)) != len(families):
        raise PlanError("a family is named twice")
    return frozenset(families)


def removed_share(plan: Plan, traffic: Mapping[str, int] = TRAFFIC) -> Fraction:
    """Share of the sealed database's traffic-weighted work that `plan` removes.

    `PlanError` if a result changes.
    """
    before, rows_before = measure(frozenset(), SEALED)
    after, rows_after = measure(plan, SEALED)
    if rows_before != rows_after:
        raise PlanError("a query result is not preserved")
    total = sum(traffic[family] * before[family] for family in ORDERS)
    removed = sum(traffic[family] * (before[family] - after[family]) for family in ORDERS)
    return Fraction(max(removed, 0), total)


@lru_cache(maxsize=4096)
def measure(plan: Plan, database: str) -> tuple[dict[str, int], dict[str, list[tuple[int, ...]]]]:
    """Instructions and result rows of one query per family, on a database with the indexes of `plan`."""
    connection = connect(database)
    for family in sorted(plan):
        connection.execute(INDEX.format(family=family))
    draw = random.Random(f"{database} parameters")
    work, rows = {}, {}
    for family in ORDERS:
        statement = QUERY.format(family=family)
        work[family], rows[family] = count(connection, statement, (draw.randrange(CUSTOMERS),))
    connection.close()
    return work, rows


def connect(database: str) -> sqlite3.Connection:
    """A fresh copy of a database in memory, its schema read, which the first query would be charged for."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(image(database))
    connection.execute("SELECT count(*) FROM sqlite_master")
    return connection


@lru_cache
def image(database: str) -> bytes:
    """A shop with drawn customers, times and totals."""
    draw = random.Random(database)
    statuses = [status for status, orders in ORDERS.items() for _ in range(orders)]
    draw.shuffle(statuses)
    connection = sqlite3.connect(":memory:")
    connection.execute(TABLE)
    connection.executemany(
        "INSERT INTO orders (status, customer, placed, total) VALUES (?, ?, ?, ?)",
        ((status, draw.randrange(CUSTOMERS), n, draw.randrange(500)) for n, status in enumerate(statuses)),
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
