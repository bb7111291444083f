"""Deciding at a table: moves, resigning, and the bots' turns. Taking back is in `undo.py`.

The order is always the same: hold the lock, check, play in memory, store, wait for the commit, and only then tell.
"""

import asyncio
import contextlib
import itertools
import json
import logging
import time

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.auto_replies import Wish
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import TOGETHER, Match, NotTogether, several
from triclinium.engine.record import result_of
from triclinium.server import plugin_errors, server_time
from triclinium.server.cluster import replication
from triclinium.server.cluster.versioned_write import change
from triclinium.server.errors import Conflict, Fault, NotAllowed, NotStored, Stale
from triclinium.server.notifications.triggers import Moved
from triclinium.server.ratings.results import Ended
from triclinium.server.server import Server
from triclinium.server.storage.schema import history, seats, tables
from triclinium.server.storage.statements import Prepared
from triclinium.server.tables import absence, auto_replies, snapshots, timekeeping
from triclinium.server.tables.snapshots import Taken
from triclinium.server.tables.table import MORE, MOVE, HistoryRow, Table
from triclinium.server.tables.time_bank import StoreClock

log = logging.getLogger("triclinium.play")
MOST = 16  # options in one post
LONGEST_PAUSE = 30.0  # seconds between two tries of a bot whose move cannot be stored

