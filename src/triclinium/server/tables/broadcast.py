"""Events that the server sends to everyone who has a table open."""

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
    """Send the stored state of the table to everyone who has it open."""
    if not table.hub.listeners:
        return
    facts_json = json.dumps(_collect_facts(table))
    seat_to_move = table.who
    event_to_mover = b""
    if seat_to_move != NOBODY and seat_to_move in table.hub.list_local_seats():
        event_to_mover = encode_event("table", add_options_json(facts_json, table), table.version)
    table.hub.broadcast(encode_event("table", facts_json, table.version), seat_to_move, event_to_mover)


def make_snapshot_event(table: LockedTable, own_seats: tuple[Seat, ...]) -> bytes:
    """Return the state of the table as the first event of a new stream."""
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
    """Return a JSON object with the options added. Only the seat that has to decide may get it."""
    return f'{facts[:-1]}, "options": {table.get_option_texts_json()}}}'


def broadcast_seats(table: Table) -> None:
    """Notify everyone that the seats or the players' requests have changed. The version of the table stays the same."""
    table.hub.broadcast(encode_event("seats", "{}"))


def broadcast_seating(runtime: Runtime, table: LockedTable) -> None:
    """Notify everyone of new seat owners, of the state of the table and of the people present."""
    broadcast_table(table)
    broadcast_seats(table)
    schedule_presence_broadcast(runtime, table)


# -- presence -----------------------------------------------------------------------------------------------------


def schedule_presence_broadcast(runtime: Runtime, table: Table) -> None:
    """Send the presence of people after a short delay, so that many arrivals cause only one event."""
    if not table.tasks.is_presence_scheduled:
        table.tasks.is_presence_scheduled = True
        asyncio.get_running_loop().call_later(PRESENCE_INTERVAL, _send_presence, runtime, table.unlocked)


def _send_presence(runtime: Runtime, table: Table) -> None:
    table.tasks.is_presence_scheduled = False
    if runtime.peers.shared:
        runtime.start_task(publish_presence(runtime, table), "publish presence to other servers")
    broadcast_presence(table)


async def publish_presence(runtime: Runtime, table: Table) -> None:
    """Send the other servers the people who have the table open at this one."""
    await runtime.peers.publish_now(PRESENCE, id=table.id, **table.hub.export_presence())


def broadcast_presence(table: Table) -> None:
    """Send the seats of present players, and the number of spectators."""
    presence = {"present": sorted(table.hub.list_present_seats()), "spectators": table.hub.count_spectators()}
    table.hub.broadcast(encode_event("presence", json.dumps(presence)))
