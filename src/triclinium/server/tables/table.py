"""Tables in memory: the stored facts, the match, and `LockedTable`, the only class that can change them."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from triclinium.engine.auto_replies import AutoReplies
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Option, Seat
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.recap import RecapLine
from triclinium.engine.record import Record, Result
from triclinium.engine.visible_scores import VisibleNumber, VisibleScore
from triclinium.server import server_time
from triclinium.server.bots.jobs import HintJob
from triclinium.server.errors import NotFound, Stranded
from triclinium.server.tables.column_values import as_float, as_int
from triclinium.server.tables.event_stream import EventListener, ListenerHub
from triclinium.server.tables.options import TableOptions, load_stored_options
from triclinium.server.tables.time_bank import SeatTime, TimeBankClock

MOVE = "move"
CONTINUED_MOVE = "more"  # a later move of the same request, which one undo removes together with the first
ANSWER_SECONDS = 3 * 86400.0  # time that players have to answer the questions of a playtest
MAX_RECENT_POSTS = 8  # requests that are recognized by their key
MAX_POSITIONS = 6  # earlier positions that are cached for readers who step through the match


class HandleReleased(RuntimeError):
    """Raised if a locked table is used after the block that held the lock."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """One seat of a table as it is stored, with its person or bot."""

    seat: Seat
    kind: str  # person, hot (at a shared device), bot
    person: int | None
    name: str
    bot: str
    taken: bool
    substitute: str  # the substitute bot that plays for an absent player
    generation: int  # increased when the seat gets another player
    token: str
    timed_out: bool  # a substitute bot plays because the clock ran out
    awaited: float  # since when the substitute bot's owner is awaited; 0: no substitute
    helped: bool  # the player used a hint

    @classmethod
    def from_columns(cls, row: Mapping[str, object]) -> "Occupant":
        """Return the seat that is stored in a database row."""
        return cls(
            seat=as_int(row["seat"]),
            kind=str(row["kind"]),
            person=None if row["person"] is None else as_int(row["person"]),
            name=str(row["name"]),
            bot=str(row["bot"]),
            taken=bool(row["taken"]),
            substitute=str(row["substitute"]),
            generation=as_int(row["generation"]),
            token=str(row["token"]),
            timed_out=bool(row["timed_out"]),
            awaited=as_float(row["awaited"]),
            helped=bool(row["helped"]),
        )

    @property
    def deciding_bot(self) -> str:
        """The bot that decides for this seat, or ""."""
        return self.substitute or self.bot

    @property
    def is_human(self) -> bool:
        return self.kind != "bot"

    @property
    def is_owned(self) -> bool:
        """True if a person or a bot account owns this seat, even while a substitute bot plays."""
        return self.is_human and self.taken

    @property
    def is_vacant(self) -> bool:
        """True if a person can be invited to this seat. At a shared device, bots keep vacated seats for good."""
        return self.kind == "person" and not self.taken


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One row of a table's history: a move or an undo."""

    version: int
    kind: str
    seat: Seat
    option: str
    key: str
    bot: str
    at: float
    automatic: bool = False  # an auto-reply that the seat has set
    time_spent: int = 0  # milliseconds that were taken from a time bank
    timed_seat: Seat = NOBODY  # the seat of that time bank


@dataclass(slots=True)
class LogLine(RecapLine):
    """One line of the game log."""

    # Cache of the line as HTML. A line never changes.
    html_cache: dict[tuple[str, str], str] = field(default_factory=dict, init=False)


