"""How a house is run."""

from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from triclinium.bots import Budget
from triclinium.engine.core.errors import BadSetup
from triclinium.server.network import proxies

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
        grace: float = 60.0,
        busy: float = 10.0,
        vote_after: float = 180.0,
        https: bool = False,
        url: str = "",
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
        self.vote_after = vote_after  # seconds of silence before the others may vote, where no deadline is set
        self.grace = grace  # seconds after a start in which no bot sits in: people must find their way back first
        self.busy = busy  # seconds that a write waits while another program locks the database
        self.url = checked_url(url)  # how the house is addressed from outside, without the last slash; "": not said
        self.https = https or self.url.startswith("https:")
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


def checked_url(text: str) -> str:
    """The beginning of every link, or nothing; raises BadSetup."""
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0 or "@" in parts.netloc
    except ValueError:
        wrong = True
    if wrong or parts.path.strip("/") or parts.query or parts.fragment:
        raise BadSetup(f"the house's own address is given like https://games.example.org, not {text!r}")
    usual = ":443" if parts.scheme == "https" else ":80"  # a browser leaves it out
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(usual)}"
