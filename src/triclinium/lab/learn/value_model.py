"""Value model for bots that search: win probabilities from the features of a position, fitted to matches.

The weights that a bot chooses with only rank the options of one decision; they need not predict the winner. For the
training data, bots play with randomly varied weights, different at each seat, so that good and bad plans meet. A
conditional logit is fitted to the stable positions of these matches: the odds of a seat are the exponential of its
weighted features. Each feature has one weight for the start and one for the end of a match, mixed by
`Evaluator.progress`.

If matches are long and few, the winner alone carries too little information. `fit_by_points` fits final point margins
instead, which say more about every match.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triclinium.bots import Bot, choose_option, create_bot, derive_seed
from triclinium.bots.core.value import compute_result_shares
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.lab.learn.weights import with_weights
from triclinium.lab.results import ValueModelReport

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]

WEIGHT_SPREADS = (0.0, 0.2, 0.5)  # Weights vary by a factor of about e to one of these values, drawn for each match.
RANDOM_MOVE_RATES = (0, 20, 60)  # Probability of a random option in thousandths, drawn for each match.
SEED_OFFSET = 2_000_000  # offset of the seeds of these matches
HELD_OUT_EVERY = 5  # Every fifth match is held out to validate the value model.
# Candidate ridge penalties that draw weights, in deviations of their feature, towards those of the bots.
RIDGES = (1e-3, 1e-2, 1e-1, 1.0)
POINT_RIDGES = (0.03, 0.1, 0.3, 1.0)  # candidate ridge penalties of the fit to points
MAX_NEWTON_STEPS = 40  # maximum number of Newton steps
TOLERANCE = 1e-6
EPSILON = 1e-12  # added to the diagonal, so that a constant feature does not make the matrix singular


@dataclass(frozen=True)
class Dataset:
    """Stable positions of matches with the results of the matches. The first index is the position."""

    features: Numbers  # features by seat; 0 for vacant seats
    seats: Whole  # number of seats
    asked: Whole  # the seat that must decide in the position
    progress: Numbers
    shares: Numbers  # share of the win, by seat
    match: Whole
    margins: Numbers  # final points minus the mean of all seats, by seat

    def select(self, chosen: NDArray[np.bool_]) -> "Dataset":
        """Return the chosen positions."""
        return Dataset(
            self.features[chosen],
            self.seats[chosen],
            self.asked[chosen],
            self.progress[chosen],
            self.shares[chosen],
            self.match[chosen],
            self.margins[chosen],
        )

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """Return a mask of the occupied seats."""
        return np.arange(self.shares.shape[1]) < self.seats[:, None]

    def compute_position_weights(self) -> Numbers:
        """Return the weight of each position. Every match has the same total weight."""
        each: Numbers = 1.0 / np.bincount(self.match)[self.match]
        each /= each.sum()
        return each


@dataclass(frozen=True)
class ValueModelFit:
    """A value model with its log loss and that of the weights alone on held-out matches."""

    weights: dict[str, list[float]]  # early and late weight of each feature, and of "turn"
    ridge: float  # ridge penalty with the best validation result
    cross_entropy: float
    baseline_cross_entropy: float


def fit_value_model(
    game: Game, bot_name: str, matches: int, seed: int, points: bool = False, keep_ratios: bool = False
) -> ValueModelReport:
    """Fit the scale and the value model of a game's weights to matches of this bot, without changing the game.

    With ``points`` the value model is fitted to final points instead of wins. With ``keep_ratios`` only four numbers
    are fitted: how much all weights count early and late, and the effect of being asked early and late.
    """
    data = build_dataset(game, bot_name, matches, seed)
    fitted = with_weights(game, game.weights.values)
    fitted.weights.scale = fit_scale(game, data)
    value_model = fit_by_points(fitted, data) if points else fit_by_wins(fitted, data, keep_ratios)
    return {
        "game": game.id,
        "bot": bot_name,
        "weights": {
            name: round(weight, 4) for name, weight in zip(game.weights.names, game.weights.values, strict=True)
        },
        "scale_before": game.weights.scale,
        "scale": fitted.weights.scale,
        "lessons": matches,
        "judge": value_model.weights,
        "surprise": value_model.cross_entropy,
        "surprise_before": value_model.baseline_cross_entropy,
    }


def build_dataset(game: Game, name: str, matches: int, seed: int) -> Dataset:
    """Return the stable positions of matches between bots of varied weights, with every number of seats in turn."""
    features: list[list[list[float]]] = []
    seats: list[int] = []
    asked: list[int] = []
    progress: list[float] = []
    shares: list[list[float]] = []
    match: list[int] = []
    margins: list[list[float]] = []
    most = game.seats[-1]
    ai = game.evaluator
    for number in range(matches):
        s = game.deal(game.seats[number % len(game.seats)], derive_seed(seed, SEED_OFFSET + number))
        rng = Rng(derive_seed(seed, SEED_OFFSET + number, 0))
        spread = WEIGHT_SPREADS[rng.below(len(WEIGHT_SPREADS))]
        players = [make_varied_bot(game, name, spread, rng) for _ in range(s.seats)]
        slips = RANDOM_MOVE_RATES[rng.below(len(RANDOM_MOVE_RATES))]
        while not s.over:
            if ai.is_stable(s):
                vacant = [[0.0] * len(game.weights.names)] * (most - s.seats)
                features.append([ai.features(s, seat) for seat in range(s.seats)] + vacant)
                seats.append(s.seats)
                asked.append(s.who)
                progress.append(ai.progress(s))
                match.append(number)
            slip = rng.below(1000) < slips
            s.choose(rng.pick(s.legal) if slip else choose_option(players[s.who], s, rng))
        margins += [_compute_point_margins(game, s) + [0.0] * (most - s.seats)] * (len(features) - len(shares))
        shares += [compute_result_shares(ai, s) + [0.0] * (most - s.seats)] * (len(features) - len(shares))
    return Dataset(
        np.array(features),
        np.array(seats),
        np.array(asked),
        np.array(progress),
        np.array(shares),
        np.array(match),
        np.array(margins),
    )


def _compute_point_margins(game: Game, s: State) -> list[float]:
    """Return the point margin of each seat over the mean; 0 in a game without points."""
    totals = {score.seat: float(score.total or 0) for score in game.scores(s)}
    mean = sum(totals.values()) / s.seats
    return [totals[seat] - mean for seat in range(s.seats)]


def make_varied_bot(game: Game, name: str, spread: float, rng: Rng) -> Bot:
    """Return a bot whose weights are multiplied by random factors around 1."""
    return create_bot(
        name, with_weights(game, [weight * math.exp(spread * _draw_normal(rng)) for weight in game.weights.values])
    )


def _draw_normal(rng: Rng) -> float:
    """Return an approximately normal random number."""
    return sum(rng.below(1 << 20) for _ in range(12)) / (1 << 20) - 6.0


def fit_scale(game: Game, data: Dataset) -> float:
    """Return the scale with which the weights predict the winners best."""
    worth = data.features @ np.array(game.weights.values)
    tried = [game.weights.scale * 2.0 ** (k / 4) for k in range(-16, 17)]
    cross_entropies = [cross_entropy(data, predict_win_probabilities(worth / scale, data.occupied)) for scale in tried]
    best: float = tried[cross_entropies.index(min(cross_entropies))]
    return round(best, 2)


def fit_by_wins(game: Game, data: Dataset, keep_ratios: bool = False) -> ValueModelFit:
    """Fit the value model to wins. Held-out matches choose the ridge penalty, unless the ratios of the weights stay."""
    is_held_out = data.match % HELD_OUT_EVERY == 0
    seen, unseen = data.select(~is_held_out), data.select(is_held_out)
    ridges = (math.inf,) if keep_ratios else RIDGES
    after, ridge = min((measure_cross_entropy(unseen, fit_with_ridge(game, seen, ridge)), ridge) for ridge in ridges)
    before = cross_entropy(
        unseen,
        predict_win_probabilities(
            unseen.features @ np.array(game.weights.values) / game.weights.scale, unseen.occupied
        ),
    )
    final = fit_with_ridge(game, data, ridge).reshape(2, -1)
    return ValueModelFit(_name_weights(game, final), ridge, round(after, 4), round(before, 4))


def fit_with_ridge(game: Game, data: Dataset, ridge: float) -> Numbers:
    """Return early and late weights. With an infinite penalty they keep the ratios of the game's weights."""
    start = compute_initial_weights(game, data)
    return start if math.isinf(ridge) else fit_conditional_logit(data, start, ridge)


