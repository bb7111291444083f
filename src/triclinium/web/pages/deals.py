"""Shared deals: the deals of the day, and the page on which the tables of one deal are compared."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from triclinium.server.errors import NotFound, RequestError
from triclinium.server.http.api import deals as deal_commands
from triclinium.server.http.api.deals import find_deal, load_deal_overview
from triclinium.server.http.auth import get_current_viewer
from triclinium.server.http.commands import Caller, JsonObject
from triclinium.server.net.middleware import POLICY_HEADER, SECURITY_HEADERS
from triclinium.server.presenter.deal import DealOverview, DealSeat, SeatSummary, find_parting
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables.deals import Deal, list_daily_deals, load_daily_deal
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import LockedTable, Table
from triclinium.web import assets
from triclinium.web.datetimes import format_utc_date
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.page_context import PageContext, load_all_games
from triclinium.web.pages.table_page import build_table_variables, render_table_template

router = APIRouter(include_in_schema=False)
forms = FormRoutes(deal_commands.commands)
POLICY = dict(SECURITY_HEADERS)[POLICY_HEADER.decode()]
FRAME_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
FRAMING_POLICY = f"{POLICY}; frame-src 'self'"
CHART_WIDTH, CHART_MARGIN = 600, 30  # of the chart of one seat, in its own units
SPECTATOR = Viewer(None, ())


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A result in the chart of a seat."""

    x: float
    value: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class ChartRow:
    """The results of a seat with their places in the chart."""

    summary: SeatSummary
    points: list[ChartPoint]
    median_x: float


@dataclass(frozen=True, slots=True)
class Parting:
    """The first decision at which two tables differ, with the table of each side."""

    choices: list[DealSeat]  # one person for each table that can be compared
    sides: list[DealSeat]
    moves: int | None  # moves that both tables have in common; None: all are equal
    round: int
    seat: int


@router.get("/deals")
async def get_deals(request: Request) -> Response:
    """Return the page with the deals of the day."""
    context = PageContext(request)
    games = [game for game in load_all_games() if game.has_secrets]
    found = [(game, await load_daily_deal(context.services, game)) for game in games]

    def render() -> Response:
        daily = [(game, load_deal_overview(context.services, request, deal)) for game, deal in found]
        games_by_id = {game.id: game for game in games}
        yesterday = list_daily_deals(context.services.store, 1, games_by_id)
        return context.render_page("deals.html.jinja", daily=daily, yesterday=yesterday, games=games_by_id)

    return await context.services.runtime.run_in_thread(render)


@router.get("/deals/{id}")
async def get_deal(request: Request, id: str, a: str = "", b: str = "") -> Response:
    """Return the page of a deal. ``a`` and ``b`` are the tables that are compared once it is closed."""
    context = PageContext(request)
    deal = await find_deal(request, id)
    overview = await context.services.runtime.run_in_thread(load_deal_overview, context.services, request, deal)
    parting = await _find_parting(request, context, overview, a, b) if not deal.is_open else None
    response = await context.services.runtime.run_in_thread(_render_deal, context, overview, parting)
    response.headers[POLICY_HEADER.decode()] = FRAMING_POLICY
    return response


def _render_deal(context: PageContext, overview: DealOverview, parting: Parting | None) -> Response:
    deal = overview.deal
    game = deal.load_game()
    rows, ticks = lay_out_chart(overview.by_seat)
    return context.render_page(
        "deal.html.jinja",
        deal=deal,
        game=game,
        heading=describe_deal(context, deal),
        overview=overview,
        share=assets.load_about(game).deal_share,
        rows=rows,
        ticks=ticks,
        left=sum(row.summary.left for row in rows),
        guests=[guest for row in rows for guest in row.summary.guests],
        parting=parting,
    )


def describe_deal(context: PageContext, deal: Deal) -> str:
    """Return the heading of a deal: its day, or when people made it."""
    date = format_utc_date(deal.made, context.language)
    return context.localize("Deal of the day, {0}", date) if deal.day else context.localize("Shared deal of {0}", date)


def lay_out_chart(by_seat: tuple[SeatSummary, ...]) -> tuple[list[ChartRow], list[tuple[float, int]]]:
    """Return the rows of the chart and the ticks of its axis. All rows have the same scale."""
    values = [result.value for summary in by_seat for result in summary.results]
    low, high = min(values, default=0), max(values, default=1)
    span = max(1, high - low)

    def place(value: float) -> float:
        return round(CHART_MARGIN + (value - low) * (CHART_WIDTH - 2 * CHART_MARGIN) / span, 1)

    rows = [
        ChartRow(
            summary,
            [ChartPoint(place(result.value), result.value, result.is_mine) for result in summary.results],
            place(summary.median),
        )
        for summary in by_seat
    ]
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if span / step <= 8)
    ticks = [(place(value), value) for value in range(-(-low // step) * step, high + 1, step)]
    return rows, ticks if values else []


async def _find_parting(
    request: Request, context: PageContext, overview: DealOverview, a: str, b: str
) -> Parting | None:
    """Return where two tables parted, or None if the reader can see fewer than two of them."""
    visible: dict[str, Table] = {}
    choices: list[DealSeat] = []
    for each in sorted(overview.people, key=lambda seat: not seat.is_mine):
        if each.table in visible:
            continue
        try:
            table = await context.services.tables.get_table(each.table)
            get_current_viewer(request, table)
        except RequestError:
            continue
        if table.stranded is None:
            visible[each.table] = table
            choices.append(each)
    if len(choices) < 2:
        return None
    first = next((each for each in choices if each.table == a), choices[0])
    second = next((each for each in choices if each.table == b and each is not first), None)
    second = second or next(each for each in choices if each is not first)
    one = visible[first.table]
    moves = find_parting(one, visible[second.table])
    if moves is None:
        return Parting(choices, [first, second], None, 0, 0)

    def locate() -> tuple[int, int]:
        state = one.position(min(moves, one.moves)).state
        return state.period()[0], state.who

    async with context.services.tables.locked(one) as locked:
        assert locked.match is not None
        at_round, seat = await context.services.runtime.run_in_thread(locate)
    return Parting(choices, [first, second], moves, at_round, seat)


@router.get("/deals/{id}/tables/{table_id}/positions/{n}")
async def get_position(request: Request, id: str, table_id: str, n: int) -> Response:
    """Return a position of a table of a closed deal for a frame on the deal's page: the board and the last move."""
    context = PageContext(request)
    deal = await find_deal(request, id)
    table = await context.services.tables.get_table(table_id)
    get_current_viewer(request, table)
    if deal.is_open or table.deal != deal.id or table.status != "over":
        raise NotFound("There is no such page.")
    async with context.services.tables.locked(table) as locked:
        response = await context.services.runtime.run_in_thread(_render_position, context, locked, n)
    response.headers[POLICY_HEADER.decode()] = FRAME_POLICY
    return response


def _render_position(context: PageContext, table: LockedTable, n: int) -> Response:
    if not 0 <= n <= table.moves:
        raise NotFound("This match has no such move.")
    table_view = TableView(table, (), None, context.language, n)
    variables = build_table_variables(context, table_view, SPECTATOR)
    colours = table.game.seat_colours(table_view.view)
    return render_table_template(context, table_view, variables, "embed.html.jinja", colours=colours)


@forms.answer(deal_commands.play_daily_deal)
async def show_daily_table(post: FormPost[Caller, deal_commands.DailyGame, JsonObject]) -> Response:
    table = post.result["table"]
    assert isinstance(table, dict)
    return post.context.redirect(f"/tables/{table['id']}")
