"""What the house's bot is thinking about for people, and what came of it. Kept in memory only."""

import asyncio

from triclinium.bots.analysis import Advice


class Hint:
    """What the bot thinks of one decision, the best option first; nothing as long as it thinks."""

    def __init__(self, version: int) -> None:
        self.version = version  # of the table that it is for
        self.best: list[Advice] = []
        self.failed = False
        self.done = asyncio.Event()


class Progress:
    """A review that is being made: so many positions of so many are looked at."""

    def __init__(self, whole: int) -> None:
        self.whole = whole
        self.looked_at = 0
        self.failed = 0.0  # when, on the house's clock; 0: it has not
        self.done = asyncio.Event()
