"""Mutation testing: would a test notice if one operator, number or branch of the code were another?

    nice -n 19 python bench/mutate.py stats --each 12 [--seed 1]
    nice -n 19 python bench/mutate.py gates --each 12
    nice -n 19 python bench/mutate.py rules --each 4

For every module a fixed sample of its mutants runs against the tests that know it. Each mutant lives in a fork of one
process that has imported pytest and nothing of ours, so it costs the tests alone. Killed: a test fails, or 30 seconds
of processor time pass. `docs/mutation.md` has the results and says which survivors change nothing.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: Processor seconds after which a mutant counts as noticed: it hangs.
SECONDS = 30

#: Tests that know a module of `stats`, where they are not `test_<module>.py`.
STATS = {
    "assurance": "power",
    "assured_allocation": "allocation",
    "attrition": "power",
    "audit": "power",
    "domination": "alternatives",
    "enclosure": "exact many",
    "estimate": "bounds many search",
    "exact": "exact many",
    "inequality": "certificate",
    "menus": "allocation",
    "multipliers": "solver",
    "offers": "allocation",
    "planning": "planning many",
    "power": "power many",
    "prices": "allocation",
    "regions": "power",
    "sequential": "sequential many",
}
_COMPARE = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_BINARY = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
_NAMES = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """One changed place of a module: what was there, what is, and the whole changed tree."""

    line: int
    before: str
    after: str
    tree: ast.Module


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of the text."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        if not _other(node):
            continue
        changed = copy.deepcopy(tree)
        place = next(n for i, n in enumerate(ast.walk(changed)) if i == number)
        before = ast.unparse(place)
        place.__dict__.update(_other(place))
        yield Mutant(getattr(place, "lineno", 0), before, ast.unparse(place), changed)


def _other(node: ast.AST) -> dict[str, object]:
    """The attributes of the node that make the mutant; none where it has no mutant."""
    match node:
        case ast.Compare(ops=[first, *rest]) if type(first) in _COMPARE:
            return {"ops": [_COMPARE[type(first)](), *rest]}
        case ast.BinOp(op=op) if type(op) in _BINARY:
            return {"op": _BINARY[type(op)]()}
        case ast.BoolOp(op=op):
            return {"op": ast.Or() if isinstance(op, ast.And) else ast.And()}
        case ast.IfExp(body=body, orelse=orelse):
            return {"body": orelse, "orelse": body}
        case ast.Constant(value=bool() as value):
            return {"value": not value}
        case ast.Constant(value=int() as value):
            return {"value": value + 1}
        case ast.Call(func=ast.Name(id=name)) if name in _NAMES:
            return {"func": ast.Name(_NAMES[name], ast.Load(), lineno=node.lineno, col_offset=0)}
        case _:
            return {}


def modules(group: str) -> dict[str, list[str]]:
    """Each module of a group, by its import name, with what pytest is asked to run."""
    folder = {"stats": "dcp_lang/stats", "gates": "dcp_lang/verify/gates", "rules": "dcp_lang/sema/rules"}[
        group
    ]
    paths = sorted(p for p in (ROOT / folder).glob("*.py") if p.stem != "__init__")
    return {f"{folder.replace('/', '.')}.{p.stem}": _tests(group, p) for p in paths}


def _tests(group: str, path: Path) -> list[str]:
    if group == "stats":
        names = STATS.get(path.stem, path.stem).split()
        return [f"tests/stats/test_{name}.py" for name in names]
    if group == "gates":
        names = ["gates", "calibration", "feedback_health", "ladder", "boundaries"]
        return [f"tests/verify/test_{name}.py" for name in names]
    codes = sorted(set(re.findall(r"\b[EWI]\d{3}\b", path.read_text("utf-8"))))
    return ["tests/cases", "tests/sema/test_ten_faults.py", "-k", " or ".join([*codes, "ten"])]


def survives(name: str, mutant: Mutant, tests: list[str]) -> bool:
    """Whether no test notices the mutant; in a fork of this process."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _run(name, mutant, tests)
        finally:
            os._exit(0 if code == 0 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _run(name: str, mutant: Mutant, tests: list[str]) -> int:
    import resource

    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    _replace(name, mutant.tree)
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))


def _replace(name: str, tree: ast.Module) -> None:
    """Import the module in its mutated form, before anything else asks for it."""
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(ast.fix_missing_locations(tree), spec.origin, "exec"), module.__dict__)
    parent, _, last = name.rpartition(".")
    setattr(sys.modules[parent], last, module)


def main() -> None:
    """Print a row per module and a line per survivor."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("group", choices=["stats", "gates", "rules"])
    parser.add_argument("--each", type=int, default=12, help="mutants of a module; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules whose name has this in it")
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    import hypothesis

    hypothesis.settings.register_profile("mutation", derandomize=True, database=None)
    hypothesis.settings.load_profile("mutation")
    for name, tests in modules(options.group).items():
        if options.only in name:
            _module(name, tests, options.each, options.seed)


def _module(name: str, tests: list[str], each: int, seed: int) -> None:
    made = list(mutants((ROOT / (name.replace(".", "/") + ".py")).read_text("utf-8")))
    chosen = random.Random(f"{seed} {name}").sample(made, min(each or len(made), len(made)))
    left = [m for m in sorted(chosen, key=lambda m: m.line) if survives(name, m, tests)]
    print(f"{name}: {len(chosen) - len(left)} of {len(chosen)} killed, {len(made)} in all", flush=True)
    for mutant in left:
        print(f"  survives, line {mutant.line}: {mutant.before}  ->  {mutant.after}", flush=True)


if __name__ == "__main__":
    main()
