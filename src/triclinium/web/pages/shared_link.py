"""The link to a shared match, and the copy of the table that its readers can see."""

from fastapi import Request

from triclinium.server.http.api.share import find_shared_match
from triclinium.server.tables import share
from triclinium.server.tables.share import MatchShare
from triclinium.server.tables.table import LockedTable, Table
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext


class SharedMatch:
    """A shared match with its table."""

    def __init__(self, context: PageContext, link: MatchShare, table: Table) -> None:
        self.context = context
        self.share = link
        self.table = table
        self.services = context.services

    def make_readable_copy(self, table: LockedTable, language: str) -> Table:
        """Return a copy of the table without names that are not shared. Read it only while the table is locked."""
        names = share.list_public_names(table, self.share, make_anonymous_names(table, Localizer(language)))
        return share.make_public_copy(table, self.share, language, names)


def make_anonymous_names(table: Table, localize: Localizer) -> list[str]:
    """Return names for the seats whose players are not named."""
    return [localize("Player {0}", occupant.seat + 1) for occupant in table.occupants]


async def open_shared_match(request: Request, id: str, anonymous: bool = False) -> SharedMatch:
    """Return the shared match of a link. Raise `NotFound` if there is none."""
    context = PageContext(request, anonymous)
    link = await find_shared_match(request, id)
    table = await context.services.tables.get_table(link.table)
    if table.stranded is not None:
        raise table.stranded
    return SharedMatch(context, link, table)
