"""Pages about the people of this server: leaderboard, profiles with matches and style, and privacy."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.server import server_time
from triclinium.server.accounts.profile import PAGE_SIZE, build_profile, list_companions
from triclinium.server.accounts.visibility import PersonSummary, get_visibility, list_hidden_people
from triclinium.server.errors import NoNickname, NotFound
from triclinium.server.http.api import players as api
from triclinium.server.http.api.players import get_visibility_name
from triclinium.server.http.auth import get_services
from triclinium.server.http.commands import Caller
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.ratings.leaderboard import (
    LeaderboardRow,
    MonthHighlights,
    count_rated_matches,
    list_highest_scores,
    load_bot_leaderboard,
    load_leaderboard,
    load_month_highlights,
)
from triclinium.server.ratings.stats import EndedMatch, ResultRow, list_game_matches
from triclinium.server.tables.create import require_game
from triclinium.server.tables.openings import format_opening
from triclinium.server.tables.repository import TableRepository
from triclinium.server.workshop.study_consent import has_agreed
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext, load_all_games, name_bot_level
from triclinium.web.rating_charts import RatingScale, draw_rating_history

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)

ORDINALS = (
    Name("1st", "place"),
    Name("2nd", "place"),
    Name("3rd", "place"),
    Name("4th", "place"),
    Name("5th", "place"),
    Name("6th", "place"),
)


class VisibleNames:
    """The names of people and bots that a reader may see."""

    def __init__(self, people: Mapping[int, PersonSummary], localize: Localizer) -> None:
        self.people = people
        self.localize = localize

    def person_name(self, id: int | None) -> str:
        person = None if id is None else self.people.get(id)
        return person.name if person is not None and person.name else self.localize("Anonymous")

    def person_link(self, id: int | None) -> str:
        """Return the address of a person's page, or "" if the reader may not know who it is."""
        person = None if id is None else self.people.get(id)
        return f"/players/{id}" if person is not None and person.name else ""

    def seat_name(self, row: ResultRow, table_is_open: bool) -> str:
        """Return the name of a seat's player. Guests at a shared device are named only to people at the same table."""
        if row.person is not None:
            return self.person_name(row.person)
        if row.kind == "bot":
            return (
                f"{row.name} ({name_bot_level(row.bot, self.localize)})"
                if row.name
                else name_bot_level(row.bot, self.localize)
            )
        return row.name if table_is_open and row.name else self.localize("Anonymous")


def format_ordinal(rank: int, localize: Localizer) -> str:
    """Return a rank such as ``1st`` or ``2nd``."""
    return localize.name(ORDINALS[rank - 1]) if rank <= len(ORDINALS) else str(rank)


# -- leaderboard -------------------------------------------------------------------------------------------------------


@router.get("/leaderboard")
async def get_leaderboard(request: Request, game: str = "", bots: str = "on") -> Response:
    return await get_services(request).runtime.run_in_thread(
        _render_leaderboard, PageContext(request), game, bots != "off"
    )


def _render_leaderboard(context: PageContext, id: str, bots: bool) -> Response:
    games = load_all_games()
    game = require_game(id) if id else games[0]
    reader = None if context.person is None else context.person.id
    with context.services.store.read_connection() as connection:
        lines = load_leaderboard(connection, game.id, bots)
        month_summary = load_month_highlights(connection, game.id, server_time.now())
        best = list_highest_scores(list_game_matches(connection, game.id, 0.0))
        people = get_visibility(context.services.settings, connection, context.person).load_people(
            _collect_person_ids(lines, month_summary, best)
        )
        matches = count_rated_matches(connection, game.id)
        programs = load_bot_leaderboard(connection, game.id)
        people |= get_visibility(context.services.settings, connection, context.person).load_people(
            account.person for account in programs if account.person
        )
    ranked = [line for line in lines if not line.provisional]
    places = [line.person for line in ranked if line.person is not None]
    return context.render_page(
        "people/leaderboard.html.jinja",
        games=games,
        game=game,
        bots=bots,
        lines=ranked,
        provisional=[line for line in lines if line.provisional],
        places={person: place for place, person in enumerate(places, start=1)},
        scale=RatingScale([line.rating for line in ranked]),
        naming=VisibleNames(people, context.localize),
        matches=matches,
        programs=programs,
        month=month_summary,
        records=[(match, row, can_open_table(match, reader)) for match, row in best],
        here_now=list_online_people(context.services.tables),
        reader=reader,
    )


