"""A title with other weights: what tuning tries, and what the value model learns from."""

import copy

from triclinium.engine.game import Game


def with_weights(game: Game, weights: list[float]) -> Game:
    """The same title, judged by other weights."""
    other = copy.copy(game)
    other.weights = copy.copy(game.weights)
    other.weights.each = weights
    return other
