"""Counts of the tables of a server in PostgreSQL by game, version of the rules and status, for `triclinium tables`."""

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.server.storage.schema import REMOVED, tables
from triclinium.server.storage.store import create_database

GROUPS = (tables.c.game, tables.c.rules, tables.c.status)


def count_tables(url: str) -> list[tuple[str, int, str, int]]:
    """Return the number of tables for each game, version of the rules and status.

    The database may be of an earlier release. Raise `BadSetup` if it cannot be opened or read.
    """
    database = create_database(url, 10.0)
    try:
        with database.engine.connect() as connection:
            wanted = select(*GROUPS, func.count()).where(tables.c.status != REMOVED)
            rows = connection.execute(wanted.group_by(*GROUPS).order_by(*GROUPS[:2]))
            return [(str(game_id), int(rules), str(status), int(number)) for game_id, rules, status, number in rows]
    except SQLAlchemyError as error:
        raise BadSetup(database.explain_error(error)) from None
    finally:
        database.engine.dispose()
