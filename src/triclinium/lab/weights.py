"""A game with other weights: what tuning tries, what the value model learns from, what a study fits to an edition."""

import copy
import tomllib

from triclinium.engine.game import Game


def with_weights(game: Game, weights: list[float]) -> Game:
    """The same game, judged by other weights."""
    other = copy.copy(game)
    other.weights = copy.copy(game.weights)
    other.weights.each = weights
    return other


def with_fitted(game: Game, text: str) -> Game:
    """The same game with what tuning found (`tune.weights_toml`); how search goes about it stays as it is."""
    data = tomllib.loads(text)
    names = game.weights.names
    other = with_weights(game, [float(data["weights"][name]) for name in names])
    other.weights.scale = float(data["scale"])
    other.weights.opening = [float(data["judge"][name][0]) for name in names]
    other.weights.endgame = [float(data["judge"][name][1]) for name in names]
    other.weights.turn = [float(one) for one in data["judge"]["turn"]]
    return other
