"""Write the golden files: whole matches as records with their digests, and perft counts.

    python -m tests.golden              all games
    python -m tests.golden evangelists  one game

Until version 1.0.0 a change of rules, data or chance may rewrite them, in a commit of its own that says why.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.matches import RECORDS, list_cases, list_our_games
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import perft, rollout
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.testing.random_matches import GameCase, select_covering_cases

HERE = Path(__file__).parent
PERFT = HERE / "perft"
MOST = 25  # number of records for each game
LINES = 20_000  # the largest count of a perft line
WHIM = 5  # one decision in this many is random
NODES = 2_000  # maximum number of expanded positions


def golden_cases(game: Game) -> list[GameCase]:
    """Return every case. For a game with many, return each number of seats and each choice of variants once."""
    found = list_cases(game)
    return found if len(found) <= MOST else select_covering_cases(found)


def play(case: GameCase, seed: int) -> Match:
    """Play a match with greedy bots and some random decisions, so that rare rules are covered too."""
    match = Match(case.game, case.seats, seed, case.variants)
    greedy = create_bot("greedy", case.game)
    rng = Rng(seed + 1)
    while not match.state.over:
        whim = rng.below(WHIM) == 0
        o = rng.pick(match.state.options()) if whim else choose_option(greedy, match.state, rng)
        match.play(case.game.format_option(o))
    return match


def write_records(game: Game) -> None:
    folder = RECORDS / game.id
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.rec"):
        old.unlink()
    lines: list[str] = []
    for i, case in enumerate(golden_cases(game)):
        match = play(case, 100 + i)
        (folder / case.record_name).write_text(match.record.dumps(), encoding="utf-8")
        lines.append(f"{case.record_name} {match.state.digest()}\n")
    (folder / "digests.txt").write_text("".join(sorted(lines)), encoding="utf-8")


def named_state(game: Game, seats: int, seed: int, made: int) -> State:
    """Return the state after this many random decisions."""
    s = game.deal(seats, seed)
    assert rollout(s, Rng(seed), made) == made
    return s


def perft_lines(game: Game, seats: int, seed: int) -> Iterator[str]:
    """Yield perft counts from four moments of a match, as deep as they are fast to count."""
    length = rollout(game.deal(seats, seed), Rng(seed), game.max_decisions)
    for quarter in range(4):
        made = length * quarter // 4
        s = named_state(game, seats, seed, made)
        opened = 1
        for depth in range(1, 9):
            if opened > NODES:
                break
            count = perft(s, depth)
            if count > LINES:
                break
            yield f"{seats} {seed} {made} {depth} {count}\n"
            opened = count


def write_perft(game: Game) -> None:
    lines = ["# seats, seed, random decisions made first, depth, lines of play\n"]
    for seats in game.seats:
        lines += perft_lines(game, seats, 7)
    (PERFT / f"{game.id}.txt").write_text("".join(lines), encoding="utf-8")


def main(names: list[str]) -> None:
    """Write the golden files of the given games, or of all games."""
    for game in list_our_games():
        if not names or game.id in names:
            write_records(game)
            write_perft(game)
            sys.stdout.write(f"{game.id}: {len(list((RECORDS / game.id).glob('*.rec')))} records\n")


if __name__ == "__main__":
    main(sys.argv[1:])
