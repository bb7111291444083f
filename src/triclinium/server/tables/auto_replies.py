"""Automatic answers at a table: what a seat wishes to be spared, and what is answered for it together with a move."""

from collections.abc import Callable

from sqlalchemy import Connection, delete, insert

from triclinium.engine.auto_replies import MOST, SPANS, Wish, answer, spans_now, standing, wish_of
from triclinium.engine.core.state import ASK, Seat
from triclinium.engine.core.text import Joined
from triclinium.engine.match import Match
from triclinium.server import plugin_errors
from triclinium.server.cluster.versioned_write import change
from triclinium.server.errors import Conflict, NotAllowed, NotFound, RequestError
from triclinium.server.server import Server
from triclinium.server.storage.schema import wishes
from triclinium.server.tables.event_stream import encode
from triclinium.server.tables.table import HistoryRow, Table

Job = Callable[[Connection], None]


def wish_for(table: Table, seat: Seat, until: str) -> tuple[Wish, str]:
    """The wish of a seat not to be asked again what it is asked now, and its answer. Raises if that makes no sense."""
    s = table.playing.state
    if s.who != seat:
        raise NotAllowed("it is not your turn")
    spans = spans_now(s)
    if not spans:
        raise Conflict("this question has no safe answer: it is asked every time")
    if until not in spans:
        raise RequestError("this question is answered for you only for: {0}", Joined([SPANS[span] for span in spans]))
    return wish_of(s, until), table.game.say(s.asked.safe(s))


def answers(table: Table, match: Match, after: HistoryRow) -> list[HistoryRow]:
    """Answer for whoever wishes it, until somebody must be asked; the rows of it, after the row of a decision.

    They are stored in the same commit, so that nobody ever sees a question that is not asked.
    """
    done: list[HistoryRow] = []
    while table.wishes and not match.state.over and len(done) < MOST:
        seat = match.state.who
        if table.occupants[seat].plays_by_itself:
            break
        try:
            o = answer(match, table.wishes, table.options.undo)
            if o == ASK:
                break
            match.play(table.game.say(o), automatic=True)
        except Exception as error:  # a fault of the game: the seat is asked
            plugin_errors.note(table.title_id, "rules", error, f"an automatic answer at {table.id}")
            break
        version = after.version + len(done) + 1
        done.append(HistoryRow(version, "move", seat, match.record.options[-1], "", "", after.at, automatic=True))
    return done


def answers_at_once(table: Table, match: Match) -> Wish | None:
    """The wish that would answer in this position, to which somebody has gone back to decide anew: it has to end."""
    s = match.state
    try:
        spared = not s.over and answer(match, table.wishes, table.options.undo) != ASK
    except Exception as error:  # a fault of the game: the seat is asked
        plugin_errors.note(table.title_id, "rules", error)
        spared = False
    return table.wishes[s.who, s.asked.id] if spared else None


async def end(server: Server, table: Table, seat: Seat, step: str) -> None:
    """A seat wants to be asked this again; its other browsers are told."""
    async with table.lock:
        await server.load_match(table)
        wish = table.wishes.get((seat, step))
        if table.match is None or wish is None or wish not in standing(table.wishes, table.match.state, seat):
            raise NotFound("nothing of that kind is answered for you")
        await change(server, table, forgetting(table, wish))
        del table.wishes[seat, step]
        table.hub.send_to_seat(seat, encode("seats", "{}"))


# -- what is stored --------------------------------------------------------------------------------------------------


def keeping(table: Table, wish: Wish) -> Job:
    """Store a wish, in the place of an earlier one of the same step."""
    forget = forgetting(table, wish)
    row = {
        "table": table.id,
        "seat": wish.seat,
        "step": wish.step,
        "until": wish.until,
        "round": wish.period[0],
        "turn": wish.period[1],
        "text": wish.text,
    }

    def job(connection: Connection) -> None:
        forget(connection)
        connection.execute(insert(wishes).values(**row))

    return job


def forgetting(table: Table, wish: Wish) -> Job:
    """Delete one."""
    mine = (wishes.c.table == table.id, wishes.c.seat == wish.seat, wishes.c.step == wish.step)

    def job(connection: Connection) -> None:
        connection.execute(delete(wishes).where(*mine))

    return job


def forget_all(connection: Connection, table: Table, seat: Seat) -> None:
    """Delete those of a seat: another one sits there from now on."""
    connection.execute(delete(wishes).where(wishes.c.table == table.id, wishes.c.seat == seat))
