"""Random play on many matches at once: how often each seat wins The Acts of the Evangelists.

    python examples/batch_random.py 2000

tells after a few seconds, of 2,000 matches between two: [0.5, 0.5] or close to it.
"""

import sys

import numpy

from triclinium.research.batch import Batch, drawn


def main(matches: int, seats: int = 2) -> list[float]:
    """The share of the win of each seat."""
    batch, rng = Batch("evangelists", seats, n=64, seed=1), numpy.random.default_rng(1)
    won, ended = numpy.zeros(seats), 0
    while ended < matches:
        batch.step(drawn(*batch.options(), rng))
        for _, returns in batch.ended:
            won += returns
            ended += 1
    return [round(float(share), 3) for share in won / ended]


if __name__ == "__main__":
    sys.stdout.write(f"{main(int(sys.argv[1]))}\n")
