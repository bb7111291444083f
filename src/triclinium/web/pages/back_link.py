"""Links from the rules and the component gallery back to the table from which the reader came."""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from fastapi import Request

from triclinium.server.errors import RequestError
from triclinium.server.http.auth import get_current_viewer
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PageContext
from triclinium.web.pages.shared_link import open_shared_match

TABLE_PATH_PATTERN = re.compile(r"/(tables|matches)/([\w-]{4,40})(?:/positions/\d{1,6})?")


@dataclass(frozen=True, slots=True)
class BackLink:
    """The page to return to, with its name. It is empty if the reader came from no table that they can see."""

    path: str = ""
    label: str = ""

    @property
    def query(self) -> str:
        """Return the query that keeps the link from page to page."""
        return f"?back={quote(self.path)}" if self.path else ""


async def load_finished_table(request: Request, back: BackLink) -> Table | None:
    """Return the finished table from which the reader came, with its match.

    For a shared match, return a copy without names.
    """
    path_match = TABLE_PATH_PATTERN.fullmatch(back.path)
    if path_match is None:
        return None
    if path_match[1] == "matches":
        try:
            shared = await open_shared_match(request, path_match[2])
        except RequestError:
            return None
        async with shared.services.tables.locked(shared.table) as locked:
            return shared.make_readable_copy(locked, shared.context.language)
    services = PageContext(request).services
    table = await services.tables.get_table(path_match[2])
    return table if table.status == "over" and table.stranded is None else None


async def load_started_table(request: Request, back: BackLink) -> Table | None:
    """Return the table from which the reader came, with its match, if it has begun and the reader can see it."""
    path_match = TABLE_PATH_PATTERN.fullmatch(back.path)
    if path_match is None or path_match[1] == "matches":
        return None
    services = PageContext(request).services
    table = await services.tables.get_table(path_match[2])
    return table if table.begun and table.stranded is None else None


async def find_back_link(request: Request) -> BackLink:
    """Return the link back to the place from which the reader came."""
    context = PageContext(request)
    host = urlsplit(str(request.url)).netloc
    referrer = urlsplit(request.headers.get("referer", "")[:300])
    path = request.query_params.get("back", "") or (referrer.path if referrer.netloc == host else "")
    path_match = TABLE_PATH_PATTERN.fullmatch(path)
    if path_match is None:
        return BackLink()
    if path_match[1] == "matches":
        return BackLink(path, context.localize("Back to the match"))
    try:
        table = await context.services.tables.get_table(path_match[2])
        get_current_viewer(request, table)
    except RequestError:
        return BackLink()
    return BackLink(path, context.localize("Back to table {0}", table.name))
