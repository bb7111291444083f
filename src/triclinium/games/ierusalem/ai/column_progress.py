"""Distance of a seat's columns from a visit (IE-2.7, IE-R4).

Players lay cards only at the end of a column. A missing symbol before the last fitting card therefore needs a Favor,
and one after it can also come from the next card. A Favor depends on a rival, so a gap that needs one counts twice.
Each received Favor fills one gap.

Bots need this value thousands of times in a decision, and there are few different results, so each result is cached.
The symbols of a column are one number with three bits for each symbol, counted from 1, the first symbol in the lowest
bits. The received Favors are one number too, with two bits for each Location.
"""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.ierusalem.rules.state import Ierusalem

NEVER: Final = -9.0  # score of cards that never fit
READY: Final = 3.0  # score if a visit is possible
GAP: Final = 2.0  # cost of a missing symbol that only a Favor can bring
CARD: Final = 1.0  # cost of a missing symbol that a card can bring too
SPOILS: Final = -5.0  # gain of a card that would make its column useless because it fits no Apostle column
LOCKS: Final = -0.5  # gain of a card that goes to a column which is already useless
UNKNOWN: Final = -99.0
SYMBOLS: Final = 5
MAX_SYMBOLS: Final = 3  # number of symbols of an Apostle column, and so the most Favors of one Location that help
LAID_BITS: Final = 9
SPOILT: Final = 511  # code of a column that fits no Apostle column
ARRANGEMENTS: Final = 100  # maximum number of symbol arrangements in the cache
BOARDS: Final = 20_000  # maximum number of boards in the cache for each arrangement


def score_column(symbols: bytes, received: int, laid: int, apostles: int) -> float:
    """Return READY minus the missing symbols of a column for an Apostle column, or NEVER if it cannot fit."""
    lacks = 0.0
    for symbol in symbols[apostles * 3 : apostles * 3 + 3]:
        if (laid & 7) == symbol + 1:
            laid >>= 3
        elif (received >> (symbol * 2)) & 3:
            received -= 1 << (symbol * 2)
        else:
            lacks += GAP if laid else CARD
    return NEVER if laid else READY - lacks


class FitCache:
    """A cache of the distances to Apostle columns, for one arrangement of symbols."""

    def __init__(self, symbols: bytes) -> None:
        self.symbols: Final = symbols
        self.best_by_key: Final[dict[int, float]] = {}
        self.gains_by_board: Final[dict[int, list[float]]] = {}

    def find_best_score(self, received: int, laid: int) -> float:
        """Return the score for the nearest Apostle column."""
        key = (received << LAID_BITS) | laid
        cached = self.best_by_key.get(key)
        if cached is not None:
            return cached
        best = NEVER
        for apostles in range(3):
            best = max(best, score_column(self.symbols, received, laid, apostles))
        self.best_by_key[key] = best
        return best

    def compute_gains(self, received: int, laid: list[int]) -> list[float]:
        """Return for each symbol the gain of a card for these three columns, or UNKNOWN if not computed yet."""
        key = (((((received << LAID_BITS) | laid[0]) << LAID_BITS) | laid[1]) << LAID_BITS) | laid[2]
        cached = self.gains_by_board.get(key)
        if cached is None:
            if len(self.gains_by_board) >= BOARDS:
                self.gains_by_board.clear()
            cached = [UNKNOWN] * SYMBOLS
            self.gains_by_board[key] = cached
        return cached


_caches: Final[dict[bytes, FitCache]] = {}


def get_fit_cache(symbols: bytes) -> FitCache:
    """Return the cache of an arrangement. A match has one arrangement, usually the printed one."""
    fit_cache = _caches.get(symbols)
    if fit_cache is None:
        if len(_caches) >= ARRANGEMENTS:
            _caches.clear()
        fit_cache = FitCache(symbols)
        _caches[symbols] = fit_cache
    return fit_cache


def encode_favors(s: Ierusalem, who: Seat) -> int:
    """Return the Favor symbols of a player as one number."""
    code = 0
    for symbol in range(SYMBOLS):
        code |= min(s.received[who * 5 + symbol], MAX_SYMBOLS) << (symbol * 2)
    return code


def encode_column(s: Ierusalem, column: int) -> int:
    """Return the Locations of a column of at most three cards as one number."""
    location = s.c.card_location
    code = 0
    shift = 0
    for card in s.columns[column]:
        code |= (location[card] + 1) << shift
        shift += 3
    return code


class SeatColumns:
    """A seat's columns: their progress, the VP of the best possible visit, and columns that cannot be used."""

    progress: float
    ready: int
    spoilt: int
    locked: int

    def __init__(self, s: Ierusalem, who: Seat, leaving: int) -> None:
        self.progress = 0.0  # sum over the columns, with at most two symbols for each
        self.ready = 0
        self.spoilt = 0  # number of columns that fit no Apostle column
        self.locked = 0  # number of cards in columns that fit no Apostle column
        self.fits: Final = get_fit_cache(s.symbols)
        self.received: Final = encode_favors(s, who)
        self.before: Final[list[float]] = []
        self.laid: Final[list[int]] = []
        for column in range(who * 3, who * 3 + 3):
            size = 0 if column == leaving else len(s.columns[column])
            laid = encode_column(s, column) if 0 < size <= MAX_SYMBOLS else 0
            best = 0.0 if size == 0 else NEVER if size > MAX_SYMBOLS else self.fits.find_best_score(self.received, laid)
            self.laid.append(SPOILT if best == NEVER else laid)
            self.before.append(best)
            if best == NEVER:
                self.spoilt += 1
                self.locked += size
            elif size:
                self.progress += min(best, 2.0)
                if best >= READY:
                    self.ready = max(self.ready, count_card_points(s, s.columns[column]))
        self.gains: Final = self.fits.compute_gains(self.received, self.laid)

    def find_best_gain(self, symbol: int) -> float:
        """Return the gain of a card with this symbol in the best column for it."""
        if self.gains[symbol] == UNKNOWN:
            self.gains[symbol] = self.compute_gain(symbol)
        return self.gains[symbol]

    def compute_gain(self, symbol: int) -> float:
        best = SPOILS
        empty = False  # Empty columns are equivalent, so only one of them is tried.
        for i in range(3):
            before = self.before[i]
            laid = self.laid[i]
            if before == NEVER:
                best = max(best, LOCKS)
                continue
            if empty and not laid:
                continue
            empty = empty or not laid
            after = self.compute_score_after(laid, symbol)
            if after != NEVER:
                best = max(best, 2.0 * (after - before))
        return best

    def compute_score_after(self, laid: int, symbol: int) -> float:
        """Return the score of a column after one more card."""
        if laid >> (LAID_BITS - 3):
            return NEVER  # The column already has three cards.
        shift = 0 if laid == 0 else 3 if laid < 8 else 6
        return self.fits.find_best_score(self.received, laid | ((symbol + 1) << shift))


def count_card_points(s: Ierusalem, cards: bytes) -> int:
    """Return the Apostle VP of a column."""
    total = 0
    for card in cards:
        total += s.c.card_vp[card]
    return total
