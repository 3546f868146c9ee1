"""Checking a registration beside its peers: processor time, in one run, as ratios.

    env -u PYTHONDONTWRITEBYTECODE python bench/run.py [--repeat 5] [--count 200]

Every side judges one registration (the knapsack example) and five faulty ones. `dcpc check` reads the `.dcp` text,
hashes the committed files, computes every sample size and decides every condition. The peers do less: they get the
kernel's JSON with the sizes already computed. They are dcp-audit's `validate_registration`, and a pydantic model with
Decimal and a JSON Schema with the ranges that it enforces. Then our own time as a registration grows.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "examples" / "knapsack" / "registration.dcp"

#: A fault: what changes in the source, and the kernel field that says the same with its value.
FAULTS = {
    "δ_min is 0": (("δ_min = 0.1\n", "δ_min = 0\n"), ("delta_min", 0)),
    "ε is δ_min": (("ε = 0.0026", "ε = 0.1"), ("kappa", 1.0)),
    "ρ is 0": (("ρ = 5%", "ρ = 0%"), ("rho", 0.0)),
    "recall below the floor": (
        ("recall_min = 0.8", "recall_min = 0.5"),
        ("positive_control_recall_min", 0.5),
    ),
    "a blank in the id": (('"knapsack-two', '"knapsack two'), ("claim_id", "knapsack two")),
}
_FLOORED = {"type": "number", "minimum": 0.8, "maximum": 1}
_IDENTIFIER = {"type": "string", "pattern": r"^\S+$"}
_TEXT = {"type": "string", "pattern": r"\S"}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_ALPHA = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
_COUNT = {"type": "integer", "minimum": 1}
#: The ranges of single fields of dcp-audit 0.4.2's `validate_registration`.
FIELDS: dict[str, dict[str, object]] = {
    **dict.fromkeys(("claim_id", "audit_family_id", "recovery_stratum"), _IDENTIFIER),
    **dict.fromkeys(("model_id", "interface_hash", "task_family_profile"), _TEXT),
    **dict.fromkeys(("gate2_control_contract_hash", "challenge_distribution_hash"), _TEXT),
    "grade_requested": {"enum": ["core", "evidence"]},
    "delta_min": {"type": "number", "exclusiveMinimum": 0},
    "kappa": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
    "rho": {"type": "number", "exclusiveMinimum": 0, "maximum": 0.05},
    **dict.fromkeys(("alpha_main", "alpha_score", "alpha_recovery", "alpha_adequacy"), _ALPHA),
    **dict.fromkeys(("m_max", "min_n_ind"), _COUNT),
    "positive_control_recall_min": _FLOORED,
    "min_valid_candidate_rate": {"type": "number", "minimum": 0.5, "maximum": 1},
    "max_infrastructure_failure_rate": _SHARE,
    "max_model_failure_rate": _SHARE,
    "max_execution_contract_violation_rate": _SHARE,
    "necessity_claim_requested": {"type": "boolean"},
}

#: Judges one registration: whether it is accepted.
Judge = Callable[[bytes], bool]


def ours() -> Judge:
    """`dcpc check` without its cache."""
    from dcp_lang.bulk.check import Options, check_bytes

    return lambda data: not any(d.is_error for d in check_bytes(str(SOURCE), data, Options()))


def kernel() -> Judge:
    """dcp-audit: JSON to its dataclass, then validate_registration."""
    from dcp.registration import Registration, validate_registration

    return lambda data: not validate_registration(Registration(**json.loads(data)))


def pydantic() -> Judge:
    """A pydantic model: Decimal for every number, bounds on every field, strict."""
    from decimal import Decimal
    from typing import Annotated, Any, Literal

    from pydantic import Field, ValidationError, create_model

    names = {"minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt"}
    types = {"number": Decimal, "integer": int, "string": str, "boolean": bool}

    def annotation(spec: dict[str, Any]) -> Any:
        if "enum" in spec:
            return Literal[tuple(spec["enum"])]
        kind = types[spec["type"]]
        bounds = {names[k]: Decimal(str(v)) if kind is Decimal else v for k, v in spec.items() if k in names}
        return Annotated[kind, Field(**bounds, pattern=spec.get("pattern"))]

    model = create_model("Registration", **{name: (annotation(spec), ...) for name, spec in FIELDS.items()})

    def judge(data: bytes) -> bool:
        try:
            model.model_validate_json(data)
        except ValidationError:
            return False
        return True

    return judge


def jsonschema() -> Judge:
    """The same ranges as a JSON Schema, with jsonschema's validator made once."""
    from jsonschema import Draft202012Validator

    schema = {"type": "object", "properties": FIELDS, "required": list(FIELDS)}
    validator = Draft202012Validator(schema)
    return lambda data: validator.is_valid(json.loads(data))


def bare() -> Judge:
    """The interpreter alone."""
    return lambda _: True


SIDES: dict[str, tuple[Callable[[], Judge], str]] = {
    "ours": (ours, "dcp-lang"),
    "dcp-audit": (kernel, "dcp-audit"),
    "pydantic": (pydantic, "pydantic"),
    "jsonschema": (jsonschema, "jsonschema"),
    "bare": (bare, ""),
}


