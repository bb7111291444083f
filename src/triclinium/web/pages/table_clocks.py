"""Time and absence on the table's page: clocks, votes, pauses, and players who left before the end."""

from collections.abc import Mapping
from dataclasses import dataclass

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import server_time
from triclinium.server.accounts.profile import list_companions
from triclinium.server.accounts.visibility import get_visibility
from triclinium.server.presenter.clocks import SeatClock, load_seat_clocks
from triclinium.server.presenter.outcome import DepartedPlayer, TableOutcome, load_outcome
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables import consent, resign, vote_replace
from triclinium.server.tables.absence import (
    count_seconds_until_removal,
    count_seconds_until_substitute,
    find_current_vacation,
    format_clock_time,
)
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.seat_owners import list_owners
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.tables.time_bank import DAY
from triclinium.server.tables.timeouts import count_ballots
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext, describe_duration

MAX_CANDIDATES = 20  # people that the reader can propose for a seat
PAUSE_MINUTES = (15, 60, 720)  # pauses that the reader can propose


@dataclass(frozen=True, slots=True)
class SeatVote:
    """A vote about a seat by the other players."""

    wait: str  # the time until the vote can begin; empty if it can begin now
    agreed: int
    needed: int


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request that needs the consent of all players."""

    subject: str
    agreed: int
    needed: int
    reader_agreed: bool


@dataclass(frozen=True, slots=True)
class SeatProposal:
    """A person who is proposed for a vacated seat."""

    seat: Seat
    person: int
    name: str
    agreed: int
    needed: int
    reader_agreed: bool


@dataclass(frozen=True, slots=True)
class DepartureNotice:
    """The notice to a reader who has left the match."""

    text: str
    # By a rule of the game, a player who leaves keeps the seat but makes no more decisions. Otherwise a bot plays it.
    keeps_seat: bool


DEPARTURE_TEXTS = {
    "resigned": msgid("You have resigned."),
    "left": msgid("You have left the match."),
    "removed": msgid("You were removed from the match."),
}


@dataclass(frozen=True, slots=True)
class TableClocks:
    """The clocks of the seats, and the pause."""

    seats: list[SeatClock]  # empty: the table has no clocks
    own: SeatClock | None  # the clock of the reader's seat
    paused_until: float  # 0: the match is not paused
    can_pause: bool
    pause_choices: tuple[int, ...] = PAUSE_MINUTES


@dataclass(frozen=True, slots=True)
class Absence:
    """The absent players, the votes about them, and vacated seats."""

    bot_plays_for_reader: bool
    requests: Mapping[str, PendingRequest]  # requests to all players, by their first word
    substitute_votes: Mapping[Seat, SeatVote]
    removal_votes: Mapping[Seat, SeatVote]
    proposals: list[SeatProposal]
    vacated_seats: list[Seat]  # seats for which the reader can propose a person
    seat_candidates: list[tuple[int, str]]  # ids and names of people whom the reader can propose
    reserved_seat: Seat | None  # the seat that all players agreed to give to the reader
    vacation_ends: Mapping[Seat, float]  # 0: the player is not on vacation
    resign_rule: str  # the number of the game's rule about resigning; empty: it has none
    departure: DepartureNotice | None


def build_clocks(context: PageContext, table_view: TableView, viewer: Viewer) -> TableClocks:
    """Return the clocks at the position that is shown."""
    table, seat = table_view.table, table_view.seat
    is_current = table_view.past is None and not table_view.over
    clocks = load_seat_clocks(context.services, table, None if is_current else table_view.past)
    has_own = clocks and is_current and seat is not None and seat in viewer.own_seats
    return TableClocks(
        seats=clocks,
        own=clocks[seat] if has_own and seat is not None else None,
        paused_until=table.paused_until if is_current and table.is_paused(server_time.now()) else 0,
        can_pause=is_current and bool(viewer.own_seats) and table.clock is not None and not table.options.slow,
    )


def build_absence(context: PageContext, table_view: TableView, viewer: Viewer) -> Absence:
    """Return what the reader can see and do about absent players; nothing at an earlier position or after the end."""
    table = table_view.table
    is_current = table_view.past is None and not table_view.over
    if not is_current:
        return Absence(False, {}, {}, {}, [], [], [], None, {}, "", None)
    playing = bool(viewer.own_seats)
    return Absence(
        bot_plays_for_reader=table.clock is not None
        and any(table.occupants[seat].substitute for seat in viewer.own_seats),
        requests={entry.subject.partition(" ")[0]: entry for entry in _list_requests(context, table, viewer)},
        substitute_votes={
            entry.seat: _build_vote(context, table, entry) for entry in _list_votable_occupants(context, table, viewer)
        }
        if playing
        else {},
        removal_votes=_list_removal_votes(context, table, viewer) if playing else {},
        proposals=_list_proposals(context, table, viewer) if playing else [],
        vacated_seats=[
            entry.seat for entry in table.occupants if entry.is_vacant and entry.seat not in table.opened_seats
        ]
        if playing and vote_replace.can_reassign_seat(table, viewer.own_seats)
        else [],
        seat_candidates=list_seat_candidates(context, table, viewer) if playing else [],
        reserved_seat=_find_reserved_seat(context, table, viewer),
        vacation_ends={entry.seat: _find_vacation_end(context, table, entry) for entry in table.occupants},
        resign_rule=_find_resign_rule(table, table_view.seat) if playing else "",
        departure=_build_departure_notice(context, table, viewer),
    )


def _list_votable_occupants(context: PageContext, table: Table, viewer: Viewer) -> list[Occupant]:
    """Return the absent players about whom the reader can vote, now or soon."""
    return [
        occupant
        for occupant in table.occupants
        if occupant.seat not in viewer.own_seats
        and count_seconds_until_substitute(context.services, table, occupant) is not None
    ]


def _build_vote(context: PageContext, table: Table, occupant: Occupant) -> SeatVote:
    wait = count_seconds_until_substitute(context.services, table, occupant) or 0
    agreed, needed = count_ballots(table, occupant)
    return SeatVote(format_clock_time(wait) if wait else "", agreed, needed)


def _list_removal_votes(context: PageContext, table: Table, viewer: Viewer) -> dict[Seat, SeatVote]:
    """Return the absent players whom the others can vote to remove, now or soon."""
    services, votes = context.services, {}
    for occupant in table.occupants:
        wait = count_seconds_until_removal(services, table, occupant) if occupant.seat not in viewer.own_seats else None
        if wait is not None:
            agreed = {
                table.occupants[seat].person for seat in vote_replace.list_removal_votes(services, table, occupant.seat)
            }
            count = len(agreed & vote_replace.list_eligible_voters(services, table, occupant))
            votes[occupant.seat] = SeatVote(
                format_clock_time(wait) if wait else "",
                count,
                vote_replace.count_votes_needed(services, table, occupant),
            )
    return votes


def _list_proposals(context: PageContext, table: Table, viewer: Viewer) -> list[SeatProposal]:
    """Return the people who are proposed for vacated seats."""
    needed = consent.list_voters(table)
    return [
        SeatProposal(
            seat,
            person,
            context.services.people.load_name(person),
            len(seats & needed),
            len(needed),
            set(viewer.own_seats) <= seats,
        )
        for (seat, person), seats in vote_replace.load_proposals(context.services, table).items()
    ]


def _find_vacation_end(context: PageContext, table: Table, occupant: Occupant) -> float:
    """Return when a player on vacation at a slow table returns; 0 if the player is not on vacation."""
    span = (
        find_current_vacation(context.services.paused_time, occupant)
        if table.options.slow and occupant.is_owned
        else None
    )
    return span[1] if span is not None else 0.0


def _list_requests(context: PageContext, table: Table, viewer: Viewer) -> list[PendingRequest]:
    """Return the pending requests for a pause, its end, or the end of the match."""
    needed = consent.list_voters(table)
    requests = consent.load_pending_votes(context.services.store, table)
    return [
        PendingRequest(subject, len(seats & needed), len(needed), set(viewer.own_seats) <= seats)
        for subject, seats in requests.items()
        if not subject.startswith((consent.REMOVE, consent.REASSIGN))
    ]


def _find_resign_rule(table: Table, seat: Seat | None) -> str:
    """Return the number of the game's rule about resigning, or the empty text if it has none."""
    has_one = seat is not None and resign.find_resign_option(table, seat)
    return table.game.resign_rule if has_one else ""


