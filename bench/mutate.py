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
import re
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
    "stats": ("dcp_lang/stats", ["tests/stats"]),
    "gates": ("dcp_lang/verify/gates", ["tests/verify"]),
    "rules": ("dcp_lang/sema/rules", ["tests/cases", "tests/sema"]),
}


def main() -> None:
    """Print a row per module and a line per survivor."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--minutes", type=float, default=600, help="after which the rest is not judged")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules with these names, separated by commas")
    parser.add_argument("--most", type=float, default=20, help="seconds of tests that a mutant meets")
    parser.add_argument(
        "--again", type=Path, help="output of an earlier run: judge only what no test failed for"
    )
    parser.add_argument("-k", default="", dest="tests", help="tests, as pytest's -k")
    options = parser.parse_args()
    os.chdir(ROOT)
    folder, tests = GROUPS[options.group]
    names = {n for n in options.only.split(",") if n}
    modules = [p for p in sorted((ROOT / folder).glob("*.py")) if p.stem != "__init__"]
    paths = [str(p) for p in modules if p.stem in names or not names]
    session = Session(paths, options.most, lambda s: _judge(s, options))
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


def _judge(session: Session, options: argparse.Namespace) -> None:
    """All mutants of all modules in one fixed order at random, so that what the time allows is a fair sample."""
    _control(session)
    made = [(path, m) for path in session.files for m in mutants(Path(path).read_text("utf-8"), path)]
    random.Random(options.seed).shuffle(made)
    if options.again:
        survivors = set(re.findall(r"(?:survived|unseen|hung)  (.*)", options.again.read_text("utf-8")))
        made = [(path, mutant) for path, mutant in made if _said(path, mutant) in survivors]
    words: dict[str, Counter[str]] = {path: Counter() for path in session.files}
    end = time.monotonic() + 60 * options.minutes
    say(f"{len(made)} mutants, {len(session.items)} tests of {sum(session.seconds.values()):.0f} s")
    for number, (path, mutant) in enumerate(made):
        if time.monotonic() > end:
            break
        word = session.verdict(path, mutant).word
        words[path][word] += 1
        if word != "failed":
            say(f"  {number}: {word}  {_said(path, mutant)}")
    _table(words, Counter(path for path, _ in made))


def _said(path: str, mutant: Mutant) -> str:
    before, after = (text.splitlines()[0] for text in (mutant.before, mutant.after))
    return f"{Path(path).stem}:{mutant.lines.start}  {before}  ->  {after}"


def _table(words: dict[str, Counter[str]], among: Counter[str]) -> None:
    for path, counts in words.items():
        shown = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
        say(f"{Path(path).stem}: {among[path]} mutants, {counts.total()} judged: {shown}")


def _control(session: Session) -> None:
    """Tests that notice modules exchanged for unchanged ones would notice every mutant: they are left out."""
    unchanged = {p: compile(Path(p).read_text("utf-8"), p, "exec") for p in session.files}
    while (found := session.run(unchanged, list(session.items))).word != "survived":
        say(f"left out: {found.test} ({found.word} without a mutant)")
        del session.items[found.test]


if __name__ == "__main__":
    main()
