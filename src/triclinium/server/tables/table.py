"""A table in memory: its settings, who sits there, and the match, rebuilt by replaying its history."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from triclinium.engine.auto_replies import AutoReplies
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Option, Seat
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.recap import RecapLine
from triclinium.engine.record import Record, Result
from triclinium.engine.visible_scores import VisibleNumber, VisibleScore
from triclinium.server.bots.jobs import HintJob
from triclinium.server.errors import NotFound, Stranded
from triclinium.server.tables.column_values import as_float, as_int
from triclinium.server.tables.event_stream import EventListener, ListenerHub
from triclinium.server.tables.options import load_stored_options
from triclinium.server.tables.time_bank import SeatTime, TimeBankClock

MAX_POSITIONS = 6  # of the time machine, kept for the next step


class Occupant:
    """Who sits on a seat."""

    def __init__(self, row: Mapping[str, object]) -> None:
        self.seat = as_int(row["seat"])
        self.kind = str(row["kind"])  # person, hot, bot
        self.person = None if row["person"] is None else as_int(row["person"])
        self.name = str(row["name"])
        self.bot = str(row["bot"])
        self.taken = bool(row["taken"])
        self.standin = str(row["standin"])
        self.generation = as_int(row["generation"])
        self.token = str(row["token"])
        self.timed_out = bool(row["timed_out"])  # a substitute bot came because the clock ran out
        self.awaited = as_float(row["awaited"])  # since when the others wait, while a substitute bot plays; 0: not
        self.helped = bool(row["helped"])  # by a hint or the guide
        self.stored_time = SeatTime(
            as_int(row["left"]), as_int(row["spell"]), as_int(row["pending"])
        )  # when it was loaded

    @property
    def deciding_bot(self) -> str:
        """The bot that decides for this seat, if any."""
        return self.standin or self.bot

    @property
    def is_human(self) -> bool:
        return self.kind != "bot"

    @property
    def is_owned(self) -> bool:
        """Whether a person or a program holds this seat, also while a bot sits in for them."""
        return self.is_human and self.taken

    @property
    def is_vacant(self) -> bool:
        """Whether somebody may be invited here: never to a seat at somebody's device, which a bot keeps for good."""
        return self.kind == "person" and not self.taken


MOVE = "move"
MAX_RECENT_POSTS = 8  # posts that are known by their key
CONTINUED_MOVE = "more"  # a move of the same post as the one before: they are taken back together


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One row of a table's history."""

    version: int
    kind: str
    seat: Seat
    option: str
    key: str
    bot: str
    at: float
    automatic: bool = False  # given unasked, at the seat's own wish
    time_spent: int = 0  # milliseconds of a store
    timed_seat: Seat = NOBODY  # whose store that was


@dataclass(slots=True)
class LogLine(RecapLine):
    """One line of the log."""

    # The line as a page shows it; it never changes, so it is made once.
    html_cache: dict[tuple[str, str], str] = field(default_factory=dict, init=False)


