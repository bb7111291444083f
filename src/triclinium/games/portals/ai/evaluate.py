"""What a bot weighs: the bot notes of the game as numbers, for one seat, from what that seat may know.

The events in hand are valued by a plan: the greedy round trip that plays them, each when its period comes into range.
"""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.portals.rules.actions.discard import Discard
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, Card, Place
from triclinium.games.portals.rules.scoring import Side, full_sets, majorities, scores, sides, symbol_card_points
from triclinium.games.portals.rules.state import RUNNING, Portals
from triclinium.games.portals.rules.turn import Turn

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
    "plan_points",  # points of the events that the plan plays, later ones less
    "plan_regions",  # by the same discount, those whose region the next set lacks
    "plan_symbols",  # by the same discount, their symbols
    "fuel",  # icons in hand
    "seventh_card",
    "on_portal",
    "new_cards",  # New Testament cards played towards the end
    "actions",  # left in the own turn
    "discarding",  # a card must be discarded although the hand has room
)

PATIENCE: Final = 0.95  # what an event is worth one action later
USUAL_ROUNDS: Final = 15  # a match seldom lasts longer
REGION_WORTH: Final = 2.5  # in points, when the plan chooses its next event
SYMBOL_WORTH: Final = 1.0


class PortalsEvaluator(Evaluator):
    """What bots ask of a position."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Portals)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, Portals)
        return progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, Portals)
        return is_stable(s)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Portals)
        return scores(s)


def is_stable(s: Portals) -> bool:
    """Between two actions of a turn."""
    return s.who == NOBODY or isinstance(s.stack[-1], Turn)


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
    found[17] = s.new_played[seat]
    if s.ending != RUNNING:
        found[7] = majorities(s, all_sides, seat)
        return found
    found[2] = next_set(s, side, sets)
    weigh_symbols(s, all_sides, seat, found)
    hand = s.hands[seat]
    for card in hand:
        found[9] += 1.0 if c.symbol_card[card] != NONE else 0.0
        found[10] += c.wild[card]
        found[14] += c.fuel[card]
    own = s.who == seat and s.round > 0
    discarding = own and isinstance(s.stack[-1], Discard)
    found[15] = 1.0 if len(hand) >= c.hand_limit and not discarding else 0.0
    if s.pawns[seat] != NONE:
        plan(s, seat, side.regions, sets, found)
        found[16] = (s.portals >> s.pawns[seat]) & 1
    found[18] = s.actions if own else 0
    found[19] = 1.0 if discarding and len(hand) < c.hand_limit else 0.0
    return found


def progress(s: Portals) -> float:
    """By rounds: a match seldom lasts longer than USUAL_ROUNDS."""
    return s.round / (s.round + rounds_left(s)) if s.round > 0 else 0.0


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


def plan(s: Portals, seat: Seat, regions: int, sets: int, found: list[float]) -> None:
    """Visit the events in hand one after the other, always the one that pays most for each action."""
    c = s.c
    behind = turns_behind(s, seat)  # rounds until the next own turn: 0 or 1
    now = s.actions if s.who == seat else c.actions  # its actions
    last = rounds_left(s)
    left: list[Card] = []
    opens: list[int] = []  # the first and the last round from now in which the event is in range
    closes: list[int] = []
    for card in s.hands[seat]:
        if card < c.events:
            first = behind
            while first <= last and not reached(s, card, first):
                first += 1
            if first <= last:
                final = first
                while final < last and reached(s, card, final + 1):
                    final += 1
                left.append(card)
                opens.append(first)
                closes.append(final)
    here = s.pawns[seat]
    time = 0
    while left:
        best = -1
        best_rate = 0.0
        best_time = 0
        for i in range(len(left)):
            card = left[i]
            at = time + steps_to(s, here, c.place[card]) + 1
            if opens[i] > behind:
                at = max(at, now + c.actions * (opens[i] - behind - 1) + 1)
            if behind + (max(0, at - now) + c.actions - 1) // c.actions > closes[i]:
                continue
            rate = worth(s, card, regions, sets) / (at - time)
            if rate > best_rate:
                best = i
                best_rate = rate
                best_time = at
        if best < 0:
            return
        card = left.pop(best)
        opens.pop(best)
        closes.pop(best)
        time = best_time
        here = c.place[card]
        discount = PATIENCE**time
        found[11] += discount * c.points[card]
        found[12] += discount * lacking(regions, c.region[card], sets)
        found[13] += discount * symbols_on(s, card)
        regions += c.region_unit[card]


def turns_behind(s: Portals, seat: Seat) -> int:
    """1 if this seat has had its turn of this round, else 0."""
    if s.who == seat or s.who < 0 or s.round == 0:
        return 0
    return 1 if (seat - s.first) % s.seats < (s.who - s.first) % s.seats else 0


def rounds_left(s: Portals) -> int:
    """How many rounds after this one the match will probably last."""
    if s.last_round:
        return 0
    if s.v.simplified:
        return s.c.spaces - s.round
    return max(1, min(USUAL_ROUNDS, s.v.round_limit) - s.round)


def reached(s: Portals, card: Card, rounds: int) -> bool:
    """Whether the event is in range so many rounds from now, if nobody burns anything."""
    if s.v.simplified:
        return True
    capsule = min(s.capsule + rounds, s.c.spaces - 1)
    gauge = s.gauge if rounds == 0 or s.gauge < s.c.full else 0
    return (s.v.reach[capsule * (s.c.full + 1) + gauge] >> s.c.period[card]) & 1 == 1


def worth(s: Portals, card: Card, regions: int, sets: int) -> float:
    """An event in points: what it scores, and about what its region and symbols are good for."""
    return (
        s.c.points[card] + REGION_WORTH * lacking(regions, s.c.region[card], sets) + SYMBOL_WORTH * symbols_on(s, card)
    )


def lacking(regions: int, region: int, sets: int) -> int:
    """1 if the next set lacks this region."""
    return 1 if (regions >> (FIELD * region)) & FIELD_MASK <= sets else 0


def symbols_on(s: Portals, card: Card) -> int:
    """How many symbols a card shows."""
    shown = 0
    mask = s.c.symbols[card]
    while mask != 0:
        shown += mask & 1
        mask >>= 1
    return shown


def steps_to(s: Portals, here: Place, there: Place) -> int:
    """Steps between two places, portals counted, pawns not."""
    by_road = s.c.distance[here][there]
    if by_road <= 1 or s.portals == 0:
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
