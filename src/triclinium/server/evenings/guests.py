"""Guests of an evening: opening it, joining, adding others, pausing and leaving."""

from sqlalchemy import Connection, Update, insert, select, update

from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.bots.pool import list_bots
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.evenings.evening import GONE, HERE, PAUSED, Evening, load_evening
from triclinium.server.sanitize import clean_name, fold_name
from triclinium.server.services import Services
from triclinium.server.storage.schema_evenings import evenings, guests
from triclinium.server.storage.store import Store
from triclinium.server.tables.create import BOT_NAMES, choose_free_code

MAX_GUESTS = 64


async def open_evening(services: Services, host: Person, name: str, game: str) -> Evening:
    """Store a new evening, whose host is the first guest."""
    code = await services.runtime.run_in_thread(choose_free_code, services.store)
    now = server_time.now()

    def job(connection: Connection) -> Evening:
        connection.execute(insert(evenings).values(code=code, name=name, host=host.id, game=game, made=now))
        _insert_guest(connection, code, 1, host.name, person=host.id)
        return load_evening(connection, code)

    return await services.store.write(job, code)


async def join_evening(store: Store, code: str, person: Person) -> Evening:
    """Add a person who has the code. A guest who had left is here again.

    Raise `Conflict` if another guest has the same name or the evening has ended.
    """

    def job(connection: Connection) -> Evening:
        evening = lock_evening(connection, code)
        guest = evening.find_guest(person.id)
        if guest is not None:
            if not evening.is_over:
                connection.execute(_update_guest(code, guest.number).values(status=HERE))
        else:
            _check_open_to_newcomers(evening)
            _check_name(evening, person.name)
            _insert_guest(connection, code, len(evening.guests) + 1, person.name, person=person.id)
        return load_evening(connection, code)

    return await store.write(job, code)


async def add_guest(store: Store, evening: Evening, person: Person, name: str, bot: str = "") -> Evening:
    """Add someone without a device, or a bot. Only the host may do this."""
    check_host(evening, person)
    if bot and bot not in list_bots():
        raise NotFound("There is no such bot.")
    name = clean_name(name, "")
    if not name and not bot:
        raise Conflict("Type the name of the person.")

    def job(connection: Connection) -> Evening:
        current = lock_evening(connection, evening.code)
        _check_open_to_newcomers(current)
        chosen = name or _choose_bot_name(current)
        _check_name(current, chosen)
        _insert_guest(connection, current.code, len(current.guests) + 1, chosen, bot=bot)
        return load_evening(connection, current.code)

    return await store.write(job, evening.code)


async def set_guest_status(store: Store, evening: Evening, person: Person, number: int, status: str) -> Evening:
    """Store that a guest is here, pauses or has left. The host may do this for everyone, guests for themselves."""
    if person.id not in (evening.host, evening.get_guest(number).person):
        raise NotAllowed("Only the host can do this for someone else.")
    assert status in (HERE, PAUSED, GONE)

    def job(connection: Connection) -> Evening:
        lock_evening(connection, evening.code)
        connection.execute(_update_guest(evening.code, number).values(status=status))
        return load_evening(connection, evening.code)

    return await store.write(job, evening.code)


async def end_evening(store: Store, evening: Evening, person: Person) -> Evening:
    """End an evening. Running matches continue and still give points. Only the host may do this."""
    check_host(evening, person)

    def job(connection: Connection) -> Evening:
        if not lock_evening(connection, evening.code).is_over:
            this = evenings.c.code == evening.code
            connection.execute(update(evenings).where(this).values(ended=server_time.now()))
        return load_evening(connection, evening.code)

    return await store.write(job, evening.code)


def check_host(evening: Evening, person: Person) -> None:
    if person.id != evening.host:
        raise NotAllowed("Only the host of the evening can do this.")


def lock_evening(connection: Connection, code: str) -> Evening:
    """Return an evening that no other server changes until the end of this transaction."""
    connection.execute(select(evenings.c.code).where(evenings.c.code == code).with_for_update())
    return load_evening(connection, code)


def _insert_guest(
    connection: Connection, code: str, number: int, name: str, person: int | None = None, bot: str = ""
) -> None:
    connection.execute(
        insert(guests).values(
            evening=code, number=number, person=person, name=name, bot=bot, status=HERE, arrived=server_time.now()
        )
    )


def _update_guest(code: str, number: int) -> Update:
    return update(guests).where(guests.c.evening == code, guests.c.number == number)


def _check_open_to_newcomers(evening: Evening) -> None:
    if evening.is_over:
        raise Conflict("This evening has ended.")
    if not evening.is_open_to_newcomers:
        raise NotFound("No evening has this code. Check it and try again.")
    if len(evening.guests) >= MAX_GUESTS:
        raise Conflict("An evening can have at most {0} people.", MAX_GUESTS)


def _check_name(evening: Evening, name: str) -> None:
    """Raise `Conflict` if another guest has a name that looks the same."""
    if fold_name(name) in {fold_name(guest.name) for guest in evening.guests}:
        raise Conflict("Someone at this evening is already called {0}. Choose another name.", name)


def _choose_bot_name(evening: Evening) -> str:
    used = {fold_name(guest.name) for guest in evening.guests}
    names = [*BOT_NAMES, *(f"{name} {n}" for n in range(2, MAX_GUESTS) for name in BOT_NAMES)]
    return next(name for name in names if fold_name(name) not in used)
