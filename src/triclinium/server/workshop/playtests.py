"""Playtests with people: two editions of a game, tables that get one of them at random, and the players' answers.

The owner publishes a hash of a secret key before the first table joins, and the key at the end. Tables join in pairs:
each pair gets both editions, in an order that only the key decides. Players learn their edition after they have
answered.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from sqlalchemy import Connection, delete, exists, func, insert, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError

from triclinium.engine.commitment import compute_seal
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import make_code, make_salt
from triclinium.server.errors import Conflict, NotAllowed, NotFound, RequestError
from triclinium.server.sanitize import clean_remark, clean_title
from triclinium.server.services import Services
from triclinium.server.storage.schema import tables
from triclinium.server.storage.schema_workshop import playtest_answers, playtest_tables, playtests
from triclinium.server.storage.store import Store
from triclinium.server.tables.create import NewTable, NewTableRows, begin_stored_table, prepare_table, require_game
from triclinium.server.tables.table import ANSWER_SECONDS, Table
from triclinium.server.workshop.access import OFF
from triclinium.server.workshop.editions import StoredEdition, load_playable_game

STEPS = 5  # possible answers to each question, from 1 to 5
MAX_PLAYTESTS = 50  # playtests of one person
MAX_TRIES = 20  # attempts to get a place when many tables join at the same moment
FIRST, SECOND = 0, 1
QUESTIONS = {
    "enjoyed": msgid("I enjoyed it."),
    "mattered": msgid("My decisions mattered."),
    "fair": msgid("It felt fair."),
    "length": msgid("The length was right."),
}


@dataclass(frozen=True, slots=True)
class PlaytestEdition:
    """One of the two editions of a playtest. An empty name or text means the printed game."""

    name: str
    text: str

    def load_game(self, game: Game) -> Game:
        """Return the game on this edition."""
        return game.with_components(ComponentsFile(self.text, "components.toml")) if self.text else game


@dataclass(frozen=True, slots=True)
class Playtest:
    """A stored playtest."""

    id: str
    person: int
    game_id: str
    name: str
    question: str
    editions: tuple[PlaytestEdition, PlaytestEdition]
    key: str
    salt: str
    seal: str
    made_at: float
    ended_at: float

    @property
    def path(self) -> str:
        return f"/workshop/playtests/{self.id}"

    @property
    def invitation_path(self) -> str:
        return f"/playtests/{self.id}"

    @property
    def is_open(self) -> bool:
        return not self.ended_at

    def draw_edition(self, place: int) -> int:
        """Return which edition the table at a place gets: FIRST or SECOND."""
        return draw_edition(self.key, place)


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """The place of a table in the random assignment of a playtest, from 0."""

    playtest: Playtest
    place: int

    @property
    def edition(self) -> PlaytestEdition:
        return self.playtest.editions[self.playtest.draw_edition(self.place)]


def draw_edition(key: str, place: int) -> int:
    """Return the edition of a place. The lowest bit of SHA-256(key:pair) says which edition the pair begins with."""
    pair, second = divmod(place, 2)
    return (hashlib.sha256(f"{key}:{pair}".encode()).digest()[-1] & 1) ^ second


def scale_answers(answers: Sequence[int]) -> float:
    """Return the value of a table between 0 and 1: the mean of its players' answers."""
    return (fmean(answers) - 1) / (STEPS - 1)


# -- reading ----------------------------------------------------------------------------------------------------------


