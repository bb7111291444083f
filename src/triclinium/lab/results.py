"""What an arena and a tuning found out, JSON-ready."""

from typing import NotRequired, TypedDict


class BotResult(TypedDict):
    """One bot over all its matches."""

    bot: str
    matches: int
    seats: int  # that it had in all of them
    wins: float  # ties split
    share: float  # of the matches it played in
    low: float  # the 95 % interval of the share
    high: float
    rating: float
    deviation: float  # of the rating
    mean_score: NotRequired[float]  # missing in a game without points
    margin: float  # mean of its score less the best other bot's in the same match; without points, in ranks
    decisions: int
    seconds: float  # of processor time that a decision takes on average
    longest: float
    faults: int
    cut: int  # answers that the clock cut short, because the machine was too busy


class FaultReport(TypedDict):
    """A move that a bot could not make."""

    match: int
    move: int
    bot: str
    kind: str
    detail: str


class WinShareHistory(TypedDict):
    """A bot's share of the wins after each of its matches."""

    bot: str
    shares: list[float]


class ArenaReport(TypedDict):
    """The result of a tournament, JSON-ready."""

    game: str
    seats: int
    net: str  # what its bots have learnt by; empty: nothing
    seed: int
    asked: int
    played: int
    interrupted: bool
    balanced: bool  # every seating was played equally often
    standings: list[BotResult]
    courses: list[WinShareHistory]
    faults: list[FaultReport]
    seconds: float


class ValueModelReport(TypedDict):
    """A value model and the weights that it was fitted to, JSON-ready."""

    game: str
    bot: str
    weights: dict[str, float]
    scale_before: float
    scale: float
    lessons: int  # matches that it was fitted to
    judge: dict[str, list[float]]  # by feature, and "turn": early and late
    surprise: float  # cross entropy of the value model on matches it had not learnt from
    surprise_before: float  # cross entropy, on the same matches, of the weights over their scale


class TuningReport(ValueModelReport):
    """Weights that were learnt, with the value model that was fitted to them, JSON-ready."""

    seats: int
    generations: int
    matches: int
    seconds: float
    before: dict[str, float]
    trials: int
    share: float  # of the wins against the old weights
    low: float
    high: float
