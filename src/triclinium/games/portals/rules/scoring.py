"""Scoring (PP-11): card points, region sets, symbol majorities and Symbol cards, line by line."""

from typing import Final

from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import Seat
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, Card
from triclinium.games.portals.rules.state import Portals

CARDS: Final = "cards"
SETS: Final = "sets"
MAJORITIES: Final = "majorities"
SYMBOL_CARDS: Final = "symbol_cards"


class Side:
    """Players who score together: one player, or two partners in the team variant (PP-12.1)."""

    points: int
    played: int  # number of played event cards
    regions: int  # counts of played events by region, packed
    symbols: int  # counts of played symbols by kind, packed
    wilds: int  # number of Region cards that count
    held_symbols: int  # bitmask of the symbols whose Symbol cards count
    last: int  # the latest place in turn order among the players

    def __init__(self, s: Portals, seat: Seat, open_hands: int) -> None:
        self.points = 0
        self.played = 0
        self.regions = 0
        self.symbols = 0
        self.wilds = 0
        self.held_symbols = 0
        self.last = 0
        self.add_seat(s, seat, open_hands)
        partner = s.find_partner(seat)
        if partner != seat:
            self.add_seat(s, partner, open_hands)

    def add_seat(self, s: Portals, seat: Seat, open_hands: int) -> None:
        self.points += s.points[seat]
        self.played += len(s.played[seat])
        self.regions += s.regions[seat]
        self.symbols += s.symbols[seat]
        self.last = max(self.last, (seat - s.first) % s.seats)
        if (open_hands >> seat) & 1:
            for card in s.hands[seat]:
                self.add_held_card(s, card)

    def add_held_card(self, s: Portals, card: Card) -> None:
        """Count a card in the hand if it is a Region or Symbol card."""
        self.wilds += s.c.wild[card]
        if s.c.symbol_card[card] != NONE:
            self.held_symbols |= 1 << s.c.symbol_card[card]

    def count_symbol(self, symbol: int) -> int:
        """PP-11.5  Return the number of played events with the symbol, plus one for the matching Symbol card."""
        return ((self.symbols >> (FIELD * symbol)) & FIELD_MASK) + ((self.held_symbols >> symbol) & 1)


def build_sides(s: Portals, open_hands: int) -> list[Side]:
    """Return the side of each seat.

    ``open_hands`` is a bitmask of the seats whose Region and Symbol cards count.
    """
    return [Side(s, seat, open_hands) for seat in range(s.seats)]


def count_sets(s: Portals, regions: int, wilds: int) -> int:
    """PP-11.3, PP-11.4, PP-R21  Return the number of region sets, with the Region cards used as well as possible."""
    n = 0
    while True:
        lacking = 0
        for region in range(s.c.regions):
            lacking += max(0, n + 1 - ((regions >> (FIELD * region)) & FIELD_MASK))
        if lacking > (min(wilds, n + 1) if s.v.one_wild_per_set else wilds):
            return n
        n += 1


def count_majorities(s: Portals, all_sides: list[Side], seat: Seat) -> int:
    """PP-11.6, PP-R22  Return the number of symbols of which this side has the most. Ties count, zeros do not."""
    won = 0
    for symbol in range(s.c.symbol_kinds):
        best = 0
        for side in all_sides:
            best = max(best, side.count_symbol(symbol))
        if best > 0 and all_sides[seat].count_symbol(symbol) == best:
            won += 1
    return won


def count_symbol_card_points(s: Portals, side: Side) -> int:
    """PP-11.7  Return the points of held Symbol cards: one each, and one for each played event with the symbol."""
    total = 0
    for symbol in range(s.c.symbol_kinds):
        if (side.held_symbols >> symbol) & 1:
            total += s.c.symbol_self_points + s.c.symbol_match_points * (side.count_symbol(symbol) - 1)
    return total


def scores(s: Portals) -> list[Score]:
    """PP-11.8  Return the score of each seat, with all hands counted. Partners share their side's score."""
    c = s.c
    all_sides = build_sides(s, (1 << s.seats) - 1)
    lines: list[list[ScoreSheetLine]] = []
    totals: list[int] = []
    keys: list[tuple[int, ...]] = []
    for seat in range(s.seats):
        side = all_sides[seat]
        sets = count_sets(s, side.regions, side.wilds)
        by_sets = sets * c.set_points
        by_majorities = count_majorities(s, all_sides, seat) * c.majority_points
        by_symbol_cards = count_symbol_card_points(s, side)
        total = side.points + by_sets + by_majorities + by_symbol_cards
        lines.append(
            [
                ScoreSheetLine(CARDS, side.points),
                ScoreSheetLine(SETS, by_sets),
                ScoreSheetLine(MAJORITIES, by_majorities),
                ScoreSheetLine(SYMBOL_CARDS, by_symbol_cards),
            ]
        )
        totals.append(total)
        # PP-R23: equal totals share the victory, unless the variant breaks ties.
        keys.append((total, sets, side.played, side.last) if s.v.break_ties else (total,))
    places = rank_keys(keys)
    return [Score(seat, places[seat], totals[seat], lines[seat]) for seat in range(s.seats)]
