"""Weights of a game: copies of the game with other weights, and the file format of learnt weights."""

import copy
import json
import tomllib

from triclinium.engine.core.weights import Weights
from triclinium.engine.game import Game
from triclinium.lab.results import ValueModelReport


def with_weights(game: Game, weights: list[float]) -> Game:
    """Return a copy of the game with other weights."""
    other = copy.copy(game)
    other.weights = copy.copy(game.weights)
    other.weights.values = weights
    return other


def with_fitted_weights(game: Game, text: str) -> Game:
    """Return a copy of the game with the weights of a file in the format of `format_weights_toml`.

    The search settings stay.
    """
    data = tomllib.loads(text)
    names = game.weights.names
    other = with_weights(game, [float(data["weights"][name]) for name in names])
    other.weights.scale = float(data["scale"])
    other.weights.opening = [float(data["judge"][name][0]) for name in names]
    other.weights.endgame = [float(data["judge"][name][1]) for name in names]
    other.weights.turn = [float(weight) for weight in data["judge"]["turn"]]
    return other


def format_weights_toml(report: ValueModelReport, how: str, before: Weights) -> str:
    """Return a weights.toml with the learnt weights and the search settings of the old ones."""
    lines = [
        f"# {how}",
        f"scale = {report['scale']} # lead in points that makes a win 2.7 times as likely",
        *list_search_settings(before),
        "",
        "[weights] # in points; bots choose options by them",
    ]
    lines += [f"{name} = {weight}" for name, weight in report["weights"].items()]
    lines += ["", "[judge] # log odds at the start and at the end of a match, for the value model of the search"]
    lines += [f"{name} = [{early}, {late}]" for name, (early, late) in report["judge"].items()]
    return "\n".join(lines) + "\n"


def list_search_settings(weights: Weights) -> list[str]:
    """Return the lines of a weights.toml for search settings that differ from the defaults."""
    usual = Weights(weights.names, weights.values, weights.scale)
    of = ("prior", "horizon", "own_turns", "whole_actions", "solo_turns", "crowd_factor", "candidates")
    settings = [(name, getattr(weights, name)) for name in of if getattr(weights, name) != getattr(usual, name)]
    return [f"{name} = {json.dumps(value)}" for name, value in settings]
