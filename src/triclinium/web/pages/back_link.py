"""From rules and box back to the table that somebody came from: by its address, or by where the link stood."""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from fastapi import Request

from triclinium.server.errors import RequestError
from triclinium.server.http.auth import viewer_of
from triclinium.server.tables.table import Table
from triclinium.web.page_context import Reading
from triclinium.web.pages.shared_link import opened

PLACE = re.compile(r"/(t|m)/([\w-]{4,40})(?:/at/\d{1,6})?")


@dataclass(frozen=True, slots=True)
class Back:
    """A table to go back to, in words; nowhere: the reader came from no table, or none that they may see."""

    path: str = ""
    label: str = ""

    @property
    def query(self) -> str:
        """What keeps it on the way from page to page."""
        return f"?back={quote(self.path)}" if self.path else ""


async def ended_table(request: Request, back: Back) -> Table | None:
    """The table that the reader came from, with its match, if that is over; of a shared one the copy without names."""
    found = PLACE.fullmatch(back.path)
    if found is None:
        return None
    if found[1] == "m":
        try:
            shared = await opened(request, found[2])
        except RequestError:
            return None
        async with shared.table.lock:
            return shared.copy(shared.reading.language)
    server = Reading(request).server
    table = await server.table(found[2])
    async with table.lock:
        await server.load_match(table)
    return table if table.status == "over" and table.stranded is None else None


async def table_of(request: Request, back: Back) -> Table | None:
    """The table that the reader came from and may see, with its match, if that has begun."""
    found = PLACE.fullmatch(back.path)
    if found is None or found[1] == "m":
        return None
    server = Reading(request).server
    table = await server.table(found[2])
    async with table.lock:
        await server.load_match(table)
    return table if table.begun and table.stranded is None else None


async def back_to(request: Request) -> Back:
    """Where the reader came from."""
    reading = Reading(request)
    here = urlsplit(str(request.url)).netloc
    came = urlsplit(request.headers.get("referer", "")[:300])
    asked = request.query_params.get("back", "") or (came.path if came.netloc == here else "")
    found = PLACE.fullmatch(asked)
    if found is None:
        return Back()
    if found[1] == "m":
        return Back(asked, reading.speech("Back to the match"))
    try:
        table = await reading.server.table(found[2])
        viewer_of(request, table)
    except RequestError:
        return Back()
    return Back(asked, reading.speech("Back to the table {0}", table.name))
