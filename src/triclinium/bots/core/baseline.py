"""Baselines of the worlds in a search, to reduce the variance of its results.

Hidden cards influence the win before any option is chosen. An option tried in favourable worlds would look too good.
Each result is therefore corrected by the prediction for its world before the decision, as far as results correlate with
it. This method is known as control variates.
"""

from triclinium.bots.core.value import ValueModel
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State

INITIAL_WORLDS = 8  # number of worlds for the initial mean
# weight of the initial assumption that results follow the predictions fully, in multiples of the first worlds
PRIOR_WEIGHT = 2.0
TOLERANCE = 1e-6  # predictions that differ by less are equal


class Baseline:
    """Numbered worlds, their predicted win shares, and the correlation of results with these predictions."""

    root_state: State
    seat: Seat  # the seat that cannot distinguish these worlds from the root state
    model: ValueModel
    first_seed: int  # the seed of the first world
    shares_by_world: dict[int, list[float]]  # by world: each seat's predicted share of the win before the first option
    mean_shares: list[float]
    is_uniform: bool  # whether all worlds have equal predictions, so that no correction is needed
    results: int
    total: float  # sum of the results of the seat
    covariance_sum: float  # sum of the products of the deviations of worlds and results
    variance_sum: float  # sum of the squared deviations of worlds

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
        """Return the world with this number."""
        s = self.root_state.resample(self.seat, Rng(self.first_seed + n))
        if not self.is_uniform and n not in self.shares_by_world:
            self.shares_by_world[n] = self.model.predict_win_shares(s)
        return s

    def subtract_baseline(self, n: int, results: list[float]) -> list[float]:
        """Return the results minus the expected effect of the world with this number."""
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
