"""Backups of a server in PostgreSQL, made and read by PostgreSQL's own programs.

A restore is one transaction of `psql`: it drops the tables that are there, runs the script that `pg_restore` makes of
the backup, and commits when `pg_restore` has ended well. Whatever fails or is killed before changes nothing.
"""

import os
import re
import shutil
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.server.admin.version_check import check_current
from triclinium.server.storage.postgres import Postgres
from triclinium.server.storage.revisions import check_revision

HEAD = b"PGDMP"
PLACES = Path("/usr/lib/postgresql")
PLAIN = ("--no-owner", "--no-privileges")
IN_USE = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_REVISION = re.compile(r"^COPY (\S+)\.alembic_version .*\n(.*)$", re.MULTILINE)
_PREFIX = re.compile(r"^\w+:(?:<stdin>:\d+:)? *(?:error|ERROR|fatal|FATAL)?:? *")
LOCK_SECONDS = 10


def dump(database: Postgres, to: Path) -> None:
    """Copy what is committed now into a file. The server may be running."""
    try:
        with database.engine.connect() as connection:
            check_current(connection, database.name)
            schema = _schema(connection)
    except SQLAlchemyError as error:
        raise BadSetup(database.explain(error)) from None
    _run("pg_dump", "--format=custom", *PLAIN, f"--schema={schema}", f"--file={to}", database=database)


def check(source: Path) -> str:
    """Return the schema that a backup is of. Raise BadSetup if it cannot be read or upgraded."""
    found = _REVISION.search(_run("pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(source)))
    if found is None:
        raise BadSetup(f"{source} is no backup of a house")
    check_revision(found[2], str(source))
    return found[1]


def restore(database: Postgres, source: Path, overwrite: bool) -> None:
    """Replace all tables of the database by those of a backup, in one transaction."""
    schema = check(source)
    try:
        with database.engine.connect() as connection:
            if connection.execute(text(IN_USE)).scalar_one():
                raise BadSetup(f"the database {database.name} is in use: close every house on it first")
            if schema != (own := _schema(connection)):
                raise BadSetup(f"{source} is of the schema {schema}, and {database.name} uses {own}")
            there = inspect(connection).get_table_names()
            quote = connection.dialect.identifier_preparer.quote
            dropped = ", ".join(f"{quote(schema)}.{quote(name)}" for name in there)
    except SQLAlchemyError as error:
        raise BadSetup(database.explain(error)) from None
    finally:
        database.engine.dispose()
    if there and not overwrite:
        raise BadSetup(f"there is a house in {database.name}: --overwrite puts the backup in its place")
    start = f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_SECONDS}s';\n" + (f"DROP TABLE {dropped};\n" if there else "")
    _replay(database, start, ["pg_restore", *PLAIN, f"--schema={schema}", "--file=-", str(source)])


def _schema(connection: Connection) -> str:
    return str(connection.execute(text("SELECT current_schema()")).scalar_one())


def _replay(database: Postgres, start: str, maker: list[str]) -> None:
    """Run a script that another program writes, and commit if that program ended well; raise BadSetup if not."""
    words = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={_bare(database)}"]
    psql, *maker = [_program("psql"), _program(maker[0]), *maker[1:]]
    with TemporaryFile() as unmade, TemporaryFile() as undone, ExitStack() as running:
        making = subprocess.Popen(maker, stdout=subprocess.PIPE, stderr=unmade)
        running.callback(_end, making)
        runner = subprocess.Popen(
            [psql, *words],
            env=_environment(database),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=undone,
        )
        running.callback(_end, runner)
        try:
            _pump(making, runner, start)
        except BrokenPipeError:  # psql has ended before the script did
            runner.wait()
        for name, program, errors in (("pg_restore", making, unmade), ("psql", runner, undone)):
            if program.poll():
                raise BadSetup(f"{_failure(name, program.returncode, errors)}; nothing has changed")


def _pump(making: "subprocess.Popen[bytes]", runner: "subprocess.Popen[bytes]", start: str) -> None:
    """Hand the script from one program to the other. Without the last line psql commits nothing."""
    assert runner.stdin is not None
    assert making.stdout is not None
    runner.stdin.write(start.encode())
    shutil.copyfileobj(making.stdout, runner.stdin, 1 << 16)
    if making.wait() == 0:
        runner.stdin.write(b"\nCOMMIT;\n")
        runner.stdin.close()
        runner.wait()


def _end(program: "subprocess.Popen[bytes]") -> None:
    """End a program that still runs. The database rolls back what psql has not committed."""
    if program.poll() is None:
        program.kill()
        program.wait()
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            with suppress(BrokenPipeError):
                stream.close()


def _run(name: str, *words: str, database: Postgres | None = None) -> str:
    """Run one of the programs, on a database or on a file alone, and return its output; raise BadSetup if it fails."""
    target = [f"--dbname={_bare(database)}"] if database is not None else []
    done = subprocess.run(
        [_program(name), *target, *words],
        env=_environment(database),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise BadSetup(_failure(name, done.returncode, done.stderr))
    return done.stdout


def _failure(name: str, code: int, errors: str | IO[bytes]) -> str:
    """Return a sentence that repeats the first error of a program."""
    if not isinstance(errors, str):
        errors.seek(0)
        errors = errors.read().decode("utf-8", "replace")
    lines = [line for line in errors.splitlines() if line.strip()]
    first = next((line for line in lines if "error:" in line.lower()), lines[0] if lines else "")
    return f"{name} failed: {_PREFIX.sub('', first) or f'exit code {code}'}"


def _bare(database: Postgres) -> str:
    return database.url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)


def _environment(database: Postgres | None = None) -> dict[str, str]:
    """Return the environment for a program. The password is there, where no list of processes shows it."""
    secret = {"PGPASSWORD": database.url.password} if database is not None and database.url.password else {}
    return {**os.environ, **secret}


def _program(name: str) -> str:
    """Return the path of a program; of several releases side by side the newest. Raise BadSetup if there is none."""
    places = sorted(PLACES.glob(f"*/bin/{name}"), key=lambda place: -float(place.parents[1].name))
    program = shutil.which(name) or (str(places[0]) if places else None)
    if program is None:
        raise BadSetup(f"{name} is not installed here: PostgreSQL's client programs have it")
    return program
