"""Auto-replies: questions that a seat wants to skip, and the answers that are stored together with a move."""

from collections.abc import Callable

from sqlalchemy import Connection, delete, insert

from triclinium.engine.auto_replies import (
    MAX_REPLIES,
    SPAN_NAMES,
    AutoReply,
    create_auto_reply,
    create_plan,
    find_applicable_reply,
    find_auto_reply,
    list_active_replies,
    list_available_spans,
)
from triclinium.engine.core.state import ASK, Seat
from triclinium.engine.core.text import JoinedList
from triclinium.engine.match import Match
from triclinium.server import plugin_errors
from triclinium.server.errors import Conflict, NotAllowed, NotFound, RequestError
from triclinium.server.storage.schema import wishes
from triclinium.server.tables.event_stream import encode_event
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.table import HistoryRow, Table
from triclinium.server.tables.versioned_write import write_table

WriteJob = Callable[[Connection], None]


def make_auto_reply(table: Table, seat: Seat, until: str) -> tuple[AutoReply, str]:
    """Return the auto-reply for the question that a seat is asked now, and the answer as notation.

    Raise `NotAllowed` if it is not the seat's turn, `Conflict` if the question has no safe answer, and `RequestError`
    if the time span is not offered.
    """
    s = table.current_match.state
    if s.who != seat:
        raise NotAllowed("It is not your turn.")
    spans = list_available_spans(s)
    if not spans:
        raise Conflict("This question cannot be answered automatically.")
    if until not in spans:
        raise RequestError(
            "This question can be answered automatically only for: {0}.",
            JoinedList([SPAN_NAMES[span] for span in spans]),
        )
    return create_auto_reply(s, until), table.game.format_option(s.asked.auto_reply_option(s))


def make_plan(table: Table, seat: Seat, plan: str) -> tuple[AutoReply, str]:
    """Return the plan of a seat that is asked now, and its first option as notation.

    Raise `NotAllowed` if it is not the seat's turn, and `Conflict` if the plan is not offered.
    """
    s = table.current_match.state
    if s.who != seat:
        raise NotAllowed("It is not your turn.")
    if plan not in s.asked.list_plans(s):
        raise Conflict("This plan is not available now.")
    return create_plan(s, plan), table.game.format_option(s.asked.plan_option(s, plan))


def play_auto_replies(table: Table, match: Match, after: HistoryRow) -> list[HistoryRow]:
    """Play the auto-replies that follow a decision, and return their history rows.

    They are stored in the same commit as the decision, so that no viewer sees a question that is skipped.
    """
    done: list[HistoryRow] = []
    while table.auto_replies and not match.state.over and len(done) < MAX_REPLIES:
        seat = match.state.who
        if table.occupants[seat].deciding_bot:
            break
        try:
            o = find_auto_reply(match, table.auto_replies, table.options.undo)
            if o == ASK:
                break
            match.play(table.game.format_option(o), automatic=True)
        except Exception as error:  # an error in the game's rules: the seat is asked
            plugin_errors.log_once(table.game_id, "rules", error, f"an automatic answer at {table.id}")
            break
        version = after.version + len(done) + 1
        done.append(HistoryRow(version, "move", seat, match.record.options[-1], "", "", after.at, automatic=True))
    return done


def find_immediate_reply(table: Table, match: Match) -> AutoReply | None:
    """Return the auto-reply that would answer in this position, or None.

    After an undo it must be deleted, so that the seat can decide again.
    """
    s = match.state
    try:
        is_answered = not s.over and find_auto_reply(match, table.auto_replies, table.options.undo) != ASK
    except Exception as error:  # an error in the game's rules: the seat is asked
        plugin_errors.log_once(table.game_id, "rules", error)
        is_answered = False
    return find_applicable_reply(s, table.auto_replies) if is_answered else None


async def cancel_auto_reply(repository: TableRepository, table: Table, seat: Seat, step: str) -> None:
    """Delete an auto-reply of a seat and notify the seat's other browsers. Raise `NotFound` if there is none."""
    async with repository.locked(table) as table:
        reply = table.auto_replies.get((seat, step))
        if (
            table.match is None
            or reply is None
            or reply not in list_active_replies(table.auto_replies, table.match.state, seat)
        ):
            raise NotFound("This question has no automatic answer.")
        await write_table(repository, table, make_reply_delete_job(table, reply))
        del table.auto_replies[seat, step]
        table.hub.send_to_seat(seat, encode_event("seats", "{}"))


# -- storage ---------------------------------------------------------------------------------------------------------


def make_reply_store_job(table: Table, reply: AutoReply) -> WriteJob:
    """Return a job that stores an auto-reply, in place of an earlier one for the same step."""
    delete_job = make_reply_delete_job(table, reply)
    row = {
        "table": table.id,
        "seat": reply.seat,
        "step": reply.step,
        "until": reply.until,
        "round": reply.period[0],
        "turn": reply.period[1],
        "text": reply.text,
    }

    def job(connection: Connection) -> None:
        delete_job(connection)
        connection.execute(insert(wishes).values(**row))

    return job


def make_reply_delete_job(table: Table, reply: AutoReply) -> WriteJob:
    """Return a job that deletes an auto-reply."""
    mine = (wishes.c.table == table.id, wishes.c.seat == reply.seat, wishes.c.step == reply.step)

    def job(connection: Connection) -> None:
        connection.execute(delete(wishes).where(*mine))

    return job


def delete_seat_replies(connection: Connection, table: Table, seat: Seat) -> None:
    """Delete all auto-replies of a seat, because it has a new player."""
    connection.execute(delete(wishes).where(wishes.c.table == table.id, wishes.c.seat == seat))