class Table:
    """Settings, seats and match. Whoever reads or changes the match holds the lock: nobody sees what is not stored."""

    original: "Table | None" = None  # of which this is a copy that anybody may read by a link
    pending_votes: tuple[int, dict[str, set[Seat]]] | None = None  # at which version: pauses and ends, and who agrees

    def __init__(self, game: Game | None, row: Mapping[str, object], occupants: list[Occupant]) -> None:
        self._read_row(game, row, occupants)
        self.stored_names = frozenset(vars(self))  # the names of what another server may change
        self.version = as_int(row["version"])
        self._init_runtime()

    def _read_row(self, game: Game | None, row: Mapping[str, object], occupants: list[Occupant]) -> None:
        """What is stored of it beside its moves."""
        self.game_or_none = game  # None: the game is not at hand any more
        self.id = str(row["id"])
        self.copies: dict[str, Table] = {}  # that anybody may read by a link, by language; see `server/tables/share.py`
        self.code = str(row["code"])
        self.game_id = str(row["game"])
        self.rules = as_int(row["rules"])
        self.components = str(row["components"])
        self.name = str(row["name"])
        self.host = as_int(row["host"])
        self.opener = str(row["opener"]) or f"person {self.host}"  # the caller for whom its bots work
        self.options = load_stored_options(str(row["options"]))
        self.seed = int(str(row["seed"]), 16)
        self.salt = str(row["salt"])
        self.seal = str(row["seal"])
        self.status = str(row["status"])
        self.stamp = as_int(row["stamp"])
        self.made = as_float(row["made"])
        self.moved = as_float(row["moved"])
        self.rematch_id = str(row["again"])
        self.origin = str(row["origin"])
        self.practice = bool(row["practice"])
        self.undone_by_consent = bool(row["taken_back"])  # something was learnt that everybody agreed to take back
        self.hinted = bool(row["hinted"])
        self.guided = bool(row["guided"])
        self.watch_generation = as_int(row["watch_generation"])
        self.file = str(row["file"])  # the hash of its edited components file; empty: the printed one
        self.ended_early = bool(row["stands"])  # its host has ended it as it stood
        self.abandoned = bool(row["broken"])  # off, by consent of all
        self.reassigned = bool(row["reassigned"])  # a new player has taken a vacated seat
        self.paused_until = as_float(row["paused"])  # until when; 0: not
        self.result: Result = [(rank, total) for rank, total in json.loads(str(row["result"]))]  # when it was loaded
        self.components_text = ""  # of the edited file
        self.snapshot_at: int | None = None  # after how many moves its last snapshot was taken
        self.occupants = occupants
        self.departed: dict[int, str] = {}  # who got up after the deal, and how
        self.opened_late = False  # the host opened the seat of a bot after the first decision
        self.opened_seats: set[Seat] = set()  # seats of bots that the host opened and that nobody has taken yet
        self.clock = self._load_stored_clock(max(self.moved, as_float(row["counted"])))

    def _init_runtime(self) -> None:
        """What is known of it only while it is there."""
        self.lock = asyncio.Lock()
        self.stranded: Stranded | None = None  # why its moves cannot be replayed
        self.hub = ListenerHub(self.find_seats_for_listener)
        self.match: Match | None = None
        self.history: list[HistoryRow] = []  # the moves that stand
        self.auto_replies: AutoReplies = {}  # what seats have left to be answered for them
        self.recent: dict[str, HistoryRow] = {}  # by the sender's key
        self.logs: dict[tuple[str, Seat], list[tuple[int, list[LogLine]]]] = {}  # made so far, by language and viewer
        self.points: dict[Seat | None, list[VisibleScore]] = {}  # by viewer, at the version below
        self.points_at = -1
        self.totals: dict[tuple[int, Seat], list[VisibleNumber]] = {}  # at the ends of rounds, by viewer
        self.undo_request: tuple[int, Seat | None] | None = None  # at which version, and who asks to take back
        self.ballots: dict[Seat, dict[int | None, float]] = {}  # for a bot there: who voted, and when
        self.bot_task: asyncio.Task[None] | None = None
        self.stuck_at = -1  # the version at which the rules failed over every option of a bot
        self.hints: dict[Seat, HintJob] = {}  # hints, each for the eyes of its seat only
        self.reminded = 0.0
        self.time_warning_version = -1  # the version at which somebody was told that their time runs out
        self.ready: set[Seat] = set()  # who has said so, before the deal
        self.ready_until = 0.0  # when the seats of the others are free again; 0: nobody is asked
        self.presence_scheduled = False  # who is here will be told presently
        self._option_cache: tuple[list[Option], list[str], str] = ([], [], "[]")
        self._positions: dict[int, Match] = {}

    @property
    def game(self) -> Game:
        if self.game_or_none is None:
            raise NotFound("the game of this table is not installed here")
        return self.game_or_none

    @property
    def current_match(self) -> Match:
        """The match; the table must have been brought up before. Raises Stranded where that cannot be done."""
        if self.match is None and self.stranded is not None:
            raise self.stranded
        assert self.match is not None
        return self.match

    def clear_requests(self) -> None:
        """The table has moved on: what a player asked of the others has lapsed, but for who takes a vacated seat."""
        self.undo_request = (self.version, None)
        if self.pending_votes is not None:
            lasting = {
                subject: agreed for subject, agreed in self.pending_votes[1].items() if subject.startswith("assign ")
            }
            self.pending_votes = (self.version, lasting)

    @property
    def shared(self) -> bool:
        """Whether anybody may read this by a link: it knows no withheld name."""
        return self.original is not None

    @property
    def path(self) -> str:
        """Of its pages."""
        return f"/matches/{self.id}" if self.shared else f"/tables/{self.id}"

    @property
    def sealed(self) -> bool:
        """Whether nobody could know or choose the shuffle before the first move."""
        return not self.origin

    @property
    def moves(self) -> int:
        return len(self.history) if self.match is None else len(self.match.record.options)

    @property
    def who(self) -> Seat:
        return NOBODY if self.match is None else self.match.state.who

    @property
    def deserted(self) -> bool:
        """Whether everybody who holds a seat is away, and a bot sits in for each: such a match rests."""
        owned = [occupant for occupant in self.occupants if occupant.is_owned]
        return bool(owned) and all(occupant.standin for occupant in owned)

    def is_paused(self, now: float) -> bool:
        return self.paused_until > now

    @property
    def begun(self) -> bool:
        return self.status in ("playing", "over")

    def list_seats_of(self, person: int) -> list[Seat]:
        """The seats that this person speaks for."""
        return [occupant.seat for occupant in self.occupants if occupant.person == person and occupant.taken]

    def list_unready_occupants(self) -> list[Occupant]:
        """The people who have not said that they are ready. A program that takes a seat is; so are bots."""
        return [
            occupant
            for occupant in self.occupants
            if occupant.kind == "person" and occupant.taken and not occupant.token and occupant.seat not in self.ready
        ]

    def list_owned_seats(self) -> set[Seat]:
        """The seats that somebody holds; bots hold none, and neither does who has left."""
        return {occupant.seat for occupant in self.occupants if occupant.is_owned}

    def find_seats_for_listener(self, listener: EventListener) -> tuple[Seat, ...] | None:
        """The seats that a stream speaks for now; None: the table is not shown to it any more."""
        if listener.token:
            return tuple(occupant.seat for occupant in self.occupants if occupant.token == listener.token) or None
        person = listener.person
        mine = () if person is None else tuple(self.list_seats_of(person))
        if mine or self.options.shown == "watched" or listener.link_generation == self.watch_generation:
            return mine
        return mine if person is not None and self.can_always_view(person) else None

    def can_always_view(self, person: int) -> bool:
        """The host, whoever a seat is kept for, and who has sat here may always look."""
        return (
            person == self.host
            or person in self.departed
            or any(occupant.person == person for occupant in self.occupants)
        )

    def _load_stored_clock(self, since: float) -> TimeBankClock | None:
        if not self.options.store:
            return None
        return TimeBankClock(
            self.options.free * 1000, tuple(occupant.stored_time for occupant in self.occupants), since
        )

    def names(self) -> tuple[str, ...]:
        """What the seats are called."""
        return tuple(occupant.name for occupant in self.occupants)

    def find_hint(self, seat: Seat) -> HintJob | None:
        """The hint that this seat has asked for, if nobody has decided since."""
        hint = self.hints.get(seat)
        return hint if hint is not None and hint.version == self.version else None

    def list_option_texts(self) -> list[str]:
        """The options of the seat that is asked, in notation."""
        legal = self.current_match.state.legal
        if self._option_cache[0] is not legal:
            texts = [self.game.format_option(o) for o in legal]
            self._option_cache = (legal, texts, json.dumps(texts))
        return self._option_cache[1]

    def get_option_texts_json(self) -> str:
        """The same as sender and listener are told it; it may be long."""
        self.list_option_texts()
        return self._option_cache[2]

    def make_opening_record(self) -> Record:
        """The record before the first move."""
        sealed = (self.seal, self.salt) if self.sealed else ("", "")
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

    def resume(self, done: list[HistoryRow]) -> None:
        """Rebuild the match from its history; raises BadRecord, or Stranded where its rules or components are gone."""
        if self.game_or_none is None:
            raise Stranded("this match cannot go on here: its game is not installed")
        if self.rules not in self.game.versions:
            raise Stranded("this match cannot go on here: version {0} of its rules is not kept any more", self.rules)
        if self.game.find_release(self.components) is not self.game:
            raise Stranded("this match cannot go on here: its components are not kept any more")
        moves = drop_undone(done)
        record = self.make_opening_record()
        record.options = [row.option for row in moves]
        match = Match.resume(record, self.game, {i for i, row in enumerate(moves) if row.automatic})
        match.joined_moves = {n for n, row in enumerate(moves) if row.kind == CONTINUED_MOVE}
        self.history = moves
        self.recent = {row.key: row for row in [row for row in moves if row.key][-MAX_RECENT_POSTS:]}
        self.version = len(done)
        self.logs.clear()
        self.totals.clear()
        self._positions.clear()
        self.match = match  # last: this runs in a thread, and whoever sees the match may see the rest

    def mark_stranded(self, why: Stranded, done: list[HistoryRow]) -> None:
        """The match cannot be rebuilt: the table stays readable as it stood."""
        self.history = drop_undone(done)
        self.version = len(done)
        self.stranded = why

    def record(self) -> Record:
        """The record of the match, also of one that cannot be replayed."""
        if self.match is not None:
            return self.match.record
        record = self.make_opening_record()
        record.options = [row.option for row in self.history]
        if self.status == "over" and not self.ended_early:
            record.result = self.result
        return record

    def add_move(self, row: HistoryRow) -> None:
        """A move has been stored."""
        self.version = row.version
        self.history.append(row)
        self.moved = row.at
        self.clear_requests()
        if row.key:
            self.recent[row.key] = row
            while len(self.recent) > MAX_RECENT_POSTS:
                del self.recent[next(iter(self.recent))]

    def remove_move(self, row: HistoryRow) -> None:
        """An undo has been stored: the match is one move shorter already."""
        self.version = row.version
        self.history.pop()
        self.moved = row.at
        self.clear_requests()
        self.recent.clear()
        self.logs.clear()
        self.totals.clear()
        self._positions.clear()

    def position(self, n: int) -> Match:
        """The match after its first n moves."""
        match = self.current_match
        if not 0 <= n <= self.moves:
            raise NotFound("this match has no such move")
        if n == self.moves:
            return match
        if n not in self._positions:
            before = self._positions.get(n - 1)
            if before is not None:
                del self._positions[n - 1]
                before.play(match.record.options[n - 1])
                self._positions[n] = before
            else:
                self._positions[n] = Match.resume(match.record.truncate(n), self.game)
            while len(self._positions) > MAX_POSITIONS:
                del self._positions[next(iter(self._positions))]
        return self._positions[n]

    def events(self, n: int) -> list[Event]:
        """What happened at move n; 0 is the deal."""
        return self.current_match.events[n]


def drop_undone(done: list[HistoryRow]) -> list[HistoryRow]:
    """The moves that were not taken back."""
    moves: list[HistoryRow] = []
    for row in done:
        if row.kind == "undo":
            moves.pop()
        else:
            moves.append(row)
    return moves
