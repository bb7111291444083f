"""A ranker fitted to what search found, by numpy alone: one thread, the same file from the same lessons every time.

The loss is the cross entropy from the visits of a decision to the odds that evaluation and ranker give its options
together. The last layer begins at 0, so that what is learnt is the difference to what is shipped.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from triclinium.lab.learn.training_data import Decisions

Numbers = NDArray[np.float64]

HIDDEN = 32
EPOCHS = 60
BATCH = 256  # decisions, at most
STEPS = 16  # steps, at least, of an epoch: with few lessons batches are smaller
RATE = 2e-3
DECAY = 0.05  # of a weight for each unit of the rate (AdamW)
HELD_OUT = 6  # every so manieth match is not learnt from
BETAS = (0.9, 0.999)
TINY = 1e-8
LEAST = 0.01  # points; a feature that differs by less would get weights too large for two bytes

Weights = dict[str, Numbers]


@dataclass
class Fitted:
    """What was learnt, and how well it foretells the search in matches that it has not seen."""

    weights: Weights  # on plain features: what they were divided by is in them
    decisions: int
    held_out: int
    entropy: float  # of the visits themselves
    before: float  # cross entropy of the shipped evaluation
    after: float  # cross entropy with the ranker
    agreed_before: float  # how often the option tried most is the one liked best
    agreed: float
    course: list[float] = field(default_factory=list)  # by epoch, on what was held out


def fit(data: Decisions, verbs: int, seed: int, hidden: int = HIDDEN, epochs: int = EPOCHS) -> Fitted:
    """Learn from most matches, and keep the epoch that foretells the others best."""
    held = data.match % HELD_OUT == 0
    learnt, tried = data.of(~held), data.of(held)
    scale = np.maximum(learnt.after.std(axis=0), LEAST)
    weights = _first(learnt.after.shape[1], verbs, hidden, np.random.default_rng(seed))
    rng = np.random.default_rng(seed + 1)
    moments: Weights = {name: np.zeros_like(one) for name, one in weights.items()}
    squares: Weights = {name: np.zeros_like(one) for name, one in weights.items()}
    best, least, course, steps = {**weights}, np.inf, [], 0
    for epoch in range(epochs):
        rate = RATE * (1.0 - epoch / epochs)
        order = rng.permutation(len(learnt.starts))
        batch = max(1, min(BATCH, len(order) // STEPS))
        for first in range(0, len(order), batch):
            chosen = np.zeros(len(order), dtype=bool)
            chosen[order[first : first + batch]] = True
            steps += 1
            slopes = _slopes(weights, learnt.of(chosen), scale)
            for name, slope in slopes.items():
                moments[name] = BETAS[0] * moments[name] + (1 - BETAS[0]) * slope
                squares[name] = BETAS[1] * squares[name] + (1 - BETAS[1]) * slope * slope
                step = (
                    moments[name] / (1 - BETAS[0] ** steps) / (np.sqrt(squares[name] / (1 - BETAS[1] ** steps)) + TINY)
                )
                weights[name] = weights[name] - rate * (step + DECAY * weights[name])
        course.append(cross_entropy(tried, scores(weights, tried, scale)))
        if course[-1] < least:
            best, least = {name: one.copy() for name, one in weights.items()}, course[-1]
    liked = scores(best, tried, scale)
    return Fitted(
        plain(best, scale),
        len(learnt.starts),
        len(tried.starts),
        cross_entropy(tried, np.log(tried.wanted)),
        cross_entropy(tried, tried.worth),
        least,
        agreement(tried, tried.worth),
        agreement(tried, liked),
        [round(one, 4) for one in course],
    )


def _first(size: int, verbs: int, hidden: int, rng: np.random.Generator) -> Weights:
    def drawn(*shape: int) -> Numbers:
        return rng.normal(0.0, np.sqrt(2.0 / shape[0]) / 2, shape)

    return {
        "after": drawn(size, hidden),
        "change": drawn(size, hidden),
        "verb": drawn(verbs, hidden),
        "context": drawn(3, hidden),
        "second": drawn(hidden, hidden),
        "second_bias": np.zeros(hidden),
        "last": np.zeros(hidden),
    }


def plain(weights: Weights, scale: Numbers) -> Weights:
    """As play reads them: of features as they are, before and after, rather than of the change."""
    after = (weights["after"] + weights["change"]) / scale[:, None]
    before = -weights["change"] / scale[:, None]
    return {**{name: weights[name] for name in ("verb", "context", "second", "second_bias", "last")}} | {
        "after": after,
        "before": before,
    }


def _inputs(data: Decisions, scale: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    sizes = data.sizes
    after = data.after / scale
    change = after - np.repeat(data.before / scale, sizes, axis=0)
    return after, change, np.repeat(data.context, sizes, axis=0)


def _layers(
    weights: Weights, data: Decisions, after: Numbers, change: Numbers, context: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    first = after @ weights["after"] + change @ weights["change"] + context @ weights["context"]
    known = data.verb >= 0
    first[known] += weights["verb"][data.verb[known]]
    units = np.maximum(first, 0.0)
    second = np.maximum(units @ weights["second"].T + weights["second_bias"], 0.0)
    return units, second, data.worth + second @ weights["last"]


def scores(weights: Weights, data: Decisions, scale: Numbers) -> Numbers:
    """What evaluation and ranker say together of each option."""
    return _layers(weights, data, *_inputs(data, scale))[2]


def odds(data: Decisions, said: Numbers) -> Numbers:
    """By option its part of the decision."""
    sizes = data.sizes
    top = np.maximum.reduceat(said, data.starts)
    parts = np.exp(said - np.repeat(top, sizes))
    found: Numbers = parts / np.repeat(np.add.reduceat(parts, data.starts), sizes)
    return found


def cross_entropy(data: Decisions, said: Numbers) -> float:
    return float(-(data.wanted * np.log(odds(data, said) + 1e-12)).sum() / len(data.starts))


def agreement(data: Decisions, said: Numbers) -> float:
    """How often what is liked best is what search tried most; ties count as they fall."""
    ends = np.append(data.starts[1:], len(said))
    pairs = zip(data.starts, ends, strict=True)
    return float(np.mean([said[a:b].argmax() == data.wanted[a:b].argmax() for a, b in pairs]))


def _slopes(weights: Weights, data: Decisions, scale: Numbers) -> Weights:
    after, change, context = _inputs(data, scale)
    units, second, said = _layers(weights, data, after, change, context)
    error = (odds(data, said) - data.wanted) / len(data.starts)
    to_second = np.outer(error, weights["last"]) * (second > 0)
    to_first = (to_second @ weights["second"]) * (units > 0)
    verb = np.zeros_like(weights["verb"])
    known = data.verb >= 0
    np.add.at(verb, data.verb[known], to_first[known])
    return {
        "after": after.T @ to_first,
        "change": change.T @ to_first,
        "verb": verb,
        "context": context.T @ to_first,
        "second": to_second.T @ units,
        "second_bias": to_second.sum(axis=0),
        "last": second.T @ error,
    }
