"""The HTTP API, version 1: people, their results and ratings, and what each decides about themselves."""

from typing import Annotated, Literal, TypedDict

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field
from sqlalchemy import Connection

from triclinium.server import server_time
from triclinium.server.accounts import visibility
from triclinium.server.accounts.profile import MatchHistoryRow, Profile, build_profile, list_companions
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.visibility import PersonSummary, ReaderVisibility
from triclinium.server.errors import NoNickname
from triclinium.server.http.api.tables import build_json_response
from triclinium.server.http.auth import get_current_person, get_services
from triclinium.server.http.commands import PERSON, Api, Arguments, Caller, CommandList, Form, JsonObject
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.ratings import leaderboard
from triclinium.server.ratings.rating import Rating
from triclinium.server.ratings.stats import ResultRow
from triclinium.server.settings import Settings
from triclinium.server.tables.create import require_game

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["players"])
commands = CommandList(router)

PageNumber = Annotated[int, Query(ge=1, le=10_000)]
PersonNumber = Annotated[int, Field(ge=1, lt=2**31)]  # in the arguments of a command
PersonId = Annotated[int, Path(ge=1, lt=2**31)]


class VisibilityChoice(Arguments):
    """Who sees you, and whether you stand in the standings."""

    visible_to: Literal["server", "met", "nobody"]
    rated: bool = True


# The names of the choices in the API and in forms, and how they are stored.
VISIBILITY_NAMES = {"server": visibility.SERVER_MEMBERS, "met": visibility.MET_PEOPLE, "nobody": visibility.NOBODY}


def get_visibility_name(stored: str) -> str:
    """Return the public name of a stored choice."""
    return next(name for name, value in VISIBILITY_NAMES.items() if value == stored)


def get_visibility(settings: Settings, connection: Connection, person: Person | None) -> ReaderVisibility:
    """What this caller may see of others."""
    return ReaderVisibility(connection, settings, None if person is None else person.id)


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
        **_build_player_json(row.person, row.bot, visible_people),
        **_build_rating_json(row.rating),
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


class StoredVisibility(TypedDict):
    """What somebody has decided about being seen."""

    visible_to: str
    rated: bool


@commands.add("set-visibility", PERSON, api=Api("PUT", "/me/privacy"), form=Form("/me/privacy"))
async def set_visibility(caller: Caller, arguments: VisibilityChoice) -> StoredVisibility:
    """Decide who sees you, and whether you stand in the standings."""
    me, chosen = caller.me.id, VISIBILITY_NAMES[arguments.visible_to]
    await caller.services.store.write(
        lambda connection: visibility.set_visibility(connection, me, chosen, arguments.rated)
    )
    return {"visible_to": arguments.visible_to, "rated": arguments.rated}


# -- facts --------------------------------------------------------------------------------------------------------


def build_profile_json(player_profile: Profile) -> JsonObject:
    """A person's page for a program."""
    result: JsonObject = {
        "person": player_profile.person.id,
        "name": player_profile.person.name,
        "visible": player_profile.is_visible,
    }
    if not player_profile.is_visible:
        return result
    style = player_profile.style
    return result | {
        "since": player_profile.person.created_at,
        "with_people": player_profile.with_people,
        "won": player_profile.won,
        "game": player_profile.game_id,
        "games": [
            {
                "game": tile.game_id,
                **(_build_rating_json(tile.rating) if tile.rating else {"rating": None, "rating_error": None}),
                "provisional": tile.provisional,
                "rated_matches": tile.matches,
                "played": tile.played,
                "won": tile.won,
                "matches": tile.finished,
                "place": None if tile.place is None else tile.place[0],
                "rating_history": [entry.display_value for entry in tile.rating_history],
            }
            for tile in player_profile.tiles
        ],
        "matches": [_build_match_json(line, player_profile.names) for line in player_profile.lines],
        "total": player_profile.total,
        "style": None
        if style is None
        else {
            "matches": style.matches,
            "won": style.won,
            "fair_share": style.fair_share,
            **({} if style.points is None else {"points": style.points}),
            "best": style.best_points if style.best else None,
            "seconds": style.seconds,
            "by_seat": [
                {"seat": int(entry.label) - 1, "won": entry.count, "matches": entry.total} for entry in style.by_seat
            ],
            "openings": [
                {"opening": entry.label, "count": entry.count, "matches": entry.total} for entry in style.openings
            ],
        },
        "opponents": [
            {
                **_build_player_json(
                    duel.against if isinstance(duel.against, int) else None,
                    duel.against if isinstance(duel.against, str) else "",
                    player_profile.names,
                ),
                "ahead": duel.before,
                "behind": duel.behind,
                "matches": duel.together,
            }
            for duel in player_profile.duels
        ],
        "now": server_time.now(),
    }


def _build_rating_json(rating: Rating) -> JsonObject:
    return {"rating": rating.display_value, "rating_error": rating.error}


def _build_player_json(person: int | None, bot: str, visible_people: dict[int, PersonSummary]) -> JsonObject:
    """A person by number and name, as far as it is told, or a bot."""
    name = visible_people[person].name if person is not None else bot
    return {"person": person if name else None, "name": name, "bot": bot}


def _build_match_json(match_row: MatchHistoryRow, visible_people: dict[int, PersonSummary]) -> JsonObject:
    match, mine = match_row.match, match_row.mine
    return {
        "table": match.table if match_row.may_open else None,
        "name": match.name,
        "game": match.game_id,
        "ended": match.ended,
        "rank": mine.rank,
        "total": mine.total,
        "ended_by": mine.how,
        "change": match_row.change,
        "unrated": match_row.unrated,
        "unrated_message": SENTENCES[match_row.unrated] if match_row.unrated else "",
        "others": [_build_opponent_json(opponent, visible_people, match_row.may_open) for opponent in match_row.others],
    }


def _build_opponent_json(row: ResultRow, visible_people: dict[int, PersonSummary], shows_guests: bool) -> JsonObject:
    """Guests at somebody's device are named to those alone who are let in at that table."""
    player_json = _build_player_json(row.person, row.bot, visible_people)
    guest = row.name if shows_guests or row.kind == "bot" else ""
    return {
        **player_json,
        "name": player_json["name"] if row.person is not None else guest,
        "rank": row.rank,
        "ended_by": row.how,
    }