def inputs(side: str, frozen: dict[str, object], count: int) -> tuple[list[bytes], list[bytes]]:
    """(distinct sound registrations, faulty ones) in the form that a side reads."""
    text = SOURCE.read_text("utf-8")
    if side == "ours":
        sound = [text.replace('"knapsack-two', f'"knapsack-{n}', 1).encode() for n in range(count)]
        return sound, [text.replace(*edit, 1).encode() for edit, _ in FAULTS.values()]
    sound = [json.dumps({**frozen, "claim_id": f"knapsack-{n}"}).encode() for n in range(count)]
    return sound, [json.dumps({**frozen, name: value}).encode() for _, (name, value) in FAULTS.values()]


def run_side(side: str, frozen: str, count: int) -> None:
    """In the fresh process: judge `count` registrations; print the processor time and what was told apart."""
    sound, faulty = inputs(side, json.loads(Path(frozen).read_text()), count)
    judge = SIDES[side][0]()
    first = judge(sound[0])
    started = process_time()
    accepted = all(map(judge, sound))
    seconds = process_time() - started
    rejected = 0 if count == 1 else sum(not judge(data) for data in faulty)
    print(json.dumps({"accepts": first and accepted, "rejects": rejected, "seconds": seconds / count}))


def run_cold(side: str, frozen: str, count: int) -> tuple[float, dict[str, float]]:
    """(processor seconds of a whole fresh process, what it printed)."""
    from resource import RUSAGE_CHILDREN, getrusage
    from subprocess import run

    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = getrusage(RUSAGE_CHILDREN)
    arguments = [sys.executable, __file__, "--side", side, frozen, str(count)]
    done = run(arguments, capture_output=True, check=True, env={**environment, "PYTHONPATH": str(ROOT)})
    after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, json.loads(done.stdout)


def compare(repeat: int, count: int) -> None:
    """All sides in turn, `repeat` times; the median of each as a ratio to ours."""
    from contextlib import redirect_stderr, redirect_stdout
    from statistics import median
    from tempfile import TemporaryDirectory

    from dcp_lang.cli import run

    with TemporaryDirectory() as folder, open(os.devnull, "w") as quiet:
        with redirect_stdout(quiet), redirect_stderr(quiet):
            status = run(["compile", str(SOURCE), "-o", f"{folder}/out"])
        if status != 0:
            sys.exit("the example does not compile")
        frozen = f"{folder}/out/kernel-registration.json"
        rows = [
            {s: (run_cold(s, frozen, 1), run_cold(s, frozen, count)) for s in SIDES} for _ in range(repeat)
        ]
    cold = {s: median(row[s][0][0] for row in rows) for s in SIDES}
    warm = {s: median(row[s][1][1]["seconds"] for row in rows) for s in SIDES}
    print(
        f"{'':24} {'one, cold':>12} {'against ours':>13} {'one of ' + str(count):>12} {'against ours':>13}  faults"
    )
    for side, (_, package) in SIDES.items():
        said = rows[0][side][1][1]
        if not said["accepts"]:
            sys.exit(f"{side} does not accept the sound registration")
        print(
            f"{_named(side, package):24} {cold[side] * 1e3:9.1f} ms {cold[side] / cold['ours']:12.2f}x"
            f" {warm[side] * 1e3:9.3f} ms {warm[side] / warm['ours']:12.3f}x  {said['rejects']} of {len(FAULTS)}"
        )


def _named(side: str, package: str) -> str:
    from importlib.metadata import version
    from platform import python_version

    from dcp_lang import __version__

    if not package:
        return f"Python {python_version()}, no check"
    return f"{package} {__version__ if side == 'ours' else version(package)}"


#: What grows: sizes to try, and the source at a size.
GROWTH: dict[str, tuple[tuple[int, ...], Callable[[str, int], str]]] = {
    "lines of comment": ((10, 100, 1000, 10_000), lambda text, n: text + "# a line of it\n" * n),
    "requires": (
        (1, 10, 100, 1000),
        lambda text, n: _inside(text, "  require ε < x - score(first_fit)\n" * n),
    ),
    "units of the population": (
        (10, 10_000, 10_000_000),
        lambda text, n: text.replace("exhaustive(10 units)", f"exhaustive({n} units)"),
    ),
}


def _inside(text: str, lines: str) -> str:
    return text.rstrip()[:-1] + lines + "}\n"


def grow() -> None:
    """Our own time by size, in milliseconds of processor time; the least of three."""
    judge, text = ours(), SOURCE.read_text("utf-8")
    judge(text.encode())
    for what, (sizes, source) in GROWTH.items():
        shown = (f"{size}: {_least(judge, source(text, size).encode()):.1f} ms" for size in sizes)
        print(f"{what:24} {'; '.join(shown)}")


def _least(judge: Judge, data: bytes) -> float:
    times = []
    for _ in range(3):
        started = process_time()
        judge(data)
        times.append(process_time() - started)
    return min(times) * 1e3


def main() -> None:
    import argparse

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5, help="fresh processes for each figure")
    parser.add_argument("--count", type=int, default=200, help="registrations in one process")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    compare(options.repeat, options.count)
    grow()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--side"]:
        run_side(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
