"""Clauses of hints on what a seat has or can do after one option and not after another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.portals.ai.evaluation import build_known_sides, find_best_rival_counts
from triclinium.games.portals.ai.trip_plan import DISCOUNT, TripPlan, count_symbols, estimate_event
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, Card
from triclinium.games.portals.rules.scoring import Side, count_sets
from triclinium.games.portals.rules.state import Portals

Clause = tuple[str, tuple[int, ...]]

MAX_TURNS: Final = 3  # A plan that is farther away says little.


@dataclass(frozen=True)
class PlayTime:
    """The time at which a player can play an event of the hand."""

    action: int  # number of the action, counted from the beginning of the current turn
    turn: int  # 0 is the current turn, and 1 the next one
    value: float  # value of the event, less if it is later


def describe_plan(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the event that the seat can play sooner, or on one that it can play at all."""
    sooner, later = find_play_times(better, seat), find_play_times(other, seat)

    def gain(card: Card, here: dict[Card, PlayTime], there: dict[Card, PlayTime]) -> float:
        return here[card].value - (there[card].value if card in there else 0.0)

    cards = [card for card in sooner if not is_in_deck(other, card) and card not in other.played[seat]]
    card = max(cards, key=lambda card: gain(card, sooner, later), default=None)
    if card is None:
        return None
    lost = max((gain(card, later, sooner) for card in later if not is_in_deck(better, card)), default=0.0)
    if gain(card, sooner, later) <= max(0.0, lost):
        return None
    time = sooner[card]
    if time.turn > MAX_TURNS:
        return None
    if card in later:
        if time.turn < later[card].turn:
            return msgid("you can play “{0:card}” {1:turn} instead of later"), (card, time.turn)
        actions = later[card].action - time.action
        return (
            (msgid("you can play “{0:card}” {1} {1:action|actions} sooner"), (card, actions)) if actions > 0 else None
        )
    if card in other.hands[seat]:
        plan = make_plan(other, seat)
        if any(plan.is_in_range(card, rounds) for rounds in range(plan.rounds_to_turn, plan.last_round + 1)):
            return msgid("you can still play “{0:card}” {1:turn}"), (card, time.turn)
        return msgid("you can play “{0:card}” {1:turn}, while its period is in range"), (card, time.turn)
    if card in other.row:
        return msgid("you have “{0:card}” and can play it {1:turn}"), (card, time.turn)
    return msgid("you keep “{0:card}” and can play it {1:turn}"), (card, time.turn)


def find_play_times(s: Portals, seat: Seat) -> dict[Card, PlayTime]:
    """Return when the seat can play each event of its hand. Events that it cannot play in time are left out."""
    if s.over:
        return {}
    plan = make_plan(s, seat)
    times: dict[Card, PlayTime] = {}
    for i, card in enumerate(plan.cards):
        action = plan.find_play_time(i, s.pawns[seat], 0)
        if action > 0:
            turn = plan.find_action_round(action) + (0 if s.who == seat else 1 - plan.rounds_to_turn)
            value = estimate_event(s, card, plan.side.regions, plan.sets) * DISCOUNT ** (plan.actions_used + action)
            times[card] = PlayTime(plan.actions_used + action, turn, value)
    return times


def make_plan(s: Portals, seat: Seat) -> TripPlan:
    side = Side(s, seat, 1 << seat)
    return TripPlan(s, seat, side, count_sets(s, side.regions, side.wilds), [0] * s.c.symbol_kinds)


def is_in_deck(s: Portals, card: Card) -> bool:
    """Return whether a card is hidden in a deck, so that a player who draws it in another position is lucky."""
    return card in s.old or card in s.new


