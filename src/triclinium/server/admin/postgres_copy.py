"""Copies of a house in PostgreSQL, made and read by PostgreSQL's own programs."""

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import MetaData, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.server.admin.release import check_current, check_known
from triclinium.server.storage.postgres import Postgres

HEAD = b"PGDMP"
PLACES = Path("/usr/lib/postgresql")
REVISION = ("--data-only", "--table=alembic_version", "--file=-")


def dump(database: Postgres, to: Path) -> None:
    """Copy what is committed now; the house may be open."""
    try:
        with database.engine.connect() as connection:
            check_current(connection, database.name)
    except SQLAlchemyError as error:
        raise BadSetup(database.explain(error)) from None
    _run(database, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={to}")


def restore(database: Postgres, source: Path, overwrite: bool) -> None:
    """Fill the database by a copy, in one transaction; what was there goes before."""
    check_known(_revision(database, source), str(source))
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    try:
        with database.engine.begin() as connection:
            if connection.execute(text(others)).scalar_one():
                raise BadSetup(f"the database {database.name} is in use: close every house on it first")
            if inspect(connection).get_table_names():
                if not overwrite:
                    raise BadSetup(f"there is a house in {database.name}: --overwrite puts the backup in its place")
                there = MetaData()
                there.reflect(connection)
                there.drop_all(connection)
    except SQLAlchemyError as error:
        raise BadSetup(database.explain(error)) from None
    finally:
        database.engine.dispose()
    words = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run(database, "pg_restore", *words, str(source), into=True)


def _revision(database: Postgres, source: Path) -> str:
    """Which release made the copy, as its migrations are called."""
    lines = iter(_run(database, "pg_restore", *REVISION, str(source)).splitlines())
    for line in lines:
        if line.startswith("COPY "):
            return next(lines, "")
    raise BadSetup(f"{source} is no backup of a house")


def _run(database: Postgres, name: str, *words: str, into: bool = False) -> str:
    """Run one of the programs; what it wrote. The password goes by the environment, which nobody else can list."""
    program = shutil.which(name) or _found(name)
    if program is None:
        raise BadSetup(f"{name} is not installed here: PostgreSQL's client programs have it")
    bare = database.url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    secret = {"PGPASSWORD": database.url.password} if database.url.password else {}
    target = [f"--dbname={bare}"] if into or name == "pg_dump" else []
    done = subprocess.run(
        [program, *target, *words], env={**os.environ, **secret}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise BadSetup(f"{name} failed: {said[0].removeprefix(f'{name}: ') if said else done.returncode}")
    return done.stdout


def _found(name: str) -> str | None:
    """Of several releases the newest, where systems keep them side by side."""
    places = sorted(PLACES.glob(f"*/bin/{name}"), key=lambda place: -float(place.parents[1].name))
    return str(places[0]) if places else None
