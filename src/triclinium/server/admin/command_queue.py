"""What the command line asks of a house. One that is closed, or shares its database, is changed at once.

One that is open alone holds its file and keeps its tables in memory: it finds an order there, does it and answers.
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
from triclinium.server.admin.actions import ACTS, Facts
from triclinium.server.admin.version_check import check_current
from triclinium.server.errors import RequestError
from triclinium.server.server import Server
from triclinium.server.settings import Settings
from triclinium.server.storage.file_guard import Held
from triclinium.server.storage.schema_admin import orders
from triclinium.server.storage.sqlite import SqliteFile

log = logging.getLogger("triclinium.admin")
LOOK = 1.0  # seconds between two looks for an order
PATIENCE = 60.0  # seconds that the command line waits for an open house


@contextmanager
def reached(database: str) -> Iterator[Server]:
    """A house as it is stored, to be read; raises BadSetup where there is none of this release."""
    server = Server(Settings(database, bot_workers=0))
    kept = server.store.database
    if isinstance(kept, SqliteFile) and not kept.path.is_file():
        raise BadSetup(f"there is no house in the database {kept.name}")
    try:
        with server.store.reading() as connection:
            check_current(connection, kept.name)
        yield server
    except SQLAlchemyError as error:
        raise BadSetup(kept.explain(error)) from None
    finally:
        server.store.engine.dispose()


def give(database: str, what: str, facts: Mapping[str, object]) -> Facts:
    """Have something done, by whoever can; what became of it. Raises BadSetup, and RequestError in plain words."""
    with reached(database) as server:
        try:
            server.prepare()
        except Held:
            return _left(server, what, facts)
        return asyncio.run(_alone(server, what, facts))


async def _alone(server: Server, what: str, facts: Mapping[str, object]) -> Facts:
    try:
        return await ACTS[what](server, facts)
    finally:
        await server.close()


def _left(server: Server, what: str, facts: Mapping[str, object]) -> Facts:
    """Leave an order for the house that has the file open, and wait for its answer."""
    engine = server.store.engine.execution_options(writer=True)
    with engine.begin() as connection:
        row = {"text": json.dumps({"what": what, **facts}), "made": server_time.now()}
        made = connection.execute(insert(orders).values(**row)).inserted_primary_key
        assert made is not None
    this = orders.c.id == made[0]
    until = time.monotonic() + PATIENCE
    answer = ""
    while not answer and time.monotonic() < until:
        time.sleep(0.1)
        with engine.connect() as connection:
            answer = str(connection.execute(select(orders.c.answer).where(this)).scalar_one())
    with engine.begin() as connection:
        connection.execute(delete(orders).where(this))
    if not answer:
        raise BadSetup(f"the house that has {server.store.database.name} open did not answer")
    told: Facts = json.loads(answer)
    if "refused" in told:
        raise BadSetup(str(told["refused"]))
    return told


async def rounds(server: Server) -> None:
    """For ever, at a house that is alone with its file: look for orders. What is older than its giver waits is void."""
    while True:
        try:
            for id, text in await server.in_thread(_waiting, server):
                told = json.dumps(await done(server, json.loads(text)))
                await server.store.write(
                    lambda connection, this=id, answer=told: connection.execute(  # type: ignore[misc]
                        update(orders).where(orders.c.id == this).values(answer=answer)
                    )
                )
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("orders are looked for another time: %s", error)
        await asyncio.sleep(LOOK)


async def done(server: Server, order: Facts) -> Facts:
    """Do one, and say what became of it."""
    what = str(order.pop("what"))
    log.info("the command line asks: %s", what)
    try:
        return await ACTS[what](server, order)
    except TricliniumError as error:
        return {"refused": plain(error)}
    except Exception:
        log.exception("what the command line asked for failed")
        return {"refused": "the house failed to do it; its log says how"}


def plain(error: TricliniumError) -> str:
    """What went wrong, in English."""
    return Reader().read(error.message) if isinstance(error, RequestError) else str(error)


def _waiting(server: Server) -> list[tuple[int, str]]:
    young = server_time.now() - PATIENCE
    with server.store.reading() as connection:
        wanted = select(orders.c.id, orders.c.text).where(orders.c.answer == "", orders.c.made > young)
        return [(int(row.id), str(row.text)) for row in connection.execute(wanted.order_by(orders.c.id))]
