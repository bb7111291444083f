"""Rules for who may use a command at a table. The path of both routes has the table's id, as `{id}`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypedDict

from triclinium.engine.core.state import Seat
from triclinium.server.http.auth import (
    end_viewers_substitutions,
    get_current_viewer,
    get_current_visitor,
    require_seat,
    resume_seated_viewer,
)
from triclinium.server.http.commands import AccessRule, Arguments, Caller, JsonObject
from triclinium.server.presenter.api_json import build_summary_json
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import LockedTable, Table


class TableArguments(Arguments):
    """The table of a command."""

    id: str


class Vote(TypedDict):
    """The result of a vote: whether everyone whose consent is needed has agreed, and the table afterwards."""

    done: bool
    table: JsonObject


@dataclass(slots=True)
class TableCaller(Caller):
    """A caller who may see the table. ``viewer`` has the seats for which the request acts.

    ``before_move`` is called before a seat's decision, while the move holds the lock of the table.
    """

    table: Table = field(kw_only=True)
    viewer: Viewer = field(kw_only=True)
    before_move: Callable[[LockedTable, Seat], Awaitable[None]] | None = field(default=None, kw_only=True)

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        return self.viewer.own_seats

    @property
    def is_host(self) -> bool:
        return self.viewer.is_host(self.table)

    def require_seat(self, seat: int | None = None) -> int:
        """Return a seat of the caller, by default their first. Raise NotAllowed if it is not theirs."""
        return require_seat(self.viewer, seat)

    def build_summary(self) -> JsonObject:
        """Return the summary of the table that most commands include in their answer."""
        return build_summary_json(self.services, self.table)


async def _admit_viewer(caller: Caller) -> TableCaller:
    table = await _load_table(caller)
    viewer = await _resume_by_form(caller, table) if caller.is_form else get_current_viewer(caller.request, table)
    return _make_caller(caller, table, viewer)


async def _admit_mover(caller: Caller) -> TableCaller:
    table = await _load_table(caller)
    find_viewer = get_current_visitor if caller.is_form else get_current_viewer
    return _make_caller(caller, table, find_viewer(caller.request, table))


async def _admit_player(caller: Caller) -> TableCaller:
    table = await _load_table(caller)
    if not caller.is_form:
        return _make_caller(caller, table, await resume_seated_viewer(caller.request, table))
    viewer = await _resume_by_form(caller, table)
    require_seat(viewer)
    return _make_caller(caller, table, viewer)


async def _load_table(caller: Caller) -> Table:
    return await caller.services.tables.get_table(str(caller.request.path_params["id"]))


async def _resume_by_form(caller: Caller, table: Table) -> Viewer:
    """Return the viewer who sent a form, and end a substitution by a bot at a table without a clock.

    With a clock, the player must press a button for that, because a return changes the clock.
    """
    viewer = get_current_visitor(caller.request, table)
    if table.clock is None and any(table.occupants[seat].substitute for seat in viewer.own_seats):
        await end_viewers_substitutions(caller.request, table)
        viewer = get_current_visitor(caller.request, table)  # a seat may have changed hands meanwhile
    return viewer


def _make_caller(caller: Caller, table: Table, viewer: Viewer) -> TableCaller:
    return TableCaller(
        caller.request,
        caller.person,
        caller.response,
        caller.new_cookie,
        caller.guest_name,
        caller.is_form,
        table=table,
        viewer=viewer,
    )


VIEWER = AccessRule("anyone to whom the table is shown", _admit_viewer)
SEAT_HOLDER = AccessRule("seat holder", _admit_player)
MOVER = AccessRule(
    "seat holder who decides", _admit_mover
)  # the move ends substitutions itself, to lock the table only once
HOST = AccessRule("host", _admit_viewer)  # the handler refuses other people with its own message
