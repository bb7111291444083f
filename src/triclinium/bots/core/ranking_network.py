"""The policy ranking network: a small neural network that corrects the game's evaluation of options.

Its inputs are the features before and after an option, the verb, the progress of the match and the number of seats. Its
output is a correction of the option's evaluation in points. An untrained network returns 0.
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from triclinium.bots.core.restriction import Restriction
from triclinium.bots.core.value import compute_features_after, compute_weighted_sum
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State


class RankingNetwork:
    """A network with two hidden layers of `hidden` ReLU units each and a linear output."""

    hidden: i64
    size: i64  # number of features
    after: vec[float]  # weights of the first layer for the features after the option
    before: vec[float]  # weights of the first layer for the features before the option
    verb: vec[float]  # weights of the first layer for each verb
    context: vec[float]  # weights of the first layer in three rows: bias, progress of the match, number of seats
    second: vec[float]  # weights from the first to the second layer, one row for each unit of the second
    second_bias: vec[float]
    last: vec[float]
    verb_of_option: list[int]  # the verb index of each option; -1 for a verb without training data
    trust: float  # factor for the output; 0 for components without training data
    unit: float  # number of points for an output of 1

    def __init__(
        self,
        hidden: int,
        after: list[float],
        before: list[float],
        verb: list[float],
        context: list[float],
        second: list[float],
        second_bias: list[float],
        last: list[float],
        verb_of_option: list[int],
        unit: float,
        trust: float,
    ) -> None:
        self.hidden = hidden
        self.size = len(after) // hidden
        self.after = vec[float](after)
        self.before = vec[float](before)
        self.verb = vec[float](verb)
        self.context = vec[float](context)
        self.second = vec[float](second)
        self.second_bias = vec[float](second_bias)
        self.last = vec[float](last)
        self.verb_of_option = verb_of_option
        self.unit = unit
        self.trust = trust

    def predict(
        self, legal: list[Option], before: list[float], after: list[list[float]], progress: float, seats: int
    ) -> list[float]:
        """Return a correction in points for each option's evaluation."""
        shared_units = self.compute_shared_units(before, progress, float(seats))
        predictions: list[float] = []
        for n in range(len(legal)):
            predictions.append(
                self.trust * self.unit * self.score_option(shared_units, self.verb_of_option[legal[n]], after[n])
            )
        return predictions

    def compute_shared_units(self, before: list[float], progress: float, seats: float) -> vec[float]:
        """Return the first layer's inputs that are the same for all options of a decision."""
        hidden = self.hidden
        context = self.context
        units = vec[float](capacity=hidden)
        k: i64 = 0
        while k < hidden:
            units = append(units, context[k] + progress * context[hidden + k] + seats * context[2 * hidden + k])
            k += 1
        i: i64 = 0
        while i < self.size:
            self.add_row(units, self.before, i, before[i])
            i += 1
        return units

    def score_option(self, shared_units: vec[float], verb: int, after: list[float]) -> float:
        hidden = self.hidden
        units = vec[float](capacity=hidden)
        k: i64 = 0
        while k < hidden:
            units = append(units, shared_units[k])
            k += 1
        if verb >= 0:
            self.add_row(units, self.verb, verb, 1.0)
        i: i64 = 0
        while i < self.size:
            self.add_row(units, self.after, i, after[i])
            i += 1
        total = 0.0
        j: i64 = 0
        while j < hidden:
            activation = self.second_bias[j]
            row = j * hidden
            k = 0
            while k < hidden:
                if units[k] > 0.0:
                    activation += self.second[row + k] * units[k]
                k += 1
            if activation > 0.0:
                total += self.last[j] * activation
            j += 1
        return total

    def add_row(self, units: vec[float], rows: vec[float], row: i64, number: float) -> None:
        """Add a row of weights, times a number, to the units. Most features are 0 and take no time."""
        if number == 0.0:
            return
        first = row * self.hidden
        k: i64 = 0
        while k < self.hidden:
            units[k] = units[k] + rows[first + k] * number
            k += 1


def weigh_with_network(
    network: RankingNetwork,
    ai: Evaluator,
    s: State,
    seat: Seat,
    weights: list[float],
    worlds: int,
    rng: Rng,
    restriction: Restriction | None = None,
) -> list[float]:
    """Return the result of `weigh_options` plus the corrections of the network."""
    after = compute_features_after(ai, s, seat, weights, worlds, rng, restriction)
    worth = network.predict(s.legal, ai.features(s, seat), after, ai.progress(s), s.seats)
    for n in range(len(after)):
        worth[n] += compute_weighted_sum(after[n], weights)
    return worth
