"""Estimated value in VP of playing a card now."""

from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.games.ierusalem.ai.column_progress import SeatColumns
from triclinium.games.ierusalem.rules.actions.cards import has_mahane
from triclinium.games.ierusalem.rules.actions.parable import can_listen, get_top_tile_vp
from triclinium.games.ierusalem.rules.actions.supper import find_affordable_spaces
from triclinium.games.ierusalem.rules.constants import (
    CALL_FOLLOWER,
    CHANGE_PLACES,
    DENARIUS,
    DO_FAVOR,
    DRAW_MAHANE,
    DRAW_XXXIII,
    GATHER,
    GO_MARKET,
    GO_SUPPER,
    GO_TEMPLE,
    INVITED,
    MEETING,
    PARABLE,
    REDISTRIBUTE,
    STONE,
    VP3,
    list_members,
)
from triclinium.games.ierusalem.rules.scoring import compute_apostle_value
from triclinium.games.ierusalem.rules.state import Ierusalem

DENARIUS_VALUE: Final = 0.3  # value in VP of a Denarius
OPEN_SEAT_VALUE: Final = 4.0  # value in VP of a space directly behind an empty seat
UNKNOWN: Final = -99.0
UNDRAWN_CARD_VALUE: Final = 4.0  # value in VP of a card of the seat's deck that is not drawn yet
# This is a list, because a compiled module (mypyc 2.4.1) treats a Final tuple of floats as unset.
# weights of the cards in the hand, best first, because the best card is played first
TURNS_AHEAD: Final[list[float]] = [1.0, 0.7, 0.5, 0.35, 0.25]


class CardProspects:
    """The values of a seat's cards. Expensive values are computed once, when they are first needed."""

    left: float
    room: int
    best_paid: float
    best_free: float

    def __init__(self, s: Ierusalem, who: Seat, columns: SeatColumns) -> None:
        self.s: Final = s
        self.who: Final = who
        self.columns: Final = columns
        self.left = (s.c.last - s.marker) / s.c.last
        self.room = max(0, s.count_camp_spaces(who) - s.count_filled_spaces(who))
        self.best_paid = UNKNOWN
        self.best_free = UNKNOWN

    def estimate_affordable_space(self) -> float:
        """Return the value of the best space that the goods can pay."""
        if self.best_paid == UNKNOWN:
            self.best_paid = (
                estimate_best_space(self.s, self.s.free_spaces & find_affordable_spaces(self.s, self.who))
                if self.has_follower_out()
                else 0.0
            )
        return self.best_paid

    def estimate_free_space(self) -> float:
        """Return the value of the best empty space."""
        if self.best_free == UNKNOWN:
            self.best_free = estimate_best_space(self.s, self.s.free_spaces)
        return self.best_free

    def has_follower_out(self) -> bool:
        """IE-R19  Return whether a Follower can go to the Supper."""
        at = self.s.at_location
        three = self.who * 3
        return at[three] + at[three + 1] + at[three + 2] > 0

    def estimate_card(self, card: int) -> float:
        """Return the value of a card: its Location, its actions, and its effect on the columns."""
        c = self.s.c
        total = 0.4 * c.card_vp[card] + self.columns.find_best_gain(c.card_location[card])
        for action in c.card_all_actions[card]:
            total += self.estimate_action(action)
        return total

    def estimate_hand(self) -> float:
        """IE-2.17  Return the value of the hand, best card first. Missing cards count as drawn from the seat's deck."""
        s = self.s
        values = [self.estimate_card(card) for card in s.hand[self.who]]
        if s.deck[self.who] or s.discard[self.who]:
            while len(values) < s.c.hand_size:
                values.append(UNDRAWN_CARD_VALUE)
        values.sort(reverse=True)
        total = 0.0
        for i in range(min(len(values), len(TURNS_AHEAD))):
            total += TURNS_AHEAD[i] * values[i]
        return total * min(1.0, self.left * 3.0)

    def estimate_action(self, action: int) -> float:
        """Return the value of one action now."""
        s = self.s
        who = self.who
        if action >= GATHER:
            fit = min(
                s.at_location[who * 3 + action - GATHER], self.room + 1
            )  # IE-2.18: the Camp has no room for more.
            return fit * s.c.price[action - GATHER] * DENARIUS_VALUE * self.left
        if action == GO_SUPPER:
            best = self.estimate_affordable_space()
            return 2.0 + best if best > 0.0 else 0.0
        if action == INVITED:
            return 2.5 + self.estimate_free_space() if self.has_follower_out() and s.free_spaces else 0.0
        if action == PARABLE:
            if not can_listen(s, who):
                return 0.0
            number = s.parables[who] + 1
            return float(get_top_tile_vp(s, number) + s.c.parable_end[number] - s.c.parable_end[number - 1])
        if action == DO_FAVOR:
            return 0.0 if s.markers[who] == 0 else 4.0 if s.xxxiii else 1.5
        if action == VP3:
            return float(s.c.vp3)
        if action == MEETING:
            return 0.2
        return self.estimate_indirect_action(action)

    def estimate_indirect_action(self, action: int) -> float:
        """Return the value of an action that scores no VP by itself."""
        s = self.s
        who = self.who
        if STONE <= action < DENARIUS:
            return s.c.price[action - STONE] * DENARIUS_VALUE * self.left
        if action == DENARIUS:
            return DENARIUS_VALUE * self.left
        if action == GO_TEMPLE:
            return 0.75 * min(s.denarii[who], 6) * self.left if s.camp[who] else 0.0
        if action == GO_MARKET:
            return 1.4 * self.left if s.denarii[who] + s.count_goods(who) > 1 else 0.0
        if action == DRAW_MAHANE:
            return 1.8 * self.left if has_mahane(s) else 0.0
        if action == DRAW_XXXIII:
            return 4.0 * self.left if s.xxxiii else 0.0
        if action == CALL_FOLLOWER:
            return 2.8 * self.left if s.camp[who] else 0.0
        if action == REDISTRIBUTE:
            return 0.4 + 0.8 * min(self.columns.locked, 5)
        if action == CHANGE_PLACES:
            return 0.8 * max(0.0, self.estimate_free_space() - estimate_worst_space(s, who))
        return 0.0


