"""Perfect recall: the observed deal and all events since.

It is separate from the state, so search has no extra cost.
"""

from collections.abc import Iterable
from typing import Final
from zlib import crc32

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import Game

ROW_BYTES: Final = 8  # bytes of an event: two for its kind, one for its seat, five for facts
FACTS: Final = 5
MAX_BYTE: Final = 255


class Recall:
    """The complete history that each seat has seen. A seat cannot distinguish two moments with the same text.

    Create it right after the deal and call `push` after every option. The history is stored in tuples, so copies share
    it.
    """

    def __init__(self, game: Game, s: State, seats: Iterable[Seat] | None = None) -> None:
        self.game = game
        self.viewers = tuple(range(s.seats) if seats is None else seats)
        self.seats = s.seats
        s.events = []
        self._deal = {seat: game.observe(s, seat) for seat in self.viewers}
        self._events: dict[Seat, tuple[Event, ...]] = dict.fromkeys(self.viewers, ())

    def push(self, s: State) -> None:
        """Store the events that the state has collected since the last call."""
        news = s.events or []
        s.events = []
        for seat in self.viewers:
            self._events[seat] += tuple(event.for_viewer(seat) for event in news)

    def copy(self) -> "Recall":
        other = Recall.__new__(Recall)
        other.game, other.viewers, other.seats = self.game, self.viewers, self.seats
        other._deal, other._events = self._deal, dict(self._events)
        return other

    def information_state(self, seat: Seat) -> str:
        """Return the information state: the observed deal, then one word for each event."""
        events = self._list_visible_events(seat)
        return " ".join([self._deal[seat].hex(), *(_format_event(event) for event in events)])

    def encode_event_rows(self, seat: Seat, last: int = 64) -> bytes:
        """Return the last events as rows of eight bytes, the latest at the end, for recurrent networks.

        Seats are numbered from the observer. Facts are stored with 1 added.
        """
        events = self._list_visible_events(seat)[-last:]
        me = 0 if seat == NOBODY else seat
        return bytes(ROW_BYTES * (last - len(events))) + b"".join(self._encode_event(event, me) for event in events)

    def _list_visible_events(self, seat: Seat) -> tuple[Event, ...]:
        if seat not in self._events:
            raise BadSetup(f"this recall observes the seats {', '.join(map(str, self.viewers))}, not {seat}")
        return self._events[seat]

    def _encode_event(self, event: Event, me: Seat) -> bytes:
        kind = hash_event_name(event.kind)
        who = (event.seat - me) % self.seats + 1 if event.seat >= 0 else 0
        facts = [*event.facts, *event.secrets][:FACTS]
        cells = [min(MAX_BYTE, max(0, fact + 1)) for fact in facts]
        return bytes([kind >> 8, kind & MAX_BYTE, who, *cells, *[0] * (FACTS - len(cells))])


def _format_event(event: Event) -> str:
    facts = ",".join(str(fact) for fact in event.facts)
    secrets = ",".join(str(fact) for fact in event.secrets)
    return f"{event.kind}:{event.seat}:{facts}:{secrets}"


def hash_event_name(name: str) -> int:
    """Return 16 bits that identify a kind of event and never change."""
    return crc32(name.encode()) & 0xFFFF