def _build_departure_notice(context: PageContext, table: Table, viewer: Viewer) -> DepartureNotice | None:
    """Return the notice to a reader who left before the end and has not returned."""
    how = table.departed.get(context.person.id, "") if context.person else ""
    by_rule = bool(table.game.resign_rule) and not any(
        resign.find_resign_option(table, seat) for seat in viewer.own_seats
    )
    return (
        DepartureNotice(DEPARTURE_TEXTS[how], bool(viewer.own_seats))
        if how and (by_rule or not viewer.own_seats)
        else None
    )


# -- the end --------------------------------------------------------------------------------------------------------


DEPARTED_IN_ROUND = {
    "resigned": msgid("{0} resigned in round {1}"),
    "left": msgid("{0} left in round {1}"),
    "removed": msgid("{0} was removed in round {1}"),
}
DEPARTED_AFTER_MOVE = {
    "resigned": msgid("{0} resigned after move {1}"),
    "left": msgid("{0} left after move {1}"),
    "removed": msgid("{0} was removed after move {1}"),
}


@dataclass(frozen=True, slots=True)
class ResultSummary:
    """The final result of a match."""

    points: list[VisibleScore]  # the scores, with the ranks that count for ratings
    departures: list[str]  # a sentence for each player who left before the end
    bot_seats: set[Seat]  # seats that bots have finished


