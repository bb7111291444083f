"""Clauses of hints on witnesses and tracks after one option and not after another."""

from dataclasses import dataclass
from itertools import pairwise

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists

Clause = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class InterviewChance:
    """A witness whom the player can still interview."""

    distance: int  # spaces from the pawn to the city of the witness
    cards: int  # number of the player's cards with the circle of the witness

    @property
    def value(self) -> float:
        return self.cards / (1.0 + self.distance)


def describe_witnesses(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the witness who is nearer or on more of the player's cards."""
    here, there = list_interview_chances(better, seat), list_interview_chances(other, seat)
    nobody = InterviewChance(0, 0)
    gains = {witness: chance.value - there.get(witness, nobody).value for witness, chance in here.items()}
    witness = max(gains, key=lambda witness: gains[witness], default=-1)
    if gains.get(witness, 0.0) <= 0:
        return None
    chance, before = here[witness], there.get(witness, nobody)
    if chance.cards > before.cards:
        text = msgid("you have {1} {1:card|cards} with the circle of {0:witness} instead of {2}")
        return text, (witness, chance.cards, before.cards)
    if chance.distance == 0:
        text = msgid("you are with {0:witness}, whose circle is on {1} of your cards")
        return text, (witness, chance.cards)
    text = msgid("you are {1} {1:space|spaces} nearer to {0:witness}, whose circle is on {2} of your cards")
    return text, (witness, before.distance - chance.distance, chance.cards)


def list_interview_chances(s: Evangelists, seat: Seat) -> dict[int, InterviewChance]:
    """Return the witnesses whom the player can still interview for marks."""
    chances: dict[int, InterviewChance] = {}
    for city in range(s.c.cities if s.pawn[seat] >= 0 else 0):
        witness = s.witness_at[city]
        cards = s.count_circles(seat, witness)
        if cards and s.piles[witness] and not (s.interviews[seat] >> witness) & 1:
            chances[witness] = InterviewChance(s.c.distance[s.pawn[seat]][city], cards)
    return chances


def describe_track(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the track on which the player's cube is farther up."""
    gains = [better.get_level(seat, track) - other.get_level(seat, track) for track in range(TRACKS)]
    track = max(range(TRACKS), key=lambda track: gains[track])
    if gains[track] <= 0:
        return None
    return msgid("your cube on the {0:track} track is {1} {1:space|spaces} farther up"), (track, gains[track])


def describe_order(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on cards in the order of their numbers, as the chronology needs them."""
    more = count_ascending_pairs(better, seat) - count_ascending_pairs(other, seat)
    if more > 0:
        text = msgid("{0} more {0:pair|pairs} of neighbouring cards in your gospel {0:is|are} in ascending order")
        return text, (more,)
    slots, others = better.slots[seat], other.slots[seat]
    for at, card in enumerate(slots):
        if card >= 0 and card in others and len(slots) == len(others):
            place = card / (len(better.c.numbers) - 1) * (len(slots) - 1)
            before = others.index(card)
            if abs(at - place) < abs(before - place):
                left = msgid("“{0:card}” is farther left, where it leaves room for higher numbers")
                right = msgid("“{0:card}” is farther right, where it leaves room for lower numbers")
                return (left if at < before else right), (card,)
    return None


def count_ascending_pairs(s: Evangelists, seat: Seat) -> int:
    """Return the number of cards in the gospel that follow a card with a lower number."""
    cards = [card for card in s.slots[seat] if card >= 0]
    return sum(first < second for first, second in pairwise(cards))


def describe_face_up_card(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a face-up card that matches the theme of fewer opponents than another one."""
    for city in range(better.c.cities):
        here, there = find_face_up_card(better, city), find_face_up_card(other, city)
        if EMPTY not in (here, there):
            rivals = [rival for rival in range(better.seats) if rival != seat]
            few, many = (sum(matches_theme(better, card, rival) for rival in rivals) for card in (here, there))
            if few < many:
                text = msgid("the face-up card matches the theme of {0} instead of {1} {1:opponent|opponents}")
                return text, (few, many)
    return None


def find_face_up_card(s: Evangelists, city: int) -> int:
    """Return the face-up card of a city, or EMPTY."""
    return EMPTY if s.face_up[city] == EMPTY else s.box[city * s.c.box_size + s.face_up[city]]


def matches_theme(s: Evangelists, card: int, seat: Seat) -> bool:
    return bool((s.c.themes[card] >> s.theme[seat]) & 1)


def describe_boat(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a boat in the city of the pawn."""
    here, there = (s.pawn[seat] >= 0 and (s.boats >> s.pawn[seat]) & 1 for s in (better, other))
    return (msgid("you are in a city with a boat"), ()) if here > there else None


def describe_difference(topic: str, better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a topic, or for "" on the most important one that there is something to say about."""
    descriptions = {"tracks": describe_track, "witnesses": describe_witnesses, "order": describe_order}
    if topic:
        return descriptions[topic](better, other, seat)
    clauses = (
        describe(better, other, seat) for describe in (*descriptions.values(), describe_face_up_card, describe_boat)
    )
    return next((clause for clause in clauses if clause is not None), None)
