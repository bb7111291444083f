"""Clauses of hints on what a player has or can do after one option and not after another.

They compare the positions right after the two actions, so they do not depend on what opponents do next.
"""

from itertools import pairwise

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.devices import compute_device_levels
from triclinium.games.evangelists.rules.scoring import count_bonus_points, count_matches, count_theme_points
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.ui.hint_cities import (
    Clause,
    describe_box,
    describe_surroundings,
    describe_turn,
    describe_witnesses,
    list_box,
    list_new_cards,
    list_octagons_in_cities,
    list_octagons_left,
    matches_theme,
    opens_box,
)


def describe_theme(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a card that matches the player's theme, with the points that it brings now."""
    more = count_matches(better, seat) - count_matches(other, seat)
    bonus = count_bonus_points(better, seat) - count_bonus_points(other, seat)
    if more == 0 and bonus > 0:
        return msgid("at least half of your cards match your theme, for {0} points"), (bonus,)
    card = next((card for card in list_new_cards(better, other, seat) if matches_theme(better, card, seat)), EMPTY)
    if more <= 0 or card == EMPTY:
        return None
    points = count_theme_points(better, seat) - count_theme_points(other, seat) + bonus
    if points <= 0:
        return msgid("“{0:card}” matches your theme"), (card,)
    return msgid("“{0:card}” matches your theme, for {1} more {1:point|points}"), (card, points)


def describe_tally(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on tally marks: for an Interview, the fewest that it can give."""
    more = better.tally[seat] - other.tally[seat]
    new = better.interviews[seat] & ~other.interviews[seat]
    if new and list_octagons_left(other, better, seat)[better.pawn[seat]]:
        return None  # The player can still do the Interview in this turn.
    if more <= 0 or not new:
        return (msgid("you record {0} more tally {0:mark|marks}"), (more,)) if more > 0 else None
    witness = new.bit_length() - 1
    cards = better.count_circles(seat, witness)
    each = better.c.weak_alive if (other.alive >> witness) & 1 else better.c.weak_dead
    text = msgid("{1} of your cards {1:has|have} the circle of {0:witness}, for {2} tally marks or more")
    return text, (witness, cards, cards * each)


def describe_track(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the track on which the player's cube is farther up."""
    gains = [better.get_level(seat, track) - level for track, level in enumerate(list_levels(better, other, seat))]
    track = max(range(TRACKS), key=lambda track: gains[track])
    if gains[track] <= 0 or sum(gains) < 0:
        return None
    return msgid("your cube on the {0:track} track is {1} {1:space|spaces} farther up"), (track, gains[track])


def list_levels(better: Evangelists, other: Evangelists, seat: Seat) -> list[int]:
    """Return the levels of the other option: if it adds one card, the highest that any slot gives."""
    new, more = list_new_cards(other, better, seat), list_new_cards(better, other, seat)
    slots = tuple(EMPTY if card in more else card for card in better.slots[seat])
    levels = [other.levels[seat * TRACKS : (seat + 1) * TRACKS]]
    if len(new) == 1 and len(slots) == len(other.slots[seat]):
        levels += list_levels_with(other, seat, new[0], slots)
    return [max(column) for column in zip(*levels, strict=True)]


def list_levels_with(s: Evangelists, seat: Seat, card: int, slots: tuple[int, ...]) -> list[list[int]]:
    """Return the levels with one more card in each of the empty slots."""
    empty = [at for at, before in enumerate(slots) if before == EMPTY]
    rows = [(*slots[:at], card, *slots[at + 1 :]) for at in empty]
    return [compute_device_levels(s.c, row, s.interviews[seat], s.emphasis_once) for row in rows]


def describe_tokens(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a follow token that the player does not pay."""
    if better.tokens[seat] <= other.tokens[seat] or other.tokens[other.turn] <= better.tokens[other.turn]:
        return None
    return msgid("{0:seat} gets no follow token from you"), (other.turn,)


def describe_octagons(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on what the octagons are for that are left after the same action, weak instead of strong."""
    same = (better.pawn, better.opened_boxes, better.interviews) == (other.pawn, other.opened_boxes, other.interviews)
    if better.turn != seat or other.turn != seat or not same or better.octagons <= other.octagons:
        return None
    if other.octagons:
        return msgid("you have {0} instead of {1} {1:octagon|octagons} left"), (better.octagons, other.octagons)
    left = list_octagons_in_cities(better, seat)
    boxes = [len(list_box(better, at)) * (n > 0 and not better.opened_boxes >> at & 1) for at, n in enumerate(left)]
    if max(boxes) and better.count_empty_slots(seat):
        return msgid("this turn you can still keep a card of {0:place}"), (boxes.index(max(boxes)),)
    return None if better.travelled else (msgid("you can still travel this turn"), ())


def describe_order(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the order of the numbers, as the chronology needs it, or on cards that can still be added."""
    slots = better.slots[seat]
    if sorted(slots) != sorted(other.slots[seat]):
        return None
    room, less = (find_longest_run(better, s.slots[seat]) for s in (better, other))
    if room > less and room >= better.c.chronology_min and EMPTY in slots:
        return msgid("your gospel has room for a rising run of {0} cards instead of {1}"), (room, less)
    raising, lacking = (sum(can_raise(s, card, seat) for card in s.box if card != EMPTY) for s in (better, other))
    text = msgid("{0} instead of {1} {1:card|cards} in the cities can still move one of your cubes up")
    if raising > 1.2 * lacking:  # A difference of one or two cards in many is no reason.
        return text, (raising, lacking)
    gaps, before = count_empty_slots_between(better, seat), count_empty_slots_between(other, seat)
    wider = [
        gap for gap, n in gaps.items() if gap in before and n > before[gap] and (gap[0] + 1 < gap[1] or gap[1] == EMPTY)
    ]
    if len(gaps) != len(before) or not wider:
        return None
    (first, second), (n, less) = wider[0], (gaps[wider[0]], before[wider[0]])
    if first == EMPTY:
        return msgid("{1} instead of {2} empty {2:slot|slots} come before “{0:card}”"), (second, n, less)
    if second == EMPTY:
        return msgid("{1} instead of {2} empty {2:slot|slots} come after “{0:card}”"), (first, n, less)
    return msgid("{2} instead of {3} empty {3:slot|slots} come between “{0:card}” and “{1:card}”"), (*wider[0], n, less)


def count_empty_slots_between(s: Evangelists, seat: Seat) -> dict[tuple[int, int], int]:
    """Return the number of empty slots between neighbouring cards of the gospel, with EMPTY for its ends."""
    slots = (EMPTY, *s.slots[seat], EMPTY)
    places = [at for at, card in enumerate(slots) if card != EMPTY or at in (0, len(slots) - 1)]
    return {(slots[first], slots[second]): second - first - 1 for first, second in pairwise(places)}


def find_longest_run(s: Evangelists, slots: tuple[int, ...]) -> int:
    """Return the largest number of neighbouring slots that can have rising numbers when they are filled."""
    longest = 0
    for first in range(len(slots)):
        last = -1
        for at in range(first, len(slots)):
            free = (card for card in range(last + 1, len(s.c.numbers)) if card not in slots)
            last = next(free, -1) if slots[at] == EMPTY else slots[at] if slots[at] > last else -1
            if last < 0:
                break
            longest = max(longest, at - first + 1)
    return longest


def can_raise(s: Evangelists, card: int, seat: Seat) -> bool:
    """Return whether the card can move one of the player's cubes up."""
    levels = s.levels[seat * TRACKS : (seat + 1) * TRACKS]
    rows = list_levels_with(s, seat, card, s.slots[seat])
    return any(a > b for row in rows for a, b in zip(row, levels, strict=True))


def describe_boat(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a boat in the city of the pawn, or on a boat that goes to another city."""
    here, there = (s.pawn[seat] >= 0 and (s.boats >> s.pawn[seat]) & 1 for s in (better, other))
    if here > there:
        return msgid("you are in a city with a boat"), ()
    c, at, rivals = better.c, better.pawn, [who for who in range(better.seats) if who != seat]
    city, place = ((a.boats & ~b.boats).bit_length() - 1 for a, b in ((better, other), (other, better)))
    if better.pawn != other.pawn or city < 0 or place < 0:
        return None
    lucky = next((who for who in rivals if at[who] == place), EMPTY)
    if lucky != EMPTY and city not in at:
        return msgid("{0:seat} gets no boat in {1:place}"), (lucky, place)
    near, far = c.distance[at[seat]][city], c.distance[at[seat]][place]
    if near < far:
        return msgid("the boat in {0:place} is {1} {1:space|spaces} nearer to you"), (city, far - near)
    targets, fewer = len(c.sail_targets[city]), len(c.sail_targets[place])
    text = msgid("a boat can sail from {0:place} to {1} instead of {2} {2:city|cities}")
    return (text, (city, targets, fewer)) if targets > fewer else None


DESCRIPTIONS = {
    "tally": (describe_tally,),
    "theme": (describe_theme,),
    "tracks": (describe_track,),
    "turn": (describe_turn, describe_octagons),
    "witnesses": (describe_turn, describe_witnesses),
    "cards": (describe_box,),
    "tokens": (describe_witnesses, describe_box, describe_tokens),
    "order": (describe_order,),
    "": (describe_boat, describe_surroundings),
}


def describe_difference(topic: str, better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a topic, or for "" on the most important one that there is something to say about."""
    gospel = other if opens_box(better, other, seat) else better
    other_gospel = better if opens_box(other, better, seat) else other
    topics = [topic] if topic else list(DESCRIPTIONS)
    pair = (take_gospel(better, gospel, seat), take_gospel(other, other_gospel, seat))
    clauses = (describe(*pair, seat) for topic in topics for describe in DESCRIPTIONS[topic])
    return next((clause for clause in clauses if clause is not None), None)


def take_gospel(s: Evangelists, other: Evangelists, seat: Seat) -> Evangelists:
    """Return the position with the player's gospel of another one, because the card to come is unknown."""
    if s is other:
        return s
    t = s.clone()
    t.slots[seat] = other.slots[seat]
    t.adjust_tracks(seat)
    return t