@dataclass(frozen=True, slots=True)
class TableRow:
    """The stored facts of a table that moves seldom change: settings, seats and status.

    A change replaces the whole row, after it is stored.
    """

    id: str
    game_or_none: Game | None  # None: the game is not installed any more
    game_id: str
    rules: int  # version of the game's rules
    components: str  # hash of the game's components
    file: str  # hash of the edited components file; empty: the printed one
    components_text: str  # text of the edited components file
    code: str  # join code of the table
    name: str
    host: int  # the person who created the table
    opener: str  # the caller for whom its bots work
    options: TableOptions
    seed: int
    salt: str
    seal: str
    status: str  # waiting, playing, over or closed
    made: float  # when the table was created
    rematch_id: str
    origin: str  # the match or record that it continues
    practice: bool
    undone_by_consent: bool  # all players agreed to undo a move that had revealed information
    hinted: bool
    watch_generation: int  # increased to revoke the spectators' link
    ended_early: bool  # the match was ended before its regular end
    abandoned: bool  # the match was abandoned by consent of all
    reassigned: bool  # a new player has taken a vacated seat
    paused_until: float  # end of the pause; 0: not paused
    result: Result  # the result when the table was loaded
    occupants: tuple[Occupant, ...]
    departed: Mapping[int, str]  # people who left during the match, and how they left
    opened_late: bool  # the host opened a bot's seat after the first decision
    opened_seats: frozenset[Seat]  # bots' seats that the host has opened and that are still free
    deal: str  # the shared deal; empty: the table has its own cards
    deal_until: float  # when that deal closes
    revealed: bool  # everybody may know the edition of the playtest to which the table belongs

    @classmethod
    def from_columns(
        cls,
        row: Mapping[str, object],
        game: Game | None,
        components_text: str,
        occupants: tuple[Occupant, ...],
        departed: Mapping[int, str],
        opened_seats: frozenset[Seat],
        *,
        opened_late: bool,
    ) -> "TableRow":
        """Return the row of a table, from its database columns and the data of related tables."""
        host = as_int(row["host"])
        return cls(
            id=str(row["id"]),
            game_or_none=game,
            game_id=str(row["game"]),
            rules=as_int(row["rules"]),
            components=str(row["components"]),
            file=str(row["file"]),
            components_text=components_text,
            code=str(row["code"]),
            name=str(row["name"]),
            host=host,
            opener=str(row["opener"]) or f"person {host}",
            options=load_stored_options(str(row["options"])),
            seed=int(str(row["seed"]), 16),
            salt=str(row["salt"]),
            seal=str(row["seal"]),
            status=str(row["status"]),
            made=as_float(row["made"]),
            rematch_id=str(row["rematch"]),
            origin=str(row["origin"]),
            practice=bool(row["practice"]),
            undone_by_consent=bool(row["undone_by_consent"]),
            hinted=bool(row["hinted"]),
            watch_generation=as_int(row["watch_generation"]),
            ended_early=bool(row["ended_early"]),
            abandoned=bool(row["abandoned"]),
            reassigned=bool(row["reassigned"]),
            paused_until=as_float(row["paused"]),
            result=[(rank, total) for rank, total in json.loads(str(row["result"]))],
            occupants=occupants,
            departed=departed,
            opened_late=opened_late,
            opened_seats=opened_seats,
            deal=str(row["deal"]),
            deal_until=as_float(row["deal_until"]),
            revealed=bool(row["revealed"]),
        )

    def with_occupant(self, occupant: Occupant) -> "TableRow":
        """Return the row with another occupant in the same seat."""
        occupants = (*self.occupants[: occupant.seat], occupant, *self.occupants[occupant.seat + 1 :])
        return replace(self, occupants=occupants)


@dataclass(frozen=True, slots=True)
class TableProgress:
    """The stored facts of a table that every move changes. A move replaces the whole object."""

    stamp: int  # increased by every change if several servers share the database
    version: int  # increased by every move and every undo
    moved: float  # time of the last move or undo
    clock: TimeBankClock | None
    snapshot_at: int | None  # number of moves at the last snapshot

    @classmethod
    def from_columns(
        cls,
        row: Mapping[str, object],
        options: TableOptions,
        seat_rows: Sequence[Mapping[str, object]],
        snapshot_at: int | None,
    ) -> "TableProgress":
        """Return the progress of a table, from its database columns and those of its seats."""
        moved = as_float(row["moved"])
        clock = None
        if options.store:
            times = tuple(
                SeatTime(as_int(seat["left"]), as_int(seat["free_used"]), as_int(seat["pending"])) for seat in seat_rows
            )
            clock = TimeBankClock(options.free * 1000, times, max(moved, as_float(row["counted"])))
        return cls(as_int(row["stamp"]), as_int(row["version"]), moved, clock, snapshot_at)


