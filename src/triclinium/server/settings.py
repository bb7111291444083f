"""How a house is run."""

from pathlib import Path

import platformdirs

from triclinium.bots import Budget

ADVICE = Budget(1.0)


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
        vote_after: float = 180.0,
        https: bool = False,
    ) -> None:
        self.database = database or default_database()
        self.limits = limits
        self.bot_pause = bot_pause  # seconds before a bot's move is shown, so that people can follow
        self.bot_workers = bot_workers
        self.advice = advice  # for a hint, and for each swing of a review
        self.tables_kept = tables_kept  # in memory
        self.sweep = sweep  # seconds between two looks for absent players
        self.vote_after = vote_after  # seconds of silence before the others may vote, where no deadline is set
        self.https = https


def default_database() -> str:
    """In the user's data folder."""
    folder = Path(platformdirs.user_data_dir("triclinium", appauthor=False))
    return f"sqlite:///{folder / 'triclinium.db'}"
