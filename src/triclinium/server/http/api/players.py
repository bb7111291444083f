"""The HTTP API, version 1: people, their results and ratings, and what each decides about themselves."""

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict
from sqlalchemy import Connection

from triclinium.server import server_time
from triclinium.server.accounts import visibility
from triclinium.server.accounts.profile import MatchLine, Profile, companions, profile
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.visibility import Eyes, Known
from triclinium.server.errors import NoNickname
from triclinium.server.http.api.tables import made
from triclinium.server.http.auth import count, person_of, server_of
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.presenter.unrated import SENTENCES
from triclinium.server.ratings import leaderboard
from triclinium.server.ratings.rating import Rating
from triclinium.server.ratings.stats import Seated
from triclinium.server.server import Server
from triclinium.server.tables.create import known_title

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["people"])

Facts: TypeAlias = dict[str, object]
PageNumber = Annotated[int, Query(ge=1, le=10_000)]
PersonId = Annotated[int, Path(ge=1, lt=2**31)]


class Privacy(BaseModel):
    """Who sees you, and whether you stand in the standings."""

    model_config = ConfigDict(extra="forbid", strict=True)
    shown: Literal["house", "met", "nobody"]
    rated: bool = True


def eyes_of(server: Server, connection: Connection, person: Person | None) -> Eyes:
    """What this caller may see of others."""
    return Eyes(connection, server.settings, None if person is None else person.id)


def somebody(request: Request) -> Person:
    """The caller, who must have a cookie."""
    person = person_of(request)
    if person is None:
        raise NoNickname()
    return person


@router.get("/standings", response_model=Facts)
async def get_standings(request: Request, title: Annotated[str, Query(max_length=40)], bots: bool = True) -> Response:
    """Who plays a game how well: people and bots on one scale. Names are told to the people of this house."""
    server, person = server_of(request), person_of(request)

    def facts() -> Facts:
        game = known_title(title)
        with server.store.reading() as connection:
            lines = leaderboard.standings(connection, game.id, bots)
            known = eyes_of(server, connection, person).known(line.person for line in lines if line.person is not None)
            matches = leaderboard.rated_matches(connection, game.id)
            programs = leaderboard.program_standings(connection, game.id)
            known |= eyes_of(server, connection, person).known(line.person for line in programs if line.person)
        told = [_line(line, known) for line in lines]
        others = [_line(line, known) for line in programs]
        return {"title": game.id, "rated_matches": matches, "standings": told, "programs": others}

    return await made(server, facts)


def _line(line: leaderboard.Line, known: dict[int, Known]) -> Facts:
    """Somebody in the standings."""
    return {
        **_who(line.person, line.bot, known),
        **_rating(line.rating),
        "provisional": line.provisional,
        "rated_matches": line.matches,
        "played": line.played,
        "won": line.won,
        "last": [{"rank": one.rank, "seats": one.seats} for one in line.last],
    }


@router.get("/people", response_model=Facts)
async def get_people(request: Request) -> Response:
    """The people you have played with, the newest first."""
    server, person = server_of(request), person_of(request)

    def facts() -> Facts:
        if person is None:
            return {"people": []}
        with server.store.reading() as connection:
            met = companions(connection, eyes_of(server, connection, person), person.id)
        return {
            "people": [
                {"person": one.person.id, "name": one.person.name, "matches": one.matches, "last": one.last}
                for one in met
            ]
        }

    return await made(server, facts)


@router.get("/people/{id}", response_model=Facts)
async def get_person(
    request: Request, id: PersonId, title: Annotated[str, Query(max_length=40)] = "", page: PageNumber = 1
) -> Response:
    """Somebody's ratings, matches, style and duels, as far as they are shown to you."""
    server, person = server_of(request), person_of(request)

    def facts() -> Facts:
        with server.store.reading() as connection:
            return profile_facts(profile(connection, eyes_of(server, connection, person), id, title, page))

    return await made(server, facts)


