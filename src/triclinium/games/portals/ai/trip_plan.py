"""Plan of a seat: a trip that plays the events in its hand, and the gain from a full tank.

Until the last rounds the trip is greedy: it takes the event with the most value for each action. In the last rounds the
module tries many trips and keeps the best one by the score sheet.
"""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, LOW, NEW, Card, Place
from triclinium.games.portals.rules.scoring import Side, count_sets
from triclinium.games.portals.rules.state import Portals

DISCOUNT: Final = 0.95  # factor for the value of an event one action later
LATE_DISCOUNT: Final = 0.88  # the same factor in the last rounds, when slow plans may not finish in time
USUAL_ROUNDS: Final = 15  # the usual length of a match
LAST_ROUNDS: Final = 2  # With this many rounds left or fewer, the plan covers the rest of the match.
MAX_TRIPS: Final = 240  # maximum number of partial trips that are tried in the last rounds
REGION_VALUE: Final = 2.5  # value in points of a region that the next set lacks, when the plan chooses its next event
SYMBOL_VALUE: Final = 1.0


class TripPlan:
    """The value of the events in a seat's hand, with later ones discounted."""

    s: Portals
    seat: Seat
    side: Side
    sets: int
    rounds_to_turn: int  # rounds until the seat's next turn: 0 or 1
    actions_in_turn: int  # number of actions in the seat's next turn
    # number of actions before the seat's next turn: those already used in the current turn, or a whole turn
    actions_used: int
    last_round: int  # number of rounds after this one that the plan covers
    portal_places: list[Place]  # the places with a portal
    cards: list[Card]  # events whose period comes into range within the plan
    opening_rounds: list[int]  # for each event of `cards`, the first round from now in which it is in range
    closing_rounds: list[int]  # for each event of `cards`, the last round from now in which it is in range
    points: float
    regions: float
    symbols: float
    bonus: float  # points for sets, majorities and Symbol cards, in the last rounds
    rivals: list[int]  # for each symbol, the highest count of another side
    best_gain: float  # the gain of the best trip so far
    tried_count: int

    def __init__(self, s: Portals, seat: Seat, side: Side, sets: int, rivals: list[int]) -> None:
        self.s = s
        self.seat = seat
        self.side = side
        self.sets = sets
        self.rivals = rivals
        self.rounds_to_turn = count_rounds_until_turn(s, seat)
        self.actions_in_turn = s.actions if s.who == seat else s.c.actions
        self.actions_used = (
            s.c.actions - s.actions if s.who == seat else s.c.actions
        )  # A whole turn is counted, so that ending a turn brings nothing nearer.
        self.last_round = choose_planning_horizon(s, self.rounds_to_turn)
        self.portal_places = [place for place in range(s.c.places) if (s.portals >> place) & 1]
        self.points = 0.0
        self.regions = 0.0
        self.symbols = 0.0
        self.bonus = 0.0
        self.best_gain = 0.0
        self.tried_count = 0
        self.choose_cards()

    def choose_cards(self) -> None:
        self.cards = []
        self.opening_rounds = []
        self.closing_rounds = []
        for card in self.s.hands[self.seat]:
            if card < self.s.c.events:
                first = self.rounds_to_turn
                while first <= self.last_round and not self.is_in_range(card, first):
                    first += 1
                if first <= self.last_round:
                    final = first
                    while final < self.last_round and self.is_in_range(card, final + 1):
                        final += 1
                    self.cards.append(card)
                    self.opening_rounds.append(first)
                    self.closing_rounds.append(final)

    def is_in_range(self, card: Card, rounds: int) -> bool:
        """Return whether the event is in range ``rounds`` rounds from now, with the current gauge."""
        s = self.s
        if s.v.simplified:
            return True
        capsule = min(s.capsule + rounds, s.c.spaces - 1)
        gauge = s.gauge
        if gauge == s.c.full and (rounds > 0 or s.who != self.seat):
            gauge = LOW  # A full gauge drops at the end of the turn in which it was filled.
        return (s.v.range_masks[capsule * (s.c.full + 1) + gauge] >> s.c.period[card]) & 1 == 1

    def find_play_time(self, i: int, here: Place, time: int) -> int:
        """Return the number of the action that plays card ``i`` after ``time`` actions, or -1 if that is too late."""
        c = self.s.c
        action = time + self.count_steps(here, c.place[self.cards[i]]) + 1
        if self.opening_rounds[i] > self.rounds_to_turn:
            action = max(
                action, self.actions_in_turn + c.actions * (self.opening_rounds[i] - self.rounds_to_turn - 1) + 1
            )
        return action if self.find_action_round(action) <= self.closing_rounds[i] else -1

    def count_steps(self, here: Place, there: Place) -> int:
        """Return the steps between two places. Portals count, pawns do not block."""
        far = self.s.c.distance
        from_here = far[here]
        best = from_here[there]
        if best <= 1 or not self.portal_places:
            return best
        from_there = far[there]
        start = best
        goal = best
        for gate in self.portal_places:
            start = min(start, from_here[gate])
            goal = min(goal, from_there[gate])
        return min(best, start + 1 + goal)

    def find_action_round(self, action: int) -> int:
        """Return the number of rounds from now until an action."""
        actions = self.s.c.actions
        return self.rounds_to_turn + (max(0, action - self.actions_in_turn) + actions - 1) // actions

    # -- the greedy plan before the last rounds --------------------------------------------------------------------

    def build(self) -> None:
        """Build the plan: greedily, or by the score sheet in the last rounds."""
        if self.last_round <= LAST_ROUNDS:
            self.build_last_rounds()
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
                action = self.find_play_time(i, here, time)
                if action >= 0:
                    rate = estimate_event(self.s, self.cards[i], regions, self.sets) / (action - time)
                    if rate > best_rate:
                        best = i
                        best_rate = rate
                        best_time = action
            if best < 0:
                return
            left.remove(best)
            card = self.cards[best]
            time = best_time
            here = c.place[card]
            discount = DISCOUNT ** (self.actions_used + time)
            self.points += discount * c.points[card]
            self.regions += discount * is_region_lacking(regions, c.region[card], self.sets)
            self.symbols += discount * count_symbols(self.s, card)
            regions += c.region_unit[card]

    # -- the plan in the last rounds -------------------------------------------------------------------------------

    def build_last_rounds(self) -> None:
        """Try trips, and keep the values of the best one."""
        side = self.side
        self.try_next_events(0, 0, self.s.pawns[self.seat], self.last_round, side.regions, side.symbols, 0.0)

    def try_next_events(
        self, taken: int, time: int, here: Place, last: int, regions: int, symbols: int, points: float
    ) -> None:
        """Try every event that can be played after those in ``taken``, recursively."""
        c = self.s.c
        for i in range(len(self.cards)):
            if (taken >> i) & 1 or self.tried_count >= MAX_TRIPS:
                continue
            action = self.find_play_time(i, here, time)
            if action < 0 or self.find_action_round(action) > last:
                continue
            self.tried_count += 1
            card = self.cards[i]
            discount = LATE_DISCOUNT ** (self.actions_used + action)
            more = points + discount * c.points[card]
            own_regions = regions + c.region_unit[card]
            own_symbols = symbols + c.symbol_unit[card]
            bonus = discount * self.score_bonus(own_regions, own_symbols)
            if more + bonus > self.best_gain:
                self.best_gain = more + bonus
                self.points = more
                self.bonus = bonus
            mask = taken | 1 << i
            # PP-10.2: the match ends with the round of the third New Testament card.
            end = self.find_action_round(action) if self.ends_game(mask) else last
            self.try_next_events(mask, action, c.place[card], end, own_regions, own_symbols, more)

    def ends_game(self, taken: int) -> bool:
        """PP-10.1  Return whether these cards include this player's third New Testament card."""
        s = self.s
        if not s.v.third_card_ends:
            return False
        new = s.new_played[self.seat]
        for i in range(len(self.cards)):
            if (taken >> i) & 1 and s.c.deck[self.cards[i]] == NEW:
                new += 1
        return new >= s.c.new_to_end

    def score_bonus(self, regions: int, symbols: int) -> float:
        """PP-11.3 to PP-11.7  Return the points gained by sets, majorities and Symbol cards.

        The counts of the other sides are assumed not to change.
        """
        s = self.s
        c = s.c
        total = c.set_points * (count_sets(s, regions, self.side.wilds) - self.sets)
        for symbol in range(c.symbol_kinds):
            before = self.side.count_symbol(symbol)
            more = ((symbols - self.side.symbols) >> (FIELD * symbol)) & FIELD_MASK
            if more > 0:
                if before < self.rivals[symbol] <= before + more or (before == 0 and self.rivals[symbol] == 0):
                    total += c.majority_points
                if (self.side.held_symbols >> symbol) & 1:
                    total += c.symbol_match_points * more
        return total

    # -- fuel -----------------------------------------------------------------------------------------------------

    def estimate_full_tank_gain(self) -> float:
        """Return the value of events that become playable only if the seat's fuel fills the tank by its next turn."""
        s = self.s
        c = s.c
        if s.v.simplified or s.gauge == c.full:
            return 0.0
        later = DISCOUNT**c.actions
        if s.who != self.seat:
            return (
                later * self.estimate_turn_gain_on_full(self.rounds_to_turn, c.actions, 0)
                if self.rounds_to_turn <= self.last_round
                else 0.0
            )
        gain = self.estimate_turn_gain_on_full(0, self.actions_in_turn, s.burnt)
        return max(gain, later * self.estimate_turn_gain_on_full(1, c.actions, 0)) if self.last_round > 0 else gain

    def estimate_turn_gain_on_full(self, rounds: int, left: int, burnt: int) -> float:
        """Return the gain from a full tank in a turn that begins in ``rounds`` rounds and has ``left`` actions."""
        s = self.s
        c = s.c
        hand = list_hand_after_filling(s, s.hands[self.seat], burnt)
        here = s.pawns[self.seat]
        gain = 0.0
        while left > 0:
            best = -1
            best_rate = 0.0
            cost = 0
            for card in hand:
                if card < c.events and not self.is_in_range(card, rounds):
                    steps = self.count_steps(here, c.place[card]) + 1
                    if steps <= left:
                        rate = estimate_event(s, card, self.side.regions, self.sets) / steps
                        if rate > best_rate:
                            best = card
                            best_rate = rate
                            cost = steps
            if best < 0:
                break
            hand.remove(best)
            gain += estimate_event(s, best, self.side.regions, self.sets)
            here = c.place[best]
            left -= cost
        return gain