_INSERT = Prepared(insert(history))
_UPDATE = Prepared(
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
        raise Conflict("the match has not begun: somebody is still awaited")
    if table.status == "closed":
        raise Conflict("this table was closed before it began")
    if table.status == "over":
        raise Conflict("the match is over")
    if table.stranded is not None:
        raise table.stranded


async def move(
    server: Server,
    table: Table,
    seat: Seat,
    option: str,
    version: int,
    key: str = "",
    *,
    bot: str = "",
    generation: int = -1,
) -> bool:
    """Choose an option, or several (``travel weak; to corinth``) that are accepted or refused as a whole.

    True: done now; False: this very post was done before. Raises and changes nothing.

    ``generation`` is the seat's when its sender was found to speak for it: while a post waits for the lock the seat may
    change hands. A bot's move is dropped if the seat's owner has come back.
    """
    async with table.lock:
        await server.load_match(table)
        if generation not in (-1, table.occupants[seat].generation):
            raise NotAllowed("that is not your seat")
        if bot and table.occupants[seat].plays_by_itself != bot:
            raise Stale("the table has moved on: look again and choose")
        wanted = several(option)
        known = table.recent.get(key) if key else None
        if known is not None and known.seat == seat and posted(table, known) == [_same(table, one) for one in wanted]:
            return False
        check_running(table)
        if version != table.version:
            raise Stale("the table has moved on: look again and choose")
        await decide(server, table, seat, wanted, key, bot)
        return True


async def spare(
    server: Server, table: Table, seat: Seat, until: str, version: int, key: str = "", *, generation: int = -1
) -> bool:
    """Answer the question at hand safely and, until then, whenever it is asked again. Otherwise as `move`."""
    async with table.lock:
        await server.load_match(table)
        if generation not in (-1, table.occupants[seat].generation):
            raise NotAllowed("that is not your seat")
        if key and key in table.recent and table.recent[key].seat == seat:
            return False
        check_running(table)
        if version != table.version:
            raise Stale("the table has moved on: look again and choose")
        wish, option = auto_replies.wish_for(table, seat, until)
        await decide(server, table, seat, [option], key, wish=wish)
        return True


async def decide(
    server: Server,
    table: Table,
    seat: Seat,
    wanted: list[str],
    key: str = "",
    bot: str = "",
    wish: Wish | None = None,
    also: auto_replies.Job | None = None,
) -> None:
    """Play options and what is answered to them unasked, store all of it, and tell. The lock is held."""
    match = table.playing
    spent = timekeeping.Spent.now(server, table)
    if table.paused_at(spent.at):
        raise Conflict("the match is paused")
    try:
        _attempt(match, seat, wanted)
    except Exception as error:
        if isinstance(error, (NotAllowed, Conflict)) or not match.is_spoilt(error):
            raise
        raise await _mend(server, table, TOGETHER.join(wanted), error) from None
    done = [
        HistoryRow(table.version + n, MORE if n > 1 else MOVE, seat, said, key if n == 1 else "", bot, spent.at)
        for n, said in enumerate(match.record.options[-len(wanted) :], start=1)
    ]
    if wish is not None:
        table.wishes[wish.seat, wish.step] = wish
    done += auto_replies.answers(table, match, done[-1])
    timed = timekeeping.stamp(table, spent, done, match.state.who)
    await store(server, table, match, done, timed, also if wish is None else auto_replies.keeping(table, wish))
    for row in done:
        table.note(row)
        if server.on_move is not None:
            server.on_move(table.title_id, bot)
    if match.state.over:
        table.status = "over"
    server.tell(table)
    wake(server, table)


def _attempt(match: Match, seat: Seat, wanted: list[str]) -> None:
    """Choose options in memory. An error may leave the match spoilt (`Match.attempt`)."""
    if len(wanted) > MOST:
        raise Conflict("that is too much at once")
    o = match.game.read(wanted[0])
    if match.state.who != seat and (len(wanted) > 1 or o not in match.state.anytime_options(seat)):
        raise NotAllowed("it is not your turn")
    if len(wanted) == 1:
        match.attempt(wanted[0])
        return
    try:
        match.play_together(wanted)
    except NotTogether as error:
        raise Conflict(
            "after option {0} chance decides, or somebody else: choose the rest when you are asked", error.after
        ) from None


def posted(table: Table, first: HistoryRow) -> list[str]:
    """The options of the post that this move is the first of, as they stand."""
    at = next((n for n, one in enumerate(table.history) if one is first), len(table.history))
    rest = itertools.takewhile(lambda one: one.kind == MORE, table.history[at + 1 :])
    return [first.option, *(one.option for one in rest)]


async def _mend(server: Server, table: Table, option: str, error: Exception) -> Fault:
    """A rule has failed in the middle of an option: read the match anew, and say so in a sentence. The lock is held."""
    record = table.playing.record.until(len(table.history)).without_seed()
    where = f"option {option!r} at {table.id}, version {table.version}"
    plugin_errors.note(table.title_id, "rules", error, where, more=record.dumps())
    server.invalidate(table)
    try:
        await server.load_match(table)
    except Exception as again:  # what was played before does not replay either: the next look tries once more
        plugin_errors.note(table.title_id, "rules", again, table.id)
    return Fault("the rules of this game failed over this option: nothing has changed, choose another one")


async def store(
    server: Server,
    table: Table,
    match: Match,
    done: list[HistoryRow],
    timed: StoreClock | None,
    also: auto_replies.Job | None = None,
    **marks: bool,
) -> None:
    """Write the rows, the clocks and the table's summary in one commit. After a failure the match is read anew.

    ``also`` is written with them; ``marks`` are columns of the table that make it unrated from now on.
    """
    over = match.state.over
    scores = result_of(match.game.scores(match.state)) if over else []
    summary = {
        "b_id": table.id,
        "b_version": done[-1].version,
        "b_moves": len(match.record.options),
        "b_who": match.state.who,
        "b_moved": done[-1].at,
        "b_status": "over" if over else "playing",
        "b_result": json.dumps(scores) if over else "[]",
    }
    taken: Taken | None = None
    ended = Ended(table, [*table.history, *done], scores, done[-1].at) if over else None
    news = Moved(table, match, done, server.reachable)

    def job(connection: Connection) -> None:
        for one in done:
            _INSERT.run(connection, _row(table, one))
        _UPDATE.run(connection, summary)
        if timed is not None:
            timekeeping.write(connection, table, timed)
        if marks:
            connection.execute(update(tables).where(tables.c.id == table.id).values(**marks))
        if also is not None:
            also(connection)
        if ended is not None:
            ended.write(connection)
        news.write(connection)
        if taken is not None:
            taken.write(connection)

    try:
        taken = await _snapshot(server, table, match)
        whole = server.peers.shared and not (over or marks or also)
        kept_at = table.kept_at if taken is None else taken.kept_at
        await change(server, table, job, replication.told(done, timed, kept_at) if whole else None)
    except BaseException:
        server.invalidate(table)
        raise
    table.clock = timed
    if taken is not None:
        taken.stored()


def _row(table: Table, one: HistoryRow) -> dict[str, object]:
    return {
        "table": table.id,
        "version": one.version,
        "kind": one.kind,
        "seat": one.seat,
        "option": one.option,
        "key": one.key,
        "bot": one.bot,
        "at": one.at,
        "automatic": one.automatic,
        "took": one.took,
        "asked": one.asked,
    }


async def _snapshot(server: Server, table: Table, match: Match) -> Taken | None:
    """What stays readable of the table should its moves ever not replay; of a long match, made beside the loop."""
    if not snapshots.is_due(table, match):
        return None
    if snapshots.is_long(table, match):
        return await server.in_thread(Taken, table, match)
    return Taken(table, match)


def _same(table: Table, option: str) -> str:
    try:
        return table.game.say(table.game.read(option))
    except TricliniumError:
        return ""


# -- bots -------------------------------------------------------------------------------------------------------


def wake(server: Server, table: Table) -> None:
    """Let a bot think, if one is to decide and none does already."""
    idle = table.status == "playing" and table.who != NOBODY and table.thinking is None
    idle = idle and table.stuck_at != table.version and not _rests(table) and server.settings.bot_workers > 0
    if idle and table.occupants[table.who].plays_by_itself:
        table.thinking = server.spawn(_bots_decide(server, table), f"bot at {table.id}")


def _rests(table: Table) -> bool:
    return table.deserted or table.paused_at(server_time.now())


async def _bots_decide(server: Server, table: Table) -> None:
    """Decide until a person is asked, if no other server does. Whatever fails is tried again: no bot stops for good."""
    claim = f"bot {table.id}"
    if not await server.peers.claim(claim):
        table.thinking = None
        return
    try:
        await _think(server, table)
    finally:
        table.thinking = None
        await server.peers.release(claim)
    wake(server, table)  # somebody may have moved at another server while this one still held the claim


async def _think(server: Server, table: Table) -> None:
    """One decision after the other, with a pause after each that fails."""
    failures = 0
    while True:
        try:
            async with table.lock:
                await server.load_match(table)
            if not await _bot_decides(server, table):
                return
            failures = 0
        except Fault:
            table.stuck_at = table.version  # whoever runs the server has read why in the log
            return
        except Exception as error:
            async with table.lock:
                server.invalidate(table)  # the truth is what is stored
            failures += 1
            pause = min(LONGEST_PAUSE, 2.0 ** (failures - 1))
            unforeseen = not isinstance(error, (TricliniumError, SQLAlchemyError))
            log.warning("a bot at %s tries again in %.0f s: %s", table.id, pause, error, exc_info=unforeseen)
            await asyncio.sleep(pause)


async def _bot_decides(server: Server, table: Table) -> bool:
    """One decision of a bot; False: none is asked."""
    if table.status != "playing" or table.match is None or table.who == NOBODY or _rests(table):
        return False
    seat = table.who
    name = table.occupants[seat].plays_by_itself
    if not name:
        return False
    version = table.version
    began = time.monotonic()
    legal = table.playing.state.legal
    if len(legal) == 1:
        option = table.game.say(legal[0])  # nothing to think about, however many bots wait for a process
    else:
        record, called = table.playing.record.until(table.moves), table.options.called(name)
        option = await server.bot_pool.choose(record, absence.bot_origin(table), called, table.components_text)
    again = bool(table.history) and table.history[-1].seat == seat  # its turn goes on: people follow more easily
    pause = server.settings.bot_pause * (0.4 if again else 1.0) - (time.monotonic() - began)
    if pause > 0 and table.hub.listeners:
        await asyncio.sleep(pause)
    with contextlib.suppress(Stale):  # also if the owner came back while the bot was thinking
        await _bot_moves(server, table, seat, option, version, name)
    return True


async def _bot_moves(server: Server, table: Table, seat: Seat, option: str, version: int, name: str) -> None:
    """Play the bot's option; should the rules fail over it, the others, each once. Raises Fault if they do over all."""
    for n, one in enumerate(dict.fromkeys([option, *table.offered()])):
        try:
            await move(server, table, seat, one, version, bot=name)
            return
        except Fault as fault:
            failed = fault
            log.warning("the bot %s at %s: the rules failed over its option %d", name, table.id, n + 1)
    raise failed


async def wake_all(server: Server) -> None:
    """Let the bots go on wherever one is asked, also at tables that nobody has looked at since the start."""
    for id in await server.in_thread(_asking_bots, server):
        if id in server.unopened:
            continue
        try:
            table = await server.table(id)
        except NotStored:
            raise
        except TricliniumError as error:
            server.unopened.add(id)  # said once, not at every look
            log.warning("table %s does not open: %s", id, error)
            continue
        wake(server, table)
        await asyncio.sleep(0)


def _asking_bots(server: Server) -> list[str]:
    """The tables where a bot is asked, the last moved first."""
    with server.store.reading() as connection:
        asked = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
        rows = connection.execute(
            select(tables.c.id)
            .join(seats, asked)
            .where(tables.c.status == "playing", (seats.c.bot != "") | (seats.c.standin != ""))
            .order_by(tables.c.moved.desc())
        )
        return [str(row.id) for row in rows]
