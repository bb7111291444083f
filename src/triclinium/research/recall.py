"""Perfect recall, kept beside the state so that search pays nothing: the deal as observed, and all events since."""

from collections.abc import Iterable
from typing import Final
from zlib import crc32

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import Game

ROW: Final = 8  # bytes of an event: two of its kind, its seat, five facts
FACTS: Final = 5
MOST: Final = 255


class Recall:
    """What each seat has been told, exactly: two moments with the same text cannot be told apart by that seat.

    It listens: give it the state right after the deal, and call `push` after every option. What was told is kept in
    tuples, so that a copy shares it.
    """

    def __init__(self, game: Game, s: State, seats: Iterable[Seat] | None = None) -> None:
        self.game = game
        self.viewers = tuple(range(s.seats) if seats is None else seats)
        self.seats = s.seats
        s.events = []
        self._deal = {seat: game.observe(s, seat) for seat in self.viewers}
        self._told: dict[Seat, tuple[Event, ...]] = dict.fromkeys(self.viewers, ())

    def push(self, s: State) -> None:
        """Take the events that the state has collected since."""
        news = s.events or []
        s.events = []
        for seat in self.viewers:
            self._told[seat] += tuple(event.for_viewer(seat) for event in news)

    def copy(self) -> "Recall":
        other = Recall.__new__(Recall)
        other.game, other.viewers, other.seats = self.game, self.viewers, self.seats
        other._deal, other._told = self._deal, dict(self._told)
        return other

    def text(self, seat: Seat) -> str:
        """The information state: the deal as observed, then one word an event."""
        told = self._heard(seat)
        return " ".join([self._deal[seat].hex(), *(_word(event) for event in told)])

    def rows(self, seat: Seat, last: int = 64) -> bytes:
        """The last events as rows of eight bytes, the latest at the end: for recurrent networks.

        Seats are counted from the observer on; its facts stand as they are, one higher each.
        """
        told = self._heard(seat)[-last:]
        me = 0 if seat == NOBODY else seat
        return bytes(ROW * (last - len(told))) + b"".join(self._row(event, me) for event in told)

    def _heard(self, seat: Seat) -> tuple[Event, ...]:
        if seat not in self._told:
            raise BadSetup(f"this recall listens for the seats {', '.join(map(str, self.viewers))}, not for {seat}")
        return self._told[seat]

    def _row(self, event: Event, me: Seat) -> bytes:
        kind = kind_of(event.kind)
        who = (event.seat - me) % self.seats + 1 if event.seat >= 0 else 0
        facts = [*event.facts, *event.secrets][:FACTS]
        cells = [min(MOST, max(0, fact + 1)) for fact in facts]
        return bytes([kind >> 8, kind & MOST, who, *cells, *[0] * (FACTS - len(cells))])


def _word(event: Event) -> str:
    facts = ",".join(str(fact) for fact in event.facts)
    secrets = ",".join(str(fact) for fact in event.secrets)
    return f"{event.kind}:{event.seat}:{facts}:{secrets}"


def kind_of(name: str) -> int:
    """16 bits that stand for a sort of event, the same for ever."""
    return crc32(name.encode()) & 0xFFFF
