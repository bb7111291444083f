"""How a server is run."""

import os
from dataclasses import KW_ONLY, dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from triclinium.bots import Budget
from triclinium.engine.core.errors import BadSetup
from triclinium.server.proxies import parse_proxies

HINT_BUDGET = Budget(1.0)
LOOPBACK_PROXIES = "127.0.0.1,::1"
DATABASE_VARIABLE = "TRICLINIUM_DATABASE"  # the environment variable


@dataclass
class Settings:
    """Everything that may differ between two servers."""

    database: str = ""  # none: in the owner's data folder
    _: KW_ONLY
    limits: bool = True
    bot_pause: float = 0.5  # seconds before a bot's move is shown, so that people can follow
    bot_workers: int = 1  # 0: no bot thinks here
    bot_packages: str = ""  # where their processes find the compiled build; "": they run as this one does
    keep_finished: int = 0  # days after which a table that is over is deleted; 0: never
    keep_waiting: int = 30  # days after which a table that has not begun is deleted; 0: never
    mails_per_sender: int = 5  # confirmation mails an hour that one network, and one person, may request
    mails_per_hour: int = 60  # confirmation mails that the server sends
    mails_per_day: int = 300
    upload_per_day: int = 1_000_000  # bytes of records that one person may store; one network twice as many; 0: any
    processes: int = 1  # of this machine that serve together, on a database that they share
    hint_budget: Budget = HINT_BUDGET  # for a hint, and for each swing of a review
    max_loaded_tables: int = 2000  # in memory
    absence_check_seconds: float = 15.0  # seconds between two looks for absent players
    startup_grace: float = 60.0  # seconds after a start in which no bot sits in: people must find their way back first
    lock_timeout: float = 10.0  # seconds that a write waits while another program locks the database
    https: bool = False
    password_file: str = ""  # whose first line is asked at the door; "": none, or what was set in a page
    url: str = ""  # how the server is addressed from outside, without the last slash; "": not said
    mail: str = ""  # by whom the house sends mail: mailtos://house:password@mail.example.org; "": it sends none
    telegram: str = ""  # the token of the house's bot
    ntfy: str = "https://ntfy.sh"  # the server at which the house makes topics
    services: str = ""  # "any": people may bring addresses of other services
    allow_local_hooks: bool = False  # messages may be sent into this network: for home automation, and for tests
    notify_seconds: float = 5.0  # seconds between two looks for what is to be told
    max_streams: int = 40  # that one address may hold open
    max_connections: int = 64  # that one address may hold open
    header_timeout: float = 10.0  # seconds in which the head of a request must have come
    proxy: str = ""  # believed when it says who calls
    proxies: list[IPv4Network | IPv6Network] = field(init=False)
    plain_boards: bool = False  # every table is drawn by the board kit, as if games brought no templates
    warm_up: bool = False  # make ready at the start, beside the first requests, what they would wait for

    def __post_init__(self) -> None:
        self.database = self.database or get_default_database()
        self.url = normalize_url(self.url)
        self.https = self.https or self.url.startswith("https:")
        self.proxy = self.proxy or (LOOPBACK_PROXIES if self.https else "")
        self.proxies = parse_proxies(self.proxy)


def resolve_database(given: str) -> str:
    """Return the database of a command: the one given, the one in the environment, or a file in the data folder.

    Raise BadSetup for a password on the command line, where every user of the machine can read it.
    """
    try:
        parts = urlsplit(given)
        has_password = bool(parts.password) or "password=" in parts.query
    except ValueError:
        has_password = False
    if has_password:
        raise BadSetup(
            "every user of this machine can read a password on the command line: put the whole URL into the "
            f"environment variable {DATABASE_VARIABLE}, or the password into PGPASSWORD or ~/.pgpass"
        )
    return given or get_default_database()


def get_default_database() -> str:
    """Return the database that the environment names, or a file in the user's data folder."""
    if os.environ.get(DATABASE_VARIABLE):
        return os.environ[DATABASE_VARIABLE]
    folder = Path(platformdirs.user_data_dir("triclinium", appauthor=False))
    return f"sqlite:///{folder / 'triclinium.db'}"


def normalize_url(text: str) -> str:
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
