"""Clauses of hints on what a seat has or can do after one option and not after another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.portals.ai.evaluation import build_known_sides, find_best_rival_counts
from triclinium.games.portals.ai.trip_plan import (
    DISCOUNT,
    TripPlan,
    count_rounds_until_turn,
    estimate_event,
    is_region_lacking,
)
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, LOW, NEW, NONE, Card
from triclinium.games.portals.rules.scoring import Side, count_sets
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.view import compute_step_distances

Clause = tuple[str, tuple[int, ...]]

MAX_TURNS: Final = 3  # A plan that is farther away says little.
MIN_PASSED: Final = 3  # With fewer centuries over, the choice of a deck has other reasons.
MAX_PASSED: Final = 5  # With more centuries over, few Old Testament events can be played.
MIN_ROUNDS: Final = 3


@dataclass(frozen=True)
class PlayTime:
    """The time at which a player can play an event of the hand."""

    turn: int  # 0 is the current turn, and 1 the next one
    value: float  # value of the event, less if it is later


def describe_plan(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the event that the seat can play sooner, or on one that it can play at all."""
    here, there = (leave_out_luck(s, t, seat) for s, t in ((better, other), (other, better)))
    sooner, later = find_play_times(here, seat), find_play_times(there, seat)
    gains, losses = (
        {
            card: time.value - (b[card].value if card in b and time.turn > 0 else 0.0)
            for card, time in a.items()
            if time.turn <= MAX_TURNS and find_soonest_turn(s, seat, card) > time.turn
        }
        for a, b, s in ((sooner, later, there), (later, sooner, here))
    )
    if not gains:
        drawn = find_new_card(other, better, seat) != NONE
        clause = describe_two_events(here, there, seat) or (not drawn and describe_actions_left(better, other, seat))
        return clause or (None if losses else describe_nearer_event(better, other, seat))
    card = max(gains, key=lambda card: gains[card])
    if gains[card] <= max(losses.values(), default=0.0):
        return None
    turn = sooner[card].turn
    if card in later:
        return msgid("you can play “{0:card}” {1:turn} instead of later"), (card, turn)
    if card in other.hands[seat]:
        return msgid("you can still play “{0:card}” {1:turn}"), (card, turn)
    if card in other.row:
        if any(one in better.row and later[one].turn <= turn for one in losses):
            return describe_kept_card(better, other, seat)
        return msgid("you have “{0:card}” and can play it {1:turn}"), (card, turn)
    return msgid("you keep “{0:card}” and can play it {1:turn}"), (card, turn)


def find_soonest_turn(s: Portals, seat: Seat, card: Card) -> int:
    """Return the first turn in which the seat can play an event at best: from the row, or after burning other cards."""
    c, own, taken = s.c, s.who == seat, card not in s.hands[seat]
    if s.over or card >= c.events or (taken and not can_take(s, seat, card)):
        return MAX_TURNS + 1
    place, actions = c.place[card], s.actions - taken if own else 0
    near = compute_step_distances(s, seat).get(place, c.places)  # around the other pawns, which may move later
    if own and near < actions and is_in_range_with_fuel(s, seat, card, 0):
        return 0
    steps = make_plan(s, seat).count_steps(s.pawns[seat], place)
    wait = 1 if own else count_rounds_until_turn(s, seat)  # number of rounds until the next turn
    for turn in range(1, (1 - wait if s.last_round else MAX_TURNS) + 1):
        if steps < actions + turn * c.actions and is_in_range_with_fuel(s, seat, card, wait + turn - 1):
            return turn
    return MAX_TURNS + 1


def can_take(s: Portals, seat: Seat, card: Card) -> bool:
    """Return whether the seat can still take a card from the row in this turn."""
    return s.who == seat and s.actions > 0 and card in s.row


