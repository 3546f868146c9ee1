"""A registration with ten different faults is told of exactly ten, each where it is."""

from __future__ import annotations

from bases import base, findings
from literate import patched

FAULTS = """\
- id      = "base-claim"
+ id      = "base claim"
- score      = maximize("share of work removed") on [0, 1]
+ score      = maximize("share of work removed") on [0, 2]
- evaluator  = sealed("sha256:0b1f3c5d7e9a2b4c6d8e0f1a3b5c7d9e2f4a6b8c0d1e3f5a7b9c2d4e6f8a0b1c")
+ evaluater  = sealed("sha256:0b1f3c5d7e9a2b4c6d8e0f1a3b5c7d9e2f4a6b8c0d1e3f5a7b9c2d4e6f8a0b1c")
- lineage work      = feedback("traffic-weighted work of the agent's own plan")
+ lineage sqlite    = feedback("traffic-weighted work of the agent's own plan")
- time   = 30 min
+ time   = 30
- ε          = 0.005
+ ε          = 0.5
- recovery = 1%
+ recovery = 1.5%
- positive_controls = 24
+ positive_controls = 20
- scope      = lineage_prefix
+ scope      = lineage_suffix
- preserves = [timing, schema, length]
+ preserves = [timing]
"""


def test_ten_faults_are_ten_findings() -> None:
    text = patched(base("evidence"), FAULTS)
    found = findings(text)
    places = [(d.code, text.splitlines()[d.source.position(d.span.start).line - 1].split()[0]) for d in found]
    assert places == [
        ("E110", "id"),
        ("E105", "score"),
        ("E101", "evaluater"),
        ("E601", "lineage"),
        ("E106", "time"),
        ("E202", "ε"),
        ("E501", "errors"),
        ("E303", "positive_controls"),
        ("E101", "scope"),
        ("E408", "preserves"),
    ]
