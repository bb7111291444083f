"""Prints digests of seeded matches of some games as one JSON object: equal on every build and machine.

python -m tests.trajectories figs portals
"""

import json
import sys

from tests.copy_checks import list_copies
from tests.matches import ALL_GAMES, sample_cases
from triclinium import list_games
from triclinium.engine.core import state
from triclinium.engine.core.digest import compute_digest
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import perft
from triclinium.engine.core.state import NOBODY
from triclinium.engine.game import Game
from triclinium.engine.numbers import find_change_faults, list_numbers
from triclinium.engine.rule_positions import find_option, load_rule_positions
from triclinium.lab.learn.weights import with_weights
from triclinium.lab.study.comparison_plan import make_comparison_plan
from triclinium.lab.study.match_tables import TableBuilder
from triclinium.lab.study.study_file import EditionRequest, Study
from triclinium.lab.study.worker import play_study_match
from triclinium.testing import GameCase

OFTEN = 20  # number of decisions between two detailed checks


def trajectory(case: GameCase, seed: int) -> dict[str, object]:
    """Return numbers of a match that any difference would change."""
    path = made = 0
    rng = Rng(seed)
    weighed: list[float] = []
    for s in case.play_randomly(seed):
        path = compute_digest([path, s.digest(), len(s.legal), s.who])
        if made % OFTEN == 0 or s.over:
            for seat in (NOBODY, *range(s.seats)):
                path = compute_digest([path, s.resample(seat, rng).digest()])
            for seat in range(s.seats):
                weighed.append(sum(case.game.evaluator.features(s, seat)))
                if case.game.observer is not None:
                    path = compute_digest([path, *case.game.observe(s, seat)])
            points = [line.points for score in case.game.scores(s) for line in score.lines]
            path = compute_digest([path, *points, perft(s, 1)])
        made += 1
    return {"decisions": made - 1, "path": path, "weighed": sum(weighed)}


def play_study_row(game: Game) -> dict[str, object]:
    """Return the row of a study match on the first edition with another number."""
    other = next(
        {number.path: value}
        for number in list_numbers(game)
        for value in (number.low, number.high)
        if value != number.value and not number.hidden and not find_change_faults(game, {number.path: value})
    )
    plan = make_comparison_plan(
        Study(game.id, bots=("random",), also=(), matches=10, editions=(EditionRequest("other", other),), seed=5)
    )
    cell = next(cell for cell in plan.list_part_matches(0) if plan.arms[cell.arm].edition == 1)
    notes = TableBuilder()
    match = play_study_match(plan, cell, notes)
    return {
        "edition": plan.editions[1].hash,
        "record": match.to_record().dumps(),
        "things": notes.columns["things"],
        "scale": with_weights(game, game.weights.values).weights.scale,
    }


def play_positions(game: Game) -> list[str]:
    """Return every position that shows a rule, with the digest after its option or the rule that refuses it."""
    told: list[str] = []
    for positions in load_rule_positions(game).by_rule.values():
        for position in positions:
            s = position.record.replay(game=game)
            o = find_option(game, s, position)
            rule = s.refusal(o)
            if rule is None:
                s.play(o)
            told.append(f"{position.rule} {position.option}: {rule.number if rule else s.digest() == position.digest}")
    return told


def files(asked: list[Game]) -> list[str]:
    """Return the files from which the kernel and the rules of some games were loaded."""
    rules = [sys.modules[type(game.deal(game.seats[0], 1)).__module__] for game in asked]
    return [str(module.__file__) for module in (state, *rules)]


def build(file: str) -> str:
    """Return the build of a module, compiled or interpreted."""
    return "interpreted" if file.endswith(".py") else "compiled"


def main() -> None:
    """Print the digests of one match of each case."""
    asked = [game for game in ALL_GAMES if game.id in sys.argv[1:]]
    matches = {repr(case): trajectory(case, 11) for game in asked for case in sample_cases(game)}
    studies = {game.id: play_study_row(game) for game in asked if game.id in list_games()}
    found = files([game for game in asked if game.id in list_games()])
    copied = {game.id: list_copies(game) for game in asked if game.id in list_games()}
    told = {
        "builds": [build(file) for file in found],
        "files": found,
        "matches": matches,
        "studies": studies,
        "copies": copied,
        "positions": {game.id: play_positions(game) for game in asked if game.id in list_games()},
    }
    json.dump(told, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
