"""People who hold the seats of a table, and whether one of them plays alone against bots."""

from triclinium.server.tables.table import Table


def list_owners(table: Table) -> set[int | None]:
    """Return the people who hold a seat, also those for whom a substitute bot plays."""
    return {occupant.person for occupant in table.occupants if occupant.is_owned}


def is_solo(table: Table) -> bool:
    """Return whether one person plays here alone against bots, and no other person was dealt a seat."""
    return len(list_owners(table) | table.departed.keys()) < 2
