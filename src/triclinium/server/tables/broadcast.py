"""Events that a server sends to everyone who has a table open."""

import asyncio
import json

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.server.runtime import Runtime
from triclinium.server.seat_ids import nobody_to_none
from triclinium.server.storage.pubsub import PRESENCE
from triclinium.server.tables.event_stream import encode_event
from triclinium.server.tables.table import LockedTable, Table

PRESENCE_INTERVAL = 0.25  # seconds for which changes of presence are collected before they are sent


def broadcast_table(table: LockedTable) -> None:
    """Send the state of the table to everyone, after it is stored."""
    if not table.hub.listeners:
        return
    facts_json = json.dumps(_collect_facts(table))
    seat_to_move = table.who
    event_to_mover = b""
    if seat_to_move != NOBODY and seat_to_move in table.hub.list_local_seats():
        event_to_mover = encode_event("table", add_options_json(facts_json, table), table.version)
    table.hub.broadcast(encode_event("table", facts_json, table.version), seat_to_move, event_to_mover)


def make_snapshot_event(table: LockedTable, own_seats: tuple[Seat, ...]) -> bytes:
    """Return the state of the table for a stream that has just been opened."""
    facts_json = json.dumps(_collect_facts(table))
    return encode_event(
        "table", add_options_json(facts_json, table) if table.who in own_seats else facts_json, table.version
    )


def _collect_facts(table: LockedTable) -> dict[str, object]:
    facts: dict[str, object] = {"version": table.version, "moves": table.moves, "status": table.status}
    if table.match is not None:
        if table.history:
            facts["seat"] = table.history[-1].seat
            facts["option"] = table.history[-1].option
        facts["who"] = nobody_to_none(table.who)
    return facts


def add_options_json(facts: str, table: LockedTable) -> str:
    """Return a JSON object with the options added, which only the seat whose turn it is may see."""
    return f'{facts[:-1]}, "options": {table.get_option_texts_json()}}}'


def broadcast_seats(table: Table) -> None:
    """Send that the seats or the requests of players have changed; the version stays the same."""
    table.hub.broadcast(encode_event("seats", "{}"))


def broadcast_seating(runtime: Runtime, table: LockedTable) -> None:
    """Send who holds which seat, and the state of the table."""
    broadcast_table(table)
    broadcast_seats(table)
    schedule_presence_broadcast(runtime, table)


# -- presence -----------------------------------------------------------------------------------------------------


def schedule_presence_broadcast(runtime: Runtime, table: Table) -> None:
    """Send in a moment who has the table open: when many come at once, each of them gets one event."""
    if not table.tasks.is_presence_scheduled:
        table.tasks.is_presence_scheduled = True
        asyncio.get_running_loop().call_later(PRESENCE_INTERVAL, _send_presence, runtime, table.unlocked)


def _send_presence(runtime: Runtime, table: Table) -> None:
    table.tasks.is_presence_scheduled = False
    if runtime.peers.shared:
        runtime.start_task(publish_presence(runtime, table), "publishing presence to other servers")
    broadcast_presence(table)


async def publish_presence(runtime: Runtime, table: Table) -> None:
    """Send other servers who has the table open here."""
    await runtime.peers.publish_now(PRESENCE, id=table.id, **table.hub.export_presence())


def broadcast_presence(table: Table) -> None:
    """Send which players are present, and how many spectators."""
    presence = {"present": sorted(table.hub.list_present_seats()), "spectators": table.hub.count_spectators()}
    table.hub.broadcast(encode_event("presence", json.dumps(presence)))
