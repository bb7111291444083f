"""Weights of a game's features, as bots use them. They are read from its weights.toml."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triclinium.engine.core.components import read_components
from triclinium.engine.core.errors import BadComponents


class Weights:
    """The weights of a game's features and the settings of search."""

    def __init__(
        self,
        names: Sequence[str],
        values: list[float],
        scale: float,
        prior: float = 0.0,
        horizon: int = 0,
        own_turns: int = 0,
        whole_actions: bool = False,
        solo_turns: int = 0,
        crowd_factor: float = 1.0,
    ) -> None:
        self.names = tuple(names)
        self.values = values
        self.scale = scale  # a lead of this many points makes a win 2.7 times as likely
        # a search tries an option that looks this many points better 2.7 times as often
        self.prior = prior or scale / 4
        self.horizon = horizon  # maximum number of stable positions that search looks ahead; 0: no limit
        self.own_turns = own_turns  # own turns that search plays before it evaluates, this one included; 0: no minimum
        # whether search completes the action behind every option before it evaluates
        self.whole_actions = whole_actions
        self.solo_turns = solo_turns  # own turns that search plays while rivals wait; 0: rivals play too
        self.crowd_factor = crowd_factor  # with more than two seats, the effect of a lead on the win is divided by this
        # number of best-looking options that search compares without a tree; 0: tree search
        self.candidates = 0
        # Effect of each feature on the log odds of winning, at the beginning and at the end of a match. These are first
        # guesses; weights.toml may replace them.
        self.opening = [weight / scale for weight in values]
        self.endgame = [weight / scale for weight in values]
        self.turn = [0.0, 0.0]  # effect of being asked on the log odds, at the beginning and at the end of a match

    def __copy__(self) -> "Weights":
        """Copy by attributes, because `copy` cannot construct compiled classes."""
        search_settings = (self.prior, self.horizon, self.own_turns, self.whole_actions, self.solo_turns)
        other = Weights(self.names, self.values, self.scale, *search_settings, self.crowd_factor)
        other.opening, other.endgame, other.turn = self.opening, self.endgame, self.turn
        other.candidates = self.candidates
        return other

    def as_tuple(self) -> tuple[object, ...]:
        """Return everything that distinguishes these weights, as plain values."""
        search_settings = (self.prior, self.horizon, self.own_turns, self.whole_actions, self.solo_turns)
        attributes = (list(self.opening), list(self.endgame), list(self.turn), self.candidates)
        return (self.names, list(self.values), self.scale, *search_settings, self.crowd_factor, attributes)

    def __deepcopy__(self, memo: object) -> "Weights":
        return restore_weights(*self.as_tuple())

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as plain values, because compiled classes have no default form."""
        return (restore_weights, self.as_tuple())


def restore_weights(*numbers: Any) -> Weights:
    """Return the weights that `Weights.as_tuple` describes."""
    weights = Weights(*numbers[:-1])
    weights.opening, weights.endgame, weights.turn, weights.candidates = numbers[-1]
    return weights


def read_weights(path: Path, names: Sequence[str]) -> Weights:
    """Read a game's weights, ordered by the given feature names. Raise BadComponents if the file does not fit."""
    file = read_components(path)
    row = file.row("weights")
    value_rows = file.row("judge").data if file.has("judge") else {}
    for name in (*row.data, *value_rows):
        if name not in names and not (name == "turn" and name in value_rows):
            raise BadComponents(f"{path.name}: {name} is not a feature; the features are {', '.join(names)}")
    for name in ("scale", "prior", "crowd_factor"):
        if file.has(name) and file.number(name) <= 0:
            raise BadComponents(f"{path.name}: {name} must be more than 0")
    prior = file.number("prior") if file.has("prior") else 0.0
    horizon = file.integer("horizon") if file.has("horizon") else 0
    each = [row.number(name) for name in names]
    own_turns = file.integer("own_turns") if file.has("own_turns") else 0
    whole_actions = file.has("whole_actions") and file.flag("whole_actions")
    solo = file.integer("solo_turns") if file.has("solo_turns") else 0
    crowd = file.number("crowd_factor") if file.has("crowd_factor") else 1.0
    weights = Weights(names, each, file.number("scale"), prior, horizon, own_turns, whole_actions, solo, crowd)
    weights.candidates = file.integer("candidates") if file.has("candidates") else 0
    if file.has("judge"):
        judge = file.row("judge")
        pairs = [judge.pair(name) for name in names]
        weights.opening = [opening for opening, _ in pairs]
        weights.endgame = [endgame for _, endgame in pairs]
        weights.turn = list(judge.pair("turn"))
    return weights