class TableCaches:
    """The caches of a table. All values can be computed or read from the database again."""

    __slots__ = (
        "logs",
        "option_texts",
        "pending_votes",
        "points",
        "points_at",
        "positions",
        "public_copies",
        "totals",
        "undo_request",
    )

    def __init__(self) -> None:
        self.logs: dict[tuple[str, Seat], list[tuple[int, list[LogLine]]]] = {}  # game logs by language and viewer
        self.points: dict[Seat | None, list[VisibleScore]] = {}  # scores by viewer, at the version `points_at`
        self.points_at = -1
        # Scores by number of moves and viewer, at the ends of rounds.
        self.totals: dict[tuple[int, Seat], list[VisibleNumber]] = {}
        self.positions: dict[int, Match] = {}  # earlier positions, by their number of moves
        self.option_texts: tuple[list[Option], list[str], str] = ([], [], "[]")
        # Copies for visitors with a public link, by language; see `tables/share.py`.
        self.public_copies: dict[str, Table] = {}
        # The version of the table, and the seat that requests an undo.
        self.undo_request: tuple[int, Seat | None] | None = None
        # The version of the table, and the consenting seats by proposal.
        self.pending_votes: tuple[int, dict[str, set[Seat]]] | None = None

    def clear_history(self) -> None:
        """Clear all caches that depend on earlier moves."""
        self.logs.clear()
        self.totals.clear()
        self.positions.clear()

    def clear_votes(self) -> None:
        """Clear the cached votes and the undo request, so that they are read from the database again."""
        self.undo_request = None
        self.pending_votes = None


class TableTasks:
    """The background tasks of a table. Only the event loop's thread uses them, so they need no lock."""

    __slots__ = ("bot_task", "hints", "is_presence_scheduled", "must_reload", "stuck_at")

    def __init__(self) -> None:
        self.bot_task: asyncio.Task[None] | None = None
        self.stuck_at = -1  # version at which the rules failed for all options of a bot
        self.hints: dict[Seat, HintJob] = {}  # each hint is shown to its seat only
        self.is_presence_scheduled = False  # the presence of people will be sent soon
        self.must_reload = False  # another server may have made changes that are unknown here


class MemoryVotes:
    """Votes that are kept in memory only. Messages of other servers change them without the lock."""

    __slots__ = ("ballots", "ready", "ready_until")

    def __init__(self) -> None:
        self.ballots: dict[Seat, dict[int | None, float]] = {}  # votes for a substitute bot: person and time, by seat
        self.ready: set[Seat] = set()  # seats that are ready, before the match
        self.ready_until = 0.0  # deadline of the ready check; 0: none is running

    def clear_ready(self) -> None:
        """End the ready check and delete its answers."""
        self.ready.clear()
        self.ready_until = 0.0


class TableRuntime:
    """Everything in memory about one table: stored facts, match, caches and tasks."""

    __slots__ = (
        "auto_replies",
        "caches",
        "history",
        "hub",
        "lock",
        "match",
        "original",
        "progress",
        "recent",
        "reminded",
        "row",
        "stranded",
        "tasks",
        "time_warning_version",
        "votes",
    )

    def __init__(self, row: TableRow, progress: TableProgress, history: Sequence[HistoryRow]) -> None:
        self.row = row
        self.progress = progress
        self.lock = asyncio.Lock()
        self.hub: ListenerHub
        self.caches = TableCaches()
        self.tasks = TableTasks()
        self.votes = MemoryVotes()
        self.original: Table | None = None  # the table of which this is a public copy, or None
        self.stranded: Stranded | None = None  # the reason why the moves cannot be replayed, or None
        self.match: Match | None = None
        self.history = list(history)  # the moves that were not undone
        self.auto_replies: AutoReplies = {}
        self.recent: dict[str, HistoryRow] = {}  # moves by the sender's key, to recognize repeated requests
        self.reminded = 0.0  # when the player to move was last reminded
        self.time_warning_version = -1  # version at which a player was last warned that their time runs out


