"""Deciding at a table: moves, undo, resigning, and the bots' turns.

The order is always the same: hold the lock, check, play in memory, store, wait for the commit, and only then tell.
"""

import asyncio
import json
import logging
import time

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from triclinium.kernel.errors import TricliniumError
from triclinium.kernel.match import CannotUndo
from triclinium.kernel.state import NOBODY, Seat
from triclinium.server.errors import Conflict, NotAllowed, Stale
from triclinium.server.house import House
from triclinium.server.schema import history, seats, tables, votes
from triclinium.server.table import Done, Table

log = logging.getLogger("triclinium.play")

_INSERT = insert(history)
_ASKED_BACK = select(votes.c.seat).where(
    votes.c.table == bindparam("b_table"), votes.c.subject == "undo", votes.c.version == bindparam("b_version")
)
_UPDATE = (
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


async def move(house: House, table: Table, seat: Seat, option: str, version: int, key: str = "", bot: str = "") -> bool:
    """Choose an option. True: done now; False: this very post was done before. Raises and changes nothing."""
    async with table.lock:
        await house.bring(table)
        known = table.recent.get(key) if key else None
        if known is not None and known.seat == seat and known.option == _same(table, option):
            return False
        check_running(table)
        if version != table.version:
            raise Stale("the table has moved on: look again and choose")
        match = table.playing
        o = table.title.read(option)
        if match.state.who != seat and not (o in match.state.asides() and match.state.aside_of(o) == seat):
            raise NotAllowed("it is not your turn")
        match.play(option)
        one = Done(version + 1, "move", seat, match.record.options[-1], key, bot, time.time())
        await _store(house, table, [one])
        table.note(one)
        if match.state.over:
            table.status = "over"
        house.tell(table)
        wake(house, table)
        return True


async def undo(house: House, table: Table, seat: Seat, version: int) -> None:
    """Take back the seat's last move, if nothing was learnt and nobody else decided since."""
    async with table.lock:
        await house.bring(table)
        check_running(table)
        if not table.undo:
            raise NotAllowed("this table plays without undo")
        if version != table.version:
            raise Stale("the table has moved on: look again and choose")
        try:
            await house.in_thread(table.playing.undo, seat)
        except CannotUndo:
            raise Conflict("nothing can be taken back: something was learnt since, or somebody else decided") from None
        except BaseException:
            house.forget(table)
            raise
        await _take_back(house, table, [seat])


async def consent(house: House, table: Table, mine: list[Seat], version: int) -> bool:
    """Ask to take back more, or agree to it; done when every seat that a person holds agrees."""
    async with table.lock:
        await house.bring(table)
        check_running(table)
        if not table.undo:
            raise NotAllowed("this table plays without undo")
        if version != table.version:
            raise Stale("the table has moved on: look again and choose")
        open_question = await house.in_thread(asked_by, house, table)
        asking = mine[0] if open_question is None else open_question
        if not any(one.seat == asking for one in table.done):
            raise Conflict("you have not decided anything yet")

        def vote(connection: Connection) -> set[Seat]:
            connection.execute(delete(votes).where(votes.c.table == table.id, votes.c.version != table.version))
            for seat in mine:
                subject = "undo" if seat == asking else "agree"
                mine_now = (votes.c.table == table.id, votes.c.subject == subject, votes.c.seat == seat)
                connection.execute(delete(votes).where(*mine_now))
                connection.execute(
                    insert(votes).values(table=table.id, subject=subject, seat=seat, version=table.version)
                )
            found = connection.execute(
                select(votes.c.seat).where(votes.c.table == table.id, votes.c.subject.in_(("undo", "agree")))
            )
            return {row.seat for row in found}

        agreed = await house.store.write(vote)
        table.asked_back = None
        if {sitter.seat for sitter in table.sitters if not sitter.plays_by_itself} <= agreed:
            back: list[Seat] = []
            while True:
                back.append(table.done[-1 - len(back)].seat)
                await house.in_thread(table.playing.take_back)
                if back[-1] == asking:
                    break
            await _take_back(house, table, back)
            return True
        house.tell(table)
        return False


def asked_by(house: House, table: Table) -> Seat | None:
    """The seat that asked for the undo that is being voted on."""
    if table.asked_back is None or table.asked_back[0] != table.version:
        with house.store.reading() as connection:
            row = connection.execute(_ASKED_BACK, {"b_table": table.id, "b_version": table.version}).one_or_none()
        table.asked_back = (table.version, None if row is None else int(row.seat))
    return table.asked_back[1]


async def resign(house: House, table: Table, seat: Seat, version: int) -> str:
    """Leave the match by the title's own rule; the empty answer: the title has none, and a bot must sit in."""
    match = table.playing
    for o in match.state.asides():
        if match.state.aside_of(o) == seat:
            option = table.title.say(o)
            await move(house, table, seat, option, version)
            return option
    return ""


async def _take_back(house: House, table: Table, back: list[Seat]) -> None:
    now = time.time()
    done = [
        Done(table.version + i, "undo", seat, one.option, "", "", now)
        for i, (seat, one) in enumerate(zip(back, reversed(table.done), strict=False), start=1)
    ]
    await _store(house, table, done)
    for one in done:
        table.taken_back(one)
    house.tell(table)
    wake(house, table)


async def _store(house: House, table: Table, done: list[Done]) -> None:
    """Write the rows and the table's summary in one commit. After a failure the match is read anew."""
    match = table.playing
    over = match.state.over
    scores = [[score.rank, score.total] for score in match.state.scores()] if over else []
    rows = [
        {
            "table": table.id,
            "version": one.version,
            "kind": one.kind,
            "seat": one.seat,
            "option": one.option,
            "key": one.key,
            "bot": one.bot,
            "at": one.at,
        }
        for one in done
    ]
    summary = {
        "b_id": table.id,
        "b_version": done[-1].version,
        "b_moves": len(match.record.options),
        "b_who": match.state.who,
        "b_moved": done[-1].at,
        "b_status": "over" if over else "playing",
        "b_result": json.dumps(scores),
    }

    def job(connection: Connection) -> None:
        connection.execute(_INSERT, rows)
        connection.execute(_UPDATE, summary)

    try:
        await house.store.write(job)
    except BaseException:
        house.forget(table)
        raise


def _same(table: Table, option: str) -> str:
    try:
        return table.title.say(table.title.read(option))
    except TricliniumError:
        return ""


# -- bots -------------------------------------------------------------------------------------------------------


def wake(house: House, table: Table) -> None:
    """Let a bot think, if one is to decide and none does already."""
    idle = table.status == "playing" and table.who != NOBODY and table.thinking is None
    if idle and table.sitters[table.who].plays_by_itself:
        table.thinking = house.spawn(_bots_decide(house, table), f"bot at {table.id}")


async def _bots_decide(house: House, table: Table) -> None:
    try:
        while table.status == "playing" and table.match is not None and table.who != NOBODY:
            seat = table.who
            name = table.sitters[seat].plays_by_itself
            if not name:
                return
            version = table.version
            began = time.monotonic()
            record = table.playing.record.until(table.moves)
            legal = table.playing.state.legal
            if len(legal) == 1:
                option = table.title.say(legal[0])  # nothing to think about, however many bots wait for a process
            else:
                option = await house.thinkers.choose(record, table.id, name)
            again = bool(table.done) and table.done[-1].seat == seat  # its turn goes on: people follow more easily
            pause = house.settings.bot_pause * (0.4 if again else 1.0) - (time.monotonic() - began)
            if pause > 0 and table.hub.listeners:
                await asyncio.sleep(pause)
            if table.sitters[seat].plays_by_itself != name:
                continue  # the owner came back while the bot was thinking
            try:
                await move(house, table, seat, option, version, bot=name)
            except Stale:
                continue
            except TricliniumError as error:
                log.warning("the bot %s at %s: %s", name, table.id, error)
                await asyncio.sleep(1.0)
    finally:
        table.thinking = None


async def wake_all(house: House) -> None:
    """After a start: let the bots go on where they were asked."""
    for id in await house.in_thread(_asking_bots, house):
        try:
            table = await house.table(id)
        except TricliniumError as error:
            log.warning("table %s does not open: %s", id, error)
            continue
        wake(house, table)
        await asyncio.sleep(0)


def _asking_bots(house: House) -> list[str]:
    """The tables where a bot is asked, the last moved first."""
    with house.store.reading() as connection:
        asked = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
        rows = connection.execute(
            select(tables.c.id)
            .join(seats, asked)
            .where(tables.c.status == "playing", (seats.c.bot != "") | (seats.c.standin != ""))
            .order_by(tables.c.moved.desc())
        )
        return [str(row.id) for row in rows]
