"""Features of a position for one seat, computed from what that seat may know.

A plan (`trip_plan.py`) values the events in the hand: a trip that plays each when its period is in range.
"""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.games.portals.ai.trip_plan import TripPlan, estimate_rounds_left
from triclinium.games.portals.rules.actions.discard import Discard
from triclinium.games.portals.rules.components import DISCARD, FIELD, FIELD_MASK, NONE
from triclinium.games.portals.rules.scoring import (
    Side,
    build_sides,
    count_majorities,
    count_sets,
    count_symbol_card_points,
    scores,
)
from triclinium.games.portals.rules.state import RUNNING, Portals
from triclinium.games.portals.rules.turn import Turn

FEATURES: Final = (
    "points",  # card points scored
    "sets",  # complete region sets, including held Region cards
    "next_set",  # progress of the next set: the square of the number of its regions that the side has
    "led_by_two",  # number of symbols in which the side is at least two ahead of the best other side
    "led_by_one",
    "tied",
    "one_behind",
    "majorities",  # majorities won, after the end of the match
    "symbol_cards",  # current points of held Symbol cards
    "symbol_cards_held",
    "region_cards",
    "plan_points",  # points of the events that the plan plays, discounted by time
    "plan_regions",  # events of the plan whose region the next set lacks, discounted by time
    "plan_symbols",  # symbols of the events of the plan, discounted by time
    "fuel",  # number of fuel icons in the hand
    "seventh_card",
    "on_portal",
    "new_cards",  # New Testament cards played
    "actions",  # actions left in the seat's turn
    "discarding",  # 1 for a discard while the hand has room or the plan still has an event to play
    "plan_bonus",  # points for sets, majorities and Symbol cards that the plan adds in the last rounds
    "fill_gain",  # value of the events that become playable if the seat fills the tank by its next turn
    "left_to_others",  # position of the gauge that the next player will find
    "crowded",  # number of Region and Symbol cards beyond three, which take space in the hand
    "last_round",  # 1 if the match ends with this round
    "last_lead",  # lead over the best other side in points, in the last round
)
BONUS_ROOM: Final = 3  # number of Region and Symbol cards that a hand can hold without a penalty
MAX_LEAD: Final = 20  # A larger lead counts as this one.


