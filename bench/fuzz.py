"""Feed checking and compiling with inputs that Atheris makes, guided by the branches that they reach.

    pip install atheris && python bench/fuzz.py FOLDER [-max_total_time=1200] [other options of libFuzzer]

FOLDER keeps what reached a new branch; it starts with the examples and `tests/corpus`. An input that begins with `{` is
taken for a compiled registration, any other for a source. A run may end with findings, or a build. An exception, more
than two processor seconds, or more than 512 MB ends the fuzzer and leaves the input beside it (`crash-…`); once mended,
the input goes to `tests/corpus`, where a test replays it for ever.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from pieces import PIECES, TOKEN  # noqa: E402

#: Processor seconds of one input. Atheris' counters slow the code down three times.
SECONDS = 3 * 2.0


def judge_once(data: bytes) -> None:
    """Check one input, and compile it where it is sound. Raises on anything but findings."""
    from judging import judge

    started = process_time()
    name = "x.json" if data.startswith(b"{") else str(ROOT / "examples" / "knapsack" / "x.dcp")
    judge(name, data)
    seconds = process_time() - started
    if seconds > SECONDS:
        raise TimeoutError(f"{seconds:.1f} processor seconds")


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Cut, repeat and replace whole tokens, so that most inputs pass the lexer; now and then bytes, by libFuzzer."""
    import atheris

    chance = random.Random(seed)
    if chance.random() < 0.3:
        return bytes(atheris.Mutate(data, max_size))
    tokens = TOKEN.findall(data.decode("utf-8", errors="replace"))
    for _ in range(chance.randint(1, 4)):
        at, cut = chance.randint(0, len(tokens)), chance.choice([0, 1, 1, 5, 50])
        start = chance.randint(0, len(tokens))
        copied = tokens[start : start + chance.choice([1, 1, 3, 12])]
        tokens[at : at + cut] = chance.choice([[chance.choice(PIECES)], copied])
    return "".join(tokens).encode()[:max_size]


def seed_corpus(folder: Path) -> None:
    """The examples and the regression corpus, where the folder has none of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in [*(ROOT / "examples").glob("*/registration.dcp"), *(ROOT / "tests" / "corpus").glob("*/*")]:
        (folder / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes())


def main() -> None:
    import atheris

    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with atheris.instrument_imports(include=["dcp_lang"]):
        import judging  # noqa: F401

    seed_corpus(Path(sys.argv[1]))
    atheris.Setup(
        [*sys.argv, "-max_len=16384", "-rss_limit_mb=512", "-timeout=30"], judge_once, custom_mutator=mutate
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
