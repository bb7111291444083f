"""A bot like strong with other search settings than those of the game's weights.toml, for trials.

    export TRICLINIUM_BOTS=bench.search_settings:Tried
    TRIED=candidates=5,own_turns=2 triclinium arena portals --bots tried@80x,strong@900x --matches 200

The variable TRIED lists the settings of `Weights` that differ. `judge=weights` replaces the value model by the weights
divided by `scale`.
"""

import copy
import json
import os

from triclinium.bots.search import Strong
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game

VARIABLE = "TRIED"


class Tried(Strong):
    """A search bot with the settings of the variable TRIED."""

    name = "tried"
    description = Name("searches with other settings", "bot")

    def __init__(self, game: Game) -> None:
        tried = copy.copy(game)
        tried.weights = copy.copy(game.weights)
        for setting in filter(None, os.environ.get(VARIABLE, "").split(",")):
            name, _, value = setting.partition("=")
            if setting == "judge=weights":
                tried.weights.opening = [weight / game.weights.scale for weight in game.weights.values]
                tried.weights.endgame = tried.weights.opening
            else:
                getattr(tried.weights, name)  # raises AttributeError for an unknown setting
                setattr(tried.weights, name, json.loads(value))
        super().__init__(tried)
