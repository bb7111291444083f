"""Join codes: six letters that players can say aloud. They expire, because other people may overhear them."""

from triclinium.server import server_time
from triclinium.server.tables.table import Table

VALID_DAYS = 30


def is_code_valid(table: Table) -> bool:
    """Return whether a table's join code is valid: the table has a free seat and is not too old.

    Links do not expire.
    """
    return table.status == "waiting" and any(occupant.is_vacant for occupant in table.occupants) and not is_old(table)


def is_old(table: Table) -> bool:
    """Return whether the table is so old that its join code has expired."""
    return server_time.now() >= table.made + VALID_DAYS * 86400


def normalize_code(text: str) -> str:
    """Return a join code in its stored form, without spaces and in capital letters."""
    return "".join(text.upper().split())[:6]