def describe_symbols(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the symbol in which the seat gains most against the best other side."""
    most = 0
    clause: Clause | None = None
    after, before = count_symbols_and_rivals(better, seat), count_symbols_and_rivals(other, seat)
    for symbol, ((own, rival), (own_before, rival_before)) in enumerate(zip(after, before, strict=True)):
        lead, lead_before = own - rival, own_before - rival_before
        gain = min(lead, 2) - min(lead_before, 2)
        if gain <= 0 or own == 0:
            continue
        gain += 10 if (lead > 0) > (lead_before > 0) else 5 if (lead >= 0) > (lead_before >= 0) else 0
        if gain > most:
            most = gain
            if lead > 0 and lead_before > 0:
                clause = msgid("you lead in {0:symbol} by {1} instead of {2}"), (symbol, lead, lead_before)
            elif lead > 0:
                points = better.c.majority_points
                clause = msgid("you lead in {0:symbol}, {1} to {2}, for {3} points"), (symbol, own, rival, points)
            elif lead == 0:
                clause = msgid("you draw level in {0:symbol}, {1} to {1}"), (symbol, own)
            else:
                clause = msgid("you are {1} instead of {2} behind in {0:symbol}"), (symbol, -lead, -lead_before)
    return clause


def count_symbols_and_rivals(s: Portals, seat: Seat) -> list[tuple[int, int]]:
    """Return for each symbol the seat's count and the highest count of another side, as the seat knows them."""
    sides = build_known_sides(s, seat)
    rivals = find_best_rival_counts(s, sides, seat)
    return [(sides[seat].count_symbol(symbol), rivals[symbol]) for symbol in range(s.c.symbol_kinds)]


def describe_next_set(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on a region of the next set that the seat has only after the better option."""
    sides = [Side(s, seat, 1 << seat) for s in (better, other)]
    sets = [count_sets(s, side.regions, side.wilds) for s, side in zip((better, other), sides, strict=True)]
    here, there = (
        {r for r in range(better.c.regions) if (side.regions >> (FIELD * r)) & FIELD_MASK > n}
        for side, n in zip(sides, sets, strict=True)
    )
    if sets[0] != sets[1] or len(here - there) != 1:
        return None
    lacking = better.c.regions - len(here)
    return msgid("you add {0:region} to your next region set, which then lacks {1}"), (*(here - there), lacking)


def describe_gauge(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on less fuel that the other players find in the tank."""
    if better.gauge >= other.gauge or other.gauge == other.c.full:
        return None
    text = msgid("you leave the fuel gauge at {0:gauge} instead of {1:gauge} to the next player")
    return text, (better.gauge, other.gauge)


def describe_range(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the event of both hands with most points whose period is in range only here."""
    c, hand = better.c, better.hands[seat]
    mask = better.compute_range_mask() & ~other.compute_range_mask()
    cards = [card for card in hand if card < c.events and card in other.hands[seat] and (mask >> c.period[card]) & 1]
    best = max(cards, key=lambda card: c.points[card], default=NONE)
    return (msgid("the period of “{0:card}” is in range"), (best,)) if best != NONE else None


def describe_rest(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the number of cards in the hand, on a portal or on the fuel."""
    cards, others = len(better.hands[seat]), len(other.hands[seat])
    if cards < better.c.hand_limit <= others:
        return msgid("your hand has room for another card"), ()
    if cards > others:
        return msgid("you have {0} more {0:card|cards} in hand"), (cards - others,)
    on_portal, other_on_portal = ((s.portals >> s.pawns[seat]) & 1 for s in (better, other))
    if on_portal > other_on_portal:
        return msgid("your pawn is on a portal, one step from each other portal"), ()
    if other.gauge < better.gauge == better.c.full:
        return msgid("the fuel gauge is full, so every period is in range this turn"), ()
    if better.gauge > other.gauge:
        return msgid("the fuel gauge is at {0:gauge} instead of {1:gauge}"), (better.gauge, other.gauge)
    return None


def describe_nearer_event(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the event of both hands with most points to which the pawn is nearer."""
    if better.over or other.over:
        return None
    plans = [make_plan(s, seat) for s in (better, other)]
    nearer: dict[Card, int] = {}
    for card in better.hands[seat]:
        if card < better.c.events and card in other.hands[seat] and is_still_to_come(better, card):
            place = better.c.place[card]
            saved = plans[1].count_steps(other.pawns[seat], place) - plans[0].count_steps(better.pawns[seat], place)
            if saved > 0:
                nearer[card] = saved
    if not nearer:
        return None
    best = max(nearer, key=lambda card: better.c.points[card])
    return msgid("you are {1} {1:step|steps} nearer to “{0:card}”"), (best, nearer[best])


def describe_kept_card(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on an event that the seat has, and why it is better than one that it gives up."""
    c = better.c
    kept, lost = list_events(better, other, seat), list_events(other, better, seat)
    if not kept:
        return None
    best = max(kept, key=lambda card: c.points[card])
    if not lost:
        if best in other.row:
            return msgid("you have “{0:card}” in hand, worth {1} {1:point|points}"), (best, c.points[best])
        return msgid("you keep “{0:card}”, worth {1} {1:point|points}"), (best, c.points[best])
    given = max(lost, key=lambda card: c.points[card])
    if is_still_to_come(better, best) and not is_still_to_come(better, given):
        return msgid("you have “{0:card}”, while the period of “{1:card}” is over"), (best, given)
    if c.points[best] > c.points[given]:
        text = msgid("you have “{0:card}” for {1} points instead of “{2:card}” for {3}")
        return text, (best, c.points[best], given, c.points[given])
    if is_still_to_come(better, best) and c.period[best] < c.period[given]:
        return msgid("you have “{0:card}”, whose period comes before that of “{1:card}”"), (best, given)
    plan = make_plan(better, seat)
    saved = plan.count_steps(better.pawns[seat], c.place[given]) - plan.count_steps(better.pawns[seat], c.place[best])
    if saved > 0 and is_still_to_come(better, best):
        return msgid("you have “{0:card}”, which is {1} {1:step|steps} nearer than “{2:card}”"), (best, saved, given)
    symbols = count_symbols(better, best) - count_symbols(better, given)
    if symbols > 0:
        text = msgid("you have “{0:card}”, which has {1} more {1:symbol|symbols} than “{2:card}”")
        return text, (best, symbols, given)
    if c.fuel[best] > c.fuel[given]:
        text = msgid("you have “{0:card}” to burn for {1} fuel instead of {2}")
        return text, (best, c.fuel[best], c.fuel[given])
    return None


def list_events(s: Portals, other: Portals, seat: Seat) -> list[Card]:
    """Return the events of the seat's hand that it neither has nor played in another position.

    Cards drawn by luck do not count.
    """
    gone = (*other.hands[seat], *other.played[seat], *other.old, *other.new)
    return [card for card in s.hands[seat] if card < s.c.events and card not in gone]


def is_still_to_come(s: Portals, card: Card) -> bool:
    """Return whether the period of an event is in range or ahead of the capsule."""
    return s.c.period[card] >= s.capsule or bool((s.compute_range_mask() >> s.c.period[card]) & 1)


# descriptions of differences by topic
DESCRIPTIONS: Final[Mapping[str, Callable[[Portals, Portals, Seat], Clause | None]]] = {
    "plan": describe_plan,
    "set": describe_next_set,
    "symbols": describe_symbols,
    "gauge": describe_gauge,
}
# further descriptions, the most important first, where the features give no reason
OTHER_DESCRIPTIONS: Final = (
    describe_plan,
    describe_range,
    describe_nearer_event,
    describe_kept_card,
    describe_rest,
)


def describe_difference(topic: str, better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on a topic, or for "" on the most important one that there is something to say about."""
    if topic:
        return DESCRIPTIONS[topic](better, other, seat)
    clauses = (describe(better, other, seat) for describe in OTHER_DESCRIPTIONS)
    return next((clause for clause in clauses if clause is not None), None)
