"""The worlds that a search plays in, and what each says of the win by itself.

Hidden cards say something of the win before anything is chosen, and an option that was tried in kind worlds would look
better than it is. What a world says by itself is therefore taken off the results that are found in it, as far as
results follow it (a control variate).
"""

from triclinium.bots.core.value import ValueModel
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State

FIRST = 8  # worlds that say what is usual
TRUSTED = 2.0  # times as many results does the first guess count for: that results follow their worlds wholly
ALIKE = 1e-6  # worlds that say the same but for this say the same


class Baseline:
    """Worlds by number, what each says of the win, and how far results follow it."""

    given: State
    seat: Seat  # that cannot tell these worlds from the given one
    model: ValueModel
    luck: int  # the seed of the first world
    told: dict[int, list[float]]  # by world: each seat's share of the win before the first option
    usual: list[float]
    even: bool  # all worlds say the same: nothing is to be taken off
    results: int
    total: float  # of the results of the seat
    together: float  # what is unusual in worlds by what is unusual in results, summed
    squares: float  # what is unusual in worlds, squared and summed

    def __init__(self, given: State, seat: Seat, model: ValueModel, luck: int) -> None:
        self.given = given
        self.seat = seat
        self.model = model
        self.luck = luck
        self.told = {}
        self.even = False
        first = range(FIRST)
        for n in first:
            self.world(n)
        self.usual = [sum([self.told[n][i] for n in first]) / FIRST for i in range(given.seats)]
        self.squares = TRUSTED * sum([(self.told[n][seat] - self.usual[seat]) ** 2 for n in first])
        self.together = self.squares
        self.even = self.squares < ALIKE * ALIKE
        self.results = 0
        self.total = 0.0

    def world(self, n: int) -> State:
        """The world of this number."""
        s = self.given.resample(self.seat, Rng(self.luck + n))
        if not self.even and n not in self.told:
            self.told[n] = self.model.shares(s)
        return s

    def without(self, n: int, results: list[float]) -> list[float]:
        """The results less what the world of this number says by itself."""
        if self.even:
            return results
        told = self.told[n]
        unusual = told[self.seat] - self.usual[self.seat]
        self.results += 1
        self.total += results[self.seat]
        self.together += unusual * (results[self.seat] - self.total / self.results)
        self.squares += unusual * unusual
        followed = self.together / self.squares
        return [results[i] - followed * (told[i] - self.usual[i]) for i in range(len(results))]