def measure_cross_entropy(data: Dataset, weights: Numbers) -> float:
    """Return the mean cross-entropy of the predictions with these early and late weights."""
    return cross_entropy(data, predict_win_probabilities(build_design_matrix(data) @ weights, data.occupied))


def _name_weights(game: Game, fitted_weights: Numbers) -> dict[str, list[float]]:
    names = (*game.weights.names, "turn")
    return {name: [float(f"{weight:.4g}") for weight in fitted_weights[:, i]] for i, name in enumerate(names)}


def fit_by_points(game: Game, data: Dataset) -> ValueModelFit:
    """Fit the value model to final points, divided by the scale that predicts the winners best."""
    is_held_out = data.match % HELD_OUT_EVERY == 0
    seen, unseen = data.select(~is_held_out), data.select(is_held_out)
    margins = unseen.margins[unseen.occupied]
    tried: list[tuple[float, float]] = []
    for ridge in POINT_RIDGES:
        predicted = build_design_matrix(unseen) @ fit_least_squares(game, seen, ridge)
        tried.append(
            (float(((margins - subtract_mean(predicted, unseen.occupied)[unseen.occupied]) ** 2).mean()), ridge)
        )
    ridge = min(tried)[1]
    worth = build_design_matrix(unseen) @ fit_least_squares(game, seen, ridge)
    scales = [game.weights.scale * 2.0 ** (k / 4) for k in range(-16, 17)]
    after, scale = min(
        (cross_entropy(unseen, predict_win_probabilities(worth / scale, unseen.occupied)), scale) for scale in scales
    )
    before = cross_entropy(
        unseen,
        predict_win_probabilities(
            unseen.features @ np.array(game.weights.values) / game.weights.scale, unseen.occupied
        ),
    )
    final = (fit_least_squares(game, data, ridge) / scale).reshape(2, -1)
    return ValueModelFit(_name_weights(game, final), ridge, round(after, 4), round(before, 4))