def is_in_range_with_fuel(s: Portals, seat: Seat, card: Card, rounds: int) -> bool:
    """Return whether an event is in range in a later round if the seat burns all other cards that it can."""
    c = s.c
    now = rounds == 0 and s.who == seat
    burnt = [one for one in s.hands[seat] if one != card and not (now and c.colour_bit[one] & s.burnt)]
    fuel = {c.colour_bit[one]: c.fuel[one] for one in sorted(burnt, key=lambda one: c.fuel[one])}
    t = s.clone()
    t.capsule = min(s.capsule + rounds, c.spaces - 1)
    t.gauge = min(c.full, (s.gauge if now or s.gauge < c.full else LOW) + sum(fuel.values()))
    return (t.compute_range_mask() >> c.period[card]) & 1 == 1


def describe_two_events(here: Portals, there: Portals, seat: Seat) -> Clause | None:
    """Return a clause on an event of this turn and one of a later turn, if the other option does not allow both."""
    first, after = finish_turn(here, seat)
    if len(first) != 1 or first[0] not in there.hands[seat]:
        return None
    place = here.c.place[first[0]]
    rest = play_event(there, seat, first[0], compute_step_distances(there, seat).get(place, 0))
    times = find_direct_play_times(after, seat)
    for card in sorted(times, key=lambda card: -times[card].value):
        turn = times[card].turn
        if card in there.hands[seat] and 0 < turn <= MAX_TURNS and find_soonest_turn(rest, seat, card) > turn:
            return msgid("you can play “{0:card}” this turn and “{1:card}” {2:turn}"), (first[0], card, turn)
    return None


