"""Moves of players and bots. Undo is in `undo.py`.

The steps are always in this order: lock the table, check the request, play in memory, store, wait for the commit,
notify.
"""

import asyncio
import contextlib
import itertools
import json
import logging
import time

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.auto_replies import PLAN_PREFIX, AutoReply
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import OPTION_SEPARATOR, CannotCombineOptions, Match, split_options
from triclinium.engine.record import build_result
from triclinium.server import plugin_errors, server_time
from triclinium.server.errors import Conflict, GameCodeError, NotAllowed, NotStored, StaleVersion
from triclinium.server.runtime import Runtime
from triclinium.server.services import Services
from triclinium.server.storage.schema import history, seats, tables
from triclinium.server.storage.statements import PreparedStatement
from triclinium.server.storage.store import Store
from triclinium.server.tables import absence, auto_replies, deals, replication, snapshots, timekeeping
from triclinium.server.tables.broadcast import broadcast_table
from triclinium.server.tables.notification_triggers import MoveNotifications
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.results import FinalResults
from triclinium.server.tables.snapshots import PendingSnapshot
from triclinium.server.tables.table import CONTINUED_MOVE, MOVE, HistoryRow, LockedTable, Table
from triclinium.server.tables.time_bank import TimeBankClock
from triclinium.server.tables.versioned_write import write_table

log = logging.getLogger("triclinium.play")
MAX_OPTIONS = 16  # maximum number of options in one request
MAX_RETRY_PAUSE = 30.0  # seconds between two tries of a bot whose move cannot be stored

_INSERT = PreparedStatement(insert(history))
_UPDATE = PreparedStatement(
    update(tables)
    .where(tables.c.id == bindparam("b_id"))
    .values(
        version=bindparam("b_version"),
        moves=bindparam("b_moves"),
        who=bindparam("b_who"),
        moved=bindparam("b_moved"),
        status=bindparam("b_status"),
        result=bindparam("b_result"),
    )
)


def check_running(table: Table) -> None:
    if table.status == "waiting":
        raise Conflict("The match has not started yet. Some players are still missing.")
    if table.status == "closed":
        raise Conflict("This table was closed before the match started.")
    if table.status == "over":
        raise Conflict("The match is already over.")
    if table.stranded is not None:
        raise table.stranded


async def make_move(
    services: Services, table: LockedTable, seat: Seat, option: str, version: int, key: str = "", *, bot: str = ""
) -> bool:
    """Play an option, or several options (``travel weak; to corinth``) that are accepted or refused as a whole.

    The text ``plan NAME`` chooses a plan (`Step.plan_texts`) and plays its first option.

    Return False if the same request was handled before. Raise `StaleVersion` if the table has changed, or if the seat's
    owner has returned while its ``bot`` was thinking.
    """
    if bot and table.occupants[seat].deciding_bot != bot:
        raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")
    wanted = split_options(option)
    earlier_row = table.recent.get(key) if key else None
    if (
        earlier_row is not None
        and earlier_row.seat == seat
        and (
            option.startswith(PLAN_PREFIX)
            or list_posted_options(table, earlier_row) == [_normalize_option(table, text) for text in wanted]
        )
    ):
        return False
    check_running(table)
    if version != table.version:
        raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")
    plan = None
    if option.startswith(PLAN_PREFIX):
        plan, first = auto_replies.make_plan(table, seat, option.removeprefix(PLAN_PREFIX))
        wanted = [first]
    await play_and_store(services, table, seat, wanted, key, bot, auto_reply=plan)
    return True


async def set_auto_reply(
    services: Services, table: LockedTable, seat: Seat, until: str, version: int, key: str = ""
) -> bool:
    """Play the safe answer to the current question, and set it as auto-reply for a time span.

    The return value and errors are those of `make_move`.
    """
    if key and key in table.recent and table.recent[key].seat == seat:
        return False
    check_running(table)
    if version != table.version:
        raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")
    reply, option = auto_replies.make_auto_reply(table, seat, until)
    await play_and_store(services, table, seat, [option], key, auto_reply=reply)
    return True


