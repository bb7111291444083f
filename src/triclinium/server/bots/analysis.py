"""What the house's strong bot tells people: a hint to the seat that is asked, and the review of a match that is over.

Both are thought about in the bots' processes while the house goes on. A hint is kept until the table moves; a review is
stored, because a match that is over never changes. Only a match that is over is reviewed: a review looks at open cards.
"""

import json
import logging
import time
from dataclasses import asdict

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.bots.analysis import Advice, Moment, Review, Swing, largest
from triclinium.engine.core.state import Seat
from triclinium.engine.record import Record
from triclinium.server import clock
from triclinium.server.bots import worker
from triclinium.server.bots.pending import Hint, Progress
from triclinium.server.bots.pool import GaveUp
from triclinium.server.errors import Conflict, NotAllowed, NotStored
from triclinium.server.house import House
from triclinium.server.live import encode
from triclinium.server.secret import new_seed
from triclinium.server.storage.schema import reviews
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.table import Table

log = logging.getLogger("triclinium.advising")
REST = 10.0  # seconds before a review that failed is begun anew: a page that is open asks again and again
REVIEW_SEED = 1  # a review by iterations is the same whenever it is made


async def hint(house: House, table: Table, seat: Seat) -> Hint:
    """The seat's hint, thought about from now on unless it is there already; raises unless it may have one."""
    if not table.options.hints:
        raise NotAllowed("this table plays without hints")
    async with table.lock:
        await house.bring(table)
        check_running(table)
        if table.who != seat:
            raise NotAllowed("it is not your turn")
        known = table.hint_for(seat)
        if known is None or known.failed:
            known = table.given[seat] = Hint(table.version)
            record = table.playing.record.until(table.moves)
            house.spawn(_think(house, table, seat, known, record), f"hint at {table.id}")
        return known


async def _think(house: House, table: Table, seat: Seat, given: Hint, record: Record) -> None:
    try:
        budget = house.settings.advice
        given.best = await house.thinkers.run(
            f"a hint at {table.id}",
            worker.advise,
            worker.Case(record.dumps(), table.components_text),
            budget,
            new_seed(),
        )
    except GaveUp:
        given.failed = True
    finally:
        given.done.set()
    table.hub.whisper(seat, encode("hint", "{}"))


# -- reviews ----------------------------------------------------------------------------------------------------


async def review(house: House, table: Table) -> Review | Progress:
    """The review of a finished match, or how far it is: it is begun when somebody first asks."""
    async with table.lock:
        await house.bring(table)
        if table.status != "over" or table.match is None:
            raise Conflict("a match is reviewed when it is over")
        known = await house.in_thread(stored, house, table)
        if known is not None:
            return known
        making = house.reviewing.get(table.id)
        if making is None or (making.failed and time.monotonic() - making.failed > REST):
            making = house.reviewing[table.id] = Progress(table.moves + 1)
            record = table.playing.record.until(table.moves)
            house.spawn(_look_back(house, table, making, record), f"review of {table.id}")
        return making


async def _look_back(house: House, table: Table, making: Progress, record: Record) -> None:
    """Piece by piece, so that bots get their turns in between."""
    what, run = f"the review of {table.id}", house.thinkers.run
    case = worker.Case(record.dumps(), table.components_text)
    course: list[Moment] = []
    swings: list[Swing] = []
    try:
        async with house.one_review:
            while len(course) < making.whole:
                course += await run(what, worker.follow, case, len(course))
                making.looked_at = len(course)
                table.hub.tell(encode("review", "{}"))
            for n in largest(course):
                swings.append(await run(what, worker.look_back, case, course, n, house.settings.advice, REVIEW_SEED))
        await _keep(house, table, Review([moment.chances for moment in course], swings))
        house.reviewing.pop(table.id, None)
    except (GaveUp, NotStored, SQLAlchemyError) as error:
        log.warning("%s was not made: %s", what, error)
        making.failed = time.monotonic()
    finally:
        making.done.set()
    table.hub.tell(encode("review", "{}"))


async def _keep(house: House, table: Table, made: Review) -> None:
    text = json.dumps(asdict(made), separators=(",", ":"))

    def job(connection: Connection) -> None:
        connection.execute(delete(reviews).where(reviews.c.table == table.id))
        connection.execute(insert(reviews).values(table=table.id, text=text, made=clock.now()))

    await house.store.write(job)


def stored(house: House, table: Table) -> Review | None:
    """A review that was made before."""
    with house.store.reading() as connection:
        row = connection.execute(select(reviews.c.text).where(reviews.c.table == table.id)).one_or_none()
    if row is None:
        return None
    facts = json.loads(row.text)
    return Review(facts["chances"], [_swing(one) for one in facts["swings"]])


def _swing(facts: dict[str, object]) -> Swing:
    better = facts.pop("better")
    assert isinstance(better, list)
    return Swing(**facts, better=tuple(Advice(**one) for one in better))  # type: ignore[arg-type]  # as asdict wrote it
