"""The whole plan of sqlite_web, cold, against the same answers by a SciPy and statsmodels search, in one run.

    python bench/planner.py [--repeat 7]

Each side runs in its own fresh interpreters, alternating, and prints the same answers: least sizes, bounds of the
reference design, its tolerances and its assurance. The answers must agree before any time is reported.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

#: alphas recovery .01, adequacy .005, evidence .01, sham .01; rho .05, recall .8, margin .51, band .17; design
#: 96 / 45 / 30 / 60; truth p_B .001, recall .98, p10 .98, p01 0, null discordance .005 each way.
ALPHAS = ("0.01", "0.005", "0.01", "0.01")
THRESHOLDS = ("0.05", "0.8", "0.51", "0.17")
SIZES = (96, 45, 30, 60)
TRUTH = ("0.001", "0.98", "0.98", "0", "0.005", "0.005")


def ours() -> dict[str, object]:
    """The plan in exact arithmetic, standard library only."""
    from fractions import Fraction

    from dcp_lang.stats import planning
    from dcp_lang.stats.audit import Design, Thresholds, Truth, assurance
    from dcp_lang.stats.bounds import clopper_pearson_lower, zero_failure_bound
    from dcp_lang.stats.paired import paired_interval

    a_r, a_a, a_e, a_s = map(Fraction, ALPHAS)
    rho, minimum, margin, band = map(Fraction, THRESHOLDS)
    n_r, n_a, n_e, n_s = SIZES
    gates = ("recovery", "adequacy", "evidence", "sham")
    design = Design(dict(zip(gates, SIZES, strict=True)), dict(zip(gates, (a_r, a_a, a_e, a_s), strict=True)))
    return {
        "least": [
            planning.least_episodes(a_r, rho),
            planning.least_positive_controls(a_a, minimum),
            planning.least_pairs(a_e, margin),
            planning.least_null_pairs(a_s, band),
        ],
        "bounds": [
            float(zero_failure_bound(n_r, a_r)),
            float(clopper_pearson_lower(n_a, n_a, a_a)),
            float(paired_interval(n_e, 0, n_e, a_e)[0]),
            float(paired_interval(0, 0, n_s, a_s)[1]),
        ],
        "tolerated": [
            planning.tolerated_failures(n_a, a_a, minimum),
            planning.tolerated_concordant(n_e, a_e, margin),
            planning.tolerated_discordant(n_s, a_s, band),
        ],
        "assurance": float(
            assurance(design, Thresholds(rho, minimum, margin, band), Truth(*map(Fraction, TRUTH)))
        ),
    }


def peers() -> dict[str, object]:
    """The same plan as one would write it with SciPy and statsmodels: float limits and a scan over n."""
    import numpy as np

    a_r, n_r, n_a, n_e, n_s = float(ALPHAS[0]), *SIZES
    feedback, null = _peer_regions()
    return {
        "least": _peer_least(),
        "bounds": [
            1 - a_r ** (1 / n_r),
            _recall_bound(n_a, n_a),
            _pair_bound(n_e, 0, n_e, float(ALPHAS[2])),
            -_pair_bound(0, 0, n_s, float(ALPHAS[3])),
        ],
        "tolerated": [
            _peer_failures(),
            max(k for k in range(n_e + 1) if feedback[n_e - k, 0]),
            max(k for k in range(n_s // 2 + 1) if null[: k + 1, : k + 1].all()),
        ],
        "assurance": float(np.prod(_peer_powers(feedback, null))),
    }


def _peer_least() -> list[int]:
    """The first n of a scan whose best outcome reaches its threshold."""
    from itertools import count

    a_r, _, a_e, a_s = map(float, ALPHAS)
    rho, minimum, margin, band = map(float, THRESHOLDS)
    return [
        next(n for n in count(1) if 1 - a_r ** (1 / n) <= rho),
        next(n for n in count(1) if _recall_bound(n, n) >= minimum),
        next(n for n in count(1) if _pair_bound(n, 0, n, a_e) >= margin),
        next(n for n in count(1) if _pair_bound(0, 0, n, a_s) >= -band),
    ]


def _peer_regions() -> tuple[np.ndarray, np.ndarray]:
    """Which (n10, n01) pass the feedback and the null gate."""
    _, _, a_e, a_s = map(float, ALPHAS)
    _, _, margin, band = map(float, THRESHOLDS)
    lower, upper = _limits(SIZES[2], a_e)
    feedback = lower[:, None] - upper[None, :] >= margin
    lower, upper = _limits(SIZES[3], a_s)
    null = (lower[:, None] - upper[None, :] >= -band) & (upper[:, None] - lower[None, :] <= band)
    return feedback, null


def _peer_failures() -> int:
    return max(
        f for f in range(SIZES[1] + 1) if _recall_bound(SIZES[1] - f, SIZES[1]) >= float(THRESHOLDS[1])
    )


def _peer_powers(feedback: np.ndarray, null: np.ndarray) -> list[float]:
    """Pr(pass) of the four gates."""
    from scipy.stats import binom

    p_hit, recall, p10, p01, null_p10, null_p01 = map(float, TRUTH)
    return [
        (1 - p_hit) ** SIZES[0],
        binom.cdf(_peer_failures(), SIZES[1], 1 - recall),
        _region_power(SIZES[2], feedback, p10, p01),
        _region_power(SIZES[3], null, null_p10, null_p01),
    ]


def _recall_bound(x: int, n: int) -> float:
    from statsmodels.stats.proportion import proportion_confint

    return proportion_confint(x, n, alpha=2 * float(ALPHAS[1]), method="beta")[0]


def _limits(n: int, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper Clopper-Pearson limits of every count out of n, alpha/4 in each tail."""
    import numpy as np
    from scipy.stats import beta

    x = np.arange(n + 1)
    lower = np.where(x == 0, 0.0, beta.ppf(alpha / 4, np.maximum(x, 1), n - np.maximum(x, 1) + 1))
    upper = np.where(x == n, 1.0, beta.ppf(1 - alpha / 4, x + 1, np.maximum(n - x, 1)))
    return lower, upper