def describe_actions_left(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on an event of this turn after which the seat has more actions left."""
    if better.points[seat] != other.points[seat] or other.who != seat:
        return None
    here, there = (compute_step_distances(s, seat) for s in (better, other))
    for card in sorted(better.hands[seat], key=lambda card: -better.c.points[card]):
        if card in other.hands[seat] and max(find_soonest_turn(s, seat, card) for s in (better, other)) == 0:
            more = better.actions - here[better.c.place[card]] - other.actions + there[better.c.place[card]]
            if more > 0:
                return msgid("you can play “{0:card}” this turn with {1} more {1:action|actions} left"), (card, more)
    return None


def finish_turn(s: Portals, seat: Seat) -> tuple[tuple[Card, ...], Portals]:
    """Return the events with most points that the seat can play in this turn, and the position after them."""
    best: tuple[tuple[Card, ...], Portals] = (), s
    if s.over or s.who != seat or s.pawns[seat] == NONE:
        return best
    steps, mask = compute_step_distances(s, seat), s.compute_range_mask()
    for card in s.hands[seat]:
        if card < s.c.events and (mask >> s.c.period[card]) & 1 and steps.get(s.c.place[card], s.actions) < s.actions:
            cards, t = finish_turn(play_event(s, seat, card, steps[s.c.place[card]]), seat)
            points, most = (sum(s.c.points[one] for one in played) for played in ((card, *cards), best[0]))
            if (points, t.actions) > (most, best[1].actions):
                best = (card, *cards), t
    return best


def play_event(s: Portals, seat: Seat, card: Card, steps: int) -> Portals:
    """Return the position after the seat has moved to the place of an event and has played it."""
    t = s.clone()
    t.actions -= steps + 1
    t.pawns[seat] = s.c.place[card]
    t.hands[seat] = tuple(one for one in s.hands[seat] if one != card)
    return t


def find_play_times(s: Portals, seat: Seat) -> dict[Card, PlayTime]:
    """Return when the seat can play each event of its hand, or for later turns after its best events of this turn.

    Events that it cannot play in time are left out.
    """
    times = find_direct_play_times(s, seat)
    now = {card: time for card, time in times.items() if time.turn == 0}
    return {**find_direct_play_times(finish_turn(s, seat)[1], seat), **now} if now else times


def find_direct_play_times(s: Portals, seat: Seat) -> dict[Card, PlayTime]:
    """Return when the seat can play each event of its hand if it plays that one first."""
    if s.over:
        return {}
    plan = make_plan(s, seat)
    times: dict[Card, PlayTime] = {}
    steps = compute_step_distances(s, seat)  # around the other pawns, which may move before later turns
    for i, card in enumerate(plan.cards):
        action = plan.find_play_time(i, s.pawns[seat], 0)
        if action > 0:
            turn = plan.find_action_round(action) + (0 if s.who == seat else 1 - plan.rounds_to_turn)
            if turn == 0 and steps.get(s.c.place[card], s.actions) >= s.actions:
                turn = 1
            value = estimate_event(s, card, plan.side.regions, plan.sets) * DISCOUNT ** (plan.actions_used + action)
            times[card] = PlayTime(turn, value)
    return times


def make_plan(s: Portals, seat: Seat) -> TripPlan:
    side = Side(s, seat, 1 << seat)
    return TripPlan(s, seat, side, count_sets(s, side.regions, side.wilds), [0] * s.c.symbol_kinds)


def is_lucky(s: Portals, other: Portals, seat: Seat, card: Card) -> bool:
    """Return whether the seat has drawn a card face down only here, or has played it otherwise."""
    if card in (*other.hands[seat], *other.gone, *other.buried):
        return False
    return card in other.played[seat] or not (s.known_in_hand[seat] >> s.hands[seat].index(card)) & 1


def leave_out_luck(s: Portals, other: Portals, seat: Seat) -> Portals:
    """Return the position without the events that the seat has drawn face down only here, or has played otherwise."""
    t = s.clone()
    t.hands[seat] = tuple(card for card in s.hands[seat] if not is_lucky(s, other, seat, card))
    return t


def describe_symbols(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the symbol in which the seat gains most against the best other side."""
    most = 0
    clause: Clause | None = None
    after, before = count_symbols_and_rivals(better, seat), count_symbols_and_rivals(other, seat)
    soon = [better.c.symbols[card] for card in other.hands[seat] if find_soonest_turn(other, seat, card) == 0]
    for symbol, ((own, rival), (own_before, rival_before)) in enumerate(zip(after, before, strict=True)):
        lead, lead_before = own - rival, own_before - rival_before
        gain = min(lead, 2) - min(lead_before, 2)
        if gain <= 0 or own == 0 or lead < 0 or any((mask >> symbol) & 1 for mask in soon):
            continue
        gain += 10 if (lead > 0) > (lead_before > 0) else 5 if (lead >= 0) > (lead_before >= 0) else 0
        if gain > most:
            most = gain
            if lead > 0 and lead_before > 0:
                clause = msgid("you lead in {0:symbol} by {1} instead of {2}"), (symbol, lead, lead_before)
            elif lead > 0:
                points = better.c.majority_points
                clause = msgid("you lead in {0:symbol}, {1} to {2}, for {3} points"), (symbol, own, rival, points)
            else:
                clause = msgid("you draw level in {0:symbol}, {1} to {1}"), (symbol, own)
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
    soon = {better.c.region[card] for card in other.hands[seat] if find_soonest_turn(other, seat, card) == 0}
    if sets[0] != sets[1] or len(here - there) != 1 or here - there <= soon:
        return None
    text = msgid("you add {0:region} to your next region set, which then lacks {1}")
    return text, (*(here - there), count_lacking_regions(better, sides[0]))


def count_lacking_regions(s: Portals, side: Side) -> int:
    """Return the number of regions that the next set of a side lacks, of which its Region cards count as any."""
    sets = count_sets(s, side.regions, side.wilds)
    return next(
        n for n in range(1, s.c.regions + 1) if count_sets(s, side.regions, side.wilds + n) > sets or n == s.c.regions
    )


def describe_region_card(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the use of a Region card that the seat has only after the better option."""
    lacking, before = (count_lacking_regions(s, Side(s, seat, 1 << seat)) for s in (better, other))
    card = next((card for card in better.hands[seat] if better.c.wild[card] and card not in other.hands[seat]), NONE)
    if card == NONE or lacking >= before or is_lucky(better, other, seat, card):
        return None
    if can_take(other, seat, card):
        return describe_free_step(better, other, seat)
    return msgid("with “{0:card}”, your next region set only lacks {1} {1:region|regions}"), (card, lacking)


def describe_played(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the event that the seat plays only with the better option."""
    played = [card for card in better.played[seat] if card not in other.played[seat]]
    if len(played) != 1 or better.points[seat] <= other.points[seat]:
        return None
    return msgid("you score {1} {1:point|points} for “{0:card}”"), (played[0], better.c.points[played[0]])


def describe_gauge(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on less fuel that the other players find in the tank."""
    if other.gauge == other.c.full or (better.gauge >= other.gauge and better.gauge != better.c.full):
        return None
    if better.gauge == better.c.full:
        clause = describe_plan(better, other, seat)
        if clause is not None:
            return clause
        text = msgid("the full tank empties at the end of your turn, so you leave no fuel to the next player")
        return (text, ()) if other.gauge > LOW else None
    text = msgid("you leave the fuel gauge at {0:gauge} instead of {1:gauge} to the next player")
    return text, (better.gauge, other.gauge)


def find_given_up(s: Portals, other: Portals, seat: Seat) -> list[Card]:
    """Return the cards that the seat has burnt or discarded, and that it still has or has played otherwise."""
    return [card for card in (*s.gone, *s.buried) if card in other.hands[seat] or card in other.played[seat]]


def is_only_burnt_here(s: Portals, other: Portals) -> bool:
    """Return whether the seat has burnt a card only here, in the same turn."""
    return s.who == other.who and s.burnt & other.burnt == other.burnt != s.burnt


def describe_unspent_card(topic: str, better: Portals, other: Portals, seat: Seat, card: Card) -> Clause | None:
    """Return a clause against a free step that burns or discards a card, because actions are possible after it too."""
    if card in better.played[seat]:
        return describe_played(better, other, seat)
    times = find_play_times(better, seat)
    turn = times[card].turn if card in times else MAX_TURNS + 1
    if better.gauge > other.gauge and is_only_burnt_here(better, other):
        text = msgid("burning raises the fuel gauge from {0:gauge} to {1:gauge}, while a discard adds no fuel")
        return text, (other.gauge, better.gauge)
    if better.gauge == other.gauge or is_only_burnt_here(better, other):
        if turn <= MAX_TURNS:
            return msgid("you need not discard: even “{0:card}” can be played {1:turn}"), (card, turn)
        if card >= better.c.events:
            return msgid("you need not discard: even “{0:card}” counts at the end"), (card,)
        room = better.c.hand_limit - len(better.hands[seat])
        if room > 0:
            return msgid("you need not discard: your hand has room for {0} more {0:card|cards}"), (room,)
        cards = finish_turn(better, seat)[0]
        text = msgid("you need not discard: playing “{0:card}” this turn makes room in your hand, too")
        return (text, (cards[0],)) if cards else None
    if other.gauge in (LOW, other.c.full) and LOW < better.gauge < better.c.full and turn > 0:
        text = msgid("the fuel gauge stays at {0:gauge}, while a full tank empties at the end of the turn")
        return text, (better.gauge,)
    gauge = describe_gauge(better, other, seat)
    if gauge is not None and (topic == "gauge" or turn > MAX_TURNS):
        return gauge
    return (msgid("you keep “{0:card}” and can play it {1:turn}"), (card, turn)) if turn <= MAX_TURNS else None


def describe_room(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on room in the hand for a draw, which a free step has made."""
    can_draw = better.who == seat and better.actions > 0
    full = len(other.hands[seat]) == other.c.hand_limit == len(better.hands[seat]) + 1
    if can_draw and full and find_new_card(other, better, seat) == NONE:
        return msgid("your hand has room to draw a card"), ()
    return None


def find_new_card(s: Portals, other: Portals, seat: Seat) -> Card:
    """Return the card that the seat has taken or drawn only here, or NONE."""
    had = (*other.hands[seat], *other.played[seat], *other.gone, *other.buried)
    return next((card for card in s.hands[seat] if card not in had), NONE)


def describe_draw(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on a poor card that the seat would take from the row, or on the deck that it draws from."""
    c, new, other_new = better.c, find_new_card(better, other, seat), find_new_card(other, better, seat)
    if other_new < c.events and other_new != NONE and not is_lucky(other, better, seat, other_new):
        is_over = NONE < new < c.events and not is_still_to_come(better, new) and not is_lucky(better, other, seat, new)
        return None if is_over else describe_poor_card(other, seat, other_new)
    if NONE in (new, other_new) or not is_lucky(better, other, seat, new):
        return None
    passed = sum(1 for period in range(1, better.capsule) if not (better.compute_range_mask() >> period) & 1)
    if c.deck[new] == NEW:
        text = msgid("New Testament events come into range at the end, while {0} of the {1} centuries before are over")
        return (text, (passed, c.spaces - 2)) if passed >= MIN_PASSED else None
    rounds = c.spaces - 1 - better.capsule - better.gauge
    if rounds > 1 and passed <= MAX_PASSED:
        return msgid("New Testament events only come into range in {0} rounds with the present fuel"), (rounds,)
    return (msgid("only the Old Testament deck has Region and Symbol cards"), ()) if len(better.old) > 0 else None


def describe_poor_card(s: Portals, seat: Seat, card: Card) -> Clause | None:
    """Return a clause on why the seat cannot play a card of the row soon, or None."""
    if find_soonest_turn(s, seat, card) == 0:
        return None
    steps, full = make_plan(s, seat).count_steps(s.pawns[seat], s.c.place[card]), s.gauge == s.c.full
    if not full and not is_still_to_come(s, card):
        return msgid("the period of “{0:card}” is over"), (card,)
    rounds = 0 if full else count_rounds_to_range(s, card)
    if rounds >= MIN_ROUNDS:
        text = msgid("“{0:card}” only comes into range in {1} rounds with the present fuel")
        return text, (card, rounds)
    far = steps > (1 if full else s.c.actions)
    return (msgid("“{0:card}” is {1} steps away from you"), (card, steps)) if far else None


def describe_nearer_event(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on the event of both hands to which the pawn is nearer for a later turn, if it is worth most."""
    if better.over or other.over or finish_turn(better, seat)[0] or finish_turn(other, seat)[0]:
        return None
    here, there = (compute_step_distances(s, seat) for s in (better, other))  # The page shows the same steps.
    times = [one for s in (better, other) for one in find_play_times(s, seat).items()]
    worth = {card: time.value for card, time in times if time.turn <= MAX_TURNS}
    for card in sorted(worth, key=lambda card: -worth[card]):
        place = better.c.place[card]
        saved = there[place] - here[place] if place in here and place in there else 0
        if saved and card in better.hands[seat] and card in other.hands[seat]:
            return (msgid("you are {1} {1:step|steps} nearer to “{0:card}”"), (card, saved)) if saved > 0 else None
    return None


def describe_kept_card(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on an event that the seat has, and why it is better than one that it gives up."""
    c = better.c
    kept, lost = (
        [card for card in leave_out_luck(s, t, seat).hands[seat] if card not in t.hands[seat]]
        for s, t in ((better, other), (other, better))
    )
    if not kept or not all(card < c.events for card in lost):
        return None
    best = min(kept, key=lambda card: (card >= c.events, -c.points[card]))
    given = max(lost, key=lambda card: c.points[card], default=NONE)
    if given == NONE and can_take(other, seat, best):
        if find_new_card(other, better, seat) == NONE:
            return None
        times, t = find_direct_play_times(better, seat), better.clone()
        if best in times and times[best].turn <= MAX_TURNS:
            text = msgid("you can surely play “{0:card}” {1:turn}, while the drawn card may be of no use")
            return text, (best, times[best].turn)
        t.gauge = min(c.full, t.gauge + (0 if c.colour_bit[best] & t.burnt else c.fuel[best]))
        events = [one for one in finish_turn(t, seat)[0] if not (better.compute_range_mask() >> c.period[one]) & 1]
        text = msgid("you can burn “{0:card}” to play “{1:card}” this turn, while the drawn card may be of no use")
        return (text, (best, events[0])) if events else None
    of_use = best >= c.events or is_still_to_come(better, best)
    if given != NONE and of_use and not is_still_to_come(better, given):
        return msgid("you have “{0:card}”, while the period of “{1:card}” is over"), (best, given)
    if best >= c.events:
        return None
    if given == NONE or not of_use or lacks_region(better, seat, best) > lacks_region(better, seat, given):
        return describe_card_use(better, seat, best, given)
    if c.points[best] > c.points[given]:
        text = msgid("you have “{0:card}” for {1} points instead of “{2:card}” for {3}")
        return text, (best, c.points[best], given, c.points[given])
    return None


def describe_card_use(s: Portals, seat: Seat, card: Card, given: Card) -> Clause | None:
    """Return a clause on what an event in the hand is good for, and not one that the seat gave up for it, if any."""
    c = s.c
    if is_still_to_come(s, card):
        if lacks_region(s, seat, card):
            text = msgid("“{0:card}” is in {1:region}, which your next region set lacks")
            return text, (card, c.region[card])
        rounds = count_rounds_to_range(s, card)
        text = msgid("“{0:card}” is worth {1} {1:point|points} and comes into range in {2} {2:round|rounds}")
        now = msgid("“{0:card}” is worth {1} {1:point|points}, and its period is in range")
        return (text, (card, c.points[card], rounds)) if rounds else (now, (card, c.points[card]))
    same_colour = any(c.colour_bit[one] == c.colour_bit[card] for one in s.hands[seat] if one != card)
    if same_colour or c.fuel[card] <= (c.fuel[given] if given != NONE else 0):
        return None
    return msgid("you can burn “{0:card}” for {1} fuel"), (card, c.fuel[card])


def describe_free_step(better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on actions that are left, or on a card that the seat sees before it uses them."""
    if better.who != seat or other.who != seat or better.actions == 0 or better.round == 0:
        return None
    if better.actions > other.actions:
        text = msgid("burning and discarding cost no action, so you still have {0} {0:action|actions} instead of {1}")
        return text, (better.actions, other.actions)
    new = find_new_card(better, other, seat)
    if new != NONE == find_new_card(other, better, seat) and (better.old or is_lucky(better, other, seat, new)):
        return msgid("you see another card before you choose your other actions"), ()
    return None


def lacks_region(s: Portals, seat: Seat, card: Card) -> int:
    """Return 1 if the seat's next set lacks the region of an event, else 0."""
    side = Side(s, seat, 1 << seat)
    return is_region_lacking(side.regions, s.c.region[card], count_sets(s, side.regions, side.wilds))


def is_still_to_come(s: Portals, card: Card) -> bool:
    """Return whether the period of an event is ahead of the capsule, or in range with fuel that lasts."""
    in_range = s.gauge < s.c.full and (s.compute_range_mask() >> s.c.period[card]) & 1
    return s.c.period[card] >= s.capsule or bool(in_range)


def count_rounds_to_range(s: Portals, card: Card) -> int:
    """Return the number of rounds until an event comes into range with the present fuel, or without a full tank."""
    return max(0, s.c.period[card] - s.capsule - (s.gauge if s.gauge < s.c.full else LOW))


# descriptions of differences by topic
DESCRIPTIONS: Final[Mapping[str, Callable[[Portals, Portals, Seat], Clause | None]]] = {
    "plan": describe_plan,
    "set": describe_next_set,
    "symbols": describe_symbols,
    "gauge": describe_gauge,
    "region_cards": describe_region_card,
    "played": describe_played,
}
# further descriptions, the most important first, where the features give no reason
OTHER_DESCRIPTIONS: Final = (
    describe_plan,
    describe_gauge,
    describe_room,
    describe_kept_card,
    describe_draw,
    describe_actions_left,
    describe_free_step,
)


def describe_difference(topic: str, better: Portals, other: Portals, seat: Seat) -> Clause | None:
    """Return a clause on a topic, or for "" on the most important one that there is something to say about."""
    given = find_given_up(other, better, seat)
    if given and (is_only_burnt_here(better, other) or not find_given_up(better, other, seat)):
        clause = describe_unspent_card(topic, better, other, seat, given[0])
        if clause is not None:
            return clause
    if topic:
        return DESCRIPTIONS[topic](better, other, seat)
    clauses = (describe(better, other, seat) for describe in OTHER_DESCRIPTIONS)
    return next((clause for clause in clauses if clause is not None), None)
