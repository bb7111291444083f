"""Measurements of beliefs about hidden cards: what the choices of rivals say, and what knowing the cards is worth.

    python -m bench.beliefs portals --matches 200 --workers 16
    python -m bench.beliefs portals --open strong@260x,steady --matches 300 --workers 16

The first command plays matches of steady. At some decisions of each match, the true world competes with possible
worlds of the deciding seat. The weight of a world is the probability of the rivals' last choices in it, where a rival
draws its option by a softmax of the evaluation after the whole action. The result is the mean of log2 of the true
world's weight divided by the mean weight: 0 bits without information. The temperature is fitted to other matches. With
`tempered`, the weights get the largest exponent that keeps the effective sample size above a third.

The second command measures an upper limit. The first bot plays against copies of the second one, once as usual and
once with the hands of its rivals open.
"""

import argparse
import sys
from math import exp, log, log2
from statistics import fmean, stdev
from typing import NamedTuple

from triclinium.bots import ask_bot, create_bot, derive_seed
from triclinium.bots.core.value import softmax, weigh_options
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.registry import load_game
from triclinium.games.missionnaires.rules.state import ALL, Missionnaires
from triclinium.games.portals.rules.state import Portals
from triclinium.lab.simulation import map_in_order

PLAYER = "steady+plain"
TEMPERATURES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # in units of `scale`
EXPONENTS = (1.0, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05, 0.03, 0.0)
MIN_SAMPLE = 1 / 3  # minimum effective sample size, as a share of the worlds
ILLEGAL = 1e-4  # probability of a choice that a world does not offer
CHOICE_WORLDS = 2  # worlds of the rival in which its options are evaluated
Cards = dict[int, int]  # for each hidden card of the true world, the card in its place in another world


class Choice(NamedTuple):
    """A decision of a match: the position before it, and the chosen option."""

    position: State
    option: Option


class Moment(NamedTuple):
    """The evaluations of the rivals' options at one moment: by choice, by world (the true one first), by option."""

    values: list[list[list[float]]]
    chosen: list[list[int]]  # by choice and world: the index of the option, or -1 if the world does not offer it


def list_hidden_places(s: State, seat: Seat) -> list[int]:
    """Return the cards of the places that a seat may not know, in an order that all its possible worlds share."""
    if isinstance(s, Portals):
        held = [card for who in range(s.seats) if who != seat for card in s.hands[who]]
        return [*held, *s.old, *s.new, *s.unused, *s.buried]
    assert isinstance(s, Missionnaires)
    return [card for who in range(s.seats) if who != seat for card in s.hand[who]] + list(s.reserve)


def exchange_cards(s: State, seat: Seat, cards: Cards) -> State:
    """Return an earlier position of the match with other cards in the places that the seat did not know."""
    t = s.clone()
    if isinstance(t, Portals):
        t.hands = [
            hand if who == seat else tuple([cards.get(card, card) for card in hand]) for who, hand in enumerate(t.hands)
        ]
        t.old, t.new, t.unused, t.buried = (
            [cards.get(card, card) for card in pile] for pile in (t.old, t.new, t.unused, t.buried)
        )
        t.legal = t.asked.options(t)
    else:
        assert isinstance(t, Missionnaires)
        t.hand = tuple(tuple(cards.get(card, card) for card in hand) for hand in t.hand)
        t.reserve = tuple(cards.get(card, card) for card in t.reserve)
        t.legal = t.asked.options(t)
    return t


def evaluate_choice(game_id: str, choice: Choice, seat: Seat, cards: Cards, seed: int) -> tuple[list[float], int]:
    """Return the rival's evaluation of its options in a world, and the index of the option that it chose."""
    game, rng = load_game(game_id), Rng(seed)
    rival = choice.position.who
    world = exchange_cards(choice.position, seat, cards).resample(rival, rng)
    world.legal = game.evaluator.sensible_options(world)
    index = world.legal.index(choice.option) if choice.option in world.legal else -1
    if len(world.legal) == 1:
        return [0.0], index
    return weigh_options(game.evaluator, world, rival, game.weights.values, CHOICE_WORLDS, rng), index


def play_match(game_id: str, seats: int, seed: int) -> list[Choice]:
    """Return the decisions of a match."""
    game, rng = load_game(game_id), Rng(seed)
    player, s = create_bot(PLAYER, game), game.deal(seats, seed)
    choices: list[Choice] = []
    while not s.over:
        o = ask_bot(player, s, rng).option
        choices.append(Choice(s.clone(), o))
        s.choose(o)
    return choices


def measure_match(args: argparse.Namespace, number: int) -> list[Moment]:
    """Return the evaluations at some moments of one match."""
    seed = derive_seed(args.seed, number)
    choices, rng = play_match(args.game, args.seats, seed), Rng(derive_seed(seed, 1))
    moments: list[Moment] = []
    for _ in range(args.moments):
        n = rng.below(len(choices) - 1) + 1
        s = choices[n].position
        past = [choice for choice in choices[:n] if choice.position.who != s.who][-args.last :]
        truth = list_hidden_places(s, s.who)
        deals = [truth] + [list_hidden_places(s.resample(s.who, rng), s.who) for _ in range(args.worlds)]
        worlds = [{real: other for real, other in zip(truth, deal, strict=True) if real != other} for deal in deals]
        found = [
            [evaluate_choice(args.game, choice, s.who, cards, derive_seed(seed, n, k)) for cards in worlds]
            for k, choice in enumerate(past)
        ]
        moments.append(Moment([[v for v, _ in row] for row in found], [[i for _, i in row] for row in found]))
    return moments


