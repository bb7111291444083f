"""Background reviews: the server reviews finished matches of people, one after another, and makes their exercises.

The queue is in the database, so a restart loses nothing. The reviews run in a process of their own, at idle priority
and only while no bot and no person waits for a computation.
"""

import asyncio
import logging
from collections.abc import Iterator

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.bots.exercises import RankedDecision, is_costly
from triclinium.bots.review import Review
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.bots import worker
from triclinium.server.bots.pool import BotJobFailed
from triclinium.server.bots.worker_queue import TaskOrigin
from triclinium.server.errors import NotFound, RequestError, Stranded
from triclinium.server.practice.exercises import make_row
from triclinium.server.services import Services
from triclinium.server.storage.schema_practice import exercises, losses, review_queue
from triclinium.server.storage.schema_results import results
from triclinium.server.tables import analysis
from triclinium.server.tables.table import Table

log = logging.getLogger("triclinium.practice")
CHECK_SECONDS = 5.0  # seconds between two looks into an empty queue
POSTPONE_SECONDS = 900.0  # delay of a match that cannot be reviewed now
MAX_TRIES = 3
CLAIM = "practice"


async def run_review_queue(services: Services) -> None:
    """Review the matches in the queue forever, on one of the servers. Errors are tried again."""
    while services.settings.practice and services.settings.bot_workers:
        busy = False
        try:
            if await services.peers.claim(CLAIM):
                busy = await review_next_match(services)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("the queue of reviews could not be read and will be tried again: %s", error)
        if not busy:
            await asyncio.sleep(CHECK_SECONDS)


async def review_next_match(services: Services) -> bool:
    """Review the match that has waited longest. Return False if none is waiting."""
    id = await services.runtime.run_in_thread(_find_next, services)
    if id is None:
        return False
    # This is stored first, so that a match that crashes the server is not tried forever.
    await _postpone(services, id)
    try:
        table = await services.tables.get_table(id)
        review = await _wait_for_review(services, table)
        rows = [] if review is None else await _make_rows(services, table, review)
    except (BotJobFailed, NotFound, Stranded) as error:
        log.warning("no exercises were made from %s: %s", id, error)
    except RequestError as error:  # the match may not be reviewed yet, so this does not count as a try
        log.info("the review of %s is postponed: %s", id, error)
        await _postpone(services, id, -1)
    else:
        if review is not None:
            await _store(services, table, review, rows)
    return True


def _find_next(services: Services) -> str | None:
    waiting = select(review_queue.c.table).where(
        review_queue.c.at <= server_time.now(), review_queue.c.tries < MAX_TRIES
    )
    with services.store.read_connection() as connection:
        return connection.execute(waiting.order_by(review_queue.c.at).limit(1)).scalar_one_or_none()


async def _postpone(services: Services, id: str, tries: int = 1) -> None:
    later = update(review_queue).where(review_queue.c.table == id)
    values = {"at": server_time.now() + POSTPONE_SECONDS, "tries": review_queue.c.tries + tries}
    await services.store.write(lambda connection: connection.execute(later.values(**values)))


async def _wait_for_review(services: Services, table: Table) -> Review | None:
    """Return the review of a match; None if another server computes it or if it fails."""
    progress = await analysis.request_review(services, table, awaited=False)
    if isinstance(progress, Review):
        return progress
    if services.reviews_in_progress.get(table.id) is progress:
        await progress.done.wait()
    return await services.runtime.run_in_thread(analysis.load_review, services.store, table)


async def _make_rows(services: Services, table: Table, review: Review) -> list[dict[str, object]]:
    """Return the rows of the exercises: the costly decisions of people that a long search confirms."""
    rows: list[dict[str, object]] = []
    people = await services.runtime.run_in_thread(_list_people, services, table.id)
    record = table.current_match.record.truncate(table.moves)
    case = worker.MatchInput(record.dumps(), table.components_text)
    origin = TaskOrigin(analysis.IDLE_CALLER, 0, table.id, "review")
    for move, seat in _list_candidates(table, review):
        if seat in people:
            decision: RankedDecision = await services.idle_pool.run_sliced(
                origin, worker.rank_decision, case, move, services.settings.hint_budget, analysis.REVIEW_SEED
            )
            if decision.is_exercise:
                now = server_time.now()
                rows.append(make_row(people[seat], table.id, move, table.game_id, decision, now))
    return rows


def _list_candidates(table: Table, review: Review) -> Iterator[tuple[int, Seat]]:
    """Yield the clearly costly decisions that no bot made."""
    for decision in review.costliest:
        played_by_seat = not table.history[decision.move].bot and not table.history[decision.move].automatic
        if decision.better and played_by_seat and is_costly(decision.better[0], decision.played):
            yield decision.move, decision.seat


def _list_people(services: Services, id: str) -> dict[Seat, int]:
    """Return the people who played a seat from the beginning to the end."""
    wanted = select(results.c.seat, results.c.person).where(
        results.c.table == id,
        results.c.turn == 0,
        results.c.kind == "person",
        results.c.how == "finished",
        results.c.person.is_not(None),
    )
    with services.store.read_connection() as connection:
        return {row.seat: row.person for row in connection.execute(wanted)}


async def _store(services: Services, table: Table, review: Review, rows: list[dict[str, object]]) -> None:
    """Store the exercises and losses of a match, and remove it from the queue, in one transaction."""
    people = await services.runtime.run_in_thread(_list_people, services, table.id)
    loss_rows = [
        {
            "table": table.id,
            "seat": seat,
            "person": person,
            "game": table.game_id,
            "loss": review.losses[seat],
            "decisions": review.decisions[seat],
            "at": table.moved,
        }
        for seat, person in people.items()
        if seat < len(review.losses)
    ]

    def job(connection: Connection) -> None:
        removed = connection.execute(delete(review_queue).where(review_queue.c.table == table.id))
        if not removed.rowcount:
            return  # the table was deleted, or another server was faster
        if loss_rows:
            connection.execute(insert(losses), loss_rows)
        if rows:
            connection.execute(insert(exercises), rows)

    await services.store.write(job)
