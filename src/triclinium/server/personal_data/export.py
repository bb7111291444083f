"""Export of all data about a person in one file, which is made on request."""

import io
import json
import zipfile

from sqlalchemy import Connection, select

from triclinium.server.accounts import profile
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.visibility import get_visibility
from triclinium.server.presenter.log import build_public_record
from triclinium.server.presenter.profile_json import build_profile_json
from triclinium.server.ratings import stats
from triclinium.server.storage.schema import chat, devices, passkeys, people, seats
from triclinium.server.storage.schema_admin import restraints
from triclinium.server.storage.schema_evenings import guests
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.storage.schema_practice import exercises, losses
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.storage.schema_workshop import playtest_answers
from triclinium.server.tables.repository import TableRepository

PERSON_TABLES = (
    *(restraints, devices, passkeys, ways, outbox, ratings, rating_steps, results, guests, exercises, losses),
    playtest_answers,
)
SECRET_COLUMNS = (
    "hash",
    "public",
    "token",
    "address",
    "mark",
    "device",
)  # secrets that identify a person; an export never contains them


def export_person(repository: TableRepository, person: Person) -> bytes:
    """Return a ZIP file with JSON files and the record of each match. Run this in a thread."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        with repository.runtime.store.read_connection() as connection:
            visibility = get_visibility(repository.runtime.settings, connection, person)
            page = build_profile_json(profile.build_profile(connection, visibility, person.id))
            file.writestr("me.json", _format_json(_collect_rows(connection, person)))
            file.writestr("page.json", _format_json(page))
            file.writestr("chat.json", _format_json(_list_chat_messages(connection, person)))
            sat = list(connection.execute(select(seats.c.table).where(seats.c.person == person.id)).scalars())
            ended = [match.table for match in stats.list_matches(connection, person.id) if match.has_table]
        for id in dict.fromkeys([*sat, *ended]):
            table = repository.load_table(id, with_history=True)
            if table.begun and not table.is_deal_open and not table.is_withheld:
                file.writestr(f"records/{id}.txt", build_public_record(table).dumps())
    return buffer.getvalue()


def _collect_rows(connection: Connection, person: Person) -> dict[str, object]:
    """Return the rows that belong to a person, without secret columns."""
    me = connection.execute(select(people).where(people.c.id == person.id)).mappings().one()
    rows_by_table: dict[str, object] = {"person": dict(me)}
    for table in PERSON_TABLES:
        rows = connection.execute(select(table).where(table.c.person == person.id)).mappings()
        rows_by_table[table.name] = [
            {name: value for name, value in row.items() if name not in SECRET_COLUMNS} for row in rows
        ]
    return rows_by_table


def _list_chat_messages(connection: Connection, person: Person) -> list[dict[str, object]]:
    """Return all chat messages of a person, as a player and as a spectator."""
    wanted = select(chat.c.table, chat.c.text, chat.c.at).where(chat.c.person == person.id).order_by(chat.c.id)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def _format_json(facts: object) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=1)
