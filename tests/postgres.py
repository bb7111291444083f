"""A PostgreSQL of the tests' own: started in a temporary folder, gone with it. It refuses root, so root lends another
user's name to it.

With `TRICLINIUM_POSTGRES=1` every server that tests make by `settings` keeps its tables there.
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
LENT = ("postgres", "nobody")  # who runs it for root


def find_postgres_folder() -> Path | None:
    """The folder of the newest PostgreSQL here; None: there is none."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: -int(place.parent.name))
    return next((place for place in places if (place / "postgres").exists()), None)


class PostgresCluster:
    """One running PostgreSQL."""

    def __init__(self, folder: Path, durable: bool = False) -> None:
        """``durable``: nothing is lost even if the machine fails, as houses run it; tests need not."""
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
        """Begin, and wait until it answers. What is left of one that was killed may stand in the way for a moment."""
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
            # What a process has written outlives it; only a machine that fails would lose it.
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
        """As if the machine's power failed for it: no process of it ends in order."""
        self.process.kill()
        self.process.wait()

    def url(self, database: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def sql(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def new(self, template: str = "template1") -> str:
        """A database of its own; its address."""
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
    """Another user's, if this one is root."""
    if os.getuid() != 0:
        return ""
    known = {one.pw_name for one in pwd.getpwall()}
    return next(name for name in LENT if name in known)


@cache
def get_cluster() -> PostgresCluster:
    """The one of this process."""
    made = PostgresCluster(Path(mkdtemp(prefix="triclinium-postgres-")))
    atexit.register(made.stop)
    return made


@cache
def make_template_database() -> str:
    """The name of a database as a server makes it, to be copied."""
    url = get_cluster().new()
    store = Store(url)
    store.migrate()
    store.close()
    return url.rpartition("/")[2]


@cache
def make_server_database(folder: Path) -> str:
    """The database of the server that a test makes in a folder."""
    return get_cluster().new(make_template_database())


def make_database() -> str:
    """A database for one server, up to date."""
    return get_cluster().new(make_template_database())
