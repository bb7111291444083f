"""How good a position looks to each seat, by the title's own features and weights. Compiled with the kernel."""

from triclinium.kernel.state import NOBODY, Option, Seat, State

FINISH_MOST = 40  # own decisions that `finish` makes at most


def value(s: State, seat: Seat, weights: list[float]) -> float:
    """The features of a seat, weighed: about so many points."""
    total = 0.0
    numbers = s.features(seat)
    for i in range(len(weights)):
        total += weights[i] * numbers[i]
    return total


def finish(s: State, seat: Seat, weights: list[float]) -> None:
    """Play on for the seat, each time the option that looks best, until its action is done."""
    made = 0
    while s.who == seat and made < FINISH_MOST and not s.quiet():
        s.choose(best_option(s, seat, weights))
        made += 1


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


def shares(s: State, weights: list[float], scale: float) -> list[float]:
    """Each seat's share of the win: who leads by ``scale`` points is about three times as likely to win."""
    if s.who == NOBODY:
        return result_shares(s)
    worth = [value(s, seat, weights) for seat in range(s.seats)]
    top = max(worth)
    odds = [2.718281828459045 ** ((w - top) / scale) for w in worth]
    total = sum(odds)
    return [odd / total for odd in odds]


def result_shares(s: State) -> list[float]:
    """The win, split among those who share it."""
    winners = [score.seat for score in s.scores() if score.rank == 1]
    share = 1.0 / len(winners)
    return [share if seat in winners else 0.0 for seat in range(s.seats)]