async def play_and_store(
    services: Services,
    table: LockedTable,
    seat: Seat,
    wanted: list[str],
    key: str = "",
    bot: str = "",
    auto_reply: AutoReply | None = None,
    extra_write: auto_replies.WriteJob | None = None,
) -> None:
    """Play options and the auto-replies that follow, store all of it, and send it to everyone at the table."""
    match = table.current_match
    spent = timekeeping.ThinkingTime.measure(services, table)
    if table.is_paused(spent.at):
        raise Conflict("The match is paused.")
    try:
        _try_options(match, seat, wanted)
    except Exception as error:
        if isinstance(error, (NotAllowed, Conflict)) or not match.is_state_damaged(error):
            raise
        raise await _recover_match(services.tables, table, OPTION_SEPARATOR.join(wanted), error) from None
    done = [
        HistoryRow(
            table.version + n, CONTINUED_MOVE if n > 1 else MOVE, seat, option, key if n == 1 else "", bot, spent.at
        )
        for n, option in enumerate(match.record.options[-len(wanted) :], start=1)
    ]
    if auto_reply is not None:
        table.auto_replies[auto_reply.seat, auto_reply.step] = auto_reply
    done += auto_replies.play_auto_replies(table, match, done[-1])
    clock_after = timekeeping.charge_time(table, spent, done, match.state.who)
    await store_moves(
        services,
        table,
        match,
        done,
        clock_after,
        extra_write if auto_reply is None else auto_replies.make_reply_store_job(table, auto_reply),
    )
    table.add_moves(done)
    if services.on_move is not None:
        for _ in done:
            services.on_move(table.game_id, bot)
    if match.state.over:
        table.set_status("over")
        if table.deal:
            services.runtime.start_task(deals.close_finished_deals(services, table.deal), "closing a deal")
    broadcast_table(table)
    schedule_bot(services, table)


def _try_options(match: Match, seat: Seat, wanted: list[str]) -> None:
    """Play options in memory. After some errors the match must be loaded again (`Match.is_state_damaged`)."""
    if len(wanted) > MAX_OPTIONS:
        raise Conflict("This request is too large.")
    o = match.game.read(wanted[0])
    if match.state.who != seat and (len(wanted) > 1 or o not in match.state.anytime_options(seat)):
        raise NotAllowed("It is not your turn.")
    if len(wanted) == 1:
        match.play_without_repair(wanted[0])
        return
    try:
        match.play_options(wanted)
    except CannotCombineOptions as error:
        raise Conflict(
            "After option {0}, chance or another player decides. Choose the rest when it is your turn again.",
            error.after,
        ) from None


def list_posted_options(table: Table, first: HistoryRow) -> list[str]:
    """Return the remaining options of the request whose first move this is."""
    at = next((n for n, row in enumerate(table.history) if row is first), len(table.history))
    rest = itertools.takewhile(lambda row: row.kind == CONTINUED_MOVE, table.history[at + 1 :])
    return [first.option, *(row.option for row in rest)]


async def _recover_match(
    repository: TableRepository, table: LockedTable, option: str, error: Exception
) -> GameCodeError:
    """Replay the match after a rule has failed in the middle of an option, and return the error for the player."""
    record = table.current_match.record.truncate(len(table.history)).without_seed()
    where = f"option {option!r} at {table.id}, version {table.version}"
    plugin_errors.log_once(table.game_id, "rules", error, where, more=record.dumps())
    table.invalidate_match()
    try:
        await repository.load_match(table)
    except Exception as again:  # the earlier moves cannot be replayed either; the next request tries again
        plugin_errors.log_once(table.game_id, "rules", again, table.id)
    return GameCodeError(
        "This option caused an error in the rules of this game. Nothing has changed. Please choose another option."
    )


