"""Prints digests of seeded matches of some titles as one JSON object: equal on every build and machine.

python -m tests.trajectories figs portals
"""

import json
import sys

from tests.copies import copies
from tests.matches import TITLES, some_cases_of
from triclinium import games
from triclinium.engine.core import state
from triclinium.engine.core.digest import digest_of
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import perft
from triclinium.engine.core.state import NOBODY
from triclinium.engine.game import Game
from triclinium.engine.numbers import broken_by, numbers
from triclinium.lab.learn.weights import with_weights
from triclinium.lab.study.match_tables import Notes
from triclinium.lab.study.study_file import Study, Wanted
from triclinium.lab.study.worker import play_cell
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
                if case.game.observer is not None:
                    path = digest_of([path, *case.game.observe(s, seat)])
            points = [line.points for score in case.game.scores(s) for line in score.lines]
            path = digest_of([path, *points, perft(s, 1)])
        made += 1
    return {"decisions": made - 1, "path": path, "weighed": sum(weighed)}


def studied(game: Game) -> dict[str, object]:
    """A match of a study, on the first edition that another number makes."""
    other = next(
        {number.path: value}
        for number in numbers(game)
        for value in (number.low, number.high)
        if value != number.value and not number.hidden and not broken_by(game, {number.path: value})
    )
    plan = Study(game.id, bots=("random",), also=(), matches=10, editions=(Wanted("other", other),), seed=5).plan()
    cell = next(cell for cell in plan.cells(0) if plan.arms[cell.arm].edition == 1)
    notes = Notes()
    match = play_cell(plan, cell, notes)
    return {
        "edition": plan.editions[1].hash,
        "record": match.record().dumps(),
        "things": notes.columns["things"],
        "scale": with_weights(game, game.weights.each).weights.scale,
    }


def files(asked: list[Game]) -> list[str]:
    """Where the kernel and the rules of some titles were loaded from."""
    rules = [sys.modules[type(game.deal(game.seats[0], 1)).__module__] for game in asked]
    return [str(module.__file__) for module in (state, *rules)]


def build(file: str) -> str:
    """Which build a module is of."""
    return "interpreted" if file.endswith(".py") else "compiled"


def main() -> None:
    """One match of each case."""
    asked = [game for game in TITLES if game.id in sys.argv[1:]]
    matches = {repr(case): trajectory(case, 11) for game in asked for case in some_cases_of(game)}
    studies = {game.id: studied(game) for game in asked if game.id in games()}
    found = files([game for game in asked if game.id in games()])
    copied = {game.id: copies(game) for game in asked if game.id in games()}
    told = {
        "builds": [build(file) for file in found],
        "files": found,
        "matches": matches,
        "studies": studies,
        "copies": copied,
    }
    json.dump(told, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