def fit_least_squares(game: Game, data: Dataset, ridge: float) -> Numbers:
    """Return early and late weights in points ("turn" is last in each half), drawn towards the weights of the bots."""
    design = build_design_matrix(data)
    count = np.sqrt(data.compute_position_weights())
    rows: Numbers = (subtract_mean(design, data.occupied) * count[:, None, None]).reshape(-1, design.shape[2])
    target: Numbers = (data.margins * count[:, None]).ravel()
    weights = np.array([*game.weights.values, 0.0])
    nought = np.zeros(len(weights))
    few = np.array([[*weights, *nought], [*nought, *weights]]).T
    start: Numbers = few @ np.linalg.lstsq(rows @ few, target, rcond=None)[0]
    spread = np.sqrt((rows**2).sum(axis=0))
    still = spread < TOLERANCE
    spread[still] = 1.0
    near = rows / spread
    solution = np.linalg.solve(near.T @ near + ridge * np.eye(len(start)), near.T @ (target - rows @ start))
    return np.where(still, start, start + solution / spread)


def subtract_mean(numbers: Numbers, occupied: NDArray[np.bool_]) -> Numbers:
    """Return the difference of each seat from the mean of the occupied seats; 0 for vacant seats."""
    there = occupied.reshape(*occupied.shape, *(1 for _ in range(numbers.ndim - 2)))
    mean = (numbers * there).sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True)
    centered: Numbers = (numbers - mean) * there
    return centered


def compute_initial_weights(game: Game, data: Dataset) -> Numbers:
    """Return the game's weights, divided by the scales that fit the start and the end of matches best."""
    weights = np.array([*game.weights.values, 0.0])
    turn = np.zeros(len(weights))
    turn[-1] = 1.0
    nought = np.zeros(len(weights))
    few = np.array([[*weights, *nought], [*nought, *weights], [*turn, *nought], [*nought, *turn]])
    start_weights: Numbers = fit_newton(build_design_matrix(data) @ few.T, data, np.zeros(4), 0.0) @ few
    return start_weights


def fit_conditional_logit(data: Dataset, start: Numbers, ridge: float) -> Numbers:
    """Return early and late weights ("turn" is last in each half), drawn towards the start weights."""
    design = build_design_matrix(data)
    spread: Numbers = design[data.occupied].std(axis=0)
    still = spread < TOLERANCE  # A constant feature keeps its start weight.
    spread[still] = 1.0
    fitted = fit_newton(design / spread, data, start * spread, ridge) / spread
    return np.where(still, start, fitted)


def fit_newton(design: Numbers, data: Dataset, start: Numbers, ridge: float) -> Numbers:
    """Return maximum-likelihood weights with a ridge penalty towards the start, by Newton's method."""
    count, occupied = data.compute_position_weights(), data.occupied
    weights = start.copy()
    penalty = (2 * ridge + EPSILON) * np.eye(len(weights))
    for _ in range(MAX_NEWTON_STEPS):
        chances = predict_win_probabilities(design @ weights, occupied)
        missed = count[:, None] * (data.shares - chances)
        slope = penalty @ (weights - start) - missed.ravel() @ design.reshape(-1, len(weights))
        around = design - chances[:, None, :] @ design
        flat = (around * np.sqrt(count[:, None] * chances)[:, :, None]).reshape(-1, len(weights))
        step = np.linalg.solve(flat.T @ flat + penalty, slope)
        weights -= step
        if float(np.abs(step).max()) < TOLERANCE:
            break
    return weights


def build_design_matrix(data: Dataset) -> Numbers:
    """Return the design matrix by seat: the features, and whether the seat decides.

    The columns occur twice, weighted by how early and by how late the position is.
    """
    asked = np.zeros((*data.shares.shape, 1))
    asked[np.arange(len(data.asked)), data.asked, 0] = 1.0
    plain = np.concatenate([data.features, asked], axis=2)
    late = data.progress[:, None, None]
    return np.concatenate([plain * (1.0 - late), plain * late], axis=2)


def predict_win_probabilities(worth: Numbers, occupied: NDArray[np.bool_]) -> Numbers:
    """Return each seat's share of the win; 0 for vacant seats."""
    there = np.where(occupied, worth, -np.inf)
    parts: Numbers = np.exp(there - there.max(axis=1, keepdims=True))
    parts /= parts.sum(axis=1, keepdims=True)
    return parts


def cross_entropy(data: Dataset, chances: Numbers) -> float:
    """Return the mean cross-entropy of the results under these probabilities."""
    each = -(data.shares * np.log(np.maximum(chances, 1e-9))).sum(axis=1)
    return float((data.compute_position_weights() * each).sum())
