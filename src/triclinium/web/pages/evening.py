"""Pages of evenings: the list with the form for a new one, joining, and the page of an evening."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.game import Game
from triclinium.server.errors import NoNickname, NotAllowed, RequestError
from triclinium.server.evenings.evening import HERE, Evening, EveningGuest, EveningTable, list_evenings, plan_seating
from triclinium.server.evenings.rounds import describe_refusal, read_evening
from triclinium.server.evenings.seating import Seating
from triclinium.server.http.api import evenings as api
from triclinium.server.http.commands import Caller, JsonObject
from triclinium.server.http.error_responses import format_error
from triclinium.server.http.evening_commands import open_visible_evening
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.tables.create import require_game
from triclinium.server.tables.join_codes import normalize_code
from triclinium.web.forms import FieldValues, FormPost, FormRoutes
from triclinium.web.page_context import PageContext, PostedForm, list_bot_levels, load_all_games
from triclinium.web.pages.waiting_room import NetworkAccess, render_qr_code

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)
MAX_ROUND_COLUMNS = 6
BY_HAND = "place-"  # beginning of the fields with the table of each guest, followed by the guest's number


@dataclass(frozen=True, slots=True)
class NextRound:
    """The seating of the next round, as the host sees it."""

    game: Game
    again: int
    ready: list[EveningGuest]
    seating: Seating | None
    refusal: str  # why there is no seating
    places: dict[int, int]  # numbers of the proposed tables by guest
    max_tables: int

    @property
    def written_tables(self) -> str:
        """Return the tables for a hidden field of the form."""
        return "" if self.seating is None else "|".join(" ".join(map(str, table)) for table in self.seating.tables)


# -- opening and joining ----------------------------------------------------------------------------------------------


@router.get("/evenings")
async def get_evenings(request: Request) -> Response:
    """Return the reader's evenings, and the form for a new one."""
    context = PageContext(request)

    def render() -> Response:
        person = context.person
        with context.services.store.read_connection() as connection:
            listed = [] if person is None else list_evenings(connection, person.id)
        games = load_all_games()
        by_id = {game.id: game for game in games}
        return context.render_page("evening/evenings.html.jinja", evenings=listed, games=games, by_id=by_id)

    return await context.services.runtime.run_in_thread(render)


@forms.answer(api.post_evening)
async def show_new_evening(post: FormPost[Caller, api.NewEvening, JsonObject]) -> Response:
    return post.context.redirect(f"/evening/{post.result['code']}")


@router.get("/evening/{code}")
async def get_evening(request: Request, code: str, game: str = "", again: int = 0) -> Response:
    """Return the page of an evening, or for newcomers the form to join it."""
    context = PageContext(request)
    try:
        evening = await open_visible_evening(Caller(request, context.person, Response()), code)
    except (NoNickname, NotAllowed):
        return await _render_join_page(context, code)
    return await context.services.runtime.run_in_thread(
        _render_evening, context, evening, game, min(max(again, 0), api.MAX_AGAIN)
    )


async def _render_join_page(context: PageContext, code: str, notice: str = "") -> Response:
    evening = await context.services.runtime.run_in_thread(read_evening, context.services, normalize_code(code))
    status = 409 if notice else 200
    return await context.render_in_thread("evening/join.html.jinja", status, evening=evening, notice=notice)


@router.get("/evening/{code}/qr.svg")
async def get_qr_code(request: Request, code: str) -> Response:
    """Return the QR code with which others can join."""
    context = PageContext(request)
    evening = await open_visible_evening(Caller(request, context.person, Response()), code)
    return render_qr_code(f"{context.origin}/evening/{evening.code}")


# -- forms ------------------------------------------------------------------------------------------------------------


