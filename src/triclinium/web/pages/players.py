"""People of the house: who plays how well, somebody's matches and style, and whom one has played with."""

from collections.abc import Callable, Mapping, Sequence

from fastapi import APIRouter, Request, Response

from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.server import server_time
from triclinium.server.accounts.profile import PAGE, companions, profile
from triclinium.server.accounts.visibility import Known, choose, hidden_names
from triclinium.server.errors import NoNickname, NotFound
from triclinium.server.http.api.players import eyes_of
from triclinium.server.http.auth import count, server_of
from triclinium.server.presenter.unrated import SENTENCES
from triclinium.server.ratings.leaderboard import (
    Line,
    Month,
    month,
    program_standings,
    rated_matches,
    records,
    standings,
)
from triclinium.server.ratings.openings import opening_said
from triclinium.server.ratings.stats import EndedMatch, Seated, matches_of_title
from triclinium.server.server import Server
from triclinium.server.tables.create import known_title
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading, all_titles, level_name
from triclinium.web.rating_charts import Scale, course

router = APIRouter(include_in_schema=False)

NTH = (
    Name("1st", "place"),
    Name("2nd", "place"),
    Name("3rd", "place"),
    Name("4th", "place"),
    Name("5th", "place"),
    Name("6th", "place"),
)


class Naming:
    """What a reader is told people and bots are called."""

    def __init__(self, known: Mapping[int, Known], speech: Speech) -> None:
        self.known = known
        self.speech = speech

    def person(self, id: int | None) -> str:
        found = None if id is None else self.known.get(id)
        return found.name if found is not None and found.name else self.speech("Somebody")

    def link(self, id: int | None) -> str:
        """Where the page of somebody is; empty: the reader is not told who it is."""
        found = None if id is None else self.known.get(id)
        return f"/people/{id}" if found is not None and found.name else ""

    def row(self, row: Seated, open: bool) -> str:
        """Whoever sat on a seat; guests at somebody's device are named to those alone who sat there too."""
        if row.person is not None:
            return self.person(row.person)
        if row.kind == "bot":
            return f"{row.name} ({level_name(row.bot, self.speech)})" if row.name else level_name(row.bot, self.speech)
        return row.name if open and row.name else self.speech("Somebody")


def nth(rank: int, speech: Speech) -> str:
    """``1st``, ``2nd``."""
    return speech.name(NTH[rank - 1]) if rank <= len(NTH) else str(rank)


# -- standings ----------------------------------------------------------------------------------------------------


@router.get("/standings")
async def get_standings(request: Request, title: str = "", bots: str = "on") -> Response:
    return await server_of(request).in_thread(_standings, Reading(request), title, bots != "off")


def _standings(reading: Reading, id: str, bots: bool) -> Response:
    found = all_titles()
    game = known_title(id) if id else found[0]
    reader = None if reading.person is None else reading.person.id
    with reading.server.store.reading() as connection:
        lines = standings(connection, game.id, bots)
        lately = month(connection, game.id, server_time.now())
        best = records(matches_of_title(connection, game.id, 0.0))
        known = eyes_of(reading.server, connection, reading.person).known(_named(lines, lately, best))
        matches = rated_matches(connection, game.id)
        programs = program_standings(connection, game.id)
        known |= eyes_of(reading.server, connection, reading.person).known(one.person for one in programs if one.person)
    standing = [line for line in lines if not line.provisional]
    places = [line.person for line in standing if line.person is not None]
    return reading.page(
        "people/standings.html.jinja",
        titles=found,
        game=game,
        bots=bots,
        lines=standing,
        provisional=[line for line in lines if line.provisional],
        places={person: place for place, person in enumerate(places, start=1)},
        scale=Scale([line.rating for line in standing]),
        naming=Naming(known, reading.speech),
        matches=matches,
        programs=programs,
        month=lately,
        records=[(match, row, opens(match, reader)) for match, row in best],
        here_now=here(reading.server),
        reader=reader,
    )


def _named(lines: Sequence[Line], lately: Month, best: Sequence[tuple[EndedMatch, Seated]]) -> set[int]:
    """Everybody that the page speaks of."""
    found = [line.person for line in lines] + [row.person for _, row in best]
    found += [one[0] for one in (lately.most, lately.highest) if one is not None]
    found += [] if lately.upset is None else [lately.upset.winner, lately.upset.loser]
    return {person for person in found if person is not None}


def opens(match: EndedMatch, reader: int | None) -> bool:
    """Whether the reader is let in at the table of a match."""
    return match.shown == "watched" or (reader is not None and any(row.person == reader for row in match.rows))


def here(server: Server) -> set[int]:
    """The people who have a table open."""
    streams = [listener for table in server.in_memory() for listener in tuple(table.hub.listeners)]
    return {listener.person for listener in streams if listener.person is not None}


# -- people -------------------------------------------------------------------------------------------------------


@router.get("/people")
async def get_people(request: Request) -> Response:
    return await server_of(request).in_thread(_people, Reading(request))


def _people(reading: Reading) -> Response:
    met = []
    if reading.person is not None:
        with reading.server.store.reading() as connection:
            eyes = eyes_of(reading.server, connection, reading.person)
            met = companions(connection, eyes, reading.person.id)
    return reading.page("people/people.html.jinja", met=met, here_now=here(reading.server))


@router.get("/people/{id}")
async def get_person(request: Request, id: int, title: str = "", page: int = 1) -> Response:
    if not 1 <= page <= 10_000 or not 0 < id < 2**31:
        raise NotFound("there is no such page")
    return await server_of(request).in_thread(_person, Reading(request), id, title, page)


def _person(reading: Reading, id: int, title: str, page: int) -> Response:
    if title:
        known_title(title)
    with reading.server.store.reading() as connection:
        found = profile(connection, eyes_of(reading.server, connection, reading.person), id, title, page)
    by_id = {game.id: game for game in all_titles()}
    shares = [] if found.style is None else found.style.openings
    return reading.page(
        "people/person.html.jinja",
        found=found,
        by_id=by_id,
        title=title,
        page=page,
        more=found.total > page * PAGE,
        naming=Naming(found.names, reading.speech),
        nth=nth,
        unrated_sentences=SENTENCES,
        course=course,
        game_name=_game_name(by_id, reading.speech),
        openings=[
            (opening_said(reading.server, one.table, one.seat, one.label, reading.language), one) for one in shares
        ],
        here_now=here(reading.server),
    )


def _game_name(by_id: Mapping[str, Game], speech: Speech) -> Callable[[str], str]:
    def name(id: str) -> str:
        return speech.name(by_id[id].name, by_id[id]) if id in by_id else id

    return name


# -- oneself ------------------------------------------------------------------------------------------------------


@router.get("/me/privacy")
async def get_privacy(request: Request) -> Response:
    return await server_of(request).in_thread(_privacy, Reading(request))


def _privacy(reading: Reading) -> Response:
    if reading.person is None:
        raise NoNickname()
    with reading.server.store.reading() as connection:
        eyes = eyes_of(reading.server, connection, reading.person)
        me = eyes.known([reading.person.id])[reading.person.id]
        hidden = hidden_names(connection, me.id)
    return reading.page("people/privacy.html.jinja", me=me, hidden=hidden)


@router.post("/me/privacy")
async def post_privacy(request: Request) -> Response:
    count(request, "post")
    reading = Reading(request)
    form = await reading.form()
    if reading.person is None:
        raise NoNickname()
    me, shown, rated = reading.person.id, form.text("shown"), form.flag("rated")
    await reading.server.store.write(lambda connection: choose(connection, me, shown, rated))
    return reading.go(f"/people/{me}")
