"""Mutation testing: would a test notice if one operator, number or branch of the code were another?

    nice -n 19 python bench/mutate.py gates
    nice -n 19 python bench/mutate.py rules
    nice -n 19 python bench/mutate.py stats

All tests of a group are collected and run once, under coverage, to learn which lines each of them runs. Every mutant of
a module then lives in a fork of that process and meets only the tests that run its lines, until one fails. Needs
coverage. `docs/mutation.md` has the results and says which survivors change nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

import hypothesis
import pytest

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

from mutate_places import Mutant, mutants  # noqa: E402
from mutate_session import ROOT, Session, say  # noqa: E402

GROUPS = {
    "stats": ("dcp_lang/stats", ["tests/stats", "tests/plan"]),
    "gates": ("dcp_lang/verify/gates", ["tests/verify"]),
    "rules": ("dcp_lang/sema/rules", ["tests/cases", "tests/sema"]),
}


def main() -> None:
    """Print a row per module and a line per survivor."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument(
        "--each", type=int, default=0, help="mutants of a module, chosen at random; 0 for all"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules with these names, separated by commas")
    parser.add_argument("--most", type=float, default=20, help="seconds of tests that a mutant meets")
    parser.add_argument("-k", default="", dest="tests", help="tests, as pytest's -k")
    options = parser.parse_args()
    os.chdir(ROOT)
    folder, tests = GROUPS[options.group]
    names = {n for n in options.only.split(",") if n}
    paths = [str(p) for p in sorted((ROOT / folder).glob("*.py")) if p.stem in names or not names]
    session = Session(paths, options.most, lambda s: _judge(s, options.each, options.seed))
    _settle_hypothesis()
    _keep_output_apart()
    arguments = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", options.tests]
    pytest.main([*arguments, *tests], plugins=[session])


def _keep_output_apart() -> None:
    """What pytest and the tests write to the standard output is dropped; what `say` writes is not."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _settle_hypothesis() -> None:
    """The same examples in every run; no time limit, and nothing smaller sought once one fails."""
    hypothesis.settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutation")


def _judge(session: Session, each: int, seed: int) -> None:
    say(f"{len(session.items)} tests of {sum(session.seconds.values()):.0f} s")
    unchanged = {p: compile(Path(p).read_text("utf-8"), p, "exec") for p in session.files}
    control = session.run(unchanged, list(session.items))
    if control.word != "survived":
        sys.exit(f"the unchanged modules do not pass: {control}")
    for path in session.files:
        made = list(mutants(Path(path).read_text("utf-8"), path))
        chosen = random.Random(f"{seed} {path}").sample(range(len(made)), min(each or len(made), len(made)))
        if made:
            _module(session, path, [made[i] for i in sorted(chosen)], len(made))


def _module(session: Session, path: str, chosen: list[Mutant], among: int) -> None:
    start, words = time.time(), Counter[str]()
    for mutant in chosen:
        verdict = session.verdict(path, mutant)
        words[verdict.word] += 1
        if verdict.word in ("survived", "unseen"):
            place = f"{Path(path).stem}:{mutant.lines.start}"
            say(f"  {verdict.word}  {place}  {mutant.before}  ->  {mutant.after}")
    counts = ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
    say(f"{Path(path).stem}: {among} mutants, {counts}; {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
