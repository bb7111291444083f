"""Value model of the bots that search: win probabilities by the features of a position, learnt from matches.

The weights that a bot chooses by need not foretell who wins: they only rank the options of one decision. Here bots play
whose weights are varied, each seat's in its own way, so that good plans and bad ones meet; and a conditional logit is
fitted to the quiet positions of their matches: the odds of a seat are the exponential of its weighed features. Each
feature has a weight for the beginning and one for the end of a match, mixed by `Evaluator.progress`.

Where matches are long and few, who won teaches too little. `fit_by_points` asks instead how many points each seat ended
ahead of the others, which says more of every match.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triclinium.bots import Bot, bot, choice, derive
from triclinium.bots.core.value import result_shares
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.lab.learn.weights import with_weights
from triclinium.lab.results import ValueModelReport

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]

VARIED = (0.0, 0.2, 0.5)  # a weight is varied by a factor of about e to one of these, drawn for each match
SLIPS = (0, 20, 60)  # options in a thousand that are drawn at random: one of these for each match
LESSONS = 2_000_000  # where the seeds of these matches lie
HELD_BACK = 5  # every fifth match is not learnt from: it tells how well the value model foretells
RIDGES = (1e-3, 1e-2, 1e-1, 1.0)  # how much a weight, in deviations of its feature, is drawn to what bots choose by
POINT_RIDGES = (0.03, 0.1, 0.3, 1.0)  # the same, of those that foretell points
NEWTON = 40  # rounds of Newton's method, at most
CLOSE = 1e-6
TINY = 1e-12  # so that a sign that never differs does not stop the method


@dataclass(frozen=True)
class Dataset:
    """Quiet positions of matches, and how the matches ended; the first index is the position."""

    features: Numbers  # by seat and feature; nought where nobody sits
    seats: Whole  # how many
    asked: Whole  # the seat
    progress: Numbers
    shares: Numbers  # of the win, by seat
    match: Whole
    margins: Numbers  # points at the end less the mean of all seats, by seat

    def only(self, chosen: NDArray[np.bool_]) -> "Dataset":
        """Some of the positions."""
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
    def taken(self) -> NDArray[np.bool_]:
        """Where somebody sits."""
        return np.arange(self.shares.shape[1]) < self.seats[:, None]

    def count(self) -> Numbers:
        """What each position counts for: a long match no more than a short one."""
        each: Numbers = 1.0 / np.bincount(self.match)[self.match]
        each /= each.sum()
        return each


@dataclass(frozen=True)
class Fit:
    """A value model, and how badly it and the bare weights foretold matches that were held back."""

    weights: dict[str, list[float]]  # by feature, and "turn": early and late
    ridge: float  # that foretold best
    cross_entropy: float
    surprise_before: float


def fit_value_model(game: Game, bot_name: str, matches: int, seed: int, points: bool = False) -> ValueModelReport:
    """Fit the scale and the value model to a game's weights, from matches of this bot; the game stays as it is.

    With ``points`` the value model learns from final points, not from who won.
    """
    learnt = dataset(game, bot_name, matches, seed)
    fitted = with_weights(game, game.weights.each)
    fitted.weights.scale = fit_scale(game, learnt)
    judge = fit_by_points(fitted, learnt) if points else fit_judge(fitted, learnt)
    return {
        "title": game.id,
        "bot": bot_name,
        "weights": {name: round(weight, 4) for name, weight in zip(game.weights.names, game.weights.each, strict=True)},
        "scale_before": game.weights.scale,
        "scale": fitted.weights.scale,
        "lessons": matches,
        "judge": judge.weights,
        "surprise": judge.cross_entropy,
        "surprise_before": judge.surprise_before,
    }


def dataset(game: Game, name: str, matches: int, seed: int) -> Dataset:
    """The quiet positions of matches between bots of varied weights, with every number of seats in turn."""
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
        s = game.deal(game.seats[number % len(game.seats)], derive(seed, LESSONS + number))
        rng = Rng(derive(seed, LESSONS + number, 0))
        spread = VARIED[rng.below(len(VARIED))]
        players = [varied(game, name, spread, rng) for _ in range(s.seats)]
        slips = SLIPS[rng.below(len(SLIPS))]
        while not s.over:
            if ai.is_stable(s):
                vacant = [[0.0] * len(game.weights.names)] * (most - s.seats)
                features.append([ai.features(s, seat) for seat in range(s.seats)] + vacant)
                seats.append(s.seats)
                asked.append(s.who)
                progress.append(ai.progress(s))
                match.append(number)
            slip = rng.below(1000) < slips
            s.choose(rng.pick(s.legal) if slip else choice(players[s.who], s, rng))
        margins += [_margins(game, s) + [0.0] * (most - s.seats)] * (len(features) - len(shares))
        shares += [result_shares(ai, s) + [0.0] * (most - s.seats)] * (len(features) - len(shares))
    return Dataset(
        np.array(features),
        np.array(seats),
        np.array(asked),
        np.array(progress),
        np.array(shares),
        np.array(match),
        np.array(margins),
    )


def _margins(game: Game, s: State) -> list[float]:
    """By seat; noughts in a game without points."""
    totals = {score.seat: float(score.total or 0) for score in game.scores(s)}
    mean = sum(totals.values()) / s.seats
    return [totals[seat] - mean for seat in range(s.seats)]


def varied(game: Game, name: str, spread: float, rng: Rng) -> Bot:
    """A bot whose weights are multiplied by factors around one."""
    return bot(name, with_weights(game, [weight * math.exp(spread * _normal(rng)) for weight in game.weights.each]))


def _normal(rng: Rng) -> float:
    """A number that is normally distributed, nearly."""
    return sum(rng.below(1 << 20) for _ in range(12)) / (1 << 20) - 6.0


def fit_scale(game: Game, learnt: Dataset) -> float:
    """The scale under which the weights foretold the winners best."""
    worth = learnt.features @ np.array(game.weights.each)
    tried = [game.weights.scale * 2.0 ** (k / 4) for k in range(-16, 17)]
    cross_entropies = [cross_entropy(learnt, odds(worth / scale, learnt.taken)) for scale in tried]
    best: float = tried[cross_entropies.index(min(cross_entropies))]
    return round(best, 2)


def fit_judge(game: Game, learnt: Dataset) -> Fit:
    """The weights under which the winners were least surprising; how far they may stray, unseen matches decide."""
    held = learnt.match % HELD_BACK == 0
    seen, unseen = learnt.only(~held), learnt.only(held)
    start = scaled(game, seen)
    tried = [
        (
            cross_entropy(unseen, odds(design_matrix(unseen) @ conditional_logit(seen, start, ridge), unseen.taken)),
            ridge,
        )
        for ridge in RIDGES
    ]
    after, ridge = min(tried)
    before = cross_entropy(
        unseen, odds(unseen.features @ np.array(game.weights.each) / game.weights.scale, unseen.taken)
    )
    final = conditional_logit(learnt, scaled(game, learnt), ridge).reshape(2, -1)
    return Fit(_by_name(game, final), ridge, round(after, 4), round(before, 4))


def _by_name(game: Game, found: Numbers) -> dict[str, list[float]]:
    names = (*game.weights.names, "turn")
    return {name: [float(f"{weight:.4g}") for weight in found[:, i]] for i, name in enumerate(names)}


def fit_by_points(game: Game, learnt: Dataset) -> Fit:
    """The weights that foretold final points best, all over the scale under which they foretold the winners best."""
    held = learnt.match % HELD_BACK == 0
    seen, unseen = learnt.only(~held), learnt.only(held)
    margins = unseen.margins[unseen.taken]
    tried: list[tuple[float, float]] = []
    for ridge in POINT_RIDGES:
        said = design_matrix(unseen) @ least_squares(game, seen, ridge)
        tried.append((float(((margins - around_mean(said, unseen.taken)[unseen.taken]) ** 2).mean()), ridge))
    ridge = min(tried)[1]
    worth = design_matrix(unseen) @ least_squares(game, seen, ridge)
    scales = [game.weights.scale * 2.0 ** (k / 4) for k in range(-16, 17)]
    after, scale = min((cross_entropy(unseen, odds(worth / scale, unseen.taken)), scale) for scale in scales)
    before = cross_entropy(
        unseen, odds(unseen.features @ np.array(game.weights.each) / game.weights.scale, unseen.taken)
    )
    final = (least_squares(game, learnt, ridge) / scale).reshape(2, -1)
    return Fit(_by_name(game, final), ridge, round(after, 4), round(before, 4))


def least_squares(game: Game, learnt: Dataset, ridge: float) -> Numbers:
    """Early and late weights in points, of "turn" last in each half, drawn towards those that bots choose by."""
    design = design_matrix(learnt)
    count = np.sqrt(learnt.count())
    rows: Numbers = (around_mean(design, learnt.taken) * count[:, None, None]).reshape(-1, design.shape[2])
    target: Numbers = (learnt.margins * count[:, None]).ravel()
    weights = np.array([*game.weights.each, 0.0])
    nought = np.zeros(len(weights))
    few = np.array([[*weights, *nought], [*nought, *weights]]).T
    start: Numbers = few @ np.linalg.lstsq(rows @ few, target, rcond=None)[0]
    spread = np.sqrt((rows**2).sum(axis=0))
    still = spread < CLOSE
    spread[still] = 1.0
    near = rows / spread
    found = np.linalg.solve(near.T @ near + ridge * np.eye(len(start)), near.T @ (target - rows @ start))
    return np.where(still, start, start + found / spread)


def around_mean(numbers: Numbers, taken: NDArray[np.bool_]) -> Numbers:
    """What each seat has more than the mean of all who sit there; nought where nobody does."""
    there = taken.reshape(*taken.shape, *(1 for _ in range(numbers.ndim - 2)))
    mean = (numbers * there).sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True)
    found: Numbers = (numbers - mean) * there
    return found


def scaled(game: Game, learnt: Dataset) -> Numbers:
    """The game's weights, each over the scale that fits the beginning and the end of matches best."""
    weights = np.array([*game.weights.each, 0.0])
    turn = np.zeros(len(weights))
    turn[-1] = 1.0
    nought = np.zeros(len(weights))
    few = np.array([[*weights, *nought], [*nought, *weights], [*turn, *nought], [*nought, *turn]])
    found: Numbers = newton(design_matrix(learnt) @ few.T, learnt, np.zeros(4), 0.0) @ few
    return found


