"""Settings of a server."""

import os
from dataclasses import KW_ONLY, dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs
from sqlalchemy import make_url

from triclinium.bots import Budget
from triclinium.engine.core.errors import BadSetup
from triclinium.server.proxies import parse_proxies

HINT_BUDGET = Budget(1.0)
LOOPBACK_PROXIES = "127.0.0.1,::1"
BACKUP_FOLDER = "backups"
STUDY_FOLDER = "studies"
DATABASE_VARIABLE = "TRICLINIUM_DATABASE"  # environment variable with the URL of the database


@dataclass
class Settings:
    """Options that can differ between two servers."""

    database: str = ""  # URL of the database; "": a file in the owner's data folder
    _: KW_ONLY
    limits: bool = True
    bot_pause: float = 0.5  # seconds before a bot's move is shown, so that people can follow
    bot_workers: int = 1  # 0: this server runs no bots
    # The folder where bot processes find the compiled build; "": they use the same code as this process.
    bot_packages: str = ""
    keep_finished: int = 0  # days after which a finished table is deleted; 0: never
    keep_waiting: int = 30  # days after which a table that has not started is deleted; 0: never
    mails_per_sender: int = 5  # confirmation mails an hour that one network, or one person, may request
    mails_per_hour: int = 60  # confirmation mails an hour that the server sends
    mails_per_day: int = 300
    # Bytes of records that one person may store a day. A network may store twice as much; 0: no limit.
    upload_per_day: int = 1_000_000
    processes: int = 1  # processes on this machine that serve together and share a database
    hint_budget: Budget = HINT_BUDGET  # for one hint, and for each position of a review
    practice: bool = True  # whether finished matches are reviewed in the background, for exercises
    max_loaded_tables: int = 2000  # maximum number of tables in memory
    absence_check_seconds: float = 15.0  # seconds between two checks for absent players
    startup_grace: float = 60.0  # seconds after a start in which no bot replaces a player, so that people can reconnect
    lock_timeout: float = 10.0  # seconds that a write waits while another program locks the database
    https: bool = False
    password_file: str = ""  # file whose first line is the site password; "": none, or the one set on a page
    url: str = ""  # public address of the server, without the last slash; "": not set
    mail: str = ""  # mail server and sender, such as mailtos://user:password@mail.example.org; "": no mail
    telegram: str = ""  # token of the server's Telegram bot
    ntfy: str = "https://ntfy.sh"  # ntfy server on which this server creates topics
    services: str = ""  # "any": people may add addresses of other chat services
    allow_local_hooks: bool = False  # whether notifications may be sent to this network, for home automation and tests
    notify_seconds: float = 5.0  # seconds between two checks for due notifications
    max_streams: int = 40  # event streams that one address may hold open
    max_connections: int = 64  # connections that one address may hold open
    header_timeout: float = 10.0  # seconds in which the head of a request must arrive
    proxy: str = ""  # addresses of proxies that are trusted to name the client
    proxies: list[IPv4Network | IPv6Network] = field(init=False)
    plain_boards: bool = False  # draw every table with the board kit, as if games had no templates
    backups: str = ""  # the folder for backups that the owner makes; empty: `backups` next to the database
    workshop: str = "owner"  # access to the workshop: owner, members (everyone with a nickname), off
    printing: bool = True  # whether people may print the games of this server
    studies: str = ""  # the folder of running studies; empty: `studies` next to the database
    warm_up: bool = False  # do slow preparations at the start, while the first requests are already served

    def __post_init__(self) -> None:
        self.database = self.database or get_default_database()
        self.url = normalize_url(self.url)
        self.https = self.https or self.url.startswith("https:")
        self.proxy = self.proxy or (LOOPBACK_PROXIES if self.https else "")
        self.proxies = parse_proxies(self.proxy)


def resolve_database(given: str) -> str:
    """Return the database of a command: the one given, the one in the environment, or a file in the data folder.

    Raise `BadSetup` for a password on the command line, where every user of the machine can read it.
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


def find_backup_folder(settings: Settings) -> Path:
    """Return the folder for backups: the one given, or `backups` next to the database file, or in the data folder."""
    return Path(settings.backups) if settings.backups else _find_data_folder(settings) / BACKUP_FOLDER


def find_study_folder(settings: Settings) -> Path:
    """Return the folder of studies: the one given, or `studies` next to the database file, or in the data folder."""
    return Path(settings.studies) if settings.studies else _find_data_folder(settings) / STUDY_FOLDER


def _find_data_folder(settings: Settings) -> Path:
    url = make_url(settings.database)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).parent
    return Path(platformdirs.user_data_dir("triclinium", appauthor=False))


def normalize_url(text: str) -> str:
    """Return the public address of the server without the last slash, or "". Raise `BadSetup` if it is not valid."""
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0 or "@" in parts.netloc
    except ValueError:
        wrong = True
    if wrong or parts.path.strip("/") or parts.query or parts.fragment:
        raise BadSetup(f"the public URL must be like https://games.example.org, not {text!r}")
    usual = ":443" if parts.scheme == "https" else ":80"  # browsers leave this port out
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(usual)}"
