"""The worlds that a search plays in, and what each says of the win by itself.

Hidden cards say something of the win before anything is chosen, and an option that was tried in kind worlds would look
better than it is. What a world says by itself is therefore taken off the results that are found in it, as far as
results follow it (a control variate).
"""

from triclinium.bots.core.value import ValueModel
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State

INITIAL_WORLDS = 8  # worlds that say what is usual
PRIOR_WEIGHT = 2.0  # times as many results does the first guess count for: that results follow their worlds wholly
TOLERANCE = 1e-6  # worlds that say the same but for this say the same


class Baseline:
    """Worlds by number, what each says of the win, and how far results follow it."""

    root_state: State
    seat: Seat  # that cannot tell these worlds from the given one
    model: ValueModel
    first_seed: int  # the seed of the first world
    shares_by_world: dict[int, list[float]]  # by world: each seat's share of the win before the first option
    mean_shares: list[float]
    is_uniform: bool  # all worlds say the same: nothing is to be taken off
    results: int
    total: float  # of the results of the seat
    covariance_sum: float  # what is unusual in worlds by what is unusual in results, summed
    variance_sum: float  # what is unusual in worlds, squared and summed

    def __init__(self, root_state: State, seat: Seat, model: ValueModel, first_seed: int) -> None:
        self.root_state = root_state
        self.seat = seat
        self.model = model
        self.first_seed = first_seed
        self.shares_by_world = {}
        self.is_uniform = False
        first = range(INITIAL_WORLDS)
        for n in first:
            self.sample_world(n)
        self.mean_shares = [
            sum([self.shares_by_world[n][i] for n in first]) / INITIAL_WORLDS for i in range(root_state.seats)
        ]
        self.variance_sum = PRIOR_WEIGHT * sum(
            [(self.shares_by_world[n][seat] - self.mean_shares[seat]) ** 2 for n in first]
        )
        self.covariance_sum = self.variance_sum
        self.is_uniform = self.variance_sum < TOLERANCE * TOLERANCE
        self.results = 0
        self.total = 0.0

    def sample_world(self, n: int) -> State:
        """The world of this number."""
        s = self.root_state.resample(self.seat, Rng(self.first_seed + n))
        if not self.is_uniform and n not in self.shares_by_world:
            self.shares_by_world[n] = self.model.predict_win_shares(s)
        return s

    def subtract_baseline(self, n: int, results: list[float]) -> list[float]:
        """The results less what the world of this number says by itself."""
        if self.is_uniform:
            return results
        shares = self.shares_by_world[n]
        deviation = shares[self.seat] - self.mean_shares[self.seat]
        self.results += 1
        self.total += results[self.seat]
        self.covariance_sum += deviation * (results[self.seat] - self.total / self.results)
        self.variance_sum += deviation * deviation
        slope = self.covariance_sum / self.variance_sum
        return [results[i] - slope * (shares[i] - self.mean_shares[i]) for i in range(len(results))]