def conditional_logit(learnt: Dataset, start: Numbers, ridge: float) -> Numbers:
    """Early and late weights, of "turn" last in each half, drawn towards where they start."""
    design = design_matrix(learnt)
    spread: Numbers = design[learnt.taken].std(axis=0)
    still = spread < CLOSE  # a feature that never differs keeps the weight it had
    spread[still] = 1.0
    found = newton(design / spread, learnt, start * spread, ridge) / spread
    return np.where(still, start, found)


def newton(design: Numbers, learnt: Dataset, start: Numbers, ridge: float) -> Numbers:
    """Newton's method for weights of these columns that make what came likely and lie near the start."""
    count, taken = learnt.count(), learnt.taken
    weights = start.copy()
    penalty = (2 * ridge + TINY) * np.eye(len(weights))
    for _ in range(NEWTON):
        chances = odds(design @ weights, taken)
        missed = count[:, None] * (learnt.shares - chances)
        slope = penalty @ (weights - start) - missed.ravel() @ design.reshape(-1, len(weights))
        around = design - chances[:, None, :] @ design
        flat = (around * np.sqrt(count[:, None] * chances)[:, :, None]).reshape(-1, len(weights))
        step = np.linalg.solve(flat.T @ flat + penalty, slope)
        weights -= step
        if float(np.abs(step).max()) < CLOSE:
            break
    return weights


def design_matrix(learnt: Dataset) -> Numbers:
    """What is weighed, by seat: the features and whether it is asked, by how early it is and by how late."""
    asked = np.zeros((*learnt.shares.shape, 1))
    asked[np.arange(len(learnt.asked)), learnt.asked, 0] = 1.0
    plain = np.concatenate([learnt.features, asked], axis=2)
    late = learnt.progress[:, None, None]
    return np.concatenate([plain * (1.0 - late), plain * late], axis=2)


def odds(worth: Numbers, taken: NDArray[np.bool_]) -> Numbers:
    """Each seat's share of the win; none where nobody sits."""
    there = np.where(taken, worth, -np.inf)
    parts: Numbers = np.exp(there - there.max(axis=1, keepdims=True))
    parts /= parts.sum(axis=1, keepdims=True)
    return parts


def cross_entropy(learnt: Dataset, chances: Numbers) -> float:
    """How badly these chances foretold what came: the mean cross entropy."""
    each = -(learnt.shares * np.log(np.maximum(chances, 1e-9))).sum(axis=1)
    return float((learnt.count() * each).sum())
