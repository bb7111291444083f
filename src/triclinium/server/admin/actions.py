"""What whoever runs a house can have done to it: each act by its word, and what it tells."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import msgid
from triclinium.server import crypto, server_time
from triclinium.server.accounts import bans, deletion, owner
from triclinium.server.accounts.users import Person
from triclinium.server.cluster.versioned_write import change
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.ratings import rating
from triclinium.server.server import Server
from triclinium.server.storage import key_value
from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_notifications import ways
from triclinium.server.tables import consent, retention

Facts = dict[str, Any]
Act = Callable[[Server, Mapping[str, Any]], Awaitable[Facts]]
CLOSED = msgid("the match is abandoned by decision of the server's owner")
log = logging.getLogger("triclinium.admin")


async def close(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Close tables: a waiting one is given up, a running match is abandoned and counts for nothing."""
    for id in facts["tables"]:
        table = await server.table(id)
        async with table.lock:
            if table.status == "waiting":
                await change(server, table, lambda connection, at=id: _close(connection, at))  # type: ignore[misc]
                table.status = "closed"
                server.tell(table)
            elif table.status == "playing" and table.match is not None:
                await consent.end(server, table, CLOSED)
            elif table.status == "playing":
                raise BadSetup(f"the match of {id} cannot be replayed: its players may end it, or delete the table")
            else:
                raise BadSetup(f"the table {id} is over already")
        log.info("closed table %s", id)
    return {"tables": len(facts["tables"])}


def _close(connection: Connection, id: str) -> None:
    connection.execute(update(tables).where(tables.c.id == id).values(status="closed"))


async def delete(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Delete tables, whatever their state; results and ratings stay."""
    for id in facts["tables"]:
        await retention.delete_table(server, id)
    return {"tables": len(facts["tables"])}


async def sweep(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Delete what has been over for so many days."""
    return {"tables": await retention.delete_old(server, float(facts["days"]))}


async def erase(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Erase somebody, now."""
    person = await server.in_thread(person_of, server, int(facts["person"]))
    await deletion.erase(server, person)
    return {"person": person.id}


async def restrain(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Mute or ban somebody for so many seconds, or end it."""
    person = await server.in_thread(person_of, server, int(facts["person"]))
    until = server_time.now() + float(facts["seconds"]) if facts["seconds"] else 0.0

    def job(connection: Connection) -> None:
        for kind in facts["kinds"]:
            bans.put(connection, person.id, kind, until)

    await server.store.write_for_all(job)
    await server.in_thread(_read, server)
    server.send_away()
    return {"name": person.name, "until": until}


def _read(server: Server) -> None:
    with server.store.reading() as connection:
        server.restraints.read(connection)


async def rotate(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Sign by a new key; addresses that are kept encrypted are so by the new one."""
    until = server_time.now() + float(facts["seconds"])
    server.key = await server.in_thread(crypto.rotate, server.store.database, until)
    count = await server.store.write_for_all(lambda connection: _seal_anew(connection, server.key))
    return {"until": until, "addresses": count}


def _seal_anew(connection: Connection, key: crypto.Key) -> int:
    rows = connection.execute(select(ways.c.id, ways.c.address)).all()
    for row in rows if NOTIFICATIONS.installed() else ():
        sealing = NOTIFICATIONS.load("notifications.sealing")
        address = sealing.opened(key, row.address)
        if address:
            connection.execute(update(ways).where(ways.c.id == row.id).values(address=sealing.sealed(key, address)))
    return len(rows)


async def owner_link(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Store a link that makes a browser the owner's, known by its hash; return the address of the server."""

    def job(connection: Connection) -> str:
        if facts["revoke"]:
            owner.revoke_browsers(connection)
        owner.add_link(connection, str(facts["hash"]))
        server.owners.read(connection)
        return key_value.kept(connection, owner.ADDRESS)

    return {"address": await server.store.write_for_all(job)}


async def rate(server: Server, facts: Mapping[str, Any]) -> Facts:
    """Make all ratings anew."""
    return {"matches": await server.store.write_for_all(rating.rebuild)}


def person_of(server: Server, id: int) -> Person:
    """Somebody by their number; raises BadSetup."""
    with server.store.reading() as connection:
        row = connection.execute(select(people.c.id, people.c.name).where(people.c.id == id)).one_or_none()
    if row is None:
        raise BadSetup(f"there is nobody with the number {id}")
    return Person(row.id, row.name, "")


ACTS: dict[str, Act] = {
    "close": close,
    "delete": delete,
    "sweep": sweep,
    "erase": erase,
    "restrain": restrain,
    "rotate": rotate,
    "owner-link": owner_link,
    "rate": rate,
}
