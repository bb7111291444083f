"""Before the deal: who has come, the ways in for those who have not, and whether they can work."""

from io import BytesIO
from math import ceil

import segno
from fastapi import Response

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.accounts.owner import OWNER
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.net.interfaces import name_in
from triclinium.server.net.reachability import firewall_command
from triclinium.server.tables import invitations, join_codes
from triclinium.server.tables.chat import said, unread
from triclinium.server.tables.rating_eligibility import origin_said
from triclinium.server.tables.seats import Viewer, only_watches
from triclinium.server.tables.table import Table
from triclinium.web.page_context import Reading, all_levels
from triclinium.web.pages.table_clocks import absence_rules, clock_name
from triclinium.web.pages.variants import differing


class Finding:
    """How the reader's friends find the house, as pages tell it."""

    def __init__(self, reading: Reading, table: Table | None = None) -> None:
        reach = reading.server.reach
        self.extent = reach.extent
        self.origin = reading.origin
        self.shown = self.origin.partition("://")[2]  # as it is typed
        self.by_link = not reach.leads_here_only(self.origin)
        self.is_owner = bool(reading.request.scope.get(OWNER))
        self.may_open = reach.may_open and self.is_owner
        self.is_open = reach.is_open
        self.url = reach.url
        self.port = reach.port
        self.locked = reading.server.password.is_set
        self.may_lock = self.is_owner and not reading.server.password.by_file
        self.addresses = reach.addresses() if self.is_owner else []
        kinds = {each.host: each.kind for each in self.addresses}
        named = reach.names() if self.is_owner and not reach.url and reach.port else []
        self.names = [(name, kinds.get(name, "")) for name in named]
        self.chosen = name_in(self.shown)
        self.trouble = "" if reach.trouble is None else reading.speech.reader.read(reach.trouble)
        self.firewall = firewall_command(reach.port) if self.is_owner and reach.port else ""
        visit = reach.visit
        self.visited = "" if visit is None else visit.host
        self.visited_at = 0.0 if visit is None else visit.at
        # Who it was is told to those at the same table only.
        here = [] if table is None or visit is None else [one for one in table.occupants if one.taken]
        self.visitor = next((one.name for one in here if visit is not None and one.person == visit.person), "")


def waiting_page(reading: Reading, table: Table, at: Viewer, notice: str, status: int) -> Response:
    """The room. The table's lock is held."""
    is_host = at.is_host(table)
    known = bool(at.mine) or is_host
    return reading.page(
        "waiting.html.jinja",
        status,
        table=table,
        game=table.game,
        mine=at.mine,
        is_host=is_host,
        watches=only_watches(table, at),
        finding=Finding(reading, table),
        links=seat_links(reading, table, at),
        join_link=join_link(reading, table) if known and join_codes.leads(table) else "",
        watch_link=watch_link(reading, table) if known else "",
        origin=origin(reading, table),
        clock_name=clock_name,
        absence=absence_rules(table.options, reading.speech),
        differing=differing(table.game, table.options.variants, reading.speech),
        here_now=table.hub.here() | set(at.mine),
        watching=table.hub.watching(),
        unready=[one.seat for one in table.unready()] if table.ready_until else [],
        seconds_left=max(0, ceil(table.ready_until - server_time.now())),
        chat=said(reading.server, table),
        unread=unread_by(reading, table),
        levels=all_levels(reading.speech),
        level=reading.level,
        notice=notice,
    )


def unread_by(reading: Reading, table: Table) -> int:
    """How much of the talk the reader has not read."""
    if reading.person is None:
        return 0
    with reading.server.store.reading() as connection:
        return unread(connection, table, reading.person.id)[0]


def large_page(reading: Reading, table: Table, at: Viewer) -> Response:
    """The code for a television. It shows nothing else, and never the table: everybody in the room sees it."""
    check_inviting(reading, table, at)
    return reading.page(
        "large.html.jinja", table=table, game=table.game, finding=Finding(reading), link=join_link(reading, table)
    )


def qr_code(reading: Reading, table: Table, at: Viewer) -> Response:
    """The way to the table for a phone's camera: black on white in both themes."""
    check_inviting(reading, table, at)
    return qr_answer(join_link(reading, table))


def qr_answer(text: str) -> Response:
    """A code for cameras: black on white in every theme."""
    made = BytesIO()
    code = segno.make(text, error="m", micro=False, boost_error=False)
    code.save(made, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False)
    return Response(made.getvalue(), media_type="image/svg+xml")


def check_inviting(reading: Reading, table: Table, at: Viewer) -> None:
    """Raise unless the viewer may invite here, and the way would lead somewhere."""
    if not at.mine and not at.is_host(table):
        raise NotAllowed("you do not sit at this table")
    if not join_codes.leads(table):
        raise NotFound("no table has this code")
    if reading.server.reach.leads_here_only(reading.origin):
        raise NotFound("only this computer can open the links")


def join_link(reading: Reading, table: Table) -> str:
    return f"{reading.origin}/j/{table.code}"


def seat_links(reading: Reading, table: Table, at: Viewer) -> dict[Seat, str]:
    """The link of each free seat that this viewer may give away."""
    return {
        one.seat: f"{reading.origin}/s/{table.id}/{one.seat}/{invitations.seat_token(reading.server, table, one)}"
        for one in invitations.free_seats(table, bool(at.mine), at.is_host(table))
    }


def watch_link(reading: Reading, table: Table) -> str:
    return f"{reading.origin}/w/{table.id}/{invitations.watch_token(reading.server, table)}"


def origin(reading: Reading, table: Table) -> str:
    """Where a match comes from that did not begin with its own shuffle; the empty text: it did."""
    said = origin_said(reading.server, table)
    return "" if said is None else reading.speech.reader.read(said)