class PortalsEvaluator(Evaluator):
    """The evaluator of Portals and Prophets."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Portals)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, Portals)
        return measure_progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, Portals)
        return is_stable(s)

    def sensible_options(self, s: State) -> list[Option]:
        assert isinstance(s, Portals)
        return list_sensible_options(s)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Portals)
        return scores(s)


def is_stable(s: Portals) -> bool:
    """Return whether no action is under way."""
    return s.who == NOBODY or isinstance(s.stack[-1], Turn)


def list_sensible_options(s: Portals) -> list[Option]:
    """PP-9.1  Return the options worth searching: a discard only if the hand is full and a draw is possible."""
    if DISCARD not in s.legal:
        return s.legal
    draws = s.actions > 0 and (len(s.old) > 0 or len(s.new) > 0 or max(s.row, default=NONE) != NONE)
    if draws and len(s.hands[s.who]) >= s.c.hand_limit:
        return s.legal
    return [o for o in s.legal if o != DISCARD] or s.legal


def features(s: Portals, seat: Seat) -> list[float]:
    """Return one number for each name in FEATURES."""
    all_sides = build_known_sides(s, seat) if s.ending == RUNNING else build_sides(s, (1 << s.seats) - 1)
    side = all_sides[seat]
    c = s.c
    sets = count_sets(s, side.regions, side.wilds)
    values: list[float] = [0.0] * len(FEATURES)
    values[0] = side.points
    values[1] = sets
    values[8] = count_symbol_card_points(s, side)
    values[17] = s.new_played[seat]
    if s.ending != RUNNING:
        values[7] = count_majorities(s, all_sides, seat)
        return values
    values[2] = measure_next_set(s, side, sets)
    rivals = find_best_rival_counts(s, all_sides, seat)
    add_symbol_features(s, side, rivals, values)
    hand = s.hands[seat]
    for card in hand:
        values[9] += 1.0 if c.symbol_card[card] != NONE else 0.0
        values[10] += c.wild[card]
        values[14] += c.fuel[card]
    own = s.who == seat and s.round > 0
    discarding = own and isinstance(s.stack[-1], Discard)
    values[15] = 1.0 if len(hand) >= c.hand_limit and not discarding else 0.0
    if s.pawns[seat] != NONE:
        add_plan_features(s, seat, side, sets, rivals, values)
        values[16] = (s.portals >> s.pawns[seat]) & 1
    values[18] = s.actions if own else 0
    values[19] = 1.0 if discarding and (len(hand) < c.hand_limit or values[11] > 0.0) else 0.0
    values[22] = s.gauge if s.gauge < c.full else 0
    values[23] = max(0.0, values[9] + values[10] - BONUS_ROOM)
    if s.last_round:
        values[24] = 1.0
        values[25] = compute_capped_lead(s, all_sides, seat)
    return values


def build_known_sides(s: Portals, seat: Seat) -> list[Side]:
    """PP-R32  Return all sides with the Region and Symbol cards that a seat knows: its own and those from the row."""
    seat_sides = build_sides(s, 1 << seat)
    for who in range(s.seats):
        known = s.known_in_hand[who]
        if who != seat and known:
            for card in s.hands[who]:
                if known & 1 and card >= s.c.events:
                    seat_sides[who].add_held_card(s, card)
                    if s.find_partner(who) != who:
                        seat_sides[s.find_partner(who)].add_held_card(s, card)
                known >>= 1
    return seat_sides


def add_plan_features(s: Portals, seat: Seat, side: Side, sets: int, rivals: list[int], values: list[float]) -> None:
    """Write the features of the plan for the events in the hand, and the gain from a full tank."""
    plan = TripPlan(s, seat, side, sets, rivals)
    plan.build()
    values[11] = plan.points
    values[12] = plan.regions
    values[13] = plan.symbols
    values[20] = plan.bonus
    values[21] = plan.estimate_full_tank_gain()


def compute_capped_lead(s: Portals, all_sides: list[Side], seat: Seat) -> float:
    """Return the lead in points over the best other side, as far as the seat knows; it can be negative."""
    own = 0
    best = 0
    partner = s.find_partner(seat)
    for who in range(s.seats):
        side = all_sides[who]
        total = side.points + s.c.set_points * count_sets(s, side.regions, side.wilds)
        total += s.c.majority_points * count_majorities(s, all_sides, who) + count_symbol_card_points(s, side)
        if who == seat:
            own = total
        elif who != partner:
            best = max(best, total)
    return max(-MAX_LEAD, min(MAX_LEAD, own - best))


def measure_progress(s: Portals) -> float:
    """Return the progress of the match by rounds. Matches seldom last longer than USUAL_ROUNDS."""
    return s.round / (s.round + estimate_rounds_left(s)) if s.round > 0 else 0.0


def measure_next_set(s: Portals, side: Side, sets: int) -> float:
    """Return the squared number of regions that the next set already has, so that the last one is worth most."""
    have = 0
    for region in range(s.c.regions):
        if (side.regions >> (FIELD * region)) & FIELD_MASK > sets:
            have += 1
    return have * have


def find_best_rival_counts(s: Portals, all_sides: list[Side], seat: Seat) -> list[int]:
    """Return for each symbol the highest count of another side."""
    partner = s.find_partner(seat)
    best_counts = [0] * s.c.symbol_kinds
    for other in range(s.seats):
        if other != seat and other != partner:
            for symbol in range(s.c.symbol_kinds):
                best_counts[symbol] = max(best_counts[symbol], all_sides[other].count_symbol(symbol))
    return best_counts


def add_symbol_features(s: Portals, side: Side, rivals: list[int], values: list[float]) -> None:
    """Count the symbols by the lead over the best other side."""
    for symbol in range(s.c.symbol_kinds):
        mine = side.count_symbol(symbol)
        ahead = mine - rivals[symbol]
        if ahead >= 2:
            values[3] += 1.0
        elif ahead == 1:
            values[4] += 1.0
        elif ahead == 0 and mine > 0:
            values[5] += 1.0
        elif ahead == -1:
            values[6] += 1.0
