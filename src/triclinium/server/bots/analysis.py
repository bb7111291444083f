"""What the server's strong bot tells people: a hint to the seat that is asked, and the review of a match that is over.

Both are thought about in the bots' processes while the server goes on. A hint is kept until the table moves; a review
is stored, because a match that is over never changes. Only a match that is over is reviewed: a review looks at open
cards.
"""

import json
import logging
import time

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.bots.review import Judged, Review, Stroke, drawn, summed, to_judge
from triclinium.bots.timeline import Moment, exact
from triclinium.engine.core.state import Seat
from triclinium.engine.record import Record
from triclinium.server import server_time
from triclinium.server.bots import worker
from triclinium.server.bots.jobs import Hint, Progress
from triclinium.server.bots.pool import GaveUp
from triclinium.server.bots.worker_queue import Origin
from triclinium.server.cluster.pubsub import REVIEW
from triclinium.server.crypto import new_seed
from triclinium.server.errors import Conflict, NotAllowed, NotFound, NotStored
from triclinium.server.server import Server
from triclinium.server.storage.schema import reviews
from triclinium.server.tables.event_stream import encode
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.rating_eligibility import note_help
from triclinium.server.tables.table import Table

log = logging.getLogger("triclinium.advising")
REST = 10.0  # seconds before a review that failed is begun anew: a page that is open asks again and again
AT_ONCE = 10  # moves at which one job finds out what chance did
REVIEW_SEED = 1  # a review by iterations is the same whenever it is made


async def hint(server: Server, table: Table, seat: Seat, mine: str = "") -> Hint:
    """The seat's hint, thought about from now on unless it is there already; raises unless it may have one.

    ``mine`` is an option of the seat that shall be told of too.
    """
    if not table.options.hints:
        raise NotAllowed("this table plays without hints")
    async with table.lock:
        await server.load_match(table)
        check_running(table)
        if table.who != seat:
            raise NotAllowed("it is not your turn")
        if mine and mine not in [table.game.say(o) for o in table.playing.state.legal]:
            raise NotFound("this option is not offered now")
        await note_help(server, table, seat, hinted=True)
        known = table.hint_for(seat)
        if known is None or known.failed or not known.tells_of(mine):
            known = table.given[seat] = Hint(table.version, new_seed() if known is None else known.seed, mine)
            record = table.playing.record.until(table.moves)
            origin = Origin(server.key.caller(), table.occupants[seat].person or 0, table.id, "hint")
            server.spawn(_think(server, table, seat, known, record, origin), f"hint at {table.id}")
        return known


async def _think(server: Server, table: Table, seat: Seat, given: Hint, record: Record, origin: Origin) -> None:
    case = worker.Case(record.dumps(), table.components_text)
    try:
        given.best = await server.bot_pool.run_sliced(
            origin, worker.advise, case, server.settings.advice, given.seed, given.mine
        )
    except GaveUp:
        given.failed = True
    finally:
        given.done.set()
    table.hub.send_to_seat(seat, encode("hint", "{}"))


# -- reviews ----------------------------------------------------------------------------------------------------


async def review(server: Server, table: Table) -> Review | Progress:
    """The review of a finished match, or how far it is: it is begun when somebody first asks."""
    async with table.lock:
        await server.load_match(table)
        if table.status != "over" or table.match is None:
            raise Conflict("a match is reviewed when it is over")
        known = await server.in_thread(stored, server, table)
        if known is not None:
            return known
        making = server.reviewing.get(table.id)
        if making is None or (making.failed and time.monotonic() - making.failed > REST):
            if not await server.peers.claim(_claim(table)):
                return server.reviewed_elsewhere.get(table.id) or Progress(table.moves + 1)
            making = server.reviewing[table.id] = Progress(table.moves + 1)
            match = table.playing
            unasked = [n for n, mark in enumerate(match.marks) if mark.automatic]
            origin = Origin(server.key.caller(), 0, table.id, "review")
            job = _look_back(server, table, making, match.record.until(table.moves), unasked, origin)
            server.spawn(job, f"review of {table.id}")
        return making


async def _look_back(
    server: Server, table: Table, making: Progress, record: Record, unasked: list[int], origin: Origin
) -> None:
    """Piece by piece, so that bots get their turns in between. What was answered unasked is nobody's decision."""
    run = server.bot_pool.run_sliced
    case = worker.Case(record.dumps(), table.components_text)
    try:
        async with server.review_locks.of(origin.caller):
            course = await _follow(server, table, making, case, unasked, origin)
            end = await run(origin, worker.settled, case)
            course = exact(course, end)
            moves = drawn(course)
            came: list[Stroke] = []
            for n in range(0, len(moves), AT_ONCE):
                came += await run(origin, worker.strokes, case, course, moves[n : n + AT_ONCE])
            moves = to_judge(course, end, came)
            making.to_judge = len(moves)
            judged: dict[int, Judged] = {}
            for n in moves:
                judged[n] = await run(origin, worker.judge, case, n, server.settings.advice, REVIEW_SEED)
                making.judged = len(judged)
                await _tell(server, table, making)
        await _keep(server, table, summed(course, end, came, judged))
        server.reviewing.pop(table.id, None)
    except (GaveUp, NotStored, SQLAlchemyError) as error:
        log.warning("the review of %s was not made: %s", table.id, error)
        making.failed = time.monotonic()
    finally:
        making.done.set()
        await server.peers.release(_claim(table))
    await _tell(server, table, None)


def _claim(table: Table) -> str:
    """What the server holds that makes the review: it takes minutes, and is made once."""
    return f"review {table.id}"


async def _tell(server: Server, table: Table, making: Progress | None) -> None:
    """Whoever waits for the review, here or at another server, hears how far it is; None: no further."""
    table.hub.tell(encode("review", "{}"))
    steps = [] if making is None else [making.whole, making.looked_at, making.to_judge, making.judged]
    await server.peers.mention(REVIEW, id=table.id, steps=steps)


async def _follow(
    server: Server, table: Table, making: Progress, case: worker.Case, unasked: list[int], origin: Origin
) -> list[Moment]:
    """Each seat's chance after every move."""
    course: list[Moment] = []
    while len(course) < making.whole:
        course += await server.bot_pool.run_sliced(origin, worker.follow, case, len(course), unasked)
        making.looked_at = len(course)
        await _tell(server, table, making)
    return course


async def _keep(server: Server, table: Table, made: Review) -> None:
    text = json.dumps(made.dumps(), separators=(",", ":"))

    def job(connection: Connection) -> None:
        connection.execute(delete(reviews).where(reviews.c.table == table.id))
        connection.execute(insert(reviews).values(table=table.id, text=text, made=server_time.now()))

    await server.store.write(job)


def stored(server: Server, table: Table) -> Review | None:
    """Return the review that was made before; None: there is none."""
    with server.store.reading() as connection:
        row = connection.execute(select(reviews.c.text).where(reviews.c.table == table.id)).one_or_none()
    return None if row is None else Review.loads(json.loads(row.text))
