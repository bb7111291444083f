"""How near a seat's columns are to a visit (IE-2.7, IE-R4).

Cards are only ever laid at the end: a symbol before the last card that fits can come from a Favor alone, one after it
from the next card too. A Favor is a rival's to do, so such a gap counts twice; and each Favor received fills one place.

Bots ask this thousands of times a decision and few answers differ, so each is counted once. What was laid is one
number, three bits for each symbol from 1, the first lowest; and so is what was received, two bits for each Location.
"""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.ierusalem.rules.state import Ierusalem

NEVER: Final = -9.0  # these cards never fit
READY: Final = 3.0  # a visit is possible
GAP: Final = 2.0  # what only a Favor brings
CARD: Final = 1.0  # what the next cards bring as well
SPOILS: Final = -5.0  # a card that fits nowhere
LOCKS: Final = -0.5  # or lies in a column that is lost anyway
UNKNOWN: Final = -99.0
SYMBOLS: Final = 5
MAX_SYMBOLS: Final = 3  # symbols of an Apostle column, and as many Favors of one Location as can fill places of it
LAID_BITS: Final = 9
SPOILT: Final = 511  # laid: what fits nothing
ARRANGEMENTS: Final = 100  # arrangements of symbols that are remembered
BOARDS: Final = 20_000  # boards that are remembered for each arrangement


def score_column(symbols: bytes, received: int, laid: int, apostles: int) -> float:
    """READY, less what is lacking, for these symbols laid and an Apostle column; or NEVER."""
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
    """How near one can be to an Apostle column with one arrangement of symbols; counted when it is first asked for."""

    def __init__(self, symbols: bytes) -> None:
        self.symbols: Final = symbols
        self.best_by_key: Final[dict[int, float]] = {}
        self.gains_by_board: Final[dict[int, list[float]]] = {}

    def find_best_score(self, received: int, laid: int) -> float:
        """For the Apostle column that is nearest."""
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
        """By symbol what a card would do for these three columns, as far as it was asked for; else UNKNOWN."""
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
    """What is known of an arrangement; a match has one, and most matches have the printed one."""
    fit_cache = _caches.get(symbols)
    if fit_cache is None:
        if len(_caches) >= ARRANGEMENTS:
            _caches.clear()
        fit_cache = FitCache(symbols)
        _caches[symbols] = fit_cache
    return fit_cache


def encode_favors(s: Ierusalem, who: Seat) -> int:
    """The Favor symbols of a player, as one number."""
    code = 0
    for symbol in range(SYMBOLS):
        code |= min(s.received[who * 5 + symbol], MAX_SYMBOLS) << (symbol * 2)
    return code


def encode_column(s: Ierusalem, column: int) -> int:
    """The Locations of a column of three cards at most, as one number."""
    location = s.c.card_location
    code = 0
    shift = 0
    for card in s.columns[column]:
        code |= (location[card] + 1) << shift
        shift += 3
    return code


class SeatColumns:
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
        """What a card with this symbol would do for the best of the columns."""
        if self.gains[symbol] == UNKNOWN:
            self.gains[symbol] = self.compute_gain(symbol)
        return self.gains[symbol]

    def compute_gain(self, symbol: int) -> float:
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
            after = self.compute_score_after(laid, symbol)
            if after != NEVER:
                best = max(best, 2.0 * (after - before))
        return best

    def compute_score_after(self, laid: int, symbol: int) -> float:
        """How near a column is with one card more."""
        if laid >> (LAID_BITS - 3):
            return NEVER  # it has three
        shift = 0 if laid == 0 else 3 if laid < 8 else 6
        return self.fits.find_best_score(self.received, laid | ((symbol + 1) << shift))


def count_card_points(s: Ierusalem, cards: bytes) -> int:
    """Apostle VP of a column."""
    total = 0
    for card in cards:
        total += s.c.card_vp[card]
    return total
