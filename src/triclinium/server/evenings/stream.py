"""Event streams of evenings. While a page is open, its server looks for changes, also those of other servers."""

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server.accounts.users import Person
from triclinium.server.evenings.evening import ChangeMark, load_change_mark
from triclinium.server.services import Services
from triclinium.server.tables.event_stream import EventListener, EventStreamResponse, ListenerHub, encode_event

CHECK_INTERVAL = 1.0  # seconds between two looks for changes
PROGRESS_CHECKS = 10  # looks after which moves alone count as a change
CHANGED = encode_event("seats", "{}")
log = logging.getLogger("triclinium.evenings")


def open_stream(services: Services, code: str, person: Person) -> EventStreamResponse:
    """Return the event stream of an evening for one guest."""
    listener = EventListener(person.id, person.device)
    hub = services.evening_hubs.get(code)
    if hub is None:
        hub = services.evening_hubs[code] = ListenerHub(lambda _: ())
        services.runtime.start_task(_watch(services, code, hub), f"looking for changes of evening {code}")
    hub.add(listener)
    return EventStreamResponse(hub, listener, lambda: None)


async def _watch(services: Services, code: str, hub: ListenerHub) -> None:
    """Send an event after each change of an evening, until nobody listens."""

    def look() -> ChangeMark:
        with services.store.read_connection() as connection:
            return load_change_mark(connection, code)

    shown: ChangeMark | None = None
    checks = 0
    while hub.listeners:
        try:
            mark = await services.runtime.run_in_thread(look)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("an evening could not be read and will be read again: %s", error)
        else:
            checks += 1
            if shown is None or mark.state != shown.state or (mark != shown and checks >= PROGRESS_CHECKS):
                hub.broadcast(CHANGED)  # also at first: the page may be older than the stream
                shown, checks = mark, 0
        await asyncio.sleep(CHECK_INTERVAL)
    del services.evening_hubs[code]
