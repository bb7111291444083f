"""Actions of the server's owner and of `triclinium admin`, by name. Each returns its result as JSON."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from triclinium.engine.core.text import msgid
from triclinium.server import crypto, server_time
from triclinium.server.accounts import bans, owner
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.personal_data import deletion
from triclinium.server.ratings import rating
from triclinium.server.services import Services
from triclinium.server.storage import key_value
from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_notifications import ways
from triclinium.server.storage.store import Store
from triclinium.server.tables import consent, retention
from triclinium.server.tables.broadcast import broadcast_table
from triclinium.server.tables.versioned_write import write_table

JsonObject = dict[str, Any]
AdminAction = Callable[[Services, Mapping[str, Any]], Awaitable[JsonObject]]
CLOSED_BY_OWNER = msgid("The owner of this server has abandoned the match.")
log = logging.getLogger("triclinium.admin")


async def close_tables(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Close tables. Running matches are abandoned and do not count.

    Raise Conflict for a table that is over or closed, and for a match that cannot be replayed.
    """
    for id in arguments["tables"]:
        async with services.tables.locked(id) as table:
            if table.status == "waiting":
                await write_table(services.tables, table, lambda connection, at=id: _store_closed(connection, at))  # type: ignore[misc]
                table.set_status("closed")
                broadcast_table(table)
            elif table.status == "playing" and table.match is not None:
                await consent.abandon_match(services.tables, table, CLOSED_BY_OWNER)
            elif table.status == "playing":
                raise Conflict(
                    "The match at {0} cannot be replayed. Its players can end it, or you can delete the table.", id
                )
            else:
                raise Conflict("The match at {0} is already over.", id)
        log.info("closed table %s", id)
    return {"tables": len(arguments["tables"])}


def _store_closed(connection: Connection, id: str) -> None:
    connection.execute(update(tables).where(tables.c.id == id).values(status="closed"))


async def delete_tables(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Delete tables in any state. Results and ratings stay."""
    for id in arguments["tables"]:
        await retention.delete_table(services.tables, id)
    return {"tables": len(arguments["tables"])}


async def delete_old_tables(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Delete the tables that ended at least a number of days ago, and return how many they were."""
    return {"tables": await retention.delete_old_tables(services.tables, float(arguments["days"]))}


async def delete_account(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Delete the account of a person immediately. Raise NotFound if there is no such person."""
    person = await services.runtime.run_in_thread(find_person, services.store, int(arguments["person"]))
    await deletion.delete_account(services, person)
    return {"person": person.id}


async def mute_or_ban(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Mute or ban a person for a number of seconds, or lift both with 0. Raise NotFound if there is no such person."""
    person = await services.runtime.run_in_thread(find_person, services.store, int(arguments["person"]))
    until = server_time.now() + float(arguments["seconds"]) if arguments["seconds"] else 0.0

    def job(connection: Connection) -> None:
        for kind in arguments["kinds"]:
            bans.store_ban(connection, person.id, kind, until)

    await services.store.write_and_reload_peers(job)
    await services.runtime.run_in_thread(_reload_bans, services)
    services.close_banned_streams()
    return {"name": person.name, "until": until}


def _reload_bans(services: Services) -> None:
    with services.store.read_connection() as connection:
        services.bans.read(connection)


async def rename_person(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Give a person another nickname. Raise NotFound if there is no such person."""
    person = await services.runtime.run_in_thread(find_person, services.store, int(arguments["person"]))
    await services.people.rename(person, str(arguments["name"]))
    name = await services.runtime.run_in_thread(services.people.load_name, person.id)
    return {"name": name}


async def rotate_key(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Replace the server's key, and encrypt the stored addresses of channels with the new one.

    Links signed with the old key stay valid for the given number of seconds.
    """
    until = server_time.now() + float(arguments["seconds"])
    services.key = await services.runtime.run_in_thread(crypto.rotate_key, services.store.database, until)
    count = await services.store.write_and_reload_peers(
        lambda connection: _reencrypt_addresses(connection, services.key)
    )
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


async def create_owner_link(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Store the hash of a new owner's link, and return the address of the server."""

    def job(connection: Connection) -> str:
        if arguments["revoke"]:
            owner.revoke_browsers(connection)
        owner.store_link(connection, str(arguments["hash"]))
        services.owners.read(connection)
        return key_value.load_value(connection, owner.ADDRESS_KEY)

    return {"address": await services.store.write_and_reload_peers(job)}


async def rebuild_ratings(services: Services, arguments: Mapping[str, Any]) -> JsonObject:
    """Compute all ratings again."""
    return {"matches": await services.store.write_and_reload_peers(rating.rebuild_ratings)}


def find_person(store: Store, id: int) -> Person:
    """Return a person by their number. Raise NotFound if there is none."""
    with store.read_connection() as connection:
        row = connection.execute(select(people.c.id, people.c.name).where(people.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("No account has the number {0}.", id)
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
