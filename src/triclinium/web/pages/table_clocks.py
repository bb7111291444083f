"""What the table's page shows of time and absence: clocks, votes, pauses, who got up before the end."""

from dataclasses import dataclass

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import server_time
from triclinium.server.accounts.profile import companions
from triclinium.server.http.api.players import eyes_of
from triclinium.server.presenter.clocks import hands
from triclinium.server.presenter.outcome import Ending, Gone, ending
from triclinium.server.presenter.table_view import Shown
from triclinium.server.tables import consent, resign, vote_replace
from triclinium.server.tables.absence import away_now, may_be_removed_in, may_be_voted_in, span
from triclinium.server.tables.options import TableOptions
from triclinium.server.tables.seat_owners import owners
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.tables.time_bank import DAY
from triclinium.server.tables.timeouts import ballots
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading, duration

HANDED = 20  # people who are offered
PAUSES = (15, 60, 720)  # minutes that are offered


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of the others about a seat."""

    wait: str  # until it may be voted; empty: now
    agreed: int
    needed: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asks of all."""

    subject: str
    agreed: int
    needed: int
    mine: bool  # the reader has agreed


@dataclass(frozen=True, slots=True)
class Proposal:
    """A person who is proposed for a vacated seat."""

    seat: Seat
    person: int
    name: str
    agreed: int
    needed: int
    mine: bool  # the reader has agreed


@dataclass(frozen=True, slots=True)
class Departed:
    """That the reader plays no more."""

    said: str
    keeps_seat: bool  # by a rule of the game, and nothing is asked there; else a bot has it


DEPARTED = {
    "resigned": msgid("You have resigned."),
    "left": msgid("You have left the match."),
    "removed": msgid("You were removed from the match."),
}


def of_time(reading: Reading, shown: Shown, at: Viewer) -> dict[str, object]:
    """Clocks and votes, for the template."""
    server, table = reading.server, shown.table
    now = shown.past is None and not shown.over
    told = hands(server, table, None if now or shown.past is None else shown.past)
    asked = {one.subject.partition(" ")[0]: one for one in _asked(reading, table, at)} if now else {}
    playing = now and bool(at.mine)
    return {
        "hands": told,
        "my_hand": told[shown.seat] if told and now and shown.seat is not None and shown.seat in at.mine else None,
        "paused_until": table.paused if now and table.paused_at(server_time.now()) else 0,
        "bot_for_me": playing and table.clock is not None and any(table.occupants[seat].standin for seat in at.mine),
        "asked": asked,
        "votes": {one.seat: _vote(reading, table, one) for one in _votable(reading, table, at)} if playing else {},
        "removals": _removals(reading, table, at) if playing else {},
        "proposals": _proposals(reading, table, at) if playing else [],
        "vacated": [one.seat for one in table.occupants if one.offered and one.seat not in table.opened_seats]
        if playing and vote_replace.may_offer(table, at.mine)
        else [],
        "away_until": {one.seat: _away_until(reading, table, one) for one in table.occupants} if now else {},
        "may_pause": playing and table.clock is not None and not table.options.slow,
        "pauses": PAUSES,
        "pause_name": pause_name,
        "clock_name": clock_name,
        "kept_seat": _kept_seat(reading, table, at) if now else None,
        "handed_to": handed_to(reading, table, at) if playing else [],
        "resign_rule": _resign_rule(table, shown.seat) if playing else "",
        "departed": _departed(reading, table, at) if now else None,
    }


def _votable(reading: Reading, table: Table, at: Viewer) -> list[Occupant]:
    """The absent whom the reader may vote about now or soon."""
    return [
        one
        for one in table.occupants
        if one.seat not in at.mine and may_be_voted_in(reading.server, table, one) is not None
    ]


def _vote(reading: Reading, table: Table, occupant: Occupant) -> Vote:
    wait = may_be_voted_in(reading.server, table, occupant) or 0
    agreed, needed = ballots(table, occupant)
    return Vote(span(wait) if wait else "", agreed, needed)


def _removals(reading: Reading, table: Table, at: Viewer) -> dict[Seat, Vote]:
    """Return the absent players whom the others can vote to remove, now or soon."""
    server, found = reading.server, {}
    for one in table.occupants:
        wait = may_be_removed_in(server, table, one) if one.seat not in at.mine else None
        if wait is not None:
            agreed = {table.occupants[seat].person for seat in vote_replace.agreed(server, table, one.seat)}
            count = len(agreed & vote_replace.others(server, table, one))
            found[one.seat] = Vote(span(wait) if wait else "", count, vote_replace.needed(server, table, one))
    return found


def _proposals(reading: Reading, table: Table, at: Viewer) -> list[Proposal]:
    """Return the people who are proposed for vacated seats."""
    needed = consent.voters(table)
    return [
        Proposal(
            seat, person, reading.server.people.name_of(person), len(seats & needed), len(needed), set(at.mine) <= seats
        )
        for (seat, person), seats in vote_replace.proposals(reading.server, table).items()
    ]


def _away_until(reading: Reading, table: Table, occupant: Occupant) -> float:
    """When somebody at a slow table is back who is away; 0: they are not."""
    span = away_now(reading.server, occupant) if table.options.slow and occupant.owned else None
    return span[1] if span is not None else 0.0


