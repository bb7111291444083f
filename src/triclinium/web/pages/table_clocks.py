"""What the table's page shows of time and absence: clocks, votes, pauses, who got up before the end."""

from dataclasses import dataclass

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import server_time
from triclinium.server.accounts.profile import list_companions
from triclinium.server.http.api.players import get_visibility
from triclinium.server.presenter.clocks import load_seat_clocks
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

MAX_CANDIDATES = 20  # people who are offered
PAUSE_MINUTES = (15, 60, 720)  # minutes that are offered


@dataclass(frozen=True, slots=True)
class SeatVote:
    """A vote of the others about a seat."""

    wait: str  # until it may be voted; empty: now
    agreed: int
    needed: int


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """What somebody asks of all."""

    subject: str
    agreed: int
    needed: int
    reader_agreed: bool  # the reader has agreed


@dataclass(frozen=True, slots=True)
class SeatProposal:
    """A person who is proposed for a vacated seat."""

    seat: Seat
    person: int
    name: str
    agreed: int
    needed: int
    reader_agreed: bool  # the reader has agreed


@dataclass(frozen=True, slots=True)
class DepartureNotice:
    """That the reader plays no more."""

    text: str
    keeps_seat: bool  # by a rule of the game, and nothing is asked there; else a bot has it


DEPARTURE_TEXTS = {
    "resigned": msgid("You have resigned."),
    "left": msgid("You have left the match."),
    "removed": msgid("You were removed from the match."),
}


def build_clock_variables(context: PageContext, table_view: TableView, viewer: Viewer) -> dict[str, object]:
    """Clocks and votes, for the template."""
    services, table = context.services, table_view.table
    is_current = table_view.past is None and not table_view.over
    clock_states = load_seat_clocks(services, table, None if is_current or table_view.past is None else table_view.past)
    requests = (
        {entry.subject.partition(" ")[0]: entry for entry in _list_requests(context, table, viewer)}
        if is_current
        else {}
    )
    playing = is_current and bool(viewer.own_seats)
    return {
        "hands": clock_states,
        "my_hand": clock_states[table_view.seat]
        if clock_states and is_current and table_view.seat is not None and table_view.seat in viewer.own_seats
        else None,
        "paused_until": table.paused_until if is_current and table.is_paused(server_time.now()) else 0,
        "bot_for_me": playing
        and table.clock is not None
        and any(table.occupants[seat].standin for seat in viewer.own_seats),
        "asked": requests,
        "votes": {
            entry.seat: _build_vote(context, table, entry) for entry in _list_votable_occupants(context, table, viewer)
        }
        if playing
        else {},
        "removals": _list_removal_votes(context, table, viewer) if playing else {},
        "proposals": _list_proposals(context, table, viewer) if playing else [],
        "vacated": [entry.seat for entry in table.occupants if entry.is_vacant and entry.seat not in table.opened_seats]
        if playing and vote_replace.can_reassign_seat(table, viewer.own_seats)
        else [],
        "away_until": {entry.seat: _find_vacation_end(context, table, entry) for entry in table.occupants}
        if is_current
        else {},
        "may_pause": playing and table.clock is not None and not table.options.slow,
        "pauses": PAUSE_MINUTES,
        "pause_name": format_pause,
        "clock_name": describe_clock,
        "kept_seat": _find_reserved_seat(context, table, viewer) if is_current else None,
        "handed_to": list_seat_candidates(context, table, viewer) if playing else [],
        "resign_rule": _find_resign_rule(table, table_view.seat) if playing else "",
        "departed": _build_departure_notice(context, table, viewer) if is_current else None,
    }


def _list_votable_occupants(context: PageContext, table: Table, viewer: Viewer) -> list[Occupant]:
    """The absent whom the reader may vote about now or soon."""
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
    """When somebody at a slow table is back who is away; 0: they are not."""
    span = (
        find_current_vacation(context.services.paused_time, occupant)
        if table.options.slow and occupant.is_owned
        else None
    )
    return span[1] if span is not None else 0.0


def _list_requests(context: PageContext, table: Table, viewer: Viewer) -> list[PendingRequest]:
    """Pauses and ends that somebody asks for."""
    needed = consent.list_voters(table)
    requests = consent.load_pending_votes(context.services.store, table)
    return [
        PendingRequest(subject, len(seats & needed), len(needed), set(viewer.own_seats) <= seats)
        for subject, seats in requests.items()
        if not subject.startswith((consent.REMOVE, consent.REASSIGN))
    ]


def _find_resign_rule(table: Table, seat: Seat | None) -> str:
    """The number of the game's rule for resigning, where it has one."""
    has_one = seat is not None and resign.find_resign_option(table, seat)
    return table.game.resign_rule if has_one else ""


def _build_departure_notice(context: PageContext, table: Table, viewer: Viewer) -> DepartureNotice | None:
    """What to tell a reader who got up before the end, and has not sat down again."""
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
    """The end of a match as it counts."""

    points: list[VisibleScore]  # with the places that count
    departures: list[str]  # a sentence for everybody who got up before the end
    bot_seats: set[Seat]  # that bots have finished


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
    """The clock that was agreed on."""
    bank, free = options.store, options.free
    if options.slow:
        return localize("Clock: {0} {0:day|days} each, {1} hours of every turn are free.", bank // DAY, free // 3600)
    return localize("Clock: {0} {0:minute|minutes} each, {1} seconds of every turn are free.", bank // 60, free)


def describe_absence_rules(options: TableOptions, localize: Localizer) -> list[str]:
    """Return in sentences what the others can do about an absent player, to be read before one sits down."""
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
    """Return the people to whom a vacated seat can be given: spectators, and people the reader has played with."""
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


def format_pause(minutes: int, localize: Localizer) -> str:
    """How long a pause is, in words."""
    return describe_duration(60 * minutes, localize)


def _describe_departure(context: PageContext, table_view: TableView, departure: DepartedPlayer) -> str:
    """``Zoe resigned in round 3; a bot finished the seat with 54.``"""
    localize = context.localize
    rounds = sum(line.begins_round for line in table_view.log if line.n <= departure.moves)
    withheld = table_view.table.shared and table_view.table.options.shown != "watched"
    name = localize("Somebody") if withheld else departure.name
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
        return localize("{0}; a bot finished the seat.", sentence)
    return localize("{0}; a bot finished the seat with {1}.", sentence, departure.total)
