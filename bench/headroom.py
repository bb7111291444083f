"""Headroom of the bots: how much better than steady a choice can be, and how much of that each bot achieves.

    python -m bench.headroom evangelists --seats 4 --bots strong@25x,strong@65x --positions 200

Every bot chooses in positions from matches of steady. In addition, some references play on from a few options in a few
worlds, where each seat takes what looks best. `1 turn` uses the value model at the end of this turn and one more own
turn. `ends` plays matches to their end. Further playouts in common worlds then measure every chosen option. The results
are points ahead of the best rival and shares of the win, both relative to steady's choice.
"""

import argparse
import sys
from collections.abc import Iterator
from statistics import fmean, stdev

from triclinium.bots import ask_bot, create_bot, derive_seed
from triclinium.bots.core.value import ValueModel, compute_features_after, compute_result_shares, find_best_option
from triclinium.engine import registry
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.game import Game

EACH = 10  # maximum number of positions from one match
FEW = 6  # number of best-looking options that `ends` compares
WORLDS = 12  # number of worlds for the first evaluation of these options
TURNS = 4  # number of columns: the value model is used after 0, 1, 2, ... further own turns
STEADY, ENDS = "steady+plain", "ends"
Worth = tuple[float, float]  # points ahead of the best rival, and the share of the win


def iterate_positions(game: Game, seats: int, seed: int) -> Iterator[tuple[State, Rng]]:
    """Yield an endless series of positions with a real choice, a few from each match."""
    player = create_bot(STEADY, game)
    for n in range(1_000_000):
        s, rng = game.deal(seats, derive_seed(seed, n)), Rng(derive_seed(seed, n, seats))
        met: list[State] = []
        while not s.over:
            if len(game.evaluator.sensible_options(s)) > 1 and game.ruled_option(s) is None:
                met.append(s.clone())
            s.choose(ask_bot(player, s, rng).option)
        order = list(range(len(met)))
        rng.shuffle(order)
        for i in order[:EACH]:
            yield met[i], rng


def play_to_end(game: Game, world: State, o: Option, seat: Seat) -> Worth:
    """Return the result of a match that continues with an option, where each seat takes what looks best."""
    s = world.clone()
    s.choose(o)
    while not s.over:
        s.legal = game.evaluator.sensible_options(s)
        s.choose(find_best_option(game.evaluator, s, s.who, game.weights.values))
    totals = [float(score.total or 0) for score in sorted(game.scores(s), key=lambda score: score.seat)]
    rivals = max(total for other, total in enumerate(totals) if other != seat)
    return totals[seat] - rivals, compute_result_shares(game.evaluator, s)[seat]


def evaluate_options(game: Game, s: State, options: list[Option], ends: int, rng: Rng) -> list[Worth]:
    """Return the average result of each option. The n-th playout of all options uses the same world."""
    points, wins = [0.0] * len(options), [0.0] * len(options)
    for _ in range(ends):
        world = s.resample(s.who, rng)
        for i, o in enumerate(options):
            ahead, won = play_to_end(game, world, o, s.who)
            points[i] += ahead / ends
            wins[i] += won / ends
    return list(zip(points, wins, strict=True))


def predict_later_win_shares(game: Game, model: ValueModel, world: State, o: Option, seat: Seat) -> list[float]:
    """Return the value model's win share for the seat at the end of this turn, after one more own turn, and so on."""
    s = world.clone()
    s.choose(o)
    found: list[float] = []
    own = True
    while not s.over:
        if game.evaluator.is_stable(s):
            if own and s.who != seat:
                found.append(model.predict_win_shares(s)[seat])
                if len(found) == TURNS:
                    return found
            own = s.who == seat
        s.legal = game.evaluator.sensible_options(s)
        s.choose(find_best_option(game.evaluator, s, s.who, game.weights.values))
    return found + [model.predict_win_shares(s)[seat]] * (TURNS - len(found))


def find_best_looking_options(game: Game, s: State, rng: Rng) -> list[Option]:
    """Return the few best-looking options."""
    legal = game.evaluator.sensible_options(s)
    world = s.resample(s.who, rng)
    world.legal = legal
    weights = game.weights.values
    after = compute_features_after(game.evaluator, world, s.who, weights, WORLDS, rng)
    looks = [sum(weight * number for weight, number in zip(weights, row, strict=True)) for row in after]
    return [legal[i] for i in sorted(range(len(legal)), key=lambda i: -looks[i])[:FEW]]


def find_best_options_by_turns(game: Game, s: State, few: list[Option], worlds: int, rng: Rng) -> list[Option]:
    """Return the option that the value model prefers after each number of turns."""
    model = ValueModel(game.evaluator, game.weights)
    sums = [[0.0] * len(few) for _ in range(TURNS)]
    for _ in range(worlds):
        world = s.resample(s.who, rng)
        for i, o in enumerate(few):
            for row, share in zip(sums, predict_later_win_shares(game, model, world, o, s.who), strict=True):
                row[i] += share
    return [few[row.index(max(row))] for row in sums]


def measure_gains(game: Game, names: list[str], s: State, ends: int, rng: Rng) -> list[Worth]:
    """Return the gains over steady's choice: for each bot, each number of turns, and finally for `ends`."""
    usual = ask_bot(create_bot(STEADY, game), s, rng).option
    chosen = [ask_bot(create_bot(name, game), s, rng).option for name in names]
    few = find_best_looking_options(game, s, rng)
    chosen += find_best_options_by_turns(game, s, few, ends, rng)
    found = evaluate_options(game, s, few, ends, rng)
    chosen.append(few[found.index(max(found))])
    options = sorted({usual, *chosen})
    if len(options) == 1:
        return [(0.0, 0.0)] * len(chosen)
    worth = dict(zip(options, evaluate_options(game, s, options, ends, rng), strict=True))
    return [(worth[o][0] - worth[usual][0], worth[o][1] - worth[usual][1]) for o in chosen]


def format_row(name: str, found: list[Worth]) -> str:
    parts = [
        f"{fmean(column):+.{digits}f} ±{stdev(column) / len(column) ** 0.5:.{digits}f} {unit}"
        for column, digits, unit in zip(zip(*found, strict=True), (2, 4), ("points", "of a win"), strict=True)
    ]
    return f"  {name:16} {', '.join(parts)}\n"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("game")
    asked.add_argument("--seats", type=int)
    asked.add_argument("--bots", default="strong@300x", help="bots to measure, A,B,... (default: %(default)s)")
    asked.add_argument("--positions", type=int, default=200)
    asked.add_argument("--ends", type=int, default=32, help="playouts for each option (default: %(default)s)")
    asked.add_argument("--seed", type=int, default=1)
    args = asked.parse_args()
    game = registry.load_game(args.game)
    seats, names = args.seats or game.seats[0], args.bots.split(",")
    columns = [*names, *(f"{n} turn{'' if n == 1 else 's'}" for n in range(TURNS)), ENDS]
    found: list[list[Worth]] = [[] for _ in columns]
    for (s, rng), number in zip(iterate_positions(game, seats, args.seed), range(1, args.positions + 1), strict=False):
        for column, gained in zip(found, measure_gains(game, names, s, args.ends, rng), strict=True):
            column.append(gained)
        if number % EACH == 0 or number == args.positions:
            build = "compiled" if is_compiled() else "interpreted"
            sys.stdout.write(f"{game.id}, {seats} seats, {build}: {number} positions, a decision more than steady\n")
            sys.stdout.write("".join(format_row(name, column) for name, column in zip(columns, found, strict=True)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