async def store_moves(
    services: Services,
    table: LockedTable,
    match: Match,
    done: list[HistoryRow],
    clock_after: TimeBankClock | None,
    extra_write: auto_replies.WriteJob | None = None,
    **marks: bool,
) -> None:
    """Store the moves, the clocks and the table's summary in one commit. After an error the match is loaded again.

    ``extra_write`` runs in the same commit. ``marks`` are columns of the table that make the match unrated.
    """
    over = match.state.over
    scores = build_result(match.game.scores(match.state)) if over else []
    summary = {
        "b_id": table.id,
        "b_version": done[-1].version,
        "b_moves": len(match.record.options),
        "b_who": match.state.who,
        "b_moved": done[-1].at,
        "b_status": "over" if over else "playing",
        "b_result": json.dumps(scores) if over else "[]",
    }
    snapshot: PendingSnapshot | None = None
    match_end = FinalResults(table, [*table.history, *done], scores, done[-1].at) if over else None
    notifications = MoveNotifications(table, match, done, services.notifiable_people)

    def job(connection: Connection) -> None:
        for row in done:
            _INSERT.run(connection, _build_move_row(table, row))
        _UPDATE.run(connection, summary)
        if clock_after is not None:
            timekeeping.write(connection, table, clock_after)
        if marks:
            connection.execute(update(tables).where(tables.c.id == table.id).values(**marks))
        if extra_write is not None:
            extra_write(connection)
        if match_end is not None:
            match_end.write(connection)
        notifications.write(connection)
        if snapshot is not None:
            snapshot.write(connection)

    try:
        snapshot = await _make_snapshot(services.runtime, table, match)
        is_replicable = services.peers.shared and not (over or marks or extra_write)
        snapshot_at = table.snapshot_at if snapshot is None else snapshot.snapshot_at
        await write_table(
            services.tables,
            table,
            job,
            replication.encode_moves(done, clock_after, snapshot_at) if is_replicable else None,
        )
    except BaseException:
        table.invalidate_match()
        raise
    table.set_clock(clock_after)
    if snapshot is not None:
        snapshot.mark_stored()


def _build_move_row(table: Table, row: HistoryRow) -> dict[str, object]:
    return {
        "table": table.id,
        "version": row.version,
        "kind": row.kind,
        "seat": row.seat,
        "option": row.option,
        "key": row.key,
        "bot": row.bot,
        "at": row.at,
        "automatic": row.automatic,
        "took": row.time_spent,
        "asked": row.timed_seat,
    }


async def _make_snapshot(runtime: Runtime, table: LockedTable, match: Match) -> PendingSnapshot | None:
    """Return a snapshot if one is due, or None. For a long match it is computed in a thread."""
    if not snapshots.is_due(table, match):
        return None
    if snapshots.is_long(table, match):
        return await runtime.run_in_thread(PendingSnapshot, table, match)
    return PendingSnapshot(table, match)


def _normalize_option(table: Table, option: str) -> str:
    try:
        return table.game.format_option(table.game.read(option))
    except TricliniumError:
        return ""


# -- bots -------------------------------------------------------------------------------------------------------


def schedule_bot(services: Services, table: Table) -> None:
    """Start the bots of a table if a bot has to decide and none is thinking."""
    idle = table.status == "playing" and table.who != NOBODY and table.tasks.bot_task is None
    idle = (
        idle
        and table.tasks.stuck_at != table.version
        and not _is_suspended(table)
        and services.settings.bot_workers > 0
    )
    if idle and table.occupants[table.who].deciding_bot:
        table.tasks.bot_task = services.runtime.start_task(_run_bots(services, table.unlocked), f"bot at {table.id}")


def _is_suspended(table: Table) -> bool:
    return table.is_left_to_bots or table.is_paused(server_time.now())


async def _run_bots(services: Services, table: Table) -> None:
    """Play the decisions of bots until a person has to decide, unless another server does.

    Errors are tried again, so that no bot stops for good.
    """
    claim = f"bot {table.id}"
    if not await services.peers.claim(claim):
        table.tasks.bot_task = None
        return
    try:
        await _run_bot_turns(services, table)
    finally:
        table.tasks.bot_task = None
        await services.peers.release(claim)
    schedule_bot(services, table)  # another server may have stored a move before the claim was released


