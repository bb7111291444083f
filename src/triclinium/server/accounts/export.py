"""All that the house knows of somebody, in one file: made at once, when they ask."""

import io
import json
import zipfile

from sqlalchemy import Connection, select

from triclinium.server.accounts import profile
from triclinium.server.accounts.users import Person
from triclinium.server.http.api.players import eyes_of, profile_facts
from triclinium.server.presenter.log import record
from triclinium.server.ratings import stats
from triclinium.server.server import Server
from triclinium.server.storage.schema import chat, devices, passkeys, people, seats
from triclinium.server.storage.schema_admin import restraints
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.tables.table import standing

OWN = (restraints, devices, passkeys, ways, outbox, ratings, rating_steps, results)
SECRET = (
    "hash",
    "public",
    "token",
    "address",
    "mark",
    "device",
)  # they prove who somebody is: no copy of them leaves the house


def all_of(server: Server, person: Person) -> bytes:
    """A zip of JSON and of the records of every match; in a thread."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as file:
        with server.store.reading() as connection:
            eyes = eyes_of(server, connection, person)
            page = profile_facts(profile.profile(connection, eyes, person.id))
            file.writestr("me.json", _said(_rows(connection, person)))
            file.writestr("page.json", _said(page))
            file.writestr("chat.json", _said(_talk(connection, person)))
            sat = list(connection.execute(select(seats.c.table).where(seats.c.person == person.id)).scalars())
            ended = [match.table for match in stats.matches_of(connection, person.id) if match.kept]
        for id in dict.fromkeys([*sat, *ended]):
            table = server.stored(id)
            if table.begun:
                table.history = standing(server.history(id))
                file.writestr(f"records/{id}.txt", record(table).dumps())
    return kept.getvalue()


def _rows(connection: Connection, person: Person) -> dict[str, object]:
    """The rows that are somebody's, without what proves who they are."""
    me = connection.execute(select(people).where(people.c.id == person.id)).mappings().one()
    told: dict[str, object] = {"person": dict(me)}
    for table in OWN:
        rows = connection.execute(select(table).where(table.c.person == person.id)).mappings()
        told[table.name] = [{name: value for name, value in row.items() if name not in SECRET} for row in rows]
    return told


def _talk(connection: Connection, person: Person) -> list[dict[str, object]]:
    """Return all that they have written, at their seats and as spectators."""
    wanted = select(chat.c.table, chat.c.text, chat.c.at).where(chat.c.person == person.id).order_by(chat.c.id)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def _said(facts: object) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=1)
