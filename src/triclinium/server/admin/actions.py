"""What whoever runs a house can have done to it: each act by its word, and what it tells."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from triclinium.engine.core.text import msgid
from triclinium.server import crypto, server_time
from triclinium.server.accounts import bans, deletion, owner
from triclinium.server.accounts.users import Person
from triclinium.server.cluster.versioned_write import write_table
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.ratings import rating
from triclinium.server.server import Server
from triclinium.server.storage import key_value
from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_notifications import ways
from triclinium.server.tables import consent, retention

JsonObject = dict[str, Any]
AdminAction = Callable[[Server, Mapping[str, Any]], Awaitable[JsonObject]]
CLOSED_BY_OWNER = msgid("the match is abandoned by decision of the server's owner")
log = logging.getLogger("triclinium.admin")


async def close_tables(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Close tables: a waiting one is given up, a running match is abandoned and counts for nothing."""
    for id in arguments["tables"]:
        table = await server.get_table(id)
        async with table.lock:
            if table.status == "waiting":
                await write_table(server, table, lambda connection, at=id: _store_closed(connection, at))  # type: ignore[misc]
                table.status = "closed"
                server.broadcast_table(table)
            elif table.status == "playing" and table.match is not None:
                await consent.abandon_match(server, table, CLOSED_BY_OWNER)
            elif table.status == "playing":
                raise Conflict("the match of {0} cannot be replayed: its players may end it, or delete the table", id)
            else:
                raise Conflict("the table {0} is over already", id)
        log.info("closed table %s", id)
    return {"tables": len(arguments["tables"])}


def _store_closed(connection: Connection, id: str) -> None:
    connection.execute(update(tables).where(tables.c.id == id).values(status="closed"))


async def delete_tables(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Delete tables, whatever their state; results and ratings stay."""
    for id in arguments["tables"]:
        await retention.delete_table(server, id)
    return {"tables": len(arguments["tables"])}


async def delete_old_tables(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Delete what has been over for so many days."""
    return {"tables": await retention.delete_old_tables(server, float(arguments["days"]))}


async def delete_account(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Erase somebody, now."""
    person = await server.run_in_thread(find_person, server, int(arguments["person"]))
    await deletion.delete_account(server, person)
    return {"person": person.id}


async def mute_or_ban(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Mute or ban somebody for so many seconds, or end it."""
    person = await server.run_in_thread(find_person, server, int(arguments["person"]))
    until = server_time.now() + float(arguments["seconds"]) if arguments["seconds"] else 0.0

    def job(connection: Connection) -> None:
        for kind in arguments["kinds"]:
            bans.store_ban(connection, person.id, kind, until)

    await server.store.write_and_reload_peers(job)
    await server.run_in_thread(_reload_bans, server)
    server.close_banned_streams()
    return {"name": person.name, "until": until}


def _reload_bans(server: Server) -> None:
    with server.store.read_connection() as connection:
        server.bans.read(connection)


async def rename_person(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Give somebody another nickname."""
    person = await server.run_in_thread(find_person, server, int(arguments["person"]))
    await server.people.rename(person, str(arguments["name"]))
    name = await server.run_in_thread(server.people.load_name, person.id)
    return {"name": name}


async def rotate_key(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Sign by a new key; addresses that are kept encrypted are so by the new one."""
    until = server_time.now() + float(arguments["seconds"])
    server.key = await server.run_in_thread(crypto.rotate_key, server.store.database, until)
    count = await server.store.write_and_reload_peers(lambda connection: _reencrypt_addresses(connection, server.key))
    return {"until": until, "addresses": count}


def _reencrypt_addresses(connection: Connection, key: crypto.ServerKey) -> int:
    rows = connection.execute(select(ways.c.id, ways.c.address)).all()
    for row in rows if NOTIFICATIONS.is_available() else ():
        encryption = NOTIFICATIONS.load("notifications.encryption")
        address = encryption.decrypt_address(key, row.address)
        if address:
            connection.execute(
                update(ways).where(ways.c.id == row.id).values(address=encryption.encrypt_address(key, address))
            )
    return len(rows)


async def create_owner_link(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Store a link that makes a browser the owner's, known by its hash; return the address of the server."""

    def job(connection: Connection) -> str:
        if arguments["revoke"]:
            owner.revoke_browsers(connection)
        owner.store_link(connection, str(arguments["hash"]))
        server.owners.read(connection)
        return key_value.load_value(connection, owner.ADDRESS_KEY)

    return {"address": await server.store.write_and_reload_peers(job)}


async def rebuild_ratings(server: Server, arguments: Mapping[str, Any]) -> JsonObject:
    """Make all ratings anew."""
    return {"matches": await server.store.write_and_reload_peers(rating.rebuild_ratings)}


def find_person(server: Server, id: int) -> Person:
    """Return a person by their number; raise NotFound."""
    with server.store.read_connection() as connection:
        row = connection.execute(select(people.c.id, people.c.name).where(people.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("there is nobody with the number {0}", id)
    return Person(row.id, row.name, "")


ACTIONS: dict[str, AdminAction] = {
    "close": close_tables,
    "delete": delete_tables,
    "sweep": delete_old_tables,
    "erase": delete_account,
    "restrain": mute_or_ban,
    "rename": rename_person,
    "rotate": rotate_key,
    "owner-link": create_owner_link,
    "rate": rebuild_ratings,
}
