"""How good a position looks to each seat, by the game's own features and weights."""

from math import exp

from triclinium.bots.core.restriction import Ban
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import ASK, NOBODY, Option, Seat, State
from triclinium.engine.core.weights import Weights

WEIGH_MOST = 1200  # positions that `weigh` looks at, or hardly more: a long row of wide decisions would take seconds


def value(ai: Evaluator, s: State, seat: Seat, weights: list[float]) -> float:
    """The features of a seat, weighed: about so many points."""
    return weighed(ai.features(s, seat), weights)


def weighed(numbers: list[float], weights: list[float]) -> float:
    """Features times their weights, in this order on every build."""
    total = 0.0
    for i in range(len(weights)):
        total += weights[i] * numbers[i]
    return total


def thinkable(ai: Evaluator, s: State, banned: Ban | None) -> list[Option]:
    """What a plan goes on with: within an action what is sensible, between actions everything that is not banned."""
    legal = s.legal if ai.is_stable(s) else ai.sensible(s)
    return legal if banned is None else banned.allowed(s, legal)


def finish(
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    most: int,
    banned: Ban | None = None,
    quick: bool = False,
) -> int:
    """Play on for the seat, each time the option that looks best, until its action is done or enough was looked at.

    Says how many positions were. ``quick``: what the evaluator decides at a glance is not looked at.
    """
    looked = 0
    while s.who == seat and looked + len(s.legal) <= most and not ai.is_stable(s):
        if quick and banned is None:
            o = ai.quick(s)
            if o != ASK:
                looked += 1
                s.choose(o)
                continue
        looked += len(s.legal)
        s.choose(best_option(ai, s, seat, weights, banned))
    return looked


def best_option(ai: Evaluator, s: State, seat: Seat, weights: list[float], banned: Ban | None = None) -> Option:
    """The option after which the position looks best to the seat; the first among equals."""
    legal = thinkable(ai, s, banned)
    best = legal[0]
    if len(legal) == 1:
        return best
    most = -1e30
    for o in legal:
        after = s.clone()
        after.choose(o)
        worth = value(ai, after, seat, weights)
        if worth > most:
            most = worth
            best = o
    return best


def weigh(
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    worlds: int,
    rng: Rng,
    banned: Ban | None = None,
) -> list[float]:
    """What each legal option is worth to the seat once its action is finished, on average over a few worlds."""
    legal = s.legal
    worth = [0.0] * len(legal)
    each = WEIGH_MOST // (worlds * len(legal))
    for i in range(worlds):
        # In one world every option meets the same chance: luck does not decide between them.
        here = s if i == 0 else s.resample(seat, rng)
        for n in range(len(legal)):
            after = here.clone()
            after.choose(legal[n])
            finish(ai, after, seat, weights, each, banned)
            worth[n] += value(ai, after, seat, weights) / worlds
    return worth


def features_after(
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    worlds: int,
    rng: Rng,
    banned: Ban | None = None,
) -> list[list[float]]:
    """What `weigh` weighs: the features after each legal option, its action finished, on average over a few worlds."""
    legal = s.legal
    size = len(weights)
    found = [[0.0] * size for _ in legal]
    each = WEIGH_MOST // (worlds * len(legal))
    for i in range(worlds):
        here = s if i == 0 else s.resample(seat, rng)
        for n in range(len(legal)):
            after = here.clone()
            after.choose(legal[n])
            finish(ai, after, seat, weights, each, banned)
            numbers = ai.features(after, seat)
            mean = found[n]
            for k in range(size):
                mean[k] += numbers[k] / worlds
    return found


def odds(worth: list[float], scale: float) -> list[float]:
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

    def shares(self, s: State) -> list[float]:
        """Each seat's share of the win: the result of a finished match, else what the features say."""
        if s.who == NOBODY:
            return result_shares(self.ai, s)
        late = self.ai.progress(s)
        early = 1.0 - late
        weights: list[float] = []
        for i in range(len(self.opening)):
            weights.append(early * self.opening[i] + late * self.endgame[i])
        worth = [value(self.ai, s, seat, weights) for seat in range(s.seats)]
        worth[s.who] += early * self.turn[0] + late * self.turn[1]
        return odds(worth, self.crowd_factor if s.seats > 2 else 1.0)


def result_shares(ai: Evaluator, s: State) -> list[float]:
    """The win, split among those who share it."""
    winners = [score.seat for score in ai.scores(s) if score.rank == 1]
    share = 1.0 / len(winners)
    return [share if seat in winners else 0.0 for seat in range(s.seats)]
