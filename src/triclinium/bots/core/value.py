"""How good a position looks to each seat, by the game's own features and weights."""

from math import exp

from triclinium.bots.core.restriction import Restriction
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import ASK, NOBODY, Option, Seat, State
from triclinium.engine.core.weights import Weights

MAX_WEIGHED_POSITIONS = (
    1200  # positions that `weigh` looks at, or hardly more: a long row of wide decisions would take seconds
)


def evaluate_position(ai: Evaluator, s: State, seat: Seat, weights: list[float]) -> float:
    """The features of a seat, weighed: about so many points."""
    return compute_weighted_sum(ai.features(s, seat), weights)


def compute_weighted_sum(numbers: list[float], weights: list[float]) -> float:
    """Features times their weights, in this order on every build."""
    total = 0.0
    for i in range(len(weights)):
        total += weights[i] * numbers[i]
    return total


def list_plannable_options(ai: Evaluator, s: State, restriction: Restriction | None) -> list[Option]:
    """What a plan goes on with: within an action what is sensible, between actions everything that is not banned."""
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
    """Play on for the seat, each time the option that looks best, until its action is done or enough was looked at.

    Says how many positions were. ``quick``: what the evaluator decides at a glance is not looked at.
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
    """The option after which the position looks best to the seat; the first among equals."""
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


def weigh_options(
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    worlds: int,
    rng: Rng,
    restriction: Restriction | None = None,
) -> list[float]:
    """What each legal option is worth to the seat once its action is finished, on average over a few worlds."""
    legal = s.legal
    worth = [0.0] * len(legal)
    each = MAX_WEIGHED_POSITIONS // (worlds * len(legal))
    for i in range(worlds):
        # In one world every option meets the same chance: luck does not decide between them.
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
    """What `weigh` weighs: the features after each legal option, its action finished, on average over a few worlds."""
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
    """Numbers that sum to one: who is ``scale`` points ahead of another has 2.7 times its part."""
    top = max(worth)
    parts = [exp((w - top) / scale) for w in worth]
    total = sum(parts)
    return [part / total for part in parts]


class ValueModel:
    """What the features say of the win: a weight for each when the match begins, and one when it ends."""

    ai: Evaluator
    opening: list[float]  # in logarithms of odds; between the two, by how far the match has come
    endgame: list[float]
    turn: list[float]  # what it is worth to be asked: when the match begins, when it ends
    crowd_factor: float  # how many times less all this says with more than two seats

    def __init__(self, ai: Evaluator, weights: Weights) -> None:
        self.ai = ai
        self.opening = weights.opening
        self.endgame = weights.endgame
        self.turn = weights.turn
        self.crowd_factor = weights.crowd_factor

    def predict_win_shares(self, s: State) -> list[float]:
        """Each seat's share of the win: the result of a finished match, else what the features say."""
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
    """The win, split among those who share it."""
    winners = [score.seat for score in ai.scores(s) if score.rank == 1]
    share = 1.0 / len(winners)
    return [share if seat in winners else 0.0 for seat in range(s.seats)]
