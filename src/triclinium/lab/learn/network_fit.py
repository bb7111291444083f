"""Training of the policy ranking network in numpy, on one thread, so that the same data always gives the same file.

The loss is the cross-entropy between the visits of a decision and the probabilities from evaluation plus network. The
last layer starts at 0, so that the network learns the difference from the shipped evaluation.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from triclinium.lab.learn.training_data import TrainingDecisions

Numbers = NDArray[np.float64]

HIDDEN = 32
EPOCHS = 60
MAX_BATCH = 256  # maximum number of decisions in a batch
MIN_STEPS = 16  # minimum number of steps in an epoch; little data is split into smaller batches
LEARNING_RATE = 2e-3
WEIGHT_DECAY = 0.05  # decay of a weight, relative to the learning rate (AdamW)
HELD_OUT_EVERY = 6  # every sixth match is held out for validation
BETAS = (0.9, 0.999)
EPSILON = 1e-8
MIN_SCALE = 0.01  # minimum scale in points; a feature that varies less would need weights too large for two bytes

Weights = dict[str, Numbers]


@dataclass
class FittedNetwork:
    """A fitted network and its quality on held-out matches."""

    weights: Weights  # weights for unscaled features
    decisions: int
    held_out: int
    entropy: float  # entropy of the visits themselves, the lower limit of the cross-entropy
    before: float  # cross-entropy of the shipped evaluation
    after: float  # cross-entropy with the network
    agreed_before: float  # share of decisions where the evaluation prefers the most visited option
    agreed: float
    course: list[float] = field(default_factory=list)  # validation cross-entropy by epoch


def fit_network(
    data: TrainingDecisions, verbs: int, seed: int, hidden: int = HIDDEN, epochs: int = EPOCHS
) -> FittedNetwork:
    """Fit a network to most matches, and keep the epoch that predicts the held-out ones best."""
    is_held_out = data.match % HELD_OUT_EVERY == 0
    training, validation = data.select(~is_held_out), data.select(is_held_out)
    scale = np.maximum(training.after.std(axis=0), MIN_SCALE)
    weights = _draw_initial_weights(training.after.shape[1], verbs, hidden, np.random.default_rng(seed))
    rng = np.random.default_rng(seed + 1)
    moments: Weights = {name: np.zeros_like(value) for name, value in weights.items()}
    squares: Weights = {name: np.zeros_like(value) for name, value in weights.items()}
    best, least, losses, steps = {**weights}, np.inf, [], 0
    for epoch in range(epochs):
        rate = LEARNING_RATE * (1.0 - epoch / epochs)
        order = rng.permutation(len(training.starts))
        batch = max(1, min(MAX_BATCH, len(order) // MIN_STEPS))
        for first in range(0, len(order), batch):
            chosen = np.zeros(len(order), dtype=bool)
            chosen[order[first : first + batch]] = True
            steps += 1
            gradients = _compute_gradients(weights, training.select(chosen), scale)
            for name, gradient in gradients.items():
                moments[name] = BETAS[0] * moments[name] + (1 - BETAS[0]) * gradient
                squares[name] = BETAS[1] * squares[name] + (1 - BETAS[1]) * gradient * gradient
                step = (
                    moments[name]
                    / (1 - BETAS[0] ** steps)
                    / (np.sqrt(squares[name] / (1 - BETAS[1] ** steps)) + EPSILON)
                )
                weights[name] = weights[name] - rate * (step + WEIGHT_DECAY * weights[name])
        losses.append(cross_entropy(validation, score_options(weights, validation, scale)))
        if losses[-1] < least:
            best, least = {name: value.copy() for name, value in weights.items()}, losses[-1]
    best_scores = score_options(best, validation, scale)
    return FittedNetwork(
        unscale_weights(best, scale),
        len(training.starts),
        len(validation.starts),
        cross_entropy(validation, np.log(validation.visit_shares)),
        cross_entropy(validation, validation.prior_scores),
        least,
        measure_top_choice_agreement(validation, validation.prior_scores),
        measure_top_choice_agreement(validation, best_scores),
        [round(value, 4) for value in losses],
    )


def _draw_initial_weights(size: int, verbs: int, hidden: int, rng: np.random.Generator) -> Weights:
    def draw_normal(*shape: int) -> Numbers:
        return rng.normal(0.0, np.sqrt(2.0 / shape[0]) / 2, shape)

    return {
        "after": draw_normal(size, hidden),
        "change": draw_normal(size, hidden),
        "verb": draw_normal(verbs, hidden),
        "context": draw_normal(3, hidden),
        "second": draw_normal(hidden, hidden),
        "second_bias": np.zeros(hidden),
        "last": np.zeros(hidden),
    }


def unscale_weights(weights: Weights, scale: Numbers) -> Weights:
    """Return weights for unscaled features before and after an option, instead of the scaled change."""
    after = (weights["after"] + weights["change"]) / scale[:, None]
    before = -weights["change"] / scale[:, None]
    return {**{name: weights[name] for name in ("verb", "context", "second", "second_bias", "last")}} | {
        "after": after,
        "before": before,
    }


def _build_network_inputs(data: TrainingDecisions, scale: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    sizes = data.sizes
    after = data.after / scale
    change = after - np.repeat(data.before / scale, sizes, axis=0)
    return after, change, np.repeat(data.context, sizes, axis=0)


def _run_forward_pass(
    weights: Weights, data: TrainingDecisions, after: Numbers, change: Numbers, context: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    first = after @ weights["after"] + change @ weights["change"] + context @ weights["context"]
    has_verb = data.verb >= 0
    first[has_verb] += weights["verb"][data.verb[has_verb]]
    units = np.maximum(first, 0.0)
    second = np.maximum(units @ weights["second"].T + weights["second_bias"], 0.0)
    return units, second, data.prior_scores + second @ weights["last"]


def score_options(weights: Weights, data: TrainingDecisions, scale: Numbers) -> Numbers:
    """Return the combined score of evaluation and network for each option."""
    return _run_forward_pass(weights, data, *_build_network_inputs(data, scale))[2]


def compute_option_probabilities(data: TrainingDecisions, scores: Numbers) -> Numbers:
    """Return the probability of each option within its decision."""
    sizes = data.sizes
    top = np.maximum.reduceat(scores, data.starts)
    parts = np.exp(scores - np.repeat(top, sizes))
    probabilities: Numbers = parts / np.repeat(np.add.reduceat(parts, data.starts), sizes)
    return probabilities


def cross_entropy(data: TrainingDecisions, scores: Numbers) -> float:
    return float(
        -(data.visit_shares * np.log(compute_option_probabilities(data, scores) + 1e-12)).sum() / len(data.starts)
    )


def measure_top_choice_agreement(data: TrainingDecisions, scores: Numbers) -> float:
    """Return the share of decisions where the best-scored option is the most visited one.

    Ties go to the first option.
    """
    ends = np.append(data.starts[1:], len(scores))
    pairs = zip(data.starts, ends, strict=True)
    return float(np.mean([scores[a:b].argmax() == data.visit_shares[a:b].argmax() for a, b in pairs]))


def _compute_gradients(weights: Weights, data: TrainingDecisions, scale: Numbers) -> Weights:
    after, change, context = _build_network_inputs(data, scale)
    units, second, scores = _run_forward_pass(weights, data, after, change, context)
    error = (compute_option_probabilities(data, scores) - data.visit_shares) / len(data.starts)
    to_second = np.outer(error, weights["last"]) * (second > 0)
    to_first = (to_second @ weights["second"]) * (units > 0)
    verb = np.zeros_like(weights["verb"])
    has_verb = data.verb >= 0
    np.add.at(verb, data.verb[has_verb], to_first[has_verb])
    return {
        "after": after.T @ to_first,
        "change": change.T @ to_first,
        "verb": verb,
        "context": context.T @ to_first,
        "second": to_second.T @ units,
        "second_bias": to_second.sum(axis=0),
        "last": second.T @ error,
    }