def _pair_bound(n10: int, n01: int, n: int, alpha: float) -> float:
    from scipy.stats import beta

    lower = beta.ppf(alpha / 4, n10, n - n10 + 1) if n10 else 0.0
    return lower - (beta.ppf(1 - alpha / 4, n01 + 1, n - n01) if n01 < n else 1.0)


def _region_power(n: int, passes: np.ndarray, plus: float, minus: float) -> float:
    import numpy as np
    from scipy.stats import multinomial

    n10, n01 = np.nonzero(passes)
    keep = n10 + n01 <= n
    outcomes = np.stack([n10[keep], n01[keep], n - n10[keep] - n01[keep]], axis=1)
    return float(multinomial.pmf(outcomes, n, [plus, minus, 1 - plus - minus]).sum())


SIDES = {"ours": ours, "peers": peers}


def run_side(side: str) -> None:
    """In the fresh process: answer, and time the imports and the plan."""
    started = perf_counter()
    answers = SIDES[side]()
    print(json.dumps({"answers": answers, "seconds": perf_counter() - started}))


def run_cold(side: str) -> tuple[float, dict[str, object]]:
    """(seconds from process start to exit, what the fresh process printed)."""
    import os
    import subprocess
    from pathlib import Path

    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    command = [sys.executable, __file__, "--side", side]
    started = perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return perf_counter() - started, json.loads(done.stdout)


def _same(left: object, right: object) -> bool:
    """Whole numbers equal, floats to 1e-9."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return abs(left - right) < 1e-9
    return left == right


def main() -> None:
    """Alternate the two sides and report."""
    import argparse

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=7, help="cold processes per side")
    repeat = parser.parse_args().repeat
    runs: dict[str, list[tuple[float, dict]]] = {side: [] for side in SIDES}
    for _ in range(repeat):
        for side, results in runs.items():
            results.append(run_cold(side))
    report(runs)


def report(runs: dict[str, list[tuple[float, dict]]]) -> None:
    """Check that the answers agree, then print medians, ratios and versions."""
    import platform
    from importlib.metadata import version
    from statistics import median

    answers = {side: results[0][1]["answers"] for side, results in runs.items()}
    if not all(_same(answers["ours"][key], answers["peers"][key]) for key in answers["ours"]):
        sys.exit(f"the answers differ:\n{json.dumps(answers, indent=1)}")
    print(json.dumps(answers["ours"]))
    for what, pick in (
        ("whole process, cold", lambda run: run[0]),
        ("imports and plan, cold", lambda run: run[1]["seconds"]),
    ):
        mine, other = (median(map(pick, runs[side])) for side in ("ours", "peers"))
        print(
            f"{what:24} {mine * 1e3:8.1f} ms against {other * 1e3:8.1f} ms: {other / mine:.0f} times faster"
        )
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "statsmodels"))
    print(f"Python {platform.python_version()}, {versions}; median of {len(runs['ours'])} runs each")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--side"]:
        run_side(sys.argv[2])
    else:
        main()