def load_playtest(connection: Connection, id: str) -> Playtest:
    """Return a playtest. Raise `NotFound` if there is none."""
    row = connection.execute(select(playtests).where(playtests.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("There is no such playtest. It may have been deleted.")
    return _parse_row(row)


def find_playtest(services: Services, id: str) -> Playtest:
    """Return a playtest. Raise `NotFound` if there is none, or if this server has no workshop."""
    if services.settings.workshop == OFF:
        raise NotFound("This server has no workshop.")
    with services.store.read_connection() as connection:
        return load_playtest(connection, id)


def load_own_playtest(connection: Connection, id: str, person: int | None) -> Playtest:
    """Return a playtest of this person. Raise `NotFound` if they have no such playtest."""
    playtest = load_playtest(connection, id)
    if playtest.person != person:
        raise NotFound("There is no such playtest. It may have been deleted.")
    return playtest


def list_playtests(connection: Connection, person: int) -> list[Playtest]:
    """Return the playtests of a person, the newest first."""
    rows = connection.execute(
        select(playtests).where(playtests.c.person == person).order_by(playtests.c.made.desc(), playtests.c.id)
    )
    return [_parse_row(row) for row in rows]


def find_table_edition(connection: Connection, table: Table) -> PlacedTable | None:
    """Return the place of a table in its playtest, or None if it does not count in a playtest."""
    wanted = select(playtest_tables.c.place).where(playtest_tables.c.entry == get_entry(table))
    place = connection.execute(wanted).scalar_one_or_none()
    return None if place is None else PlacedTable(load_playtest(connection, table.options.playtest), place)


def list_answered_seats(connection: Connection, table: Table) -> set[Seat]:
    """Return the seats whose players have answered."""
    wanted = select(playtest_answers.c.seat).where(playtest_answers.c.entry == get_entry(table))
    return set(connection.execute(wanted).scalars())


def list_asked_seats(table: Table) -> list[Seat]:
    """Return the seats whose players are asked: those of people, not of bots or of programs."""
    return [occupant.seat for occupant in table.occupants if occupant.is_owned and not occupant.token]


def get_entry(table: Table) -> str:
    """Return the id under which a table is stored, also for a public copy of it."""
    return (table.original or table).id


def _parse_row(row: Row[tuple[object, ...]]) -> Playtest:
    pair = PlaytestEdition(row.first_name, row.first_text), PlaytestEdition(row.second_name, row.second_text)
    facts = (row.id, row.person, row.game, row.name, row.question, pair)
    return Playtest(*facts, row.key, row.salt, row.seal, row.made, row.ended)


# -- creating and ending ----------------------------------------------------------------------------------------------


async def create_playtest(
    services: Services, person: Person, edition: StoredEdition, other: StoredEdition | None, question: str, name: str
) -> Playtest:
    """Store a playtest of an edition against another one, or against the printed game.

    Raise `RequestError` or `Conflict` if the two cannot be compared.
    """
    if question not in QUESTIONS:
        raise RequestError("There is no such question.")

    def check() -> Game:
        game = load_playable_game(edition)
        against = require_game(edition.game_id) if other is None else load_playable_game(other)
        if against.id != game.id:
            raise Conflict("This edition is of another game.")
        if against.file == game.file:
            raise Conflict("The two editions are the same. Change a number first.")
        return game

    game = await services.runtime.run_in_thread(check)
    key, salt = make_salt(), make_salt()
    row: dict[str, object] = {
        "id": make_code(10).lower(),
        "person": person.id,
        "game": game.id,
        "name": clean_title(name, edition.name),
        "question": question,
        "first_name": "" if other is None else other.name,
        "first_text": "" if other is None else other.text,
        "second_name": edition.name,
        "second_text": edition.text,
        "key": key,
        "salt": salt,
        "seal": compute_seal(key, salt),
        "made": server_time.now(),
    }

    def job(connection: Connection) -> Playtest:
        own = select(func.count()).where(playtests.c.person == person.id)
        if connection.execute(own).scalar_one() >= MAX_PLAYTESTS:
            raise RequestError("You have {0} playtests. Delete one of them first.", MAX_PLAYTESTS)
        connection.execute(insert(playtests), row)
        return load_playtest(connection, str(row["id"]))

    return await services.store.write(job)


async def end_playtest(services: Services, playtest: Playtest) -> Playtest:
    """End a playtest: no table joins any more, no answers count, and the key and all editions become public."""
    await _reveal(services, playtest, ended=True)
    return replace(playtest, ended_at=playtest.ended_at or server_time.now())


async def delete_playtest(services: Services, playtest: Playtest) -> None:
    """Delete a playtest with its answers. Its tables stay, and their editions become public."""
    await _reveal(services, playtest, ended=False)


async def _reveal(services: Services, playtest: Playtest, ended: bool) -> None:
    this = playtests.c.id == playtest.id

    def job(connection: Connection) -> set[str]:
        ids = select(playtest_tables.c.entry).where(playtest_tables.c.playtest == playtest.id)
        revealed = set(connection.execute(ids).scalars())
        # The new stamp makes other servers reload these tables.
        shown = update(tables).where(tables.c.id.in_(revealed)).values(revealed=True, stamp=tables.c.stamp + 1)
        connection.execute(shown)
        if ended:
            connection.execute(update(playtests).where(this, playtests.c.ended == 0).values(ended=server_time.now()))
        else:
            connection.execute(delete(playtests).where(this))
        return revealed

    _show_tables(services, await services.store.write(job))


def _show_tables(services: Services, ids: set[str]) -> None:
    """Let everybody know the editions of tables in memory."""
    services.tables.update_rows(lambda row: replace(row, revealed=True) if row.id in ids else row)


# -- random assignment ------------------------------------------------------------------------------------------------


async def open_playtest_table(services: Services, host: Person, playtest: Playtest, new: NewTable) -> Table:
    """Open a table of a playtest, which gets its edition at random. ``new`` is the table with the printed game.

    Bots play without networks, because only the printed game has any. Raise `RequestError` or `Conflict` if the table
    cannot join; that never depends on the random assignment.
    """
    if new.deal is not None or new.components:
        raise RequestError(
            "A playtest chooses the edition at random, so it cannot be combined with a deal or an edition."
        )
    if new.game.id != playtest.game_id:
        raise Conflict("This playtest is of another game.")
    options = replace(new.options, playtest=playtest.id, plain=True)

    def prepare() -> list[NewTable]:
        return [
            replace(new, game=edition.load_game(new.game), components=edition.text, options=options)
            for edition in playtest.editions
        ]

    choices = await services.runtime.run_in_thread(prepare)
    for _ in range(MAX_TRIES):
        place = await services.runtime.run_in_thread(_find_place, services.store, playtest)
        rows = await prepare_table(services, host, choices[playtest.draw_edition(place)])
        try:
            if await services.store.write(partial(_store_table, playtest.id, place, rows)):
                return await begin_stored_table(services, rows.id)
        except IntegrityError:  # another server has taken the place at the same moment
            continue
    raise Conflict("Many tables are joining right now. Please try again.")


def _store_table(playtest: str, place: int, rows: NewTableRows, connection: Connection) -> bool:
    """Store a table at a place. Return False if the place has been taken."""
    if not _is_place_free(connection, playtest, place):
        return False
    here = (playtest_tables.c.playtest == playtest, playtest_tables.c.place == place)
    connection.execute(delete(playtest_tables).where(*here))
    connection.execute(insert(playtest_tables).values(playtest=playtest, place=place, entry=rows.id))
    rows.write(connection)
    return True


def _find_place(store: Store, playtest: Playtest) -> int:
    """Return the first free place in the random assignment. Raise `Conflict` if the playtest has ended."""
    with store.read_connection() as connection:
        if not load_playtest(connection, playtest.id).is_open:
            raise Conflict("This playtest has ended, so no table can join it any more.")
        places = select(playtest_tables.c.place).where(playtest_tables.c.playtest == playtest.id)
        taken = list(connection.execute(places.order_by(playtest_tables.c.place)).scalars())
        return next((place for place in taken if _is_place_free(connection, playtest.id, place)), len(taken))


def _is_place_free(connection: Connection, playtest: str, place: int) -> bool:
    """Return whether a place has no table that counts or can still count.

    A table that replaces another one gets the same edition, so nobody can choose an edition by leaving.
    """
    here = (playtest_tables.c.playtest == playtest, playtest_tables.c.place == place)
    entry = connection.execute(select(playtest_tables.c.entry).where(*here)).scalar_one_or_none()
    if entry is None:
        open_playtest = select(exists().where(playtests.c.id == playtest, playtests.c.ended == 0))
        return bool(connection.execute(open_playtest).scalar_one())
    if connection.execute(select(exists().where(playtest_answers.c.entry == entry))).scalar_one():
        return False
    row = connection.execute(select(tables.c.status, tables.c.ended_early, tables.c.moved).where(tables.c.id == entry))
    found = row.one_or_none()
    if found is None or found.status not in ("waiting", "playing", "over"):
        return True
    return found.status == "over" and bool(found.ended_early or found.moved + ANSWER_SECONDS < server_time.now())


# -- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerAnswers:
    """A player's answers: a step for each question, and a remark."""

    steps: Mapping[str, int]
    remark: str = ""


async def save_answers(
    services: Services, table: Table, person: Person | None, own_seats: Sequence[Seat], seat: Seat, given: PlayerAnswers
) -> None:
    """Store the answers of a seat. Raise `Conflict` if they come too early or too late, or if the seat has answered."""
    if set(given.steps) != set(QUESTIONS) or not all(1 <= step <= STEPS for step in given.steps.values()):
        raise RequestError("Answer all four questions.")
    if seat not in own_seats or seat not in list_asked_seats(table):
        raise NotAllowed("Only the players of this match can answer.")
    if not table.options.playtest or table.status != "over" or table.ended_early:
        raise Conflict("Questions are answered after the last move of a playtest.")
    if not table.takes_answers:
        raise Conflict("Answers are accepted for three days after the match.")

    def job(connection: Connection) -> bool:
        placed = find_table_edition(connection, table)
        if placed is None or not placed.playtest.is_open:
            raise Conflict("This playtest has ended, so answers do not count any more.")
        if seat in list_answered_seats(connection, table):
            raise Conflict("You have answered already.")
        row = {"entry": table.id, "seat": seat, "playtest": table.options.playtest, "at": server_time.now()}
        who = None if person is None else person.id
        connection.execute(
            insert(playtest_answers).values(**row, **given.steps, person=who, remark=clean_remark(given.remark))
        )
        done = set(list_asked_seats(table)) <= list_answered_seats(connection, table)
        if done:
            shown = update(tables).where(tables.c.id == table.id).values(revealed=True, stamp=tables.c.stamp + 1)
            connection.execute(shown)
        return done

    if await services.store.write(job):
        _show_tables(services, {table.id})


def knows_edition(connection: Connection, table: Table, own_seats: Sequence[Seat]) -> bool:
    """Return whether a viewer may know the edition of a table: everybody may, or all their own seats have answered."""
    if not table.is_withheld:
        return True
    mine = set(own_seats) & set(list_asked_seats(table))
    return table.status == "over" and bool(mine) and mine <= list_answered_seats(connection, table)
