"""What the server's bot is thinking about for people, and what came of it. Kept in memory only."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from triclinium.bots.analysis import Advice


class CallerLocks:
    """A lock for each caller: the reviews of one caller follow each other, and crowd out none of its bots."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def get_lock(self, caller: str) -> asyncio.Lock:
        """Return the lock of a caller, which lasts as long as it is used."""
        return self._locks.setdefault(caller, asyncio.Lock())


@dataclass(slots=True, eq=False)
class HintJob:
    """What the bot thinks of one decision, the best option first; nothing as long as it thinks."""

    version: int  # of the table that it is for
    seed: int
    own_option: str = ""  # an option that the reader asks about, in notation
    best: list[Advice] = field(default_factory=list, init=False)
    failed: bool = field(default=False, init=False)
    done: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def covers_option(self, option: str) -> bool:
        """Whether it tells of this option, or will."""
        return option in ("", self.own_option, *(advice.option for advice in self.best))


@dataclass(slots=True, eq=False)
class ReviewProgress:
    """A review that is being made: so many positions of so many are looked at, so many decisions are judged."""

    positions: int
    evaluated_positions: int = field(default=0, init=False)
    decisions: int = field(default=0, init=False)  # 0: it is not known yet which
    evaluated_decisions: int = field(default=0, init=False)
    failed: float = field(default=0.0, init=False)  # when, on the server's clock; 0: it has not
    done: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @staticmethod
    def from_steps(steps: list[int]) -> "ReviewProgress":
        """As another server tells it."""
        made = ReviewProgress(steps[0])
        made.evaluated_positions, made.decisions, made.evaluated_decisions = steps[1:]
        return made
