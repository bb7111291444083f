"""Owners of a table's seats, and the check for a single player against bots."""

from triclinium.server.tables.table import Table


def list_owners(table: Table) -> set[int | None]:
    """Return the people who own a seat, including absent ones for whom a substitute bot plays."""
    return {occupant.person for occupant in table.occupants if occupant.is_owned}


def is_solo(table: Table) -> bool:
    """Return whether one person plays alone against bots. People who have left during the match count as well."""
    return len(list_owners(table) | table.departed.keys()) < 2
