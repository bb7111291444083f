"""A link to a shared match that somebody has opened, and the copy of the table that they may read."""

from fastapi import Request

from triclinium.server.http.api.share import by_link
from triclinium.server.tables import share
from triclinium.server.tables.share import Share
from triclinium.server.tables.table import Table
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading


class Opened:
    """What a link leads to."""

    def __init__(self, reading: Reading, link: Share, table: Table) -> None:
        self.reading = reading
        self.share = link
        self.table = table
        self.server = reading.server

    def copy(self, language: str) -> Table:
        """What may be read; the table's lock is held."""
        names = share.told_names(self.table, self.share, somebody(self.table, self.share, Speech(language)))
        return share.opened(self.table, self.share, language, names)


def somebody(table: Table, link: Share, speech: Speech) -> list[str]:
    """What seats are called whose players are not named; where there are several, by their places."""
    unnamed = [one for one in table.occupants if not share.is_named(table, link, one)]
    if len(unnamed) < 2:
        return [speech("Somebody")] * len(table.occupants)
    return [speech("Somebody (seat {0})", one.seat + 1) for one in table.occupants]


async def opened(request: Request, id: str, anybody: bool = False) -> Opened:
    """What a link leads to, with its match; raises NotFound."""
    reading = Reading(request, anybody)
    link = await by_link(request, id)
    table = await reading.server.table(link.table)
    async with table.lock:
        await reading.server.load_match(table)
    if table.stranded is not None:
        raise table.stranded
    return Opened(reading, link, table)