def estimate_space(s: Ierusalem, space: int) -> float:
    """Return the final value of a Follower on a space. A space at an empty seat has an estimated value."""
    c = s.c
    if (c.jesus_spaces >> space) & 1:
        return float(s.jesus_vp)
    seat = c.space_seat[space]
    if seat < 0:
        return 0.0
    distance = c.space_distance[space]
    if s.seated[seat] >= 0:
        return float(compute_apostle_value(c.shade_value[c.shade[s.seated[seat]]], distance))
    return OPEN_SEAT_VALUE - 0.8 * (distance - 1)


def estimate_best_space(s: Ierusalem, mask: int) -> float:
    """Return the value of the best space in a bitmask."""
    if mask == 0:
        return 0.0
    c = s.c
    best = float(s.jesus_vp) if mask & c.jesus_spaces else 0.5
    for seat in range(len(s.seated)):
        apostle = s.seated[seat]
        value = OPEN_SEAT_VALUE if apostle < 0 else float(c.shade_value[c.shade[apostle]])
        if value <= best:
            continue
        fall = 0.8 if apostle < 0 else 1.0
        for distance in range(3):
            if mask & c.spaces_at_distance[seat * 3 + distance]:
                best = max(best, value - fall * distance)
                break
    return best


def estimate_worst_space(s: Ierusalem, who: Seat) -> float:
    """Return the value of a seat's worst space."""
    least = 9.0
    for space in list_members(s.supper[who], 0):
        least = min(least, estimate_space(s, space))
    return least


def estimate_best_swap(s: Ierusalem, who: Seat) -> float:
    """IE-2.10  Return the value of the best space of a rival minus that of the seat's worst space."""
    best = 0.0
    for other in range(s.seats):
        if other != who:
            for space in list_members(s.supper[other], 0):
                best = max(best, estimate_space(s, space))
    return max(0.0, best - estimate_worst_space(s, who))
