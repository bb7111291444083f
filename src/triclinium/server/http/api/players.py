"""HTTP API, version 1: leaderboards, profiles of people, and the caller's own visibility."""

from typing import Annotated, Literal, TypedDict

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from triclinium.server.accounts import visibility
from triclinium.server.accounts.profile import build_profile, list_companions
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.visibility import PersonSummary, get_visibility
from triclinium.server.errors import NoNickname
from triclinium.server.http.api.tables import build_json_response
from triclinium.server.http.auth import get_current_person, get_services
from triclinium.server.http.commands import PERSON, Api, Arguments, Caller, CommandList, Form, JsonObject
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.profile_json import build_player_json, build_profile_json, build_rating_json
from triclinium.server.ratings import leaderboard
from triclinium.server.tables.create import require_game
from triclinium.server.workshop.study_consent import has_agreed, set_agreed

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["players"])
commands = CommandList(router)

PageNumber = Annotated[int, Query(ge=1, le=10_000)]
PersonNumber = Annotated[int, Field(ge=1, lt=2**31)]  # the id of a person in the arguments of a command
PersonId = Annotated[int, Path(ge=1, lt=2**31)]


class VisibilityChoice(Arguments):
    """The people who can see your profile, and whether you appear on leaderboards."""

    visible_to: Literal["server", "met", "nobody"]
    rated: bool = True


# The choices of visibility: their names in the API and in forms, and the stored values.
VISIBILITY_NAMES = {"server": visibility.SERVER_MEMBERS, "met": visibility.MET_PEOPLE, "nobody": visibility.NOBODY}


def get_visibility_name(stored: str) -> str:
    """Return the name that a stored visibility has in the API."""
    return next(name for name, value in VISIBILITY_NAMES.items() if value == stored)


def require_person(request: Request) -> Person:
    """Return the person who sent the request. Raise NoNickname if it has no valid cookie."""
    person = get_current_person(request)
    if person is None:
        raise NoNickname()
    return person


@router.get("/leaderboard", response_model=JsonObject)
async def get_leaderboard(
    request: Request, game_id: Annotated[str, Query(alias="game", max_length=40)], bots: bool = True
) -> Response:
    """Return the leaderboard of a game, with people and bots on one scale. Only people of this server see names."""
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
    """Return a row of the leaderboard as JSON."""
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
    """List the people with whom you have played, the most recent first."""
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
    """Return a player's ratings, matches, playing style and opponents, as far as you may see them."""
    services, person = get_services(request), get_current_person(request)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            return build_profile_json(
                build_profile(connection, get_visibility(services.settings, connection, person), id, game_id, page)
            )

    return await build_json_response(services.runtime, build)


@router.get("/me", response_model=JsonObject)
async def get_me(request: Request) -> Response:
    """Return your account, and your choices about its visibility."""
    services, person = get_services(request), require_person(request)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            me = get_visibility(services.settings, connection, person).load_people([person.id])[person.id]
            agreed = has_agreed(connection, person.id)
        return {
            "person": me.id,
            "name": me.name,
            "visible_to": get_visibility_name(me.shown_to),
            "rated": me.rated,
            "studies": agreed,
            "since": me.created_at,
        }

    return await build_json_response(services.runtime, build)


class StoredVisibility(TypedDict):
    """The stored visibility of the caller."""

    visible_to: str
    rated: bool


@commands.add("set-visibility", PERSON, api=Api("PUT", "/me/privacy"), form=Form("/me/privacy"))
async def set_visibility(caller: Caller, arguments: VisibilityChoice) -> StoredVisibility:
    """Choose who can see your profile, and whether you appear on leaderboards."""
    me, chosen = caller.me.id, VISIBILITY_NAMES[arguments.visible_to]
    await caller.services.store.write(
        lambda connection: visibility.set_visibility(connection, me, chosen, arguments.rated)
    )
    return {"visible_to": arguments.visible_to, "rated": arguments.rated}


class StudyConsent(Arguments):
    """The choice of whether figures of your finished matches may be used in studies of editions."""

    agreed: bool


@commands.add("set-study-consent", PERSON, api=Api("PUT", "/me/studies"), form=Form("/me/studies", "/me/privacy"))
async def set_study_consent(caller: Caller, arguments: StudyConsent) -> JsonObject:
    """Choose whether studies may use your finished matches. A match counts only if all its players agree."""
    me = caller.me.id
    await caller.services.store.write(lambda connection: set_agreed(connection, me, arguments.agreed))
    return {"agreed": arguments.agreed}


# -- profiles as JSON ---------------------------------------------------------------------------------------------