def summarize_result(context: PageContext, table_view: TableView) -> ResultSummary:
    outcome: TableOutcome = load_outcome(context.services.store, table_view.table)
    bots = {
        departure.seat
        for departure in outcome.departed
        if not departure.by_rule and not table_view.table.occupants[departure.seat].taken
    }
    return ResultSummary(
        outcome.with_final_ranks(table_view.points),
        [_describe_departure(context, table_view, departure) for departure in outcome.departed],
        bots,
    )


def describe_clock(options: TableOptions, localize: Localizer) -> str:
    """Return the clock of the table in a sentence."""
    bank, free = options.store, options.free
    if options.slow:
        return localize("Clock: {0} {0:day|days} each, plus {1} free hours every turn.", bank // DAY, free // 3600)
    return localize("Clock: {0} {0:minute|minutes} each, plus {1} free seconds every turn.", bank // 60, free)


def describe_absence_rules(options: TableOptions, localize: Localizer) -> list[str]:
    """Return in sentences what the others can do about an absent player, for people who are about to join."""
    if options.substitute_after is None or options.remove_after is None:
        first = (
            localize("When a player’s time runs out, a substitute bot plays until they return.")
            if options.bots
            else localize(
                "When a player’s time runs out, the others can vote to let a substitute bot play until they return."
            )
        )
        return [
            first,
            localize("The others can also vote to remove a player whose time has run out. That player loses."),
        ]
    return [
        localize(
            "When a player is absent for {0}, the others can vote to let a substitute bot play until they return.",
            describe_duration(options.substitute_after, localize),
        ),
        localize(
            "After {0} of absence they can vote to remove the player. That player loses.",
            describe_duration(options.remove_after, localize),
        ),
    ]


def _find_reserved_seat(context: PageContext, table: Table, viewer: Viewer) -> Seat | None:
    """Return the vacated seat that all players agreed to give to the reader."""
    person = context.person
    if person is None or viewer.own_seats or table.status != "playing":
        return None
    return next(
        (occupant.seat for occupant in table.occupants if occupant.is_vacant and occupant.person == person.id), None
    )


def list_seat_candidates(context: PageContext, table: Table, viewer: Viewer) -> list[tuple[int, str]]:
    """Return people who can get a vacated seat: spectators, and people with whom the reader has played."""
    person = context.person
    if person is None or not vote_replace.can_reassign_seat(table, viewer.own_seats):
        return []
    with context.services.store.read_connection() as connection:
        met = list_companions(connection, get_visibility(context.services.settings, connection, person), person.id)
        names_by_id = dict(vote_replace.list_spectators(connection, table)) | {
            companion.person.id: companion.person.name for companion in met
        }
    involved = list_owners(table) | table.departed.keys()
    return [(id, name) for id, name in names_by_id.items() if id not in involved][:MAX_CANDIDATES]


def _describe_departure(context: PageContext, table_view: TableView, departure: DepartedPlayer) -> str:
    """Return a sentence such as ``Zoe resigned in round 3; a bot finished the seat with 54.``"""
    localize = context.localize
    rounds = sum(line.begins_round for line in table_view.log if line.n <= departure.moves)
    withheld = table_view.table.shared and table_view.table.options.shown != "watched"
    name = localize("Anonymous") if withheld else departure.name
    sentence = (
        localize(DEPARTED_IN_ROUND[departure.how], name, rounds)
        if rounds
        else localize(DEPARTED_AFTER_MOVE[departure.how], name, departure.moves)
    )
    if departure.by_rule:
        return localize("{0}.", sentence)
    occupant = table_view.table.occupants[departure.seat]
    if occupant.taken and occupant.kind == "person":
        return localize("{0}; {1} took over the seat.", sentence, occupant.name)
    if departure.total is None:
        return localize("{0}; a bot then played this seat to the end.", sentence)
    return localize("{0}; a bot then played this seat and finished with {1}.", sentence, departure.total)
