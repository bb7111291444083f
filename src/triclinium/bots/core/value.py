"""Evaluation of positions for each seat, with the game's own features and weights."""

from math import exp

from triclinium.bots.core.restriction import Restriction
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import ASK, NOBODY, Option, Seat, State
from triclinium.engine.core.weights import Weights

# approximate limit of positions for `weigh_options`; a long series of wide decisions would take seconds
MAX_WEIGHED_POSITIONS = 1200
TIE = 1e-9  # values that differ by less are equal, because sums of floats depend on their order
DRAW_STEPS = 1_000_000  # number of equally likely draws from which `draw_option` chooses


def evaluate_position(ai: Evaluator, s: State, seat: Seat, weights: list[float]) -> float:
    """Return the weighted sum of a seat's features, roughly in points."""
    return compute_weighted_sum(ai.features(s, seat), weights)


def compute_weighted_sum(numbers: list[float], weights: list[float]) -> float:
    """Return the sum of features times weights, added in the same order on every build."""
    total = 0.0
    for i in range(len(weights)):
        total += weights[i] * numbers[i]
    return total


def list_plannable_options(ai: Evaluator, s: State, restriction: Restriction | None) -> list[Option]:
    """Return the options for planning: sensible ones within an action, all allowed ones between actions."""
    legal = s.legal if ai.is_stable(s) else ai.sensible_options(s)
    return legal if restriction is None else restriction.filter_options(s, legal)


def finish_action(
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    max_positions: int,
    restriction: Restriction | None = None,
    quick: bool = False,
) -> int:
    """Play the best-looking options for the seat until its action is finished or the limit is reached.

    Return the number of evaluated positions. With ``quick``, the evaluator's `quick_option` is taken without
    evaluation.
    """
    positions_seen = 0
    while s.who == seat and positions_seen + len(s.legal) <= max_positions and not ai.is_stable(s):
        if quick and restriction is None:
            o = ai.quick_option(s)
            if o != ASK:
                positions_seen += 1
                s.choose(o)
                continue
        positions_seen += len(s.legal)
        s.choose(find_best_option(ai, s, seat, weights, restriction))
    return positions_seen


def find_best_option(
    ai: Evaluator, s: State, seat: Seat, weights: list[float], restriction: Restriction | None = None
) -> Option:
    """Return the option after which the position looks best to the seat, the first one among equals."""
    legal = list_plannable_options(ai, s, restriction)
    best = legal[0]
    if len(legal) == 1:
        return best
    most = -1e30
    for o in legal:
        after = s.clone()
        after.choose(o)
        worth = evaluate_position(ai, after, seat, weights)
        if worth > most:
            most = worth
            best = o
    return best


def weigh_next_options(ai: Evaluator, s: State, seat: Seat, weights: list[float], worlds: int, rng: Rng) -> list[float]:
    """Return the mean evaluation of the position right after each legal option over a few worlds."""
    legal = s.legal
    worth = [0.0] * len(legal)
    for i in range(worlds):
        # In one world every option meets the same random draws, so that luck does not decide between options.
        here = s if i == 0 else s.resample(seat, rng)
        for n in range(len(legal)):
            after = here.clone()
            after.choose(legal[n])
            worth[n] += evaluate_position(ai, after, seat, weights) / worlds
    return worth


def pick_best_option(options: list[Option], worth: list[float], rng: Rng) -> Option:
    """Return one of the best options at random."""
    best = max(worth)
    return rng.pick([options[n] for n in range(len(options)) if worth[n] >= best - TIE])


def draw_option(options: list[Option], worth: list[float], scale: float, rng: Rng) -> Option:
    """Draw an option. A lead of ``scale`` points over another one makes it 2.7 times as likely."""
    drawn: int = rng.below(DRAW_STEPS)
    remaining = drawn / DRAW_STEPS
    chances = softmax(worth, scale)
    for n in range(len(options)):
        remaining -= chances[n]
        if remaining < 0:
            return options[n]
    return options[-1]


def weigh_options(
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    worlds: int,
    rng: Rng,
    restriction: Restriction | None = None,
) -> list[float]:
    """Return the mean evaluation of each legal option over a few worlds, after its action is finished."""
    legal = s.legal
    worth = [0.0] * len(legal)
    each = MAX_WEIGHED_POSITIONS // (worlds * len(legal))
    for i in range(worlds):
        # In one world every option meets the same random draws, so that luck does not decide between options.
        here = s if i == 0 else s.resample(seat, rng)
        for n in range(len(legal)):
            after = here.clone()
            after.choose(legal[n])
            finish_action(ai, after, seat, weights, each, restriction)
            worth[n] += evaluate_position(ai, after, seat, weights) / worlds
    return worth


def compute_features_after(
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    worlds: int,
    rng: Rng,
    restriction: Restriction | None = None,
) -> list[list[float]]:
    """Return the mean features after each legal option over a few worlds, with its action finished."""
    legal = s.legal
    size = len(weights)
    means = [[0.0] * size for _ in legal]
    each = MAX_WEIGHED_POSITIONS // (worlds * len(legal))
    for i in range(worlds):
        here = s if i == 0 else s.resample(seat, rng)
        for n in range(len(legal)):
            after = here.clone()
            after.choose(legal[n])
            finish_action(ai, after, seat, weights, each, restriction)
            numbers = ai.features(after, seat)
            mean = means[n]
            for k in range(size):
                mean[k] += numbers[k] / worlds
    return means


def softmax(worth: list[float], scale: float) -> list[float]:
    """Return numbers with the sum 1. A lead of ``scale`` points means a factor of 2.7."""
    top = max(worth)
    parts = [exp((w - top) / scale) for w in worth]
    total = sum(parts)
    return [part / total for part in parts]


class ValueModel:
    """A value model that predicts win shares from features, with weights for the beginning and the end of a match."""

    ai: Evaluator
    opening: list[float]  # effect on log odds at the beginning; interpolated with `endgame` by progress
    endgame: list[float]
    turn: list[float]  # effect of being asked, at the beginning and at the end of a match
    crowd_factor: float  # the predictions are divided by this with more than two seats

    def __init__(self, ai: Evaluator, weights: Weights) -> None:
        self.ai = ai
        self.opening = weights.opening
        self.endgame = weights.endgame
        self.turn = weights.turn
        self.crowd_factor = weights.crowd_factor

    def predict_win_shares(self, s: State) -> list[float]:
        """Return each seat's share of the win: the result of a finished match, otherwise a prediction from features."""
        if s.who == NOBODY:
            return compute_result_shares(self.ai, s)
        late = self.ai.progress(s)
        early = 1.0 - late
        weights: list[float] = []
        for i in range(len(self.opening)):
            weights.append(early * self.opening[i] + late * self.endgame[i])
        worth = [evaluate_position(self.ai, s, seat, weights) for seat in range(s.seats)]
        worth[s.who] += early * self.turn[0] + late * self.turn[1]
        return softmax(worth, self.crowd_factor if s.seats > 2 else 1.0)


def compute_result_shares(ai: Evaluator, s: State) -> list[float]:
    """Return the result as shares of the win, divided equally among the winners."""
    winners = [score.seat for score in ai.scores(s) if score.rank == 1]
    share = 1.0 / len(winners)
    return [share if seat in winners else 0.0 for seat in range(s.seats)]
