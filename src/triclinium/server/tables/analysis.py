"""Hints for players, and reviews of finished matches, which the server's strong bot computes.

Both are computed in the bot processes while the server continues. A hint is kept until the table changes. A review is
stored, because a finished match never changes. Running matches have no review, because it would reveal hidden cards.
"""

import json
import logging
import time
from dataclasses import replace

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.bots.review import (
    LuckEvent,
    Review,
    ReviewedDecision,
    assemble_review,
    find_chance_moves,
    select_decisions,
)
from triclinium.bots.timeline import TimelinePoint, apply_final_result
from triclinium.engine.core.state import Seat
from triclinium.engine.record import Record
from triclinium.server import server_time
from triclinium.server.bots import worker
from triclinium.server.bots.jobs import HintJob, ReviewProgress
from triclinium.server.bots.pool import BotJobFailed, BotPool
from triclinium.server.bots.worker_queue import TaskOrigin
from triclinium.server.crypto import make_seed
from triclinium.server.errors import Conflict, NotAllowed, NotFound, NotStored
from triclinium.server.services import Services
from triclinium.server.storage.pubsub import REVIEW_PROGRESS, Peers
from triclinium.server.storage.schema import reviews
from triclinium.server.storage.store import Store
from triclinium.server.tables.deals import check_deal_closed
from triclinium.server.tables.event_stream import encode_event
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.rating_eligibility import record_hint
from triclinium.server.tables.table import Table

log = logging.getLogger("triclinium.hints")
RETRY_DELAY = 10.0  # seconds before a failed review is started again, because open pages ask repeatedly
MOVES_PER_JOB = 10  # number of moves whose luck one job computes
IDLE_CALLER = "server"  # the caller of reviews that nobody awaits
REVIEW_SEED = 1  # a fixed seed makes reviews repeatable


async def request_hint(services: Services, table: Table, seat: Seat, mine: str = "") -> HintJob:
    """Return the hint for a seat, and start its computation if necessary.

    ``mine`` is an option that the hint must include, or "". Raise `NotAllowed` if the table has no hints or it is not
    the seat's turn, and `NotFound` if the option is not legal.
    """
    if not table.options.hints:
        raise NotAllowed("Hints are turned off at this table.")
    async with services.tables.locked(table) as table:
        check_running(table)
        if table.who != seat:
            raise NotAllowed("It is not your turn.")
        if mine and mine not in [table.game.format_option(o) for o in table.current_match.state.legal]:
            raise NotFound("This option is not available now.")
        await record_hint(services.tables, table, seat)
        pending_hint = table.find_hint(seat)
        if pending_hint is None or pending_hint.failed or not pending_hint.covers_option(mine):
            pending_hint = table.tasks.hints[seat] = HintJob(
                table.version, make_seed() if pending_hint is None else pending_hint.seed, mine
            )
            record = table.current_match.record.truncate(table.moves)
            origin = TaskOrigin(services.key.label_caller(), table.occupants[seat].person or 0, table.id, "hint")
            services.runtime.start_task(
                _compute_hint(services, table.unlocked, seat, pending_hint, record, origin), f"hint at {table.id}"
            )
        return pending_hint


async def _compute_hint(
    services: Services, table: Table, seat: Seat, pending_hint: HintJob, record: Record, origin: TaskOrigin
) -> None:
    case = worker.MatchInput(record.dumps(), table.components_text)
    try:
        pending_hint.best = await services.bot_pool.run_sliced(
            origin, worker.compute_hint, case, services.settings.hint_budget, pending_hint.seed, pending_hint.own_option
        )
    except BotJobFailed:
        pending_hint.failed = True
    finally:
        pending_hint.done.set()
    table.hub.send_to_seat(seat, encode_event("hint", "{}"))


# -- reviews ----------------------------------------------------------------------------------------------------


async def request_review(services: Services, table: Table, awaited: bool = True) -> Review | ReviewProgress:
    """Return the review of a finished match, or its progress. The first request starts the computation.

    If nobody awaits the review, it is computed while the bots are idle. Raise `Conflict` if the match is not over.
    """
    async with services.tables.locked(table) as table:
        if table.status != "over" or table.match is None:
            raise Conflict("A match can be reviewed when it is over.")
        check_deal_closed(table)
        finished_review = await services.runtime.run_in_thread(load_review, services.store, table)
        if finished_review is not None:
            return finished_review
        progress = services.reviews_in_progress.get(table.id)
        if progress is None or (progress.failed and time.monotonic() - progress.failed > RETRY_DELAY):
            if not await services.peers.claim(_make_claim_name(table)):
                return services.remote_reviews.get(table.id) or ReviewProgress(table.moves + 1)
            progress = services.reviews_in_progress[table.id] = ReviewProgress(table.moves + 1)
            match = table.current_match
            automatic_moves = [n for n, mark in enumerate(match.marks) if mark.automatic]
            caller = services.key.label_caller() if awaited else IDLE_CALLER
            origin = TaskOrigin(caller, 0, table.id, "review")
            job = _make_review(
                services, table.unlocked, progress, match.record.truncate(table.moves), automatic_moves, origin
            )
            progress.awaited = awaited
            services.runtime.start_task(job, f"review of {table.id}")
        progress.awaited = progress.awaited or awaited
        return progress