@router.get("/me", response_model=Facts)
async def get_me(request: Request) -> Response:
    """Who you are here, and what you have decided about it."""
    server, person = server_of(request), somebody(request)

    def facts() -> Facts:
        with server.store.reading() as connection:
            me = eyes_of(server, connection, person).known([person.id])[person.id]
        return {"person": me.id, "name": me.name, "shown": me.shown, "rated": me.rated, "since": me.made}

    return await made(server, facts)


@router.put("/me/privacy")
async def put_privacy(request: Request, wish: Privacy) -> Facts:
    """Decide who sees you, and whether you stand in the standings."""
    count(request, "post")
    server, person = server_of(request), somebody(request)
    await server.store.write(lambda connection: visibility.choose(connection, person.id, wish.shown, wish.rated))
    return {"shown": wish.shown, "rated": wish.rated}


# -- facts --------------------------------------------------------------------------------------------------------


def profile_facts(found: Profile) -> Facts:
    """A person's page for a program."""
    facts: Facts = {"person": found.person.id, "name": found.person.name, "seen": found.seen}
    if not found.seen:
        return facts
    style = found.style
    return facts | {
        "since": found.person.made,
        "with_people": found.with_people,
        "won": found.won,
        "title": found.title,
        "titles": [
            {
                "title": tile.title,
                **(_rating(tile.rating) if tile.rating else {"rating": None, "error": None}),
                "provisional": tile.provisional,
                "rated_matches": tile.matches,
                "played": tile.played,
                "won": tile.won,
                "matches": tile.ended,
                "place": None if tile.place is None else tile.place[0],
                "course": [one.shown for one in tile.course],
            }
            for tile in found.tiles
        ],
        "matches": [_match(line, found.names) for line in found.lines],
        "total": found.total,
        "style": None
        if style is None
        else {
            "matches": style.matches,
            "won": style.won,
            "fair": style.fair,
            **({} if style.points is None else {"points": style.points}),
            "best": style.best_points if style.best else None,
            "seconds": style.seconds,
            "by_seat": [{"seat": int(one.label) - 1, "won": one.part, "of": one.whole} for one in style.by_seat],
            "openings": [{"opening": one.label, "times": one.part, "of": one.whole} for one in style.openings],
        },
        "against": [
            {
                **_who(
                    duel.against if isinstance(duel.against, int) else None,
                    duel.against if isinstance(duel.against, str) else "",
                    found.names,
                ),
                "before": duel.before,
                "behind": duel.behind,
                "together": duel.together,
            }
            for duel in found.duels
        ],
        "now": server_time.now(),
    }


def _rating(known: Rating) -> Facts:
    return {"rating": known.shown, "error": known.error}


def _who(person: int | None, bot: str, known: dict[int, Known]) -> Facts:
    """A person by number and name, as far as it is told, or a bot."""
    name = known[person].name if person is not None else bot
    return {"person": person if name else None, "name": name, "bot": bot}


def _match(line: MatchLine, known: dict[int, Known]) -> Facts:
    match, mine = line.match, line.mine
    return {
        "table": match.table if line.may_open else None,
        "name": match.name,
        "title": match.title,
        "ended": match.ended,
        "rank": mine.rank,
        "total": mine.total,
        "how": mine.how,
        "change": line.change,
        "unrated": line.unrated,
        "unrated_message": SENTENCES[line.unrated] if line.unrated else "",
        "others": [_other(row, known, line.may_open) for row in line.others],
    }


def _other(row: Seated, known: dict[int, Known], open: bool) -> Facts:
    """Guests at somebody's device are named to those alone who are let in at that table."""
    told = _who(row.person, row.bot, known)
    guest = row.name if open or row.kind == "bot" else ""
    return {**told, "name": told["name"] if row.person is not None else guest, "rank": row.rank, "how": row.how}