async def _run_bot_turns(services: Services, table: Table) -> None:
    """Play the decisions of bots one after another. After an error, pause and try again."""
    failures = 0
    while True:
        try:
            async with services.tables.locked(table):
                pass  # taking the lock loads the match
            if not await _play_bot_decision(services, table):
                return
            failures = 0
        except GameCodeError:
            table.tasks.stuck_at = table.version  # the error is in the log
            return
        except Exception as error:
            async with services.tables.locked(table, loads_match=False) as locked:
                locked.invalidate_match()
            failures += 1
            pause = min(MAX_RETRY_PAUSE, 2.0 ** (failures - 1))
            unforeseen = not isinstance(error, (TricliniumError, SQLAlchemyError))
            log.warning("a bot at %s tries again in %.0f s: %s", table.id, pause, error, exc_info=unforeseen)
            await asyncio.sleep(pause)


async def _play_bot_decision(services: Services, table: Table) -> bool:
    """Play one decision of a bot. Return False if no bot has to decide."""
    if table.status != "playing" or table.match is None or table.who == NOBODY or _is_suspended(table):
        return False
    seat = table.who
    name = table.occupants[seat].deciding_bot
    if not name:
        return False
    version = table.version
    began = time.monotonic()
    legal = table.current_match.state.legal
    if len(legal) == 1:
        option = table.game.format_option(legal[0])  # a single option needs no bot process
    else:
        record, bot_name = table.current_match.record.truncate(table.moves), table.options.resolve_bot_name(name)
        seed = deals.make_bot_seed(table, seat) if table.deal else None
        origin = absence.get_bot_origin(table)
        option = await services.bot_pool.choose(record, origin, bot_name, table.components_text, seed)
    is_same_turn = bool(table.history) and table.history[-1].seat == seat  # bots play a turn's later moves faster
    pause = services.settings.bot_pause * (0.4 if is_same_turn else 1.0) - (time.monotonic() - began)
    if pause > 0 and table.hub.listeners:
        await asyncio.sleep(pause)
    with contextlib.suppress(StaleVersion):  # the table changed or the owner returned meanwhile
        await _play_bot_move(services, table, seat, option, version, name)
    return True


async def _play_bot_move(services: Services, table: Table, seat: Seat, option: str, version: int, name: str) -> None:
    """Play the bot's option. If the rules fail, try each of the other options.

    Raise `GameCodeError` if the rules fail for all of them.
    """
    for n, candidate in enumerate(dict.fromkeys([option, *table.list_option_texts()])):
        try:
            async with services.tables.locked(table) as locked:
                await make_move(services, locked, seat, candidate, version, bot=name)
            return
        except GameCodeError as fault:
            failed = fault
            log.warning("the bot %s at %s: the rules failed on its option %d", name, table.id, n + 1)
    raise failed


async def schedule_all_bots(services: Services) -> None:
    """Start the bots of all tables where a bot has to decide, including tables that are not in memory."""
    for id in await services.runtime.run_in_thread(_find_bot_turns, services.store):
        if id in services.stranded_tables:
            continue
        try:
            table = await services.tables.get_table(id)
        except NotStored:
            raise
        except TricliniumError as error:
            services.stranded_tables.add(id)  # the warning is logged only once
            log.warning("table %s cannot be opened: %s", id, error)
            continue
        schedule_bot(services, table)
        await asyncio.sleep(0)


def _find_bot_turns(store: Store) -> list[str]:
    """Return the ids of the tables where a bot has to decide, with the most recent first."""
    with store.read_connection() as connection:
        asked = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
        rows = connection.execute(
            select(tables.c.id)
            .join(seats, asked)
            .where(tables.c.status == "playing", (seats.c.bot != "") | (seats.c.substitute != ""))
            .order_by(tables.c.moved.desc())
        )
        return [str(row.id) for row in rows]
