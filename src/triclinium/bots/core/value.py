"""How good a position looks to each seat, by the title's own features and weights. Compiled with the kernel."""

from math import exp

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Title

WEIGH_MOST = 1200  # positions that `weigh` looks at, or hardly more: a long row of wide decisions would take seconds
SETTLE_MOST = 1500  # positions that `settle_down` looks at: a round of five in testoftime takes so many


def value(s: State, seat: Seat, weights: list[float]) -> float:
    """The features of a seat, weighed: about so many points."""
    total = 0.0
    numbers = s.features(seat)
    for i in range(len(weights)):
        total += weights[i] * numbers[i]
    return total


def finish(s: State, seat: Seat, weights: list[float], most: int) -> int:
    """Play on for the seat, each time the option that looks best, until its action is done or enough was looked at.

    Says how many positions were.
    """
    looked = 0
    while s.who == seat and looked + len(s.legal) <= most and not s.quiet():
        looked += len(s.legal)
        s.choose(best_option(s, seat, weights))
    return looked


def settle_down(s: State, weights: list[float]) -> None:
    """Play on for whoever is asked, each time the option that looks best, until no action is half done."""
    looked = 0
    while looked < SETTLE_MOST and not s.quiet():
        looked += len(s.legal)
        s.choose(best_option(s, s.who, weights))


def best_option(s: State, seat: Seat, weights: list[float]) -> Option:
    """The option after which the position looks best to the seat; the first among equals."""
    legal = s.legal
    best = legal[0]
    if len(legal) == 1:
        return best
    most = -1e30
    for o in legal:
        after = s.clone()
        after.choose(o)
        worth = value(after, seat, weights)
        if worth > most:
            most = worth
            best = o
    return best


def weigh(s: State, seat: Seat, weights: list[float], worlds: int, rng: Rng) -> list[float]:
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
            finish(after, seat, weights, each)
            worth[n] += value(after, seat, weights) / worlds
    return worth


def odds(worth: list[float], scale: float) -> list[float]:
    """Numbers that sum to one: who is ``scale`` points ahead of another has 2.7 times its part."""
    top = max(worth)
    parts = [exp((w - top) / scale) for w in worth]
    total = sum(parts)
    return [part / total for part in parts]


class Judge:
    """What the features say of the win: a weight for each when the match begins, and one when it ends."""

    early: list[float]  # in logarithms of odds; between the two, by how far the match has come
    late: list[float]
    turn: list[float]  # what it is worth to be asked: early, late
    many: float  # how many times less all this says with more than two seats

    def __init__(self, early: list[float], late: list[float], turn: list[float], many: float = 1.0) -> None:
        self.early = early
        self.late = late
        self.turn = turn
        self.many = many

    def shares(self, s: State) -> list[float]:
        """Each seat's share of the win: the result of a finished match, else what the features say."""
        if s.who == NOBODY:
            return result_shares(s)
        late = s.progress()
        early = 1.0 - late
        weights: list[float] = []
        for i in range(len(self.early)):
            weights.append(early * self.early[i] + late * self.late[i])
        worth = [value(s, seat, weights) for seat in range(s.seats)]
        worth[s.who] += early * self.turn[0] + late * self.turn[1]
        return odds(worth, self.many if s.seats > 2 else 1.0)


def judge_of(title: Title) -> Judge:
    """Who judges a title's positions for the bots that search."""
    return Judge(title.early, title.late, title.turn, title.many)


def result_shares(s: State) -> list[float]:
    """The win, split among those who share it."""
    winners = [score.seat for score in s.scores() if score.rank == 1]
    share = 1.0 / len(winners)
    return [share if seat in winners else 0.0 for seat in range(s.seats)]
