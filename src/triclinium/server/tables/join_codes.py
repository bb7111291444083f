"""The code of a table: six letters that are said aloud, and so remembered by others than those who were meant."""

from triclinium.server import server_time
from triclinium.server.tables.table import Table

VALID_DAYS = 30


def is_code_valid(table: Table) -> bool:
    """Whether its code leads to the table: while somebody is awaited there, and not for ever. Links go on."""
    return table.status == "waiting" and any(occupant.is_vacant for occupant in table.occupants) and not is_old(table)


def is_old(table: Table) -> bool:
    """Whether the code has been forgotten."""
    return server_time.now() >= table.made + VALID_DAYS * 86400


def normalize_code(text: str) -> str:
    """A code as it is stored: however it was typed, with spaces or small letters."""
    return "".join(text.upper().split())[:6]
