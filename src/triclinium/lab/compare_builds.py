"""Comparison of two builds in one run: ``python -m triclinium.lab.compare_builds PYTHON PYTHON``, plain first.

Each build has its own environment, so each is measured by its own interpreter, one after the other.
"""

import json
import subprocess
import sys

from triclinium.lab.report import format_comparison
from triclinium.lab.speed import SpeedReport


def measure_with(python: str) -> SpeedReport:
    """Return the speed of the build that this interpreter imports."""
    command = [python, "-m", "triclinium", "speed", "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: SpeedReport = json.loads(done.stdout)
    return figures


def main(pythons: list[str]) -> int:
    """Measure both builds, and print a table and one line of JSON."""
    plain, native = (measure_with(python) for python in pythons)
    if plain["compiled"] or not native["compiled"]:
        sys.stderr.write("compare_builds: the first build must be interpreted and the second compiled\n")
        return 2
    sys.stdout.write(f"{format_comparison(plain, native)}\n\n")
    sys.stdout.write(json.dumps({"interpreted": plain, "compiled": native}) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