def _collect_person_ids(
    lines: Sequence[LeaderboardRow], month_summary: MonthHighlights, best: Sequence[tuple[EndedMatch, ResultRow]]
) -> set[int]:
    """Return the ids of all people whom the page mentions."""
    person_ids = [line.person for line in lines] + [row.person for _, row in best]
    person_ids += [entry[0] for entry in (month_summary.most_active, month_summary.highest_score) if entry is not None]
    person_ids += [] if month_summary.upset is None else [month_summary.upset.winner, month_summary.upset.loser]
    return {person for person in person_ids if person is not None}


def can_open_table(match: EndedMatch, reader: int | None) -> bool:
    """Return whether the reader may open the table of a match."""
    return match.shown == "watched" or (reader is not None and any(row.person == reader for row in match.rows))


def list_online_people(repository: TableRepository) -> set[int]:
    """Return the people who have a table open."""
    streams = [listener for table in repository.list_cached_tables() for listener in tuple(table.hub.listeners)]
    return {listener.person for listener in streams if listener.person is not None}


# -- people -------------------------------------------------------------------------------------------------------


@router.get("/players")
async def get_people(request: Request) -> Response:
    return await get_services(request).runtime.run_in_thread(_render_people, PageContext(request))


def _render_people(context: PageContext) -> Response:
    met = []
    if context.person is not None:
        with context.services.store.read_connection() as connection:
            eyes = get_visibility(context.services.settings, connection, context.person)
            met = list_companions(connection, eyes, context.person.id)
    return context.render_page(
        "people/people.html.jinja", met=met, here_now=list_online_people(context.services.tables)
    )


@router.get("/players/{id}")
async def get_person(
    request: Request, id: int, game_id: Annotated[str, Query(alias="game")] = "", page: int = 1
) -> Response:
    if not 1 <= page <= 10_000 or not 0 < id < 2**31:
        raise NotFound("There is no such page.")
    return await get_services(request).runtime.run_in_thread(_render_person, PageContext(request), id, game_id, page)


def _render_person(context: PageContext, id: int, game_id: str, page: int) -> Response:
    if game_id:
        require_game(game_id)
    with context.services.store.read_connection() as connection:
        player_profile = build_profile(
            connection, get_visibility(context.services.settings, connection, context.person), id, game_id, page
        )
    by_id = {game.id: game for game in load_all_games()}
    shares = [] if player_profile.style is None else player_profile.style.openings
    return context.render_page(
        "people/profile.html.jinja",
        found=player_profile,
        by_id=by_id,
        game_id=game_id,
        page=page,
        more=player_profile.total > page * PAGE_SIZE,
        naming=VisibleNames(player_profile.names, context.localize),
        nth=format_ordinal,
        unrated_sentences=SENTENCES,
        course=draw_rating_history,
        game_name=_make_game_namer(by_id, context.localize),
        openings=[
            (
                format_opening(
                    context.services.tables, first_move.table, first_move.seat, first_move.label, context.language
                ),
                first_move,
            )
            for first_move in shares
        ],
        here_now=list_online_people(context.services.tables),
    )


def _make_game_namer(by_id: Mapping[str, Game], localize: Localizer) -> Callable[[str], str]:
    def name_game(id: str) -> str:
        return localize.name(by_id[id].name, by_id[id]) if id in by_id else id

    return name_game


# -- privacy -----------------------------------------------------------------------------------------------------------


@router.get("/me/privacy")
async def get_privacy(request: Request) -> Response:
    return await get_services(request).runtime.run_in_thread(_render_privacy, PageContext(request))


def _render_privacy(context: PageContext) -> Response:
    if context.person is None:
        raise NoNickname()
    with context.services.store.read_connection() as connection:
        eyes = get_visibility(context.services.settings, connection, context.person)
        me = eyes.load_people([context.person.id])[context.person.id]
        hidden = list_hidden_people(connection, me.id)
        agreed = has_agreed(connection, me.id)
    return context.render_page(
        "people/privacy.html.jinja",
        me=me,
        visible_to=get_visibility_name(me.shown_to),
        hidden=hidden,
        has_agreed=agreed,
    )


@forms.answer(api.set_visibility)
async def show_own_profile(post: FormPost[Caller, api.VisibilityChoice, api.StoredVisibility]) -> Response:
    """Redirect to the caller's own profile, which shows what others see."""
    return post.context.redirect(f"/players/{post.caller.me.id}")
