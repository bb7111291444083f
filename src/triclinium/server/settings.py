"""How a house is run."""

from pathlib import Path

import platformdirs

from triclinium.bots import Budget
from triclinium.server.address import proxies

ADVICE = Budget(1.0)
THIS_MACHINE = "127.0.0.1,::1"


class Settings:
    """Everything that may differ between two houses."""

    def __init__(
        self,
        database: str = "",
        *,
        limits: bool = True,
        bot_pause: float = 0.5,
        bot_workers: int = 1,
        advice: Budget = ADVICE,
        tables_kept: int = 2000,
        sweep: float = 15.0,
        https: bool = False,
        streams: int = 40,
        connections: int = 64,
        head: float = 10.0,
        proxy: str = "",
        warm: bool = False,
    ) -> None:
        self.database = database or default_database()
        self.limits = limits
        self.bot_pause = bot_pause  # seconds before a bot's move is shown, so that people can follow
        self.bot_workers = bot_workers
        self.advice = advice  # for a hint, and for each swing of a review
        self.tables_kept = tables_kept  # in memory
        self.sweep = sweep  # seconds between two looks for absent players
        self.https = https
        self.streams = streams  # that one address may hold open
        self.connections = connections  # that one address may hold open
        self.head = head  # seconds in which the head of a request must have come
        self.proxy = proxy or (THIS_MACHINE if self.https else "")  # believed when it says who calls
        self.proxies = proxies(self.proxy)
        self.warm = warm  # make ready at the start, beside the first requests, what they would wait for


def default_database() -> str:
    """In the user's data folder."""
    folder = Path(platformdirs.user_data_dir("triclinium", appauthor=False))
    return f"sqlite:///{folder / 'triclinium.db'}"
