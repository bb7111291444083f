"""The next events that a player can play, for the reasons of a hint."""

from triclinium.engine.core.state import Seat
from triclinium.games.portals.ai.trip_plan import TripPlan, estimate_event
from triclinium.games.portals.rules.components import NONE, Card
from triclinium.games.portals.rules.scoring import Side, count_sets
from triclinium.games.portals.rules.state import Portals


def find_next_event(s: Portals, seat: Seat) -> tuple[Card, int, int]:
    """Return the event with most value for each action until it can be played.

    The numbers are its time, counted from the beginning of the current turn, and its actions from now. The card is NONE
    if no event in the hand can be played.
    """
    if s.over:
        return NONE, 0, 0
    side = Side(s, seat, 1 << seat)
    sets = count_sets(s, side.regions, side.wilds)
    plan = TripPlan(s, seat, side, sets, [0] * s.c.symbol_kinds)
    best, best_rate, actions = NONE, 0.0, 0
    for i, card in enumerate(plan.cards):
        action = plan.find_play_time(i, s.pawns[seat], 0)
        if action > 0:
            rate = estimate_event(s, card, side.regions, sets) / action
            if rate > best_rate:
                best, best_rate, actions = card, rate, action
    return best, plan.actions_used + actions, actions


def find_nearer_event(s: Portals, other: Portals, seat: Seat) -> tuple[Card, int]:
    """Return the event of the hand with most points to which the pawn is nearer than in another position.

    The number is the difference in steps. The card is NONE if there is no such event in both hands.
    """
    here, there = (TripPlan(t, seat, Side(t, seat, 0), 0, [0] * t.c.symbol_kinds) for t in (s, other))
    nearer: dict[Card, int] = {}
    for card in s.hands[seat]:
        if card < s.c.events and card in other.hands[seat] and is_still_to_come(s, card):
            place = s.c.place[card]
            saved = there.count_steps(other.pawns[seat], place) - here.count_steps(s.pawns[seat], place)
            if saved > 0:
                nearer[card] = saved
    best = max(nearer, key=lambda card: s.c.points[card], default=NONE)
    return best, nearer.get(best, 0)


def is_still_to_come(s: Portals, card: Card) -> bool:
    """Return whether the period of an event is in range or ahead of the capsule."""
    return s.c.period[card] >= s.capsule or bool((s.compute_range_mask() >> s.c.period[card]) & 1)
