"""What bots make of a game's features: the numbers of its weights.toml."""

from collections.abc import Sequence
from pathlib import Path

from triclinium.engine.core.components import read_components
from triclinium.engine.core.errors import BadComponents


class Weights:
    """What a bot makes of a title's features: a weight for each, and the points that make a lead."""

    def __init__(
        self,
        names: Sequence[str],
        each: list[float],
        scale: float,
        prior: float = 0.0,
        horizon: int = 0,
        whole_turns: bool = False,
        whole_actions: bool = False,
        solo_turns: int = 0,
        crowd_factor: float = 1.0,
    ) -> None:
        self.names = tuple(names)
        self.each = each
        self.scale = scale  # who is so many points ahead of another is 2.7 times as likely to win
        self.prior = prior or scale / 4  # search tries an option that looks so many points better 2.7 times as much
        self.horizon = horizon  # quiet moments that search looks ahead at most; 0: as far as it gets
        self.whole_turns = whole_turns  # whether search plays a turn to its end before it judges
        self.whole_actions = whole_actions  # whether search weighs every option with its action finished
        self.solo_turns = solo_turns  # that search plays alone while rivals wait; 0: rivals play too
        self.crowd_factor = crowd_factor  # with more than two seats a lead says so many times less of the win
        # In logarithms of odds: what each feature says of the win when a match begins, and when it ends. A weights.toml
        # may say more than this first guess.
        self.opening = [weight / scale for weight in each]
        self.endgame = [weight / scale for weight in each]
        self.turn = [0.0, 0.0]  # what being asked says: when a match begins, when it ends


def read_weights(path: Path, names: Sequence[str]) -> Weights:
    """The weights of a title's features, in the order of their names, and their scale."""
    sheet = read_components(path)
    row = sheet.row("weights")
    judged = sheet.row("judge").data if sheet.has("judge") else {}
    for name in (*row.data, *judged):
        if name not in names and not (name == "turn" and name in judged):
            raise BadComponents(f"{path.name}: {name} is no feature; features: {', '.join(names)}")
    for name in ("scale", "prior", "crowd_factor"):
        if sheet.has(name) and sheet.number(name) <= 0:
            raise BadComponents(f"{path.name}: {name} must be more than 0")
    prior = sheet.number("prior") if sheet.has("prior") else 0.0
    horizon = sheet.integer("horizon") if sheet.has("horizon") else 0
    each = [row.number(name) for name in names]
    whole_turns = sheet.has("whole_turns") and sheet.flag("whole_turns")
    whole_actions = sheet.has("whole_actions") and sheet.flag("whole_actions")
    solo = sheet.integer("solo_turns") if sheet.has("solo_turns") else 0
    crowd = sheet.number("crowd_factor") if sheet.has("crowd_factor") else 1.0
    weights = Weights(names, each, sheet.number("scale"), prior, horizon, whole_turns, whole_actions, solo, crowd)
    if sheet.has("judge"):
        judge = sheet.row("judge")
        pairs = [judge.pair(name) for name in names]
        weights.opening = [opening for opening, _ in pairs]
        weights.endgame = [endgame for _, endgame in pairs]
        weights.turn = list(judge.pair("turn"))
    return weights
