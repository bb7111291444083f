"""Results of tournaments and of weight searches, ready for JSON."""

from typing import NotRequired, TypedDict


class BotResult(TypedDict):
    """The result of one bot over all its matches."""

    bot: str
    matches: int
    seats: int  # seats that the bot had in all matches
    wins: float  # number of wins; a shared win is split among the winners
    share: float  # share of wins in the matches it played
    low: float  # lower end of the 95% interval of the share
    high: float
    rating: float
    deviation: float  # standard deviation of the rating
    mean_score: NotRequired[float]  # missing in a game without points
    margin: float  # mean lead over the best other bot in the same match; in ranks if the game has no points
    decisions: int
    seconds: float  # mean processor time of a decision
    longest: float
    faults: int
    cut: int  # number of answers that the time limit cut short because the machine was too busy


class FaultReport(TypedDict):
    """A move that a bot failed to make."""

    match: int
    move: int
    bot: str
    kind: str
    detail: str


class WinShareHistory(TypedDict):
    """The share of wins of a bot after each of its matches."""

    bot: str
    shares: list[float]


class ArenaReport(TypedDict):
    """The result of a tournament, ready for JSON."""

    game: str
    seats: int
    net: str  # name of the network of its bots; empty if none
    seed: int
    asked: int
    played: int
    interrupted: bool
    balanced: bool  # True if every seating was played equally often
    standings: list[BotResult]
    courses: list[WinShareHistory]
    faults: list[FaultReport]
    seconds: float


class ValueModelReport(TypedDict):
    """A value model and the weights it was fitted with, ready for JSON."""

    game: str
    bot: str
    weights: dict[str, float]
    scale_before: float
    scale: float
    lessons: int  # number of matches in the training data
    judge: dict[str, list[float]]  # early and late weight of each feature, and of "turn"
    surprise: float  # log loss of the value model on held-out matches
    surprise_before: float  # log loss of the bare weights on the same matches


class TuningReport(ValueModelReport):
    """Learnt weights with the value model fitted to them, ready for JSON."""

    seats: int
    generations: int
    matches: int
    seconds: float
    before: dict[str, float]
    trials: int
    share: float  # share of wins against the old weights
    low: float
    high: float
