"""Detection measured: thousands of mutants of good registrations, what is caught of them, and by whom.

    python bench/mutants.py [--each 6] [--seed 1] [--show 20]

Verdicts come from an oracle written apart from the rules (`mutation/oracle.py`), or from how the mutant was made. The
peers see the same mistake in their own JSON; a mistake that cannot be made there is not caught there either. Needs
dcp-audit (the extra `audit`) and jsonschema-rs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

from mutation.good import BASES, EXAMPLES, check, load  # noqa: E402
from mutation.operators import Mutant, mutants  # noqa: E402
from mutation.peers import kernel_rejects, schema_rejects  # noqa: E402


def judged(mutant: Mutant) -> str:
    """What the compiler makes of a mutant: caught, missed, passed or false alarm."""
    refused = any(d.is_error for d in check(mutant.text))
    if mutant.is_faulty:
        return "caught" if refused else "missed"
    return "false alarm" if refused else "passed"


def table(rows: Counter[tuple[str, str]]) -> str:
    """A row per operator: faulty, caught, missed, kernel, schema; sound, false alarms."""
    operators = sorted({operator for operator, _ in rows})
    heads = ("faulty", "caught", "missed", "kernel", "schema", "sound", "false alarm")
    lines = [f"{'operator':14}" + "".join(f"{h:>12}" for h in heads)]
    for operator in [*operators, "all"]:
        chosen = operators if operator == "all" else [operator]
        counts = [sum(rows[o, h] for o in chosen) for h in heads]
        lines.append(f"{operator:14}" + "".join(f"{c:>12}" for c in counts))
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--each", type=int, default=6, help="random values for each number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--show", type=int, default=20, help="most mutants that are shown when they are misjudged"
    )
    parser.add_argument("--only", default="", help="one operator, such as `threshold`")
    options = parser.parse_args()
    rows: Counter[tuple[str, str]] = Counter()
    wrong: list[tuple[str, Mutant]] = []
    for good in load(BASES, EXAMPLES):
        every = mutants(good, Random(options.seed), options.each)
        for mutant in (m for m in every if options.only in ("", m.operator)):
            verdict = judged(mutant)
            rows[mutant.operator, "faulty" if mutant.is_faulty else "sound"] += 1
            rows[mutant.operator, verdict] += 1
            if mutant.is_faulty:
                rows[mutant.operator, "kernel"] += kernel_rejects(mutant)
                rows[mutant.operator, "schema"] += schema_rejects(mutant)
            if verdict in ("missed", "false alarm"):
                wrong.append((verdict, mutant))
    print(table(rows))
    for verdict, mutant in wrong[: options.show]:
        print(f"{verdict}: {mutant.good.name}: {mutant.operator}: {mutant.what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