class _Released:
    """A placeholder in a locked table after its block. Every use raises `HandleReleased`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        raise HandleReleased("this handle of a table was used after the block that held its lock")

    def __setattr__(self, name: str, value: object) -> None:
        self.__getattr__(name)


_RELEASED = cast(TableRuntime, _Released())


class Table:
    """A table for reading.

    Other code may change it meanwhile; `TableRepository.locked` returns an object to change it.
    """

    __slots__ = ("_runtime",)

    def __init__(self, row: TableRow, progress: TableProgress, history: Sequence[HistoryRow] = ()) -> None:
        self._runtime = TableRuntime(row, progress, history)
        self._runtime.hub = ListenerHub(self.find_seats_for_listener)

    def make_copy(self, row: TableRow) -> "Table":
        """Return a public copy of the table: another row, no listeners, and the same match and lock."""
        copy = Table(row, self._runtime.progress)
        mine, theirs = self._runtime, copy._runtime
        theirs.original = self.unlocked
        theirs.lock = mine.lock
        theirs.stranded = mine.stranded
        theirs.match = mine.match
        theirs.history = mine.history
        theirs.auto_replies = mine.auto_replies
        theirs.recent = mine.recent
        theirs.votes = mine.votes
        theirs.caches.undo_request = mine.caches.undo_request
        theirs.caches.pending_votes = mine.caches.pending_votes
        theirs.caches.positions = mine.caches.positions
        theirs.caches.totals = mine.caches.totals
        theirs.caches.points = mine.caches.points
        theirs.caches.points_at = mine.caches.points_at
        return copy

    @property
    def unlocked(self) -> "Table":
        """The table without the lock, for tasks and callbacks that last longer than the lock."""
        return self

    async def acquire(self) -> "LockedTable":
        """Wait for the lock and return the locked table.

        Only `TableRepository.locked` may call this, because it also releases the lock.
        """
        await self._runtime.lock.acquire()
        return LockedTable(self)

    def replace_row_at_once(self, change: Callable[[TableRow], TableRow]) -> None:
        """Change the stored facts without the lock; see `TableRepository.update_rows`."""
        self._runtime.row = change(self._runtime.row)

    # -- stored facts -------------------------------------------------------------------------------------------

    @property
    def row(self) -> TableRow:
        return self._runtime.row

    @property
    def progress(self) -> TableProgress:
        return self._runtime.progress

    @property
    def id(self) -> str:
        return self._runtime.row.id

    @property
    def game_id(self) -> str:
        return self._runtime.row.game_id

    @property
    def rules(self) -> int:
        return self._runtime.row.rules

    @property
    def components(self) -> str:
        return self._runtime.row.components

    @property
    def file(self) -> str:
        return self._runtime.row.file

    @property
    def components_text(self) -> str:
        return self._runtime.row.components_text

    @property
    def code(self) -> str:
        return self._runtime.row.code

    @property
    def name(self) -> str:
        return self._runtime.row.name

    @property
    def host(self) -> int:
        return self._runtime.row.host

    @property
    def opener(self) -> str:
        return self._runtime.row.opener

    @property
    def options(self) -> TableOptions:
        return self._runtime.row.options

    @property
    def seed(self) -> int:
        return self._runtime.row.seed

    @property
    def salt(self) -> str:
        return self._runtime.row.salt

    @property
    def seal(self) -> str:
        return self._runtime.row.seal

    @property
    def status(self) -> str:
        return self._runtime.row.status

    @property
    def made(self) -> float:
        return self._runtime.row.made

    @property
    def rematch_id(self) -> str:
        return self._runtime.row.rematch_id

    @property
    def origin(self) -> str:
        return self._runtime.row.origin

    @property
    def practice(self) -> bool:
        return self._runtime.row.practice

    @property
    def undone_by_consent(self) -> bool:
        return self._runtime.row.undone_by_consent

    @property
    def hinted(self) -> bool:
        return self._runtime.row.hinted

    @property
    def watch_generation(self) -> int:
        return self._runtime.row.watch_generation

    @property
    def ended_early(self) -> bool:
        return self._runtime.row.ended_early

    @property
    def abandoned(self) -> bool:
        return self._runtime.row.abandoned

    @property
    def reassigned(self) -> bool:
        return self._runtime.row.reassigned

    @property
    def paused_until(self) -> float:
        return self._runtime.row.paused_until

    @property
    def result(self) -> Result:
        return self._runtime.row.result

    @property
    def occupants(self) -> tuple[Occupant, ...]:
        return self._runtime.row.occupants

    @property
    def departed(self) -> Mapping[int, str]:
        return self._runtime.row.departed

    @property
    def opened_late(self) -> bool:
        return self._runtime.row.opened_late

    @property
    def opened_seats(self) -> frozenset[Seat]:
        return self._runtime.row.opened_seats

    @property
    def deal(self) -> str:
        return self._runtime.row.deal

    @property
    def deal_until(self) -> float:
        return self._runtime.row.deal_until

    @property
    def is_deal_open(self) -> bool:
        """True while other people can still play the cards of this table."""
        return bool(self.deal) and server_time.now() < self.deal_until

    @property
    def takes_answers(self) -> bool:
        """True if the players of a playtest can answer its questions: for some days after the match."""
        is_over = self.status == "over" and not self.ended_early
        return bool(self.options.playtest) and is_over and server_time.now() < self.moved + ANSWER_SECONDS

    @property
    def is_withheld(self) -> bool:
        """True while players of a playtest may not learn which edition they have played, or play."""
        if not self.options.playtest or self._runtime.row.revealed:
            return False
        return self.status != "over" or server_time.now() < self.moved + ANSWER_SECONDS

    @property
    def is_revealed(self) -> bool:
        """True if the match is over and its key and record are public."""
        return self.status == "over" and not self.is_deal_open and not self.is_withheld

    @property
    def game_or_none(self) -> Game | None:
        return self._runtime.row.game_or_none

    @property
    def game(self) -> Game:
        """The game with its rules and components. Raise `NotFound` if it is not installed."""
        game = self._runtime.row.game_or_none
        if game is None:
            raise NotFound("The game of this table is not installed on this server.")
        return game

    @property
    def stamp(self) -> int:
        return self._runtime.progress.stamp

    @property
    def version(self) -> int:
        return self._runtime.progress.version

    @property
    def moved(self) -> float:
        return self._runtime.progress.moved

    @property
    def clock(self) -> TimeBankClock | None:
        return self._runtime.progress.clock

    @property
    def snapshot_at(self) -> int | None:
        return self._runtime.progress.snapshot_at

    # -- data in memory -----------------------------------------------------------------------------------------

    @property
    def hub(self) -> ListenerHub:
        return self._runtime.hub

    @property
    def caches(self) -> TableCaches:
        return self._runtime.caches

    @property
    def tasks(self) -> TableTasks:
        return self._runtime.tasks

    @property
    def votes(self) -> MemoryVotes:
        return self._runtime.votes

    @property
    def original(self) -> "Table | None":
        return self._runtime.original

    @property
    def stranded(self) -> Stranded | None:
        return self._runtime.stranded

    @property
    def match(self) -> Match | None:
        return self._runtime.match

    @property
    def history(self) -> Sequence[HistoryRow]:
        return self._runtime.history

    @property
    def auto_replies(self) -> AutoReplies:
        return self._runtime.auto_replies

    @property
    def recent(self) -> Mapping[str, HistoryRow]:
        return self._runtime.recent

    @property
    def reminded(self) -> float:
        return self._runtime.reminded

    @property
    def time_warning_version(self) -> int:
        return self._runtime.time_warning_version

    @property
    def is_locked(self) -> bool:
        """True if a task holds the lock."""
        return self._runtime.lock.locked()

    @property
    def ready_until(self) -> float:
        """The deadline of the ready check, or 0 if none is running."""
        return self._runtime.votes.ready_until

    @property
    def current_match(self) -> Match:
        """The match, once it is loaded. Raise `Stranded` if it cannot be replayed."""
        match = self._runtime.match
        if match is None and self._runtime.stranded is not None:
            raise self._runtime.stranded
        assert match is not None
        return match

    @property
    def shared(self) -> bool:
        """True if this is a public copy without the names of players who hide them."""
        return self.original is not None

    @property
    def path(self) -> str:
        """The path of the table's pages."""
        return f"/matches/{self.id}" if self.shared else f"/tables/{self.id}"

    @property
    def has_shuffle_commitment(self) -> bool:
        """True if the match has its own shuffle, which no one could know or choose before the first move."""
        return not self.origin

    @property
    def moves(self) -> int:
        match = self._runtime.match
        return len(self._runtime.history) if match is None else len(match.record.options)

    @property
    def who(self) -> Seat:
        match = self._runtime.match
        return NOBODY if match is None else match.state.who

    @property
    def is_left_to_bots(self) -> bool:
        """True if all players are absent and substitute bots play for them.

        The match then waits for a player to return.
        """
        owned = [occupant for occupant in self.occupants if occupant.is_owned]
        return bool(owned) and all(occupant.substitute for occupant in owned)

    def is_paused(self, now: float) -> bool:
        return self.paused_until > now

    @property
    def begun(self) -> bool:
        return self.status in ("playing", "over")

    def list_seats_of(self, person: int) -> list[Seat]:
        """Return the seats of this person."""
        return [occupant.seat for occupant in self.occupants if occupant.person == person and occupant.taken]

    def list_unready_occupants(self) -> list[Occupant]:
        """Return the people who are not ready yet. Bots and bot accounts are always ready."""
        return [
            occupant
            for occupant in self.occupants
            if occupant.kind == "person"
            and occupant.taken
            and not occupant.token
            and occupant.seat not in self.votes.ready
        ]

    def list_owned_seats(self) -> set[Seat]:
        """Return the seats that players own. Seats of bots and of players who have left are not included."""
        return {occupant.seat for occupant in self.occupants if occupant.is_owned}

    def find_seats_for_listener(self, listener: EventListener) -> tuple[Seat, ...] | None:
        """Return the current seats of a stream's owner, or None if they may no longer see the table."""
        if listener.token:
            return tuple(occupant.seat for occupant in self.occupants if occupant.token == listener.token) or None
        person = listener.person
        mine = () if person is None else tuple(self.list_seats_of(person))
        if not mine and self.begun and self.is_deal_open and not listener.has_finished_deal:
            return None
        if mine or self.options.shown == "watched" or listener.link_generation == self.watch_generation:
            return mine
        return mine if person is not None and self.can_always_view(person) else None

    def can_always_view(self, person: int) -> bool:
        """Return whether a person is the host, has or had a seat here, or has a reserved seat."""
        return (
            person == self.host
            or person in self.departed
            or any(occupant.person == person for occupant in self.occupants)
        )

    def names(self) -> tuple[str, ...]:
        """Return the names of the seats."""
        return tuple(occupant.name for occupant in self.occupants)

    def find_hint(self, seat: Seat) -> HintJob | None:
        """Return the hint that this seat has requested for the current position, or None."""
        hint = self.tasks.hints.get(seat)
        return hint if hint is not None and hint.version == self.version else None

    def list_option_texts(self) -> list[str]:
        """Return the options of the seat that has to decide, in notation."""
        legal = self.current_match.state.legal
        if self.caches.option_texts[0] is not legal:
            texts = [self.game.format_option(o) for o in legal]
            self.caches.option_texts = (legal, texts, json.dumps(texts))
        return self.caches.option_texts[1]

    def get_option_texts_json(self) -> str:
        """Return the options of the seat that has to decide as JSON."""
        self.list_option_texts()
        return self.caches.option_texts[2]

    def make_opening_record(self) -> Record:
        """Return the record before the first move."""
        sealed = (self.seal, self.salt) if self.has_shuffle_commitment else ("", "")
        return Record(
            self.game_id,
            self.rules,
            self.components,
            len(self.occupants),
            dict(self.options.variants),
            self.seed,
            [],
            seal=sealed[0],
            salt=sealed[1],
        )

    def make_record(self) -> Record:
        """Return the record of the match, even if it cannot be replayed."""
        if self.match is not None:
            return self.match.record
        record = self.make_opening_record()
        record.options = [row.option for row in self.history]
        if self.status == "over" and not self.ended_early:
            record.result = self.result
        return record

    def position(self, n: int) -> Match:
        """Return the match after its first n moves. Raise `NotFound` if it has fewer."""
        match = self.current_match
        if not 0 <= n <= self.moves:
            raise NotFound("This match has no such move.")
        if n == self.moves:
            return match
        positions = self.caches.positions
        if n not in positions:
            before = positions.pop(n - 1, None)
            if before is not None:
                before.play(match.record.options[n - 1])
                positions[n] = before
            else:
                positions[n] = Match.resume(match.record.truncate(n), self.game)
            while len(positions) > MAX_POSITIONS:
                del positions[next(iter(positions))]
        return positions[n]

    def events(self, n: int) -> list[Event]:
        """Return the events of move n. Move 0 is the setup."""
        return self.current_match.events[n]


