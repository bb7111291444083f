"""The plan of a seat: the round trip that plays the events in its hand, and what a full tank would add to it.

Until the last rounds the trip is greedy: always the event that pays most for each action. In the last rounds the
trips are tried out, and the best is what the score sheet says it is.
"""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, LOW, NEW, Card, Place
from triclinium.games.portals.rules.scoring import Side, full_sets
from triclinium.games.portals.rules.state import Portals

PATIENCE: Final = 0.95  # what an event keeps of its worth one action later
HASTE: Final = 0.88  # the same in the last rounds: whoever draws on and on is overtaken by the end
USUAL_ROUNDS: Final = 15  # a match seldom lasts longer
LAST_ROUNDS: Final = 2  # so many rounds before the end the plan is made to the end
MOST_TRIPS: Final = 240  # prefixes of trips that are tried out then
REGION_WORTH: Final = 2.5  # in points, when the plan chooses its next event
SYMBOL_WORTH: Final = 1.0


class Plan:
    """What the events in a seat's hand will bring, by the discount that later ones have."""

    s: Portals
    seat: Seat
    side: Side
    sets: int
    behind: int  # rounds until the next own turn: 0 or 1
    now: int  # the actions of that turn
    used: int  # actions before it: those of the turn at hand that are used, or all of one turn; time runs from there
    last: int  # rounds after this one
    gates: list[Place]  # where the portals are
    cards: list[Card]  # events that come into range in time
    opens: list[int]  # of each of these events: the first round, counted from now, in which it is in range
    closes: list[int]  # of each of these events: the last such round
    points: float
    regions: float
    symbols: float
    bonus: float  # of the score sheet, in the last rounds
    rivals: list[int]  # the most that another side has of each symbol
    gained: float  # by the best trip so far
    tried: int

    def __init__(self, s: Portals, seat: Seat, side: Side, sets: int, rivals: list[int]) -> None:
        self.s = s
        self.seat = seat
        self.side = side
        self.sets = sets
        self.rivals = rivals
        self.behind = turns_behind(s, seat)
        self.now = s.actions if s.who == seat else s.c.actions
        self.used = s.c.actions - s.actions if s.who == seat else s.c.actions  # so ending a turn brings nothing nearer
        self.last = horizon(s, self.behind)
        self.gates = [place for place in range(s.c.places) if (s.portals >> place) & 1]
        self.points = 0.0
        self.regions = 0.0
        self.symbols = 0.0
        self.bonus = 0.0
        self.gained = 0.0
        self.tried = 0
        self.choose_cards()

    def choose_cards(self) -> None:
        self.cards = []
        self.opens = []
        self.closes = []
        for card in self.s.hands[self.seat]:
            if card < self.s.c.events:
                first = self.behind
                while first <= self.last and not self.reached(card, first):
                    first += 1
                if first <= self.last:
                    final = first
                    while final < self.last and self.reached(card, final + 1):
                        final += 1
                    self.cards.append(card)
                    self.opens.append(first)
                    self.closes.append(final)

    def reached(self, card: Card, rounds: int) -> bool:
        """Whether the event is in range so many rounds from now, if nobody burns anything."""
        s = self.s
        if s.v.simplified:
            return True
        capsule = min(s.capsule + rounds, s.c.spaces - 1)
        gauge = s.gauge
        if gauge == s.c.full and (rounds > 0 or s.who != self.seat):
            gauge = LOW  # it drops when the turn of whoever filled it ends
        return (s.v.reach[capsule * (s.c.full + 1) + gauge] >> s.c.period[card]) & 1 == 1

    def time_of(self, i: int, here: Place, time: int) -> int:
        """The action, counted from the next one, that plays this card after so many; too late: -1."""
        c = self.s.c
        at = time + self.steps_to(here, c.place[self.cards[i]]) + 1
        if self.opens[i] > self.behind:
            at = max(at, self.now + c.actions * (self.opens[i] - self.behind - 1) + 1)
        return at if self.round_of(at) <= self.closes[i] else -1

    def steps_to(self, here: Place, there: Place) -> int:
        """Steps between two places, portals counted, pawns not."""
        far = self.s.c.distance
        from_here = far[here]
        best = from_here[there]
        if best <= 1 or not self.gates:
            return best
        from_there = far[there]
        start = best
        goal = best
        for gate in self.gates:
            start = min(start, from_here[gate])
            goal = min(goal, from_there[gate])
        return min(best, start + 1 + goal)

    def round_of(self, at: int) -> int:
        """How many rounds from now an action comes."""
        actions = self.s.c.actions
        return self.behind + (max(0, at - self.now) + actions - 1) // actions

    # -- until the last rounds ------------------------------------------------------------------------------------

    def make(self) -> None:
        """Visit the events in hand one after the other; in the last rounds, as is best for the score sheet."""
        if self.last <= LAST_ROUNDS:
            self.finish_well()
            return
        c = self.s.c
        regions = self.side.regions
        left = list(range(len(self.cards)))
        here = self.s.pawns[self.seat]
        time = 0
        while left:
            best = -1
            best_rate = 0.0
            best_time = 0
            for i in left:
                at = self.time_of(i, here, time)
                if at >= 0:
                    rate = worth(self.s, self.cards[i], regions, self.sets) / (at - time)
                    if rate > best_rate:
                        best = i
                        best_rate = rate
                        best_time = at
            if best < 0:
                return
            left.remove(best)
            card = self.cards[best]
            time = best_time
            here = c.place[card]
            discount = PATIENCE ** (self.used + time)
            self.points += discount * c.points[card]
            self.regions += discount * lacking(regions, c.region[card], self.sets)
            self.symbols += discount * symbols_on(self.s, card)
            regions += c.region_unit[card]

    # -- in the last rounds ---------------------------------------------------------------------------------------

    def finish_well(self) -> None:
        """Try out trips, and keep what the best of them brings."""
        side = self.side
        self.try_on(0, 0, self.s.pawns[self.seat], self.last, side.regions, side.symbols, 0.0)

    def try_on(self, taken: int, time: int, here: Place, last: int, regions: int, symbols: int, points: float) -> None:
        """Every event that may be played next, after those that are taken."""
        c = self.s.c
        for i in range(len(self.cards)):
            if (taken >> i) & 1 or self.tried >= MOST_TRIPS:
                continue
            at = self.time_of(i, here, time)
            if at < 0 or self.round_of(at) > last:
                continue
            self.tried += 1
            card = self.cards[i]
            discount = HASTE ** (self.used + at)
            more = points + discount * c.points[card]
            own_regions = regions + c.region_unit[card]
            own_symbols = symbols + c.symbol_unit[card]
            bonus = discount * self.bonus_of(own_regions, own_symbols)
            if more + bonus > self.gained:
                self.gained = more + bonus
                self.points = more
                self.bonus = bonus
            mask = taken | 1 << i
            end = self.round_of(at) if self.ends_with(mask) else last  # PP-10.2
            self.try_on(mask, at, c.place[card], end, own_regions, own_symbols, more)

    def ends_with(self, taken: int) -> bool:
        """PP-10.1  Whether these cards hold the third New Testament card of this player."""
        s = self.s
        if not s.v.third_card_ends:
            return False
        new = s.new_played[self.seat]
        for i in range(len(self.cards)):
            if (taken >> i) & 1 and s.c.deck[self.cards[i]] == NEW:
                new += 1
        return new >= s.c.new_to_end

    def bonus_of(self, regions: int, symbols: int) -> float:
        """PP-11.3 to PP-11.7  What sets, majorities and Symbol cards grow by; the others stand still."""
        s = self.s
        c = s.c
        total = c.set_points * (full_sets(s, regions, self.side.wilds) - self.sets)
        for symbol in range(c.symbol_kinds):
            before = self.side.count(symbol)
            more = ((symbols - self.side.symbols) >> (FIELD * symbol)) & FIELD_MASK
            if more > 0:
                if before < self.rivals[symbol] <= before + more or (before == 0 and self.rivals[symbol] == 0):
                    total += c.majority_points
                if (self.side.held >> symbol) & 1:
                    total += c.symbol_match_points * more
        return total

    # -- fuel -----------------------------------------------------------------------------------------------------

    def fill_gain(self) -> float:
        """What could be played that is out of range, if the own fuel filled the tank in this turn or the next."""
        s = self.s
        c = s.c
        if s.v.simplified or s.gauge == c.full:
            return 0.0
        later = PATIENCE**c.actions
        if s.who != self.seat:
            return later * self.filled(self.behind, c.actions, 0) if self.behind <= self.last else 0.0
        gain = self.filled(0, self.now, s.burnt)
        return max(gain, later * self.filled(1, c.actions, 0)) if self.last > 0 else gain

    def filled(self, rounds: int, left: int, burnt: int) -> float:
        """What a turn with so many actions, so many rounds from now, brings by a full tank alone."""
        s = self.s
        c = s.c
        hand = fuel_spent(s, s.hands[self.seat], burnt)
        here = s.pawns[self.seat]
        gain = 0.0
        while left > 0:
            best = -1
            best_rate = 0.0
            cost = 0
            for card in hand:
                if card < c.events and not self.reached(card, rounds):
                    steps = self.steps_to(here, c.place[card]) + 1
                    if steps <= left:
                        rate = worth(s, card, self.side.regions, self.sets) / steps
                        if rate > best_rate:
                            best = card
                            best_rate = rate
                            cost = steps
            if best < 0:
                break
            hand.remove(best)
            gain += worth(s, best, self.side.regions, self.sets)
            here = c.place[best]
            left -= cost
        return gain


