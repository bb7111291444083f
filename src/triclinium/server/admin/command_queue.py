"""Execution of admin commands, directly or by a running server.

A command changes the database directly, unless a running server has locked it. Then the command is stored in the
database and the server executes it, because the server keeps its tables in memory.
"""

import asyncio
import json
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup, TricliniumError
from triclinium.engine.core.text import Reader
from triclinium.server import server_time
from triclinium.server.admin.actions import ACTIONS, JsonObject
from triclinium.server.admin.version_check import check_schema_current
from triclinium.server.errors import RequestError
from triclinium.server.services import Services
from triclinium.server.settings import Settings
from triclinium.server.storage.file_guard import DatabaseInUse
from triclinium.server.storage.schema_admin import orders
from triclinium.server.storage.sqlite import SqliteDatabase
from triclinium.server.storage.store import Store

log = logging.getLogger("triclinium.admin")
POLL_SECONDS = 1.0  # seconds between two checks for commands
REPLY_TIMEOUT = 60.0  # seconds that the command line waits for a running server


@contextmanager
def open_stored_server(database: str) -> Iterator[Services]:
    """Yield a server with its stored data for reading.

    Raise `BadSetup` if there is no database, or if it has the schema of another release.
    """
    services = Services(Settings(database, bot_workers=0))
    stored_database = services.store.database
    if isinstance(stored_database, SqliteDatabase) and not stored_database.path.is_file():
        raise BadSetup(f"there is no server data in the database {stored_database.name}")
    try:
        with services.store.read_connection() as connection:
            check_schema_current(connection, stored_database.name)
        yield services
    except SQLAlchemyError as error:
        raise BadSetup(stored_database.explain_error(error)) from None
    finally:
        services.store.engine.dispose()


def run_action(database: str, action: str, arguments: Mapping[str, object]) -> JsonObject:
    """Execute an action, directly or in the running server, and return its result.

    Raise `BadSetup` or `RequestError` if the action fails or is refused.
    """
    with open_stored_server(database) as services:
        try:
            services.open_database()
        except DatabaseInUse:
            return _queue_and_wait(services.store, action, arguments)
        return asyncio.run(_run_directly(services, action, arguments))


async def _run_directly(services: Services, action: str, arguments: Mapping[str, object]) -> JsonObject:
    try:
        return await ACTIONS[action](services, arguments)
    finally:
        await services.close()


def _queue_and_wait(store: Store, action: str, arguments: Mapping[str, object]) -> JsonObject:
    """Store a command for the running server, and return its answer.

    Raise `BadSetup` if it refuses or does not answer.
    """
    engine = store.engine.execution_options(writer=True)
    with engine.begin() as connection:
        row = {"text": json.dumps({"what": action, **arguments}), "made": server_time.now()}
        inserted_key = connection.execute(insert(orders).values(**row)).inserted_primary_key
        assert inserted_key is not None
    is_command = orders.c.id == inserted_key[0]
    until = time.monotonic() + REPLY_TIMEOUT
    answer = ""
    while not answer and time.monotonic() < until:
        time.sleep(0.1)
        with engine.connect() as connection:
            answer = str(connection.execute(select(orders.c.answer).where(is_command)).scalar_one())
    with engine.begin() as connection:
        connection.execute(delete(orders).where(is_command))
    if not answer:
        raise BadSetup(f"the server that uses {store.database.name} did not answer")
    result: JsonObject = json.loads(answer)
    if "refused" in result:
        raise BadSetup(str(result["refused"]))
    return result


async def run_queue(services: Services) -> None:
    """Execute stored commands forever, in a server that has its database to itself.

    Commands that are older than the command line's waiting time are ignored.
    """
    while True:
        try:
            for id, text in await services.runtime.run_in_thread(_load_pending, services.store):
                result_text = json.dumps(await execute_command(services, json.loads(text)))
                await services.store.write(
                    lambda connection, this=id, answer=result_text: connection.execute(  # type: ignore[misc]
                        update(orders).where(orders.c.id == this).values(answer=answer)
                    )
                )
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("admin commands could not be read; the server tries again: %s", error)
        await asyncio.sleep(POLL_SECONDS)


async def execute_command(services: Services, command: JsonObject) -> JsonObject:
    """Execute a command and return its result, or the reason why it was refused."""
    action = str(command.pop("what"))
    log.info("admin command: %s", action)
    try:
        return await ACTIONS[action](services, command)
    except TricliniumError as error:
        return {"refused": format_error(error)}
    except Exception:
        log.exception("an admin command failed")
        return {"refused": "the server could not do this; its log has the reason"}


def format_error(error: TricliniumError) -> str:
    """Return the English message of an error."""
    return Reader().read(error.message) if isinstance(error, RequestError) else str(error)


def _load_pending(store: Store) -> list[tuple[int, str]]:
    oldest_valid = server_time.now() - REPLY_TIMEOUT
    with store.read_connection() as connection:
        query = select(orders.c.id, orders.c.text).where(orders.c.answer == "", orders.c.made > oldest_valid)
        return [(int(row.id), str(row.text)) for row in connection.execute(query.order_by(orders.c.id))]