class LockedTable(Table):
    """A table whose lock is held. Only this class has methods that change a table.

    `TableRepository.locked` yields it for one block. Any later use raises `HandleReleased`.
    """

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        self._runtime = table._runtime
        self._table = table

    def release(self) -> None:
        """Release the lock. The object cannot be used any more."""
        self._runtime.lock.release()
        self._runtime = _RELEASED

    @property
    def unlocked(self) -> Table:
        return self._table

    @property
    def row(self) -> TableRow:
        return self._runtime.row

    @row.setter
    def row(self, row: TableRow) -> None:
        self._runtime.row = row

    @property
    def progress(self) -> TableProgress:
        return self._runtime.progress

    @progress.setter
    def progress(self, progress: TableProgress) -> None:
        self._runtime.progress = progress

    @property
    def auto_replies(self) -> AutoReplies:
        return self._runtime.auto_replies

    @auto_replies.setter
    def auto_replies(self, replies: AutoReplies) -> None:
        self._runtime.auto_replies = replies

    @property
    def reminded(self) -> float:
        return self._runtime.reminded

    @reminded.setter
    def reminded(self, at: float) -> None:
        self._runtime.reminded = at

    @property
    def time_warning_version(self) -> int:
        return self._runtime.time_warning_version

    @time_warning_version.setter
    def time_warning_version(self, version: int) -> None:
        self._runtime.time_warning_version = version

    def set_clock(self, clock: TimeBankClock | None) -> None:
        """Set the clock after it has been stored."""
        if clock is not self._runtime.progress.clock:
            self._runtime.progress = replace(self._runtime.progress, clock=clock)

    def set_status(self, status: str) -> None:
        """Set the status after it has been stored."""
        self._runtime.row = replace(self._runtime.row, status=status)

    def set_stamp(self, stamp: int) -> None:
        """Set the stamp after it has been stored."""
        self._runtime.progress = replace(self._runtime.progress, stamp=stamp)

    def set_snapshot_move(self, moves: int | None) -> None:
        """Set the number of moves of the last snapshot."""
        self._runtime.progress = replace(self._runtime.progress, snapshot_at=moves)

    def update_occupant(self, occupant: Occupant) -> None:
        """Replace the occupant of a seat after it has been stored."""
        self._runtime.row = self._runtime.row.with_occupant(occupant)

    def record_departure(self, occupant: Occupant, how: str) -> None:
        """Record that a person has left the match, who may continue to watch it."""
        if occupant.person is not None and occupant.kind == "person":
            row = self._runtime.row
            self._runtime.row = replace(row, departed={**row.departed, occupant.person: how})

    def resume(self, done: list[HistoryRow]) -> None:
        """Rebuild the match from its history.

        Raise `BadRecord` if a move cannot be replayed, and `Stranded` if the game, its rules or its components are
        missing.
        """
        runtime, row = self._runtime, self._runtime.row
        if row.game_or_none is None:
            raise Stranded("This match cannot continue here: its game is not installed.")
        if row.rules not in self.game.versions:
            raise Stranded(
                "This match cannot continue here: version {0} of its rules is no longer available.", row.rules
            )
        if self.game.find_release(row.components) is not self.game:
            raise Stranded("This match cannot continue here: its components are no longer available.")
        moves = drop_undone(done)
        record = self.make_opening_record()
        record.options = [move.option for move in moves]
        match = Match.resume(record, self.game, {i for i, move in enumerate(moves) if move.automatic})
        match.joined_moves = {n for n, move in enumerate(moves) if move.kind == CONTINUED_MOVE}
        runtime.history = moves
        runtime.recent = {move.key: move for move in [move for move in moves if move.key][-MAX_RECENT_POSTS:]}
        runtime.progress = replace(runtime.progress, version=len(done))
        runtime.caches.clear_history()
        # The match is set last, because readers in other threads may use the rest once they see it.
        runtime.match = match

    def mark_stranded(self, why: Stranded, done: list[HistoryRow]) -> None:
        """Set the reason why a match cannot be replayed. Its history stays readable."""
        runtime = self._runtime
        runtime.history = drop_undone(done)
        runtime.progress = replace(runtime.progress, version=len(done))
        runtime.stranded = why

    def end_early(self, why: Stranded) -> None:
        """Record that the match was ended early and cannot be continued."""
        self._runtime.stranded = why

    def invalidate_match(self) -> None:
        """Remove the match from memory after an error. The next use replays it from the database."""
        self._runtime.match = None

    def replace_match(self, match: Match) -> None:
        """Replace the match after an undo."""
        self._runtime.match = match

    def add_move(self, row: HistoryRow) -> None:
        """Add a move after it has been stored."""
        self.add_moves([row])

    def add_moves(self, rows: Sequence[HistoryRow]) -> None:
        """Add moves after they have been stored."""
        runtime = self._runtime
        before, last = runtime.progress, rows[-1]
        runtime.progress = TableProgress(before.stamp, last.version, last.at, before.clock, before.snapshot_at)
        runtime.history += rows
        self.clear_requests()
        recent = runtime.recent
        for row in rows:
            if row.key:
                recent[row.key] = row
                while len(recent) > MAX_RECENT_POSTS:
                    del recent[next(iter(recent))]

    def remove_moves(self, rows: Sequence[HistoryRow]) -> None:
        """Remove undone moves after the undo has been stored. The match must have been replaced before."""
        runtime = self._runtime
        before, last = runtime.progress, rows[-1]
        runtime.progress = TableProgress(before.stamp, last.version, last.at, before.clock, before.snapshot_at)
        del runtime.history[-len(rows) :]
        self.clear_requests()
        runtime.recent.clear()
        runtime.caches.clear_history()

    def clear_requests(self) -> None:
        """Delete the requests that lapse when the table changes. Proposals of new players remain."""
        caches, version = self._runtime.caches, self._runtime.progress.version
        caches.undo_request = (version, None)
        if caches.pending_votes is not None:
            lasting = {
                subject: agreed for subject, agreed in caches.pending_votes[1].items() if subject.startswith("assign ")
            }
            caches.pending_votes = (version, lasting)

    def load_fresh(self, fresh: Table) -> None:
        """Copy the stored facts of a table that was read from the database again. The moves are replayed separately."""
        runtime = self._runtime
        runtime.row = fresh.row
        runtime.progress = replace(fresh.progress, version=runtime.progress.version)
        runtime.tasks.must_reload = False
        runtime.caches.clear_votes()
        runtime.caches.logs.clear()  # The names in the cached logs may have changed.
        runtime.caches.public_copies.clear()
        runtime.caches.points_at = -1
        if fresh.status != "waiting" or not all(occupant.taken for occupant in fresh.occupants):
            runtime.votes.clear_ready()


def drop_undone(done: list[HistoryRow]) -> list[HistoryRow]:
    """Return the moves of a history that were not undone."""
    moves: list[HistoryRow] = []
    for row in done:
        if row.kind == "undo":
            moves.pop()
        else:
            moves.append(row)
    return moves
