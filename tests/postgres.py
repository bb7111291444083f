"""A PostgreSQL server for tests, started in a temporary folder. As root, it runs under another user's name.

With `TRICLINIUM_POSTGRES=1` every server that tests create through `settings` stores its tables there.
"""

import atexit
import contextlib
import os
import pwd
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import psycopg
import pytest

from bench.server_process import find_free_port
from triclinium.server.storage.store import Store

WANTED = bool(os.environ.get("TRICLINIUM_POSTGRES"))
USER = "triclinium"
LENT = ("postgres", "nobody")  # users that run it when the tests run as root


def find_postgres_folder() -> Path | None:
    """Return the folder of the newest installed PostgreSQL, or None."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: -int(place.parent.name))
    return next((place for place in places if (place / "postgres").exists()), None)


class PostgresCluster:
    """A running PostgreSQL cluster."""

    def __init__(self, folder: Path, durable: bool = False) -> None:
        """Start the cluster. With ``durable``, no data is lost even if the machine crashes. Tests do not need this."""
        self.durable = durable
        bin = find_postgres_folder()
        if bin is None:
            pytest.fail("PostgreSQL is not installed: the package postgresql has it")
        self.bin, self.folder, self.port = bin, folder, find_free_port()
        self.made = 0
        self._as = _lent_name()
        if self._as:
            folder.chmod(0o755)
            shutil.chown(folder, self._as)
        self._run("initdb", "-D", "data", "-U", USER, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "-N")
        self.process = self.start()

    def start(self) -> "subprocess.Popen[bytes]":
        """Start, and wait until it answers. Files of a killed process may delay the start for a moment."""
        until = time.monotonic() + 60
        self.process = self._begin()
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                self.sql("SELECT 1")
                return self.process
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.05)
            if self.process.poll() is not None:
                self.process = self._begin()

    def _begin(self) -> "subprocess.Popen[bytes]":
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "port": self.port,
            # Data that a process has written outlives it. Only a crash of the machine would lose it.
            "fsync": "on" if self.durable else "off",
            "max_connections": 200,
        }
        words = [f"-c{name}={value}" for name, value in settings.items()]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self.bin / "postgres", "-D", "data", *words], cwd=self.folder, stdout=log, stderr=log, **self._who()
            )

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self) -> None:
        """Kill all processes at once, like a power failure."""
        self.process.kill()
        self.process.wait()

    def url(self, database: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def sql(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def new(self, template: str = "template1") -> str:
        """Create a database and return its URL."""
        self.made += 1
        name = f"house{self.made}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self.bin / program, *words], cwd=self.folder, capture_output=True, text=True, check=False, **self._who()
        )
        assert done.returncode == 0, done.stderr

    def _who(self) -> dict[str, Any]:
        return {"user": self._as, "group": pwd.getpwnam(self._as).pw_gid, "extra_groups": []} if self._as else {}


def _lent_name() -> str:
    """Return the name of another user if this process runs as root."""
    if os.getuid() != 0:
        return ""
    known = {one.pw_name for one in pwd.getpwall()}
    return next(name for name in LENT if name in known)


@cache
def get_cluster() -> PostgresCluster:
    """Return the cluster of this process."""
    made = PostgresCluster(Path(mkdtemp(prefix="triclinium-postgres-")))
    atexit.register(made.stop)
    return made


@cache
def make_template_database() -> str:
    """Return the name of a migrated database that can be copied."""
    url = get_cluster().new()
    store = Store(url)
    store.migrate()
    store.close()
    return url.rpartition("/")[2]


@cache
def make_server_database(folder: Path) -> str:
    """Return the URL of the database for the server that a test starts in a folder."""
    return get_cluster().new(make_template_database())


def make_database() -> str:
    """Create a migrated database for one server and return its URL."""
    return get_cluster().new(make_template_database())
