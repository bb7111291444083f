"""Backups of a server in PostgreSQL, made and read with PostgreSQL's own programs.

A restore is one transaction of `psql`. It drops the existing tables and runs the script that `pg_restore` makes from
the backup. It commits when `pg_restore` has succeeded. A failure or a crash before the commit changes nothing.
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
from triclinium.server.admin.version_check import check_schema_current
from triclinium.server.storage.postgres import PostgresDatabase
from triclinium.server.storage.revisions import check_revision

DUMP_MAGIC = b"PGDMP"
INSTALL_FOLDER = Path("/usr/lib/postgresql")
DUMP_OPTIONS = ("--no-owner", "--no-privileges")
COUNT_SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_REVISION = re.compile(r"^COPY (\S+)\.alembic_version .*\n(.*)$", re.MULTILINE)
_PREFIX = re.compile(r"^\w+:(?:<stdin>:\d+:)? *(?:error|ERROR|fatal|FATAL)?:? *")
LOCK_SECONDS = 10


def dump_database(database: PostgresDatabase, target: Path) -> None:
    """Write the committed data to a file. The server may be running. Raise `BadSetup` if that fails."""
    try:
        with database.engine.connect() as connection:
            check_schema_current(connection, database.name)
            schema = _get_current_schema(connection)
    except SQLAlchemyError as error:
        raise BadSetup(database.explain_error(error)) from None
    _run_program(
        "pg_dump", "--format=custom", *DUMP_OPTIONS, f"--schema={schema}", f"--file={target}", database=database
    )


def check_backup(source: Path) -> str:
    """Return the schema that a backup contains. Raise `BadSetup` if it cannot be read or upgraded."""
    revision_match = _REVISION.search(
        _run_program("pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(source))
    )
    if revision_match is None:
        raise BadSetup(f"{source} is not a backup of a server")
    check_revision(revision_match[2], str(source))
    return revision_match[1]


def restore_database(database: PostgresDatabase, source: Path, overwrite: bool) -> None:
    """Replace all tables of the database by those of a backup, in one transaction. Raise `BadSetup` if that fails."""
    schema = check_backup(source)
    try:
        with database.engine.connect() as connection:
            if connection.execute(text(COUNT_SESSIONS)).scalar_one():
                raise BadSetup(f"the database {database.name} is in use; stop every server that uses it first")
            if schema != (own := _get_current_schema(connection)):
                raise BadSetup(f"{source} has the schema {schema}, but {database.name} uses {own}")
            existing_tables = inspect(connection).get_table_names()
            quote = connection.dialect.identifier_preparer.quote
            dropped = ", ".join(f"{quote(schema)}.{quote(name)}" for name in existing_tables)
    except SQLAlchemyError as error:
        raise BadSetup(database.explain_error(error)) from None
    finally:
        database.engine.dispose()
    if existing_tables and not overwrite:
        raise BadSetup(f"{database.name} already has the data of a server; --overwrite replaces it")
    start = f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_SECONDS}s';\n" + (
        f"DROP TABLE {dropped};\n" if existing_tables else ""
    )
    _run_script(database, start, ["pg_restore", *DUMP_OPTIONS, f"--schema={schema}", "--file=-", str(source)])


def _get_current_schema(connection: Connection) -> str:
    return str(connection.execute(text("SELECT current_schema()")).scalar_one())


def _run_script(database: PostgresDatabase, script_start: str, script_command: list[str]) -> None:
    """Run the output of a command in `psql`, and commit if the command succeeded. Raise `BadSetup` otherwise."""
    psql_options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={_remove_password(database)}"]
    psql, *script_command = [_find_program("psql"), _find_program(script_command[0]), *script_command[1:]]
    with TemporaryFile() as producer_errors, TemporaryFile() as consumer_errors, ExitStack() as running:
        producer = subprocess.Popen(script_command, stdout=subprocess.PIPE, stderr=producer_errors)
        running.callback(_kill_program, producer)
        consumer = subprocess.Popen(
            [psql, *psql_options],
            env=_build_environment(database),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=consumer_errors,
        )
        running.callback(_kill_program, consumer)
        try:
            _pipe_script(producer, consumer, script_start)
        except BrokenPipeError:  # psql has ended before the end of the script
            consumer.wait()
        for name, program, errors in (("pg_restore", producer, producer_errors), ("psql", consumer, consumer_errors)):
            if program.poll():
                raise BadSetup(f"{_format_failure(name, program.returncode, errors)}; nothing has changed")


def _pipe_script(producer: "subprocess.Popen[bytes]", consumer: "subprocess.Popen[bytes]", script_start: str) -> None:
    """Copy the script from one program to the other. Without the last line psql commits nothing."""
    assert consumer.stdin is not None
    assert producer.stdout is not None
    consumer.stdin.write(script_start.encode())
    shutil.copyfileobj(producer.stdout, consumer.stdin, 1 << 16)
    if producer.wait() == 0:
        consumer.stdin.write(b"\nCOMMIT;\n")
        consumer.stdin.close()
        consumer.wait()


def _kill_program(program: "subprocess.Popen[bytes]") -> None:
    """Kill a program if it still runs. The database rolls back what psql has not committed."""
    if program.poll() is None:
        program.kill()
        program.wait()
    for stream in (program.stdin, program.stdout):
        if stream is not None:
            with suppress(BrokenPipeError):
                stream.close()


def _run_program(name: str, *arguments: str, database: PostgresDatabase | None = None) -> str:
    """Run a PostgreSQL program and return its output. Raise `BadSetup` if it fails."""
    target = [f"--dbname={_remove_password(database)}"] if database is not None else []
    result = subprocess.run(
        [_find_program(name), *target, *arguments],
        env=_build_environment(database),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if result.returncode != 0:
        raise BadSetup(_format_failure(name, result.returncode, result.stderr))
    return result.stdout


def _format_failure(name: str, code: int, errors: str | IO[bytes]) -> str:
    """Return a sentence with the first error message of a program."""
    if not isinstance(errors, str):
        errors.seek(0)
        errors = errors.read().decode("utf-8", "replace")
    lines = [line for line in errors.splitlines() if line.strip()]
    first = next((line for line in lines if "error:" in line.lower()), lines[0] if lines else "")
    return f"{name} failed: {_PREFIX.sub('', first) or f'exit code {code}'}"


def _remove_password(database: PostgresDatabase) -> str:
    return database.url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)


def _build_environment(database: PostgresDatabase | None = None) -> dict[str, str]:
    """Return the environment for a program. It contains the password, which the process list would show otherwise."""
    secret = {"PGPASSWORD": database.url.password} if database is not None and database.url.password else {}
    return {**os.environ, **secret}


def _find_program(name: str) -> str:
    """Return the path of a program, preferably of the newest installed release. Raise `BadSetup` if there is none."""
    places = sorted(INSTALL_FOLDER.glob(f"*/bin/{name}"), key=lambda place: -float(place.parents[1].name))
    program = shutil.which(name) or (str(places[0]) if places else None)
    if program is None:
        raise BadSetup(f"{name} is not installed; it belongs to the client programs of PostgreSQL")
    return program