def _asked(reading: Reading, table: Table, at: Viewer) -> list[Asked]:
    """Pauses and ends that somebody asks for."""
    needed = consent.voters(table)
    found = consent.asked_for(reading.server, table)
    return [
        Asked(subject, len(seats & needed), len(needed), set(at.mine) <= seats)
        for subject, seats in found.items()
        if not subject.startswith((consent.REMOVE, consent.REASSIGN))
    ]


def _resign_rule(table: Table, seat: Seat | None) -> str:
    """The number of the game's rule for resigning, where it has one."""
    has_one = seat is not None and resign.by_rule(table, seat)
    return table.game.resign_rule if has_one else ""


def _departed(reading: Reading, table: Table, at: Viewer) -> Departed | None:
    """What to tell a reader who got up before the end, and has not sat down again."""
    how = table.departed.get(reading.person.id, "") if reading.person else ""
    by_rule = bool(table.game.resign_rule) and not any(resign.by_rule(table, seat) for seat in at.mine)
    return Departed(DEPARTED[how], bool(at.mine)) if how and (by_rule or not at.mine) else None


# -- the end --------------------------------------------------------------------------------------------------------


GONE = {
    "resigned": msgid("{0} resigned in round {1}"),
    "left": msgid("{0} left in round {1}"),
    "removed": msgid("{0} was removed in round {1}"),
}
GONE_AFTER = {
    "resigned": msgid("{0} resigned after move {1}"),
    "left": msgid("{0} left after move {1}"),
    "removed": msgid("{0} was removed after move {1}"),
}


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a match as it counts."""

    points: list[VisibleScore]  # with the places that count
    gone: list[str]  # a sentence for everybody who got up before the end
    seats: set[Seat]  # that bots have finished


def ended(reading: Reading, shown: Shown) -> Ended:
    told: Ending = ending(reading.server, shown.table)
    bots = {one.seat for one in told.gone if not one.by_rule and not shown.table.occupants[one.seat].taken}
    return Ended(told.counted(shown.points), [_gone(reading, shown, one) for one in told.gone], bots)


def clock_name(options: TableOptions, speech: Speech) -> str:
    """The clock that was agreed on."""
    store, free = options.store, options.free
    if options.slow:
        return speech("Clock: {0} {0:day|days} each, {1} hours of every turn are free.", store // DAY, free // 3600)
    return speech("Clock: {0} {0:minute|minutes} each, {1} seconds of every turn are free.", store // 60, free)


def absence_rules(options: TableOptions, speech: Speech) -> list[str]:
    """Return in sentences what the others can do about an absent player, to be read before one sits down."""
    if options.substitute_after is None or options.remove_after is None:
        first = (
            speech("When a player’s time runs out, a substitute bot plays until they return.")
            if options.bots
            else speech(
                "When a player’s time runs out, the others can vote to let a substitute bot play until they return."
            )
        )
        return [first, speech("The others can also vote to remove a player whose time has run out. That player loses.")]
    return [
        speech(
            "When a player is absent for {0}, the others can vote to let a substitute bot play until they return.",
            duration(options.substitute_after, speech),
        ),
        speech(
            "After {0} of absence they can vote to remove the player. That player loses.",
            duration(options.remove_after, speech),
        ),
    ]


def _kept_seat(reading: Reading, table: Table, at: Viewer) -> Seat | None:
    """Return the vacated seat that all players agreed to give to the reader."""
    person = reading.person
    if person is None or at.mine or table.status != "playing":
        return None
    return next((one.seat for one in table.occupants if one.offered and one.person == person.id), None)


def handed_to(reading: Reading, table: Table, at: Viewer) -> list[tuple[int, str]]:
    """Return the people to whom a vacated seat can be given: spectators, and people the reader has played with."""
    person = reading.person
    if person is None or not vote_replace.may_offer(table, at.mine):
        return []
    with reading.server.store.reading() as connection:
        met = companions(connection, eyes_of(reading.server, connection, person), person.id)
        found = dict(vote_replace.spectators(connection, table)) | {one.person.id: one.person.name for one in met}
    here = owners(table) | table.departed.keys()
    return [(id, name) for id, name in found.items() if id not in here][:HANDED]


def pause_name(minutes: int, speech: Speech) -> str:
    """How long a pause is, in words."""
    return duration(60 * minutes, speech)


def _gone(reading: Reading, shown: Shown, gone: Gone) -> str:
    """``Zoe resigned in round 3; a bot finished the seat with 54.``"""
    speech = reading.speech
    rounds = sum(line.begins_round for line in shown.log if line.n <= gone.moves)
    withheld = shown.table.shared and shown.table.options.shown != "watched"
    name = speech("Somebody") if withheld else gone.name
    said = speech(GONE[gone.how], name, rounds) if rounds else speech(GONE_AFTER[gone.how], name, gone.moves)
    if gone.by_rule:
        return speech("{0}.", said)
    taken = shown.table.occupants[gone.seat]
    if taken.taken and taken.kind == "person":
        return speech("{0}; {1} took over the seat.", said, taken.name)
    if gone.total is None:
        return speech("{0}; a bot finished the seat.", said)
    return speech("{0}; a bot finished the seat with {1}.", said, gone.total)
