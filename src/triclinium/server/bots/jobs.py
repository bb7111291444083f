"""Hints and reviews that bots compute for people. They are kept in memory only."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from triclinium.bots.analysis import Advice


class CallerLocks:
    """A lock for each caller.

    It makes reviews of one caller run one after another, so that they do not delay its bots.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def get_lock(self, caller: str) -> asyncio.Lock:
        """Return the lock of a caller, which exists as long as someone uses it."""
        return self._locks.setdefault(caller, asyncio.Lock())


@dataclass(slots=True, eq=False)
class HintJob:
    """A hint for one decision: the options with the bot's advice, best first.

    The list is empty until the bot is done.
    """

    version: int  # version of the table for which the hint was asked
    seed: int
    own_option: str = ""  # option that the reader asks about, in notation
    best: list[Advice] = field(default_factory=list, init=False)
    failed: bool = field(default=False, init=False)
    done: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def covers_option(self, option: str) -> bool:
        """Return whether the hint contains this option, or will once it is done."""
        return option in ("", self.own_option, *(advice.option for advice in self.best))


@dataclass(slots=True, eq=False)
class ReviewProgress:
    """The progress of a review: the number of positions and decisions, and how many of them are evaluated."""

    positions: int
    evaluated_positions: int = field(default=0, init=False)
    decisions: int = field(default=0, init=False)  # 0: not known yet
    evaluated_decisions: int = field(default=0, init=False)
    failed: float = field(default=0.0, init=False)  # when it failed, on the server's clock; 0: it has not
    done: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @staticmethod
    def from_steps(steps: list[int]) -> "ReviewProgress":
        """Return the progress that another server has published."""
        made = ReviewProgress(steps[0])
        made.evaluated_positions, made.decisions, made.evaluated_decisions = steps[1:]
        return made
