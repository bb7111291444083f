"""The HTTP API, version 1: people, their results and ratings, and what each decides about themselves."""

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict

from triclinium.server.accounts import visibility
from triclinium.server.accounts.profile import build_profile, list_companions
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.visibility import PersonSummary, get_visibility
from triclinium.server.errors import NoNickname
from triclinium.server.http.api.tables import build_json_response
from triclinium.server.http.auth import check_rate_limit, get_current_person, get_services
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.profile_json import build_player_json, build_profile_json, build_rating_json
from triclinium.server.ratings import leaderboard
from triclinium.server.tables.create import require_game

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["players"])

JsonObject: TypeAlias = dict[str, object]
PageNumber = Annotated[int, Query(ge=1, le=10_000)]
PersonId = Annotated[int, Path(ge=1, lt=2**31)]


class VisibilityBody(BaseModel):
    """Who sees you, and whether you stand in the standings."""

    model_config = ConfigDict(extra="forbid", strict=True)
    visible_to: Literal["server", "met", "nobody"]
    rated: bool = True


# The names of the choices in the API and in forms, and how they are stored.
VISIBILITY_NAMES = {"server": visibility.SERVER_MEMBERS, "met": visibility.MET_PEOPLE, "nobody": visibility.NOBODY}


def get_visibility_name(stored: str) -> str:
    """Return the public name of a stored choice."""
    return next(name for name, value in VISIBILITY_NAMES.items() if value == stored)


def require_person(request: Request) -> Person:
    """The caller, who must have a cookie."""
    person = get_current_person(request)
    if person is None:
        raise NoNickname()
    return person


@router.get("/leaderboard", response_model=JsonObject)
async def get_leaderboard(
    request: Request, game_id: Annotated[str, Query(alias="game", max_length=40)], bots: bool = True
) -> Response:
    """Who plays a game how well: people and bots on one scale. Names are told to the people of this house."""
    services, person = get_services(request), get_current_person(request)

    def build() -> JsonObject:
        game = require_game(game_id)
        with services.store.read_connection() as connection:
            rows = leaderboard.load_leaderboard(connection, game.id, bots)
            visible_people = get_visibility(services.settings, connection, person).load_people(
                row.person for row in rows if row.person is not None
            )
            matches = leaderboard.count_rated_matches(connection, game.id)
            bot_account_rows = leaderboard.load_bot_leaderboard(connection, game.id)
            visible_people |= get_visibility(services.settings, connection, person).load_people(
                row.person for row in bot_account_rows if row.person
            )
        people_json = [_build_leaderboard_row_json(row, visible_people) for row in rows]
        bot_accounts_json = [_build_leaderboard_row_json(row, visible_people) for row in bot_account_rows]
        return {
            "game": game.id,
            "rated_matches": matches,
            "leaderboard": people_json,
            "bot_accounts": bot_accounts_json,
        }

    return await build_json_response(services.runtime, build)


def _build_leaderboard_row_json(
    row: leaderboard.LeaderboardRow, visible_people: dict[int, PersonSummary]
) -> JsonObject:
    """Somebody in the standings."""
    return {
        **build_player_json(row.person, row.bot, visible_people),
        **build_rating_json(row.rating),
        "provisional": row.provisional,
        "rated_matches": row.matches,
        "played": row.played,
        "won": row.won,
        "recent_results": [
            {"rank": recent_match.rank, "seats": recent_match.seats} for recent_match in row.recent_results
        ],
    }


@router.get("/players", response_model=JsonObject)
async def get_players(request: Request) -> Response:
    """The people you have played with, the newest first."""
    services, person = get_services(request), get_current_person(request)

    def build() -> JsonObject:
        if person is None:
            return {"players": []}
        with services.store.read_connection() as connection:
            met = list_companions(connection, get_visibility(services.settings, connection, person), person.id)
        return {
            "players": [
                {
                    "person": companion.person.id,
                    "name": companion.person.name,
                    "matches": companion.matches,
                    "last_played_at": companion.last,
                }
                for companion in met
            ]
        }

    return await build_json_response(services.runtime, build)


@router.get("/players/{id}", response_model=JsonObject)
async def get_player_profile(
    request: Request,
    id: PersonId,
    game_id: Annotated[str, Query(alias="game", max_length=40)] = "",
    page: PageNumber = 1,
) -> Response:
    """Somebody's ratings, matches, style and duels, as far as they are shown to you."""
    services, person = get_services(request), get_current_person(request)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            return build_profile_json(
                build_profile(connection, get_visibility(services.settings, connection, person), id, game_id, page)
            )

    return await build_json_response(services.runtime, build)


@router.get("/me", response_model=JsonObject)
async def get_me(request: Request) -> Response:
    """Who you are here, and what you have decided about it."""
    services, person = get_services(request), require_person(request)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            me = get_visibility(services.settings, connection, person).load_people([person.id])[person.id]
        return {
            "person": me.id,
            "name": me.name,
            "visible_to": get_visibility_name(me.shown_to),
            "rated": me.rated,
            "since": me.created_at,
        }

    return await build_json_response(services.runtime, build)


@router.put("/me/privacy")
async def put_visibility(request: Request, body: VisibilityBody) -> JsonObject:
    """Decide who sees you, and whether you stand in the standings."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)
    await services.store.write(
        lambda connection: visibility.set_visibility(
            connection, person.id, VISIBILITY_NAMES[body.visible_to], body.rated
        )
    )
    return {"visible_to": body.visible_to, "rated": body.rated}