def weigh_worlds(moment: Moment, temperature: float) -> list[float]:
    """Return the logarithm of the weight of each world, the true one first."""
    weights: list[float] = []
    for world in range(len(moment.values[0]) if moment.values else 0):
        total = 0.0
        for values, chosen in zip(moment.values, moment.chosen, strict=True):
            index = chosen[world]
            chance = softmax(values[world], temperature)[index] if index >= 0 else 0.0
            total += log(max(ILLEGAL, chance))
        weights.append(total)
    return weights


def measure_bits(logs: list[float], exponent: float) -> tuple[float, float]:
    """Return log2 of the true world's weight over the mean weight, and the effective sample size as a share."""
    top = max(logs)
    weights = [exp(exponent * (each - top)) for each in logs]
    total = sum(weights)
    size = total * total / sum(weight * weight for weight in weights) / len(weights)
    return log2(max(1e-300, weights[0] * len(weights) / total)), size


def report_bits(args: argparse.Namespace, matches: list[list[Moment]]) -> None:
    """Print the bits at the temperature that predicts the choices of the first third of the matches best."""
    scale = load_game(args.game).weights.scale
    fitted = len(matches) // 3
    predictions = {
        t: sum(weigh_worlds(moment, t * scale)[0] for match in matches[:fitted] for moment in match if moment.values)
        for t in TEMPERATURES
    }
    best = max(predictions, key=lambda t: predictions[t])
    sys.stdout.write(f"{args.game}, {args.seats} seats, temperature {best} of scale, {len(matches) - fitted} matches\n")
    for name in ("exponent 1", "tempered"):
        bits: list[float] = []
        sizes: list[float] = []
        for match in matches[fitted:]:
            row: list[float] = []
            for moment in match:
                logs = weigh_worlds(moment, best * scale)
                if logs:
                    options = EXPONENTS[:1] if name == "exponent 1" else EXPONENTS
                    found = [measure_bits(logs, exponent) for exponent in options]
                    gained, size = next((each for each in found if each[1] >= MIN_SAMPLE), found[-1])
                    row.append(gained)
                    sizes.append(size)
            if row:
                bits.append(fmean(row))
        error = stdev(bits) / len(bits) ** 0.5
        sys.stdout.write(f"  {name:12} {fmean(bits):+.3f} ± {error:.3f} bits, effective size {fmean(sizes):.0%}\n")


def open_hands(s: State) -> State:
    """Return the position in which the deciding seat knows the hands of all rivals."""
    t = s.clone()
    if isinstance(t, Portals):
        t.known_in_hand = [(1 << len(hand)) - 1 for hand in t.hands]
    else:
        assert isinstance(t, Missionnaires)
        t.hand_seen = tuple(tuple(ALL for _ in seen) for seen in t.hand_seen)
    return t


def play_open_match(task: tuple[argparse.Namespace, bool], number: int) -> float:
    """Return the first bot's share of the win in a match, with open or hidden hands of the others."""
    args, is_open = task
    game = load_game(args.game)
    deal, place = divmod(number, args.seats)
    names = args.open.split(",")
    s = game.deal(args.seats, derive_seed(args.seed, deal), game.read_variants(dict(args.variants)))
    bots = [create_bot(names[0] if seat == place else names[1], game) for seat in range(args.seats)]
    rngs = [Rng(derive_seed(args.seed, deal, place, seat)) for seat in range(args.seats)]
    played: list[Option] = []
    while not s.over:
        seen = open_hands(s) if is_open and s.who == place else s
        o = ask_bot(bots[s.who], seen, rngs[s.who], played).option
        played.append(o)
        s.choose(o)
    winners = [score.seat for score in game.scores(s) if score.rank == 1]
    return (place in winners) / len(winners)


def report_open_matches(args: argparse.Namespace) -> None:
    """Print the first bot's share of the wins with hidden and with open hands, and the difference on equal deals."""
    shares = [
        list(map_in_order(play_open_match, (args, is_open), range(args.matches), args.workers))
        for is_open in (False, True)
    ]
    gains = [after - before for before, after in zip(*shares, strict=True)]
    for name, column in zip(("hidden", "open", "difference"), (*shares, gains), strict=True):
        error = stdev(column) / len(column) ** 0.5
        sys.stdout.write(f"  {name:12} {fmean(column):.3f} ± {error:.3f}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("portals", "missionnaires"))
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--moments", type=int, default=2, help="decisions of each match (default: %(default)s)")
    parser.add_argument("--worlds", type=int, default=31, help="worlds for each decision (default: %(default)s)")
    parser.add_argument("--last", type=int, default=40, help="choices of the rivals that count (default: %(default)s)")
    parser.add_argument("--open", default="", metavar="BOT,RIVAL", help="play with open hands instead")
    parser.add_argument("--variants", type=lambda text: [text.split("=")], default=[], metavar="NAME=VALUE")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.open:
        report_open_matches(args)
    else:
        report_bits(args, list(map_in_order(measure_match, args, range(args.matches), args.workers)))


if __name__ == "__main__":
    main()