async def _make_review(
    services: Services,
    table: Table,
    progress: ReviewProgress,
    record: Record,
    automatic_moves: list[int],
    origin: TaskOrigin,
) -> None:
    """Compute a review in many jobs, so that bots get their turns in between.

    Auto-replies are not reviewed as decisions.
    """
    case = worker.MatchInput(record.dumps(), table.components_text)
    try:
        async with services.review_locks.get_lock(origin.caller):
            timeline = await _compute_timeline(services, table, progress, case, automatic_moves, origin)
            end = await get_review_pool(services, progress).run_sliced(origin, worker.find_settled_move, case)
            timeline = apply_final_result(timeline, end)
            moves = find_chance_moves(timeline)
            luck_events: list[LuckEvent] = []
            for n in range(0, len(moves), MOVES_PER_JOB):
                luck_events += await get_review_pool(services, progress).run_sliced(
                    origin, worker.compute_luck, case, timeline, moves[n : n + MOVES_PER_JOB]
                )
            cards = await get_review_pool(services, progress).run_sliced(
                origin, worker.compute_total_luck, case, timeline
            )
            moves = select_decisions(timeline, end, luck_events)
            progress.decisions = len(moves)
            judged: dict[int, ReviewedDecision] = {}
            for n in moves:
                judged[n] = await get_review_pool(services, progress).run_sliced(
                    origin, worker.evaluate_decision, case, n, services.settings.hint_budget, REVIEW_SEED
                )
                progress.evaluated_decisions = len(judged)
                await _publish_progress(services.peers, table, progress)
        made = assemble_review(timeline, end, luck_events, judged, record.options)
        await _store_review(services.store, table, replace(made, cards=cards))
        services.reviews_in_progress.pop(table.id, None)
    except (BotJobFailed, NotStored, SQLAlchemyError) as error:
        log.warning("the review of %s failed: %s", table.id, error)
        progress.failed = time.monotonic()
    finally:
        progress.done.set()
        await services.peers.release(_make_claim_name(table))
    await _publish_progress(services.peers, table, None)


def get_review_pool(services: Services, progress: ReviewProgress) -> BotPool:
    """Return the pool that computes a review. It changes as soon as someone opens the review."""
    return services.bot_pool if progress.awaited else services.idle_pool


def _make_claim_name(table: Table) -> str:
    """Return the name of the claim under which one server computes a review."""
    return f"review {table.id}"


async def _publish_progress(peers: Peers, table: Table, progress: ReviewProgress | None) -> None:
    """Notify everyone who waits for a review, on all servers, of its progress. None means that the review has ended."""
    table.hub.broadcast(encode_event("review", "{}"))
    steps = (
        []
        if progress is None
        else [progress.positions, progress.evaluated_positions, progress.decisions, progress.evaluated_decisions]
    )
    await peers.publish_now(REVIEW_PROGRESS, id=table.id, steps=steps)


async def _compute_timeline(
    services: Services,
    table: Table,
    progress: ReviewProgress,
    case: worker.MatchInput,
    automatic_moves: list[int],
    origin: TaskOrigin,
) -> list[TimelinePoint]:
    """Return the win probability of each seat after every move."""
    timeline: list[TimelinePoint] = []
    while len(timeline) < progress.positions:
        timeline += await get_review_pool(services, progress).run_sliced(
            origin, worker.compute_timeline, case, len(timeline), automatic_moves
        )
        progress.evaluated_positions = len(timeline)
        await _publish_progress(services.peers, table, progress)
    return timeline


async def _store_review(store: Store, table: Table, made: Review) -> None:
    text = json.dumps(made.dumps(), separators=(",", ":"))

    def job(connection: Connection) -> None:
        connection.execute(delete(reviews).where(reviews.c.table == table.id))
        connection.execute(insert(reviews).values(table=table.id, text=text, made=server_time.now()))

    await store.write(job)


def load_review(store: Store, table: Table) -> Review | None:
    """Return the stored review of a match, or None."""
    with store.read_connection() as connection:
        row = connection.execute(select(reviews.c.text).where(reviews.c.table == table.id)).one_or_none()
    return None if row is None else Review.loads(json.loads(row.text))