def list_hand_after_filling(s: Portals, hand: tuple[int, ...], burnt: int) -> list[Card]:
    """PP-8.5 to PP-8.7  Return the hand after filling the tank with its poorest cards; empty if it cannot."""
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


def count_rounds_until_turn(s: Portals, seat: Seat) -> int:
    """Return 1 if this seat has already had its turn in this round, else 0."""
    if s.who == seat or s.who < 0 or s.round == 0:
        return 0
    return 1 if (seat - s.first) % s.seats < (s.who - s.first) % s.seats else 0


def estimate_rounds_left(s: Portals) -> int:
    """Return the estimated number of rounds after this one."""
    if s.last_round:
        return 0
    if s.v.simplified:
        return s.c.spaces - s.round
    left = min(USUAL_ROUNDS, s.v.round_limit) - s.round
    if (
        s.capsule + s.gauge >= s.c.spaces - 1 and s.v.third_card_ends
    ):  # A player who lacks few New Testament cards may end the match.
        for played in s.new_played:
            left = min(left, s.c.new_to_end - played)
    return max(1, left)


def choose_planning_horizon(s: Portals, behind: int) -> int:
    """Return the number of rounds that a plan covers.

    It covers at least two turns of the seat, so that ending a turn costs nothing.
    """
    left = estimate_rounds_left(s)
    if s.last_round or s.v.simplified:
        return left
    return max(left, min(behind + 1, s.v.round_limit - s.round))


def estimate_event(s: Portals, card: Card, regions: int, sets: int) -> float:
    """Return the value of an event in points, including its region and symbols."""
    return (
        s.c.points[card]
        + REGION_VALUE * is_region_lacking(regions, s.c.region[card], sets)
        + SYMBOL_VALUE * count_symbols(s, card)
    )


def is_region_lacking(regions: int, region: int, sets: int) -> int:
    """Return 1 if the next set lacks this region, else 0."""
    return 1 if (regions >> (FIELD * region)) & FIELD_MASK <= sets else 0


def count_symbols(s: Portals, card: Card) -> int:
    """Return the number of symbols on a card."""
    symbol_count = 0
    mask = s.c.symbols[card]
    while mask != 0:
        symbol_count += mask & 1
        mask >>= 1
    return symbol_count
