"""What a bot weighs: the bot notes of the game as numbers, for one seat, from what that seat may know."""

from typing import Final

from triclinium.kernel.state import Seat
from triclinium.titles.portals.actions.discard import Discard
from triclinium.titles.portals.components import FIELD, FIELD_MASK, Place
from triclinium.titles.portals.scoring import Side, full_sets, majorities, sides, symbol_card_points
from triclinium.titles.portals.state import RUNNING, Portals

FEATURES: Final = (
    "points",  # card points scored
    "sets",  # complete region sets, own Region cards counted
    "next_set",  # how near the next set is: the square of the regions it has
    "led_by_two",  # symbol categories, by how far one is ahead or behind
    "led_by_one",
    "tied",
    "one_behind",
    "majorities",  # won for good, when the match is over
    "symbol_cards",  # points that held Symbol cards give now
    "symbol_cards_held",
    "region_cards",
    "hand_points",  # points of the events in hand, each by its chance to be played
    "hand_regions",  # by the same chance, those that the next set lacks
    "hand_symbols",  # by the same chance, their symbols
    "best_trip",  # the best worth for each action among the events in range
    "fuel",  # icons in hand that could be burnt
    "seventh_card",
    "on_portal",
    "new_cards",  # New Testament cards played towards the end
    "actions",  # left in the own turn
    "discarding",  # a card must be discarded before anything else
)

NEAR: Final = [0.96, 0.9, 0.85, 0.8, 0.72, 0.65, 0.57, 0.5, 0.44, 0.38, 0.33, 0.3]  # chance by steps away
WAIT: Final = [1.0, 0.94, 0.88, 0.83, 0.78, 0.73, 0.68, 0.64, 0.6, 0.56, 0.53, 0.5, 0.47]  # by rounds to wait
PAST: Final = [0.1, 0.3, 0.4, 0.45, 0.45]  # chance of a period left behind, by the gauge


def steps_to(s: Portals, here: Place, there: Place) -> int:
    """Steps between two places, portals counted, pawns not."""
    by_road = s.c.distance[here][there]
    if by_road <= 2 or s.portals == 0:
        return by_road
    return min(by_road, to_portal(s, here) + 1 + to_portal(s, there))


def to_portal(s: Portals, place: Place) -> int:
    """Roads to the nearest portal."""
    far = s.c.distance[place]
    best = len(far)
    mask = s.portals
    there = 0
    while mask != 0:
        if mask & 1 and far[there] < best:
            best = far[there]
        mask >>= 1
        there += 1
    return best


def features(s: Portals, seat: Seat) -> list[float]:
    """The numbers that FEATURES names."""
    all_sides = sides(s, 1 << seat if s.ending == RUNNING else (1 << s.seats) - 1)
    side = all_sides[seat]
    c = s.c
    sets = full_sets(s, side.regions, side.wilds)
    found: list[float] = [0.0] * len(FEATURES)
    found[0] = side.points
    found[1] = sets
    found[8] = symbol_card_points(s, side)
    found[18] = s.new_played[seat]
    if s.ending != RUNNING:
        found[7] = majorities(s, all_sides, seat)
        return found
    found[2] = next_set(s, side, sets)
    weigh_symbols(s, all_sides, seat, found)
    hand = s.hands[seat]
    for card in hand:
        found[9] += 1.0 if c.wild[card] == 0 and card >= c.events else 0.0
        found[10] += c.wild[card]
    weigh_hand(s, seat, side, sets, found)
    own = s.who == seat and s.round > 0
    discarding = own and isinstance(s.stack[-1], Discard)
    found[16] = 1.0 if len(hand) >= c.hand_limit and not discarding else 0.0
    if s.pawns[seat] >= 0:
        found[17] = (s.portals >> s.pawns[seat]) & 1
    found[19] = s.actions if own else 0
    found[20] = 1.0 if discarding else 0.0
    return found


def next_set(s: Portals, side: Side, sets: int) -> float:
    """The regions that the next set has, squared, so that the last one is worth most."""
    have = 0
    for region in range(s.c.regions):
        if (side.regions >> (FIELD * region)) & FIELD_MASK > sets:
            have += 1
    return have * have


def weigh_symbols(s: Portals, all_sides: list[Side], seat: Seat, found: list[float]) -> None:
    """In each category, how far this side is ahead of the best other, or behind it."""
    partner = s.partner(seat)
    for symbol in range(s.c.symbol_kinds):
        mine = all_sides[seat].count(symbol)
        best = 0
        for other in range(s.seats):
            if other != seat and other != partner:
                best = max(best, all_sides[other].count(symbol))
        lead = mine - best
        if lead >= 2:
            found[3] += 1.0
        elif lead == 1:
            found[4] += 1.0
        elif lead == 0 and mine > 0:
            found[5] += 1.0
        elif lead == -1:
            found[6] += 1.0


def weigh_hand(s: Portals, seat: Seat, side: Side, sets: int, found: list[float]) -> None:
    """The events in hand: points, regions and symbols by the chance to be played; the best trip; fuel."""
    c = s.c
    here = s.pawns[seat]
    reach = s.in_reach()
    for card in s.hands[seat]:
        if card >= c.events:
            continue
        steps = 4 if here < 0 else steps_to(s, here, c.place[card])
        period = c.period[card]
        chance = NEAR[min(steps, len(NEAR) - 1)]
        in_range = (reach >> period) & 1
        if in_range == 0:
            ahead = period - s.capsule
            chance *= WAIT[max(0, ahead - s.gauge)] if ahead > 0 else PAST[s.gauge]
        lacking = 1 if (side.regions >> (FIELD * c.region[card])) & FIELD_MASK <= sets else 0
        shown = symbols_on(s, card)
        found[11] += chance * c.points[card]
        found[12] += chance * lacking
        found[13] += chance * shown
        if in_range:
            found[14] = max(found[14], (c.points[card] + 2.0 * lacking + shown) / (steps + 1))
        if not s.v.simplified:
            found[15] += c.fuel[card]


def symbols_on(s: Portals, card: int) -> int:
    """How many symbols a card shows."""
    shown = 0
    mask = s.c.symbols[card]
    while mask != 0:
        shown += mask & 1
        mask >>= 1
    return shown
