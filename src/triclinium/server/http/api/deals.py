"""Shared deals: the same cards at several tables, and the deal of the day."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import AfterValidator, Field

from triclinium.engine.registry import list_games
from triclinium.server.accounts.visibility import get_visibility
from triclinium.server.errors import Conflict
from triclinium.server.http.api.tables import stringify_variants
from triclinium.server.http.auth import get_current_person, get_services
from triclinium.server.http.commands import ANYONE, Api, Arguments, Caller, CommandList, Form, JsonObject, NotOffered
from triclinium.server.presenter.api_json import ERROR_RESPONSES, build_summary_json
from triclinium.server.presenter.deal import DealOverview, build_deal_json, load_overview
from triclinium.server.presenter.log import build_public_record
from triclinium.server.services import Services
from triclinium.server.tables import deals
from triclinium.server.tables.create import open_daily_table, require_game
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)
commands = CommandList(router)


class NewDeal(Arguments):
    """A new deal: its game, number of players, variants, and how long it stays open."""

    game: str = Field(max_length=40)
    players: int = Field(ge=1, le=6)
    variants: Annotated[dict[str, str | int | bool], AfterValidator(stringify_variants)] = Field(
        default_factory=dict, max_length=40, description="a JSON number or boolean, or its text: `40`, `on`"
    )
    hours: int = Field(deals.DEFAULT_HOURS, ge=1, le=deals.MAX_HOURS, description="hours until the deal closes")


class DailyGame(Arguments):
    """The game of a deal of the day."""

    game: str = Field(max_length=40)


def load_deal_overview(services: Services, request: Request, deal: deals.Deal) -> DealOverview:
    """Return a deal for the caller. Call this in a thread."""
    with services.store.read_connection() as connection:
        visibility = get_visibility(services.settings, connection, get_current_person(request))
        return load_overview(connection, visibility, deal)


@commands.add(
    "create-deal",
    ANYONE,
    api=Api("POST", "/deals", status_code=201, tags=["deals"]),
    form=NotOffered("The form for a new table makes the deal together with its first table."),
    rates=["open"],
)
async def create_deal(caller: Caller, arguments: NewDeal) -> JsonObject:
    """Make a deal that several tables can play. Open a table on it with its `deal` in `POST /tables`."""
    game = require_game(arguments.game)
    variants = {name: str(value) for name, value in arguments.variants.items()}
    deal = await deals.create_deal(caller.services, game, arguments.players, variants, arguments.hours)
    return await _describe_deal(caller.request, deal)


@commands.add(
    "play-daily-deal",
    ANYONE,
    api=Api("POST", "/deals/daily/{game}/tables", status_code=201, tags=["deals"]),
    form=Form("/deals/daily/{game}"),
    rates=["open"],
)
async def play_daily_deal(caller: Caller, arguments: DailyGame) -> JsonObject:
    """Open a table with the deal of the day and Steady bots, or return the one that you have opened before."""
    game = require_game(arguments.game)
    person = await caller.ensure_person()
    table = await open_daily_table(caller.services, person, game)
    return {"table": build_summary_json(caller.services, table), "cookie": caller.new_cookie}


@router.get("/deals/daily", tags=["deals"])
async def get_daily_deals(request: Request) -> list[JsonObject]:
    """List the deals of the day, one for each game with hidden cards. Their seals are shown from midnight UTC."""
    services = get_services(request)
    games = [game for game in map(require_game, list_games()) if game.has_secrets]
    return [await _describe_deal(request, await deals.load_daily_deal(services, game)) for game in games]


@router.get("/deals/{id}", tags=["deals"])
async def get_deal(request: Request, id: str) -> JsonObject:
    """Return a deal: who has finished it while it is open, and all results when it is closed."""
    return await _describe_deal(request, await find_deal(request, id))


@router.get("/deals/{id}/records", tags=["deals"])
async def get_deal_records(request: Request, id: str) -> list[dict[str, str]]:
    """Return the records of the finished tables of a closed deal, as texts."""
    deal = await find_deal(request, id)
    if deal.is_open:
        raise Conflict("Other people can still play this deal, so this opens when the deal closes.")
    services = get_services(request)
    overview = await services.runtime.run_in_thread(load_deal_overview, services, request, deal)

    def load(table_id: str) -> dict[str, str]:
        table: Table = services.tables.load_table(table_id, with_history=True)
        return {"table": table_id, "record": build_public_record(table).dumps()}

    ids = dict.fromkeys(each.table for each in overview.people)
    return [await services.runtime.run_in_thread(load, table_id) for table_id in ids]


async def find_deal(request: Request, id: str) -> deals.Deal:
    """Return a deal by its id. Today's deals exist as soon as someone asks for them. Raise `NotFound` for others."""
    services = get_services(request)
    game_id, _, day = id.partition("-")
    if day == deals.get_today().isoformat() and game_id in list_games():
        return await deals.load_daily_deal(services, require_game(game_id))
    return await services.runtime.run_in_thread(deals.find_deal, services.store, id)


async def _describe_deal(request: Request, deal: deals.Deal) -> JsonObject:
    services = get_services(request)
    overview = await services.runtime.run_in_thread(load_deal_overview, services, request, deal)
    return build_deal_json(overview)