@forms.read(api.start_round)
def read_tables(context: PageContext, form: PostedForm) -> FieldValues:
    """Read the tables of the next round: as the page proposed them, or with a field for each guest."""
    chosen: dict[int, list[int]] = {}
    for guest, place in form.fields_with_prefix(BY_HAND).items():
        number, table = parse_whole_number(guest, 4), parse_whole_number(place, 4)
        if number is not None and table:
            chosen.setdefault(table, []).append(number)
    if chosen or not form.text("seating"):
        return {"tables": [chosen[place] for place in sorted(chosen)]}
    written = [table.split() for table in form.text("seating")[:1000].split("|")]
    return {"tables": [[parse_whole_number(number, 4) or 0 for number in table] for table in written]}


@forms.refuse(api.join_evening)
async def ask_for_another_name(context: PageContext, form: PostedForm, error: RequestError) -> Response:
    return await _render_join_page(
        context, context.request.path_params["code"], format_error(error, context.localize.reader)
    )


@forms.refuse(api.add_evening_guest)
@forms.refuse(api.start_round)
async def show_refusal(context: PageContext, form: PostedForm, error: RequestError) -> Response:
    """Show the evening again, with the reason for which the form was refused."""
    caller = Caller(context.request, context.person, Response())
    evening = await open_visible_evening(caller, context.request.path_params["code"])
    notice = format_error(error, context.localize.reader)
    return await context.services.runtime.run_in_thread(
        _render_evening, context, evening, form.text("game"), 0, notice, error.status
    )


# -- the page ---------------------------------------------------------------------------------------------------------


def _render_evening(
    context: PageContext, evening: Evening, game_id: str, again: int, notice: str = "", status: int = 200
) -> Response:
    assert context.person is not None
    is_host = context.person.id == evening.host
    me = evening.find_guest(context.person.id)
    mine = None if me is None else evening.find_table_of(me.number)
    ranking = evening.build_ranking()
    games = {game.id: game for game in load_all_games()}
    return context.render_page(
        "evening/evening.html.jinja",
        status,
        evening=evening,
        notice=notice,
        is_host=is_host,
        me=me,
        my_table=mine,
        ranking=ranking,
        shown_rounds=list(range(max(1, evening.round - MAX_ROUND_COLUMNS + 1), evening.round + 1)),
        signed=all(table.game not in games or games[table.game].has_points for table in evening.tables),
        who={guest.number: guest for guest in evening.guests},
        points={ranked.number: ranked.points for ranked in ranking},
        late_start=evening.compute_late_start(),
        running=[table for table in evening.tables if table.is_running],
        ended=_list_last_ended(evening),
        at_table={seat.guest: table for table in evening.tables if table.is_running for seat in table.seats},
        here=[guest for guest in evening.guests if guest.status == HERE and not guest.bot],
        next=_plan_next_round(context, evening, game_id, again) if is_host and not evening.is_over else None,
        games=list(games.values()),
        by_id=games,
        levels=list_bot_levels(context.localize),
        level=context.bot_level,
        finding=NetworkAccess(context),
        link=f"{context.origin}/evening/{evening.code}",
        means={table.id: _compute_mean(table) for table in evening.tables},
    )


def _plan_next_round(context: PageContext, evening: Evening, game_id: str, again: int) -> NextRound:
    try:
        game = require_game(game_id or evening.game)
    except TricliniumError:  # the game is not installed any more, or the address is wrong
        game = load_all_games()[0]
    ready = evening.list_ready_guests()
    planned = plan_seating(evening, game, again)
    seating = planned if isinstance(planned, Seating) else None
    refusal = "" if isinstance(planned, Seating) else context.localize.reader.read(describe_refusal(planned))
    tables: Sequence[Sequence[int]] = () if seating is None else seating.tables
    places = {number: place for place, table in enumerate(tables, start=1) for number in table}
    return NextRound(game, again, ready, seating, refusal, places, max(1, -(-len(ready) // min(game.seats))))


def _list_last_ended(evening: Evening) -> list[EveningTable]:
    """Return the tables of the last round in which a match has ended."""
    ended = [table for table in evening.tables if not table.is_running]
    return [table for table in ended if table.round == ended[-1].round]


def _compute_mean(table: EveningTable) -> int | None:
    totals = [seat.total for seat in table.seats if seat.total is not None]
    return round(sum(totals) / len(totals)) if totals else None
