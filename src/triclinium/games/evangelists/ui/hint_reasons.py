"""Clauses of hints on what a player has or can do after one option and not after another.

They compare the positions right after the two actions, so they do not depend on what opponents do next.
"""

from itertools import pairwise

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules.actions.follow import Follow
from triclinium.games.evangelists.rules.actions.tradition import FollowTradition
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.devices import compute_device_levels
from triclinium.games.evangelists.rules.scoring import count_bonus_points, count_matches, count_theme_points
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.ui.hint_cities import (
    Clause,
    can_become_strong,
    describe_box,
    describe_turn,
    describe_witnesses,
    list_box,
    list_new_cards,
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
    """Return the levels of the other option: if it only adds a card, the highest that any slot gives."""
    new, slots = list_new_cards(other, better, seat), better.slots[seat]
    levels = [other.levels[seat * TRACKS : (seat + 1) * TRACKS]]
    if len(new) == 1 and len(slots) == len(other.slots[seat]) and not list_new_cards(better, other, seat):
        for at in (at for at, card in enumerate(slots) if card == EMPTY):
            tried = (*slots[:at], new[0], *slots[at + 1 :])
            levels.append(compute_device_levels(other.c, tried, other.interviews[seat], other.emphasis_once))
    return [max(column) for column in zip(*levels, strict=True)]


def describe_tokens(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a follow token that the player does not pay."""
    rival, city = other.turn, better.pawn[seat]
    if better.tokens[seat] <= other.tokens[seat] or other.tokens[rival] <= better.tokens[rival]:
        return None
    if city < better.c.cities <= other.pawn[seat]:
        return msgid("you keep a follow token and stay in {0:place}, a city with cards and a witness"), (city,)
    marks = other.tally[seat] - better.tally[seat]
    if marks > 0:
        return msgid("you keep a follow token instead of giving it to {0:seat} for {1} tally {1:mark|marks}"), (
            rival,
            marks,
        )
    return msgid("{0:seat} gets no follow token from you"), (rival,)


def describe_follows(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a card that an opponent cannot copy, or on an action that opponents cannot follow for free."""
    for step in other.stack:
        if isinstance(step, FollowTradition) and step.applies(other) and better.opened_boxes == other.opened_boxes:
            here, there = ([c for c in s.kept_cards if matches_theme(s, c, step.who)] for s in (better, other))
            if there and not here:
                text = msgid("{0:seat} cannot copy “{1:card}”, which matches the theme of {0:seat}")
                return text, (step.who, there[0])
    free, before = (
        any(isinstance(step, Follow) and not step.price and step.applies(s) for step in s.stack)
        for s in (better, other)
    )
    if free or not before or can_become_strong(other, better, seat):
        return None
    return msgid("no opponent can follow for free"), ()


def describe_order(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on cards in the order of their numbers, as the chronology needs them."""
    here, there = list_ascending_pairs(better, seat), list_ascending_pairs(other, seat)
    if len(here) > len(there):
        pair = next(pair for pair in here if pair not in there)
        return msgid("“{0:card}” comes right before “{1:card}”, in ascending order"), pair
    slots, others = better.slots[seat], other.slots[seat]
    for at, card in enumerate(slots):
        if card >= 0 and card in others and len(slots) == len(others):
            place = card / (len(better.c.numbers) - 1) * (len(slots) - 1)
            before = others.index(card)
            towards_end = (at > before) == (2 * card >= len(better.c.numbers))
            if at != before and (towards_end or abs(at - place) < abs(before - place)):
                left = msgid("“{0:card}” is farther left, where it leaves room for higher numbers")
                right = msgid("“{0:card}” is farther right, where it leaves room for lower numbers")
                return (left if at < before else right), (card,)
    return None


def describe_neighbours(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on two neighbouring cards with the same circle, as an inclusio needs them."""
    here, there = ([card for card in s.slots[seat] if card >= 0] for s in (better, other))
    for pair in pairwise(here):
        circles = better.c.circles[pair[0]] & better.c.circles[pair[1]]
        if circles and pair not in pairwise(there) and sorted(here) == sorted(there):
            text = msgid("“{0:card}” is next to “{1:card}”, which also has the circle of {2:witness}")
            return text, (*pair, circles.bit_length() - 1)
    return None


def list_ascending_pairs(s: Evangelists, seat: Seat) -> list[tuple[int, int]]:
    """Return the neighbouring cards of the gospel of which the second has the higher number."""
    cards = [card for card in s.slots[seat] if card >= 0]
    return [(first, second) for first, second in pairwise(cards) if first < second]


def describe_face_up_card(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a face-up card that matches the theme of fewer opponents than another one."""
    for city, (here, there) in enumerate(zip(better.face_up, other.face_up, strict=True)):
        if here != there and list_box(better, city) == list_box(other, city) and EMPTY not in (here, there):
            first, rivals = city * better.c.box_size, [rival for rival in range(better.seats) if rival != seat]
            few, many = (
                sum(matches_theme(better, better.box[first + at], rival) for rival in rivals) for at in (here, there)
            )
            if few < many:
                text = msgid("the face-up card matches the theme of {0} instead of {1} {1:opponent|opponents}")
                return text, (few, many)
            mine, hidden = (matches_theme(better, better.box[first + at], seat) for at in (here, there))
            if hidden and not mine:
                return msgid("“{0:card}”, which matches your theme, stays face down"), (better.box[first + there],)
    return None


def describe_boat(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a boat in the city of the pawn, or on an opponent whose city gets none."""
    here, there = (s.pawn[seat] >= 0 and (s.boats >> s.pawn[seat]) & 1 for s in (better, other))
    if here > there:
        return msgid("you are in a city with a boat"), ()
    for rival, place in enumerate(better.pawn):
        if rival != seat and better.pawn == other.pawn and place >= 0 and ((other.boats & ~better.boats) >> place) & 1:
            return msgid("no boat goes to {0:seat} in {1:place}"), (rival, place)
    return None


DESCRIPTIONS = {
    "tally": (describe_tally,),
    "theme": (describe_theme,),
    "tracks": (describe_track,),
    "turn": (describe_turn, describe_follows),
    "witnesses": (describe_turn, describe_witnesses),
    "cards": (describe_box,),
    "tokens": (describe_witnesses, describe_box, describe_tokens),
    "order": (describe_order, describe_neighbours),
    "": (describe_face_up_card, describe_boat),
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
