"""Prints digests of seeded matches of every title as one JSON object: equal on every build and machine.

python -m tests.trajectories
"""

import json
import sys

from tests.matches import TITLES, some_cases_of
from triclinium.engine.core import state
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import perft
from triclinium.engine.core.state import NOBODY, digest_of
from triclinium.testing import Case

OFTEN = 20  # how many decisions lie between two closer looks


def trajectory(case: Case, seed: int) -> dict[str, object]:
    """A match as a few numbers that any difference would change."""
    path = made = 0
    rng = Rng(seed)
    weighed: list[float] = []
    for s in case.walk(seed):
        path = digest_of([path, s.digest(), len(s.legal), s.who])
        if made % OFTEN == 0 or s.over:
            for seat in (NOBODY, *range(s.seats)):
                path = digest_of([path, s.resample(seat, rng).digest()])
            for seat in range(s.seats):
                weighed.append(sum(case.game.evaluator.features(s, seat)))
            points = [line.points for score in case.game.scores(s) for line in score.lines]
            path = digest_of([path, *points, perft(s, 1)])
        made += 1
    return {"decisions": made - 1, "path": path, "weighed": sum(weighed)}


def build() -> str:
    """Which build of the kernel this is."""
    return "interpreted" if str(state.__file__).endswith(".py") else "compiled"


def main() -> None:
    """One match of each case."""
    matches = {repr(case): trajectory(case, 11) for game in TITLES for case in some_cases_of(game)}
    json.dump({"build": build(), "file": str(state.__file__), "matches": matches}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