def fuel_spent(s: Portals, hand: tuple[int, ...], burnt: int) -> list[Card]:
    """PP-8.5 to PP-8.7  What is left of a hand that has filled the tank with its poorest cards; empty if it cannot."""
    c = s.c
    left = list(hand)
    need = c.full - s.gauge
    while need > 0:
        best = -1
        most = -100
        for card in left:
            bit = c.colour_bit[card]
            if bit and bit & burnt == 0:
                value = 10 * min(c.fuel[card], need) - c.points[card]
                if value > most:
                    most = value
                    best = card
        if best < 0:
            return []
        burnt |= c.colour_bit[best]
        need -= c.fuel[best]
        left.remove(best)
    return left


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
    left = min(USUAL_ROUNDS, s.v.round_limit) - s.round
    if (
        s.capsule + s.gauge >= s.c.spaces - 1 and s.v.third_card_ends
    ):  # whoever lacks few New Testament cards may end it
        for played in s.new_played:
            left = min(left, s.c.new_to_end - played)
    return max(1, left)


def horizon(s: Portals, behind: int) -> int:
    """The last round from now that a plan counts on: two own turns at least, so that having ended one costs none."""
    left = rounds_left(s)
    if s.last_round or s.v.simplified:
        return left
    return max(left, min(behind + 1, s.v.round_limit - s.round))


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
