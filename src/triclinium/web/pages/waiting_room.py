"""The page of a table before the match begins: the players, the invitations, and whether the links can work."""

from io import BytesIO
from math import ceil

import segno
from fastapi import Response

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.accounts.owner import OWNER_SCOPE_KEY
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.net.interfaces import strip_port
from triclinium.server.net.reachability import make_firewall_command
from triclinium.server.tables import invitations, join_codes
from triclinium.server.tables.chat import load_messages, load_unread
from triclinium.server.tables.rating_eligibility import build_origin_message
from triclinium.server.tables.seats import Viewer, is_spectator_only
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PageContext, list_bot_levels
from triclinium.web.pages.rating_forecast import describe_rating_of_table
from triclinium.web.pages.table_clocks import describe_absence_rules, describe_clock
from triclinium.web.pages.variants import describe_differences


class NetworkAccess:
    """The facts that pages show about how friends can reach this server."""

    def __init__(self, context: PageContext, table: Table | None = None) -> None:
        reach = context.services.reachability
        self.extent = reach.status
        self.origin = context.origin
        self.typed_address = self.origin.partition("://")[2]  # the address in a short form that people can type
        self.works_by_link = not reach.is_loopback_origin(self.origin)
        self.is_owner = bool(context.request.scope.get(OWNER_SCOPE_KEY))
        self.can_open = reach.can_open_network and self.is_owner
        self.is_open = reach.is_open_to_others
        self.url = reach.url
        self.port = reach.port
        self.has_password = context.services.password.is_set
        self.can_set_password = self.is_owner and not context.services.password.is_set_by_file
        self.addresses = reach.list_addresses() if self.is_owner else []
        kinds = {each.host: each.kind for each in self.addresses}
        host_names = reach.list_link_hosts() if self.is_owner and not reach.url and reach.port else []
        self.names = [(name, kinds.get(name, "")) for name in host_names]
        self.chosen_name = strip_port(self.typed_address)
        self.problem = "" if reach.public_problem is None else context.localize.reader.read(reach.public_problem)
        self.firewall = make_firewall_command(reach.port) if self.is_owner and reach.port else ""
        visit = reach.last_visit
        self.visited_host = "" if visit is None else visit.host
        self.visited_at = 0.0 if visit is None else visit.visited_at
        # Only people at the same table learn who the visitor was.
        seated = [] if table is None or visit is None else [occupant for occupant in table.occupants if occupant.taken]
        self.visitor = next(
            (occupant.name for occupant in seated if visit is not None and occupant.person == visit.person), ""
        )


def render_waiting_page(context: PageContext, table: Table, viewer: Viewer, notice: str, status: int) -> Response:
    """Return the waiting room."""
    is_host = viewer.is_host(table)
    is_participant = bool(viewer.own_seats) or is_host
    return context.render_page(
        "waiting_room.html.jinja",
        status,
        table=table,
        game=table.game,
        mine=viewer.own_seats,
        is_host=is_host,
        watches=is_spectator_only(table, viewer),
        finding=NetworkAccess(context, table),
        links=build_seat_links(context, table, viewer),
        join_link=build_join_link(context, table) if is_participant and join_codes.is_code_valid(table) else "",
        watch_link=build_watch_link(context, table) if is_participant else "",
        origin=describe_origin(context, table),
        clock=describe_clock(table.options, context.localize) if table.options.store else "",
        absence=describe_absence_rules(table.options, context.localize),
        forecast=describe_rating_of_table(context, table),
        differing=describe_differences(table.game, table.options.variants, context.localize),
        here_now=table.hub.list_present_seats() | set(viewer.own_seats),
        watching=table.hub.count_spectators(),
        unready=[occupant.seat for occupant in table.list_unready_occupants()] if table.ready_until else [],
        seconds_left=max(0, ceil(table.ready_until - server_time.now())),
        chat=load_messages(context.services.store, table),
        unread=count_unread(context, table),
        levels=list_bot_levels(context.localize, table.game),
        level=context.choose_level(table.game),
        notice=notice,
    )


def count_unread(context: PageContext, table: Table) -> int:
    """Return the number of chat messages that the reader has not read."""
    if context.person is None:
        return 0
    with context.services.store.read_connection() as connection:
        return load_unread(connection, table, context.person.id)[0]


def render_large_code(context: PageContext, table: Table, viewer: Viewer, in_room: bool = False) -> Response:
    """Return the join code for a large screen; it shows nothing of the table, because everyone in the room can see it.

    If all players are in one room, the code leads to the page of a hand, and the screen shows the match once it starts.
    """
    check_can_invite(context, table, viewer)
    return context.render_page(
        "join_large.html.jinja",
        table=table,
        game=table.game,
        finding=NetworkAccess(context),
        link=build_join_link(context, table, in_room),
        in_room=in_room,
    )


def render_table_qr(context: PageContext, table: Table, viewer: Viewer, in_room: bool = False) -> Response:
    """Return the QR code of the link with which people join the table."""
    check_can_invite(context, table, viewer)
    return render_qr_code(build_join_link(context, table, in_room))


def render_qr_code(text: str) -> Response:
    """Return a QR code, black on white in every theme."""
    svg = BytesIO()
    code = segno.make(text, error="m", micro=False, boost_error=False)
    code.save(svg, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, xmldecl=False)
    return Response(svg.getvalue(), media_type="image/svg+xml")


def check_can_invite(context: PageContext, table: Table, viewer: Viewer) -> None:
    """Raise `NotAllowed` or `NotFound` unless the viewer can invite people and the links work."""
    if not viewer.own_seats and not viewer.is_host(table):
        raise NotAllowed("You do not have a seat at this table.")
    if not join_codes.is_code_valid(table):
        raise NotFound("No table has this join code. Check the code and try again.")
    if context.services.reachability.is_loopback_origin(context.origin):
        raise NotFound("Only this computer can open the links.")


def build_join_link(context: PageContext, table: Table, in_room: bool = False) -> str:
    """Return the link with the join code. For people in one room it leads to the page of a hand."""
    return f"{context.origin}/join/{table.code}{'?hand=on' if in_room else ''}"


def build_seat_links(context: PageContext, table: Table, viewer: Viewer) -> dict[Seat, str]:
    """Return the link of each free seat that this viewer can give away."""
    return {
        occupant.seat: f"{context.origin}/invitations/{table.id}/{occupant.seat}/"
        + invitations.make_seat_token(context.services.key, table, occupant)
        for occupant in invitations.list_free_seats(table, bool(viewer.own_seats), viewer.is_host(table))
    }


def build_watch_link(context: PageContext, table: Table) -> str:
    return f"{context.origin}/watch/{table.id}/{invitations.make_watch_token(context.services.key, table)}"


def describe_origin(context: PageContext, table: Table) -> str:
    """Return the origin of a match that did not begin with its own shuffle, in words.

    For all other matches, return "".
    """
    message = build_origin_message(context.services.people, table)
    return "" if message is None else context.localize.reader.read(message)
