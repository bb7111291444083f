"""Bot accounts that people register. Each has a name, a rating and an API token.

A bot without an account can play but is not rated. The API token is the session cookie of the bot account; with it the
bot opens tables and takes seats.
"""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, delete, func, insert, select, update

from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotFound, StaleVersion
from triclinium.server.ratings.rating import load_bot_owners
from triclinium.server.services import Services
from triclinium.server.storage.schema import devices, people, seats
from triclinium.server.storage.schema_shares import programs
from triclinium.server.storage.store import Store
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.versioned_write import write_table

MAX_BOT_ACCOUNTS = 5  # maximum number of bot accounts of one person
MAX_TRIES = 5  # tries to change a table that other servers change at the same time


@dataclass(frozen=True, slots=True)
class BotAccount:
    """A bot account of a person. A retired one has no API token and keeps its results."""

    person: int
    name: str
    active: bool


async def register_bot_account(services: Services, owner: Person, name: str) -> tuple[Person, str]:
    """Create a bot account and return it with its API token, which is shown only once.

    Raise `Conflict` if the person has too many.
    """
    if (
        len(
            [
                account
                for account in await services.runtime.run_in_thread(_load_bot_accounts, services.store, owner.id)
                if account.active
            ]
        )
        >= MAX_BOT_ACCOUNTS
    ):
        raise Conflict("You can register up to five bot accounts. Retire one first.")
    made, key = await services.people.create_person(name or f"{owner.name} (program)")
    row = {"person": made.id, "owner": owner.id, "made": server_time.now()}
    await services.store.write(lambda connection: connection.execute(insert(programs).values(**row)))
    return made, key


async def retire_bot_account(services: Services, owner: Person, account_id: int) -> None:
    """Delete the API token of a bot account and the tokens of its seats.

    Raise `NotFound` if the account belongs to someone else.
    """

    def job(connection: Connection) -> list[str]:
        if load_bot_owners(connection, [account_id]).get(account_id) != owner.id:
            raise NotFound("This bot account does not exist or is not yours.")
        connection.execute(delete(devices).where(devices.c.person == account_id))
        seated_tables = select(seats.c.table).where(seats.c.person == account_id, seats.c.token != "")
        return list(connection.execute(seated_tables.distinct()).scalars())

    table_ids = await services.store.write_and_reload_peers(job)
    services.people.drop_person(account_id)
    for id in table_ids:
        await _revoke_tokens(services.tables, id, account_id)


async def _revoke_tokens(repository: TableRepository, id: str, account_id: int) -> None:
    """Delete the tokens of a bot account's seats at a table, and check its event streams again."""

    def revoke(connection: Connection) -> None:
        this = (seats.c.table == id) & (seats.c.person == account_id)
        connection.execute(update(seats).where(this).values(token=""))

    try:
        table = await repository.get_table(id)
    except NotFound:
        return  # the table was deleted in the meantime
    async with repository.locked(table) as table:
        for _ in range(MAX_TRIES):
            try:
                await write_table(repository, table, revoke)
                break
            except StaleVersion:
                continue  # another server has changed the table, so it is loaded again
        for occupant in table.occupants:
            if occupant.person == account_id:
                table.update_occupant(replace(occupant, token=""))
        table.hub.reassign_seats()


def _load_bot_accounts(store: Store, owner: int) -> list[BotAccount]:
    with store.read_connection() as connection:
        return list_bot_accounts(connection, owner)


def list_bot_accounts(connection: Connection, owner: int) -> list[BotAccount]:
    """Return the bot accounts of a person, the oldest first."""
    keys = select(func.count()).where(devices.c.person == programs.c.person).scalar_subquery()
    wanted = select(programs.c.person, people.c.name, keys.label("keys")).join(people, people.c.id == programs.c.person)
    rows = connection.execute(wanted.where(programs.c.owner == owner).order_by(programs.c.person))
    return [BotAccount(row.person, row.name, bool(row.keys)) for row in rows]


def is_registered_bot(store: Store, person: Person) -> bool:
    """Return whether a person is a registered bot account."""
    with store.read_connection() as connection:
        return connection.execute(select(programs.c.owner).where(programs.c.person == person.id)).first() is not None
