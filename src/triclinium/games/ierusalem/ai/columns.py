"""How near a seat's columns are to a visit (IE-2.7, IE-R4).

Cards are only ever laid at the end: a symbol before the last card that fits can come from a Favor alone, one after it
from the next card too. A Favor is a rival's to do, so such a gap counts twice; and each Favor received fills one place.
"""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.ierusalem.rules.state import Ierusalem

NEVER: Final = -9.0  # these cards never fit
READY: Final = 3.0  # a visit is possible
GAP: Final = 2.0  # what only a Favor brings
CARD: Final = 1.0  # what the next cards bring as well
NO_CARD: Final = -1
SPOILS: Final = -5.0  # a card that fits nowhere
LOCKS: Final = -0.5  # or lies in a column that is lost anyway
UNKNOWN: Final = -99.0
SYMBOLS: Final = 5


def fit(s: Ierusalem, who: Seat, laid: list[int], extra: int, apostles: int) -> float:
    """READY, less what is lacking, for these symbols and one more (NO_CARD: none); or NEVER."""
    own = len(laid)
    n = own if extra == NO_CARD else own + 1
    used = 0
    lacks = 0.0
    before = -1
    earlier = -1
    for k in range(apostles * 3, apostles * 3 + 3):
        symbol = s.symbols[k]
        if used < n and (laid[used] if used < own else extra) == symbol:
            used += 1
            continue
        favors = s.received[who * 5 + symbol] - int(symbol == before) - int(symbol == earlier)
        earlier = before
        before = symbol
        if favors <= 0:
            lacks += GAP if used < n else CARD
    return READY - lacks if used == n else NEVER


def best_fit(s: Ierusalem, who: Seat, laid: list[int], extra: int) -> float:
    """For the Apostle column that is nearest."""
    if len(laid) + int(extra != NO_CARD) > 3:
        return NEVER
    best = fit(s, who, laid, extra, 0)
    for apostles in range(1, 3):
        best = max(best, fit(s, who, laid, extra, apostles))
    return best


def symbols_of(s: Ierusalem, column: int) -> list[int]:
    """The Locations of a column's cards."""
    return [s.c.card_location[card] for card in s.columns[column]]


class Columns:
    """A seat's columns: how far they are, the VP of the best visit at hand, what is spoilt."""

    progress: float
    ready: int
    spoilt: int
    locked: int

    def __init__(self, s: Ierusalem, who: Seat, leaving: int) -> None:
        self.progress = 0.0  # two symbols at most of each column
        self.ready = 0
        self.spoilt = 0  # columns that fit nothing
        self.locked = 0  # cards in these
        self.before: Final[list[float]] = []
        self.laid: Final[list[list[int]]] = []
        self.gains: Final[list[float]] = [UNKNOWN] * SYMBOLS  # counted once, when it is asked for
        for column in range(who * 3, who * 3 + 3):
            laid = [] if column == leaving else symbols_of(s, column)
            best = best_fit(s, who, laid, NO_CARD) if laid else 0.0
            self.laid.append(laid)
            self.before.append(best)
            if best == NEVER:
                self.spoilt += 1
                self.locked += len(laid)
            elif laid:
                self.progress += min(best, 2.0)
                if best >= READY:
                    self.ready = max(self.ready, card_points(s, s.columns[column]))

    def gain(self, s: Ierusalem, who: Seat, symbol: int) -> float:
        """What a card with this symbol would do for the best of the columns."""
        if self.gains[symbol] == UNKNOWN:
            self.gains[symbol] = self.count(s, who, symbol)
        return self.gains[symbol]

    def count(self, s: Ierusalem, who: Seat, symbol: int) -> float:
        best = SPOILS
        empty = False  # one was looked at: all of them are alike
        for i in range(3):
            before = self.before[i]
            laid = self.laid[i]
            if before == NEVER:
                best = max(best, LOCKS)
                continue
            if empty and not laid:
                continue
            empty = empty or not laid
            after = best_fit(s, who, laid, symbol)
            if after != NEVER:
                best = max(best, 2.0 * (after - before))
        return best


def card_points(s: Ierusalem, cards: tuple[int, ...]) -> int:
    """Apostle VP of a column."""
    total = 0
    for card in cards:
        total += s.c.card_vp[card]
    return total
