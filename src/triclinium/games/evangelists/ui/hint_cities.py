"""Clauses of hints on cities: the witnesses whom a player can interview and the cards of the boxes."""

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists

Clause = tuple[str, tuple[int, ...]]

CARD_VALUE = 5  # value of a Tradition, if an Interview is worth four for each card with the circle


def describe_turn(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on an Interview or a Tradition that only the better option still allows in this turn."""
    if can_become_strong(other, better, seat):
        return None
    here, there = list_octagons_in_cities(better, seat), list_octagons_in_cities(other, seat)
    if other.travelled > better.travelled or other.sailed > better.sailed or better.octagons != other.octagons:
        stays = better.travelled <= other.travelled and better.sailed <= other.sailed
        if other.pawn[seat] != better.pawn[seat]:  # The player could have moved to any other city.
            there = [n if stays and city == better.pawn[seat] else other.octagons for city, n in enumerate(there)]
    witnesses = list_open_witnesses(better, seat)
    clauses: list[tuple[int, Clause]] = []
    for city, octagons in enumerate(here):
        witness, before = better.witness_at[city], there[city]
        cards = witnesses.get(witness, 0)
        interview = octagons > before and cards and not (other.interviews[seat] >> witness) & 1
        if interview and before == 0:
            text = msgid("this turn you can still interview {0:witness}, whose circle is on {1} of your cards")
            clauses.append((4 * cards, (text, (witness, cards))))
        elif interview and before < better.c.cost_strong:
            text = msgid("this turn you can still afford a strong Interview with {0:witness}, on {1} of your cards")
            clauses.append((2 * cards, (text, (witness, cards))))
        matching, size = count_theme_cards(better, city, seat)
        opened = ((better.opened_boxes | other.opened_boxes) >> city) & 1
        if octagons and not before and matching and not opened and better.count_empty_slots(seat):
            text = msgid(
                "this turn you can still keep a card of {0:place}, where {1} of {2} {1:matches|match} your theme"
            )
            clauses.append((CARD_VALUE, (text, (city, matching, size))))
    return max(clauses)[1] if clauses else None


def can_become_strong(s: Evangelists, before: Evangelists, seat: Seat) -> bool:
    """Return whether the player decides after an option whether a Tradition or an Interview is strong."""
    chooses_card = bool(s.kept_cards) and before.kept_cards[:1] not in ((), s.kept_cards[:1])
    return chooses_card or opens_box(s, before, seat) or bool(s.interviews[seat] & ~before.interviews[seat])


def list_octagons_in_cities(s: Evangelists, seat: Seat) -> list[int]:
    """Return for each city how many octagons the player would still have there in this turn."""
    octagons = [0] * s.c.cities
    if s.turn != seat or s.pawn[seat] < 0:
        return octagons
    sails = not s.sailed and (s.boats >> s.pawn[seat]) & 1
    for city, distance in enumerate(s.c.distance[s.pawn[seat]][: s.c.cities]):
        if distance == 0 or (sails and distance <= s.c.reach_boat):
            octagons[city] = s.octagons
        elif not s.travelled:
            octagons[city] = s.octagons - (s.c.cost_weak if distance <= s.c.reach_weak else s.c.cost_strong)
    return [max(0, left) for left in octagons]


def describe_witnesses(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the witness who is nearer or on more of the player's cards."""
    clauses: list[tuple[float, Clause]] = []
    for witness, cards in list_open_witnesses(better, seat).items() if better.pawn[seat] >= 0 else ():
        city, before = better.witness_at.index(witness), other.count_circles(seat, witness)
        near, far = (s.c.distance[s.pawn[seat]][city] for s in (better, other))
        value = cards / (1.0 + near) - before / (1.0 + far)
        facts: tuple[int, ...] = (witness, cards)
        text = (
            msgid("you can reach {0:witness}, whose circle is on {1} of your cards")
            if better.travelled > other.travelled or better.sailed > other.sailed
            else msgid("you are with {0:witness}, whose circle is on {1} of your cards")
        )
        if cards > before:
            text = msgid("you have {1} {1:card|cards} with the circle of {0:witness} instead of {2}")
            facts += (before,)
        elif near:
            text = msgid("you are {2} {2:space|spaces} nearer to {0:witness}, whose circle is on {1} of your cards")
            facts += (far - near,)
        if value > 0 and not (other.interviews[seat] >> witness) & 1:
            clauses.append((value, (text, facts)))
    return max(clauses)[1] if clauses else None


def list_open_witnesses(s: Evangelists, seat: Seat) -> dict[int, int]:
    """Return the witnesses whom the player can still interview for marks, with the number of cards that they are on."""
    witnesses = [witness for witness in s.witness_at if s.piles[witness] and not (s.interviews[seat] >> witness) & 1]
    return {witness: s.count_circles(seat, witness) for witness in witnesses if s.count_circles(seat, witness)}


def describe_box(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the box where the player ends or takes a Tradition, or on an empty slot."""
    city, place = better.pawn[seat], other.pawn[seat]
    here, there = better.count_empty_slots(seat), other.count_empty_slots(seat)
    looks = opens_box(better, other, seat)
    if (looks or city != place) and there and 0 <= city < better.c.cities:
        cards, size = count_theme_cards(other, city, seat)
        before = 0 if looks or place >= better.c.cities else count_theme_cards(other, place, seat)[0]
        if cards > before:
            return msgid("{1} of {2} cards in {0:place} {1:matches|match} your theme"), (city, cards, size)
    rounds = better.c.track_end - min(better.marker, other.marker) - 1
    if (looks and there) or (here < there and len(better.slots[seat]) == len(other.slots[seat])):
        text = msgid("you can fill one of your {0} empty {0:slot|slots}, with {1} more {1:round|rounds} to come")
        return text, (there, rounds)
    unwanted = [card for card in list_new_cards(other, better, seat) if not matches_theme(other, card, seat)]
    if here > there and unwanted and not list_new_cards(better, other, seat):
        text = msgid("you keep {0} empty {0:slot|slots}, because “{1:card}” does not match your theme")
        return text, (here, unwanted[0])
    return None


def count_theme_cards(s: Evangelists, city: int, seat: Seat) -> tuple[int, int]:
    """Return how many cards in the box match the player's theme, by face or back, and how many there are."""
    matching = [
        matches_theme(s, s.box[at], seat) if (s.seen[at] >> seat) & 1 else s.c.back[s.box[at]] == s.theme[seat]
        for at in list_box(s, city)
    ]
    return sum(matching), len(matching)


def list_box(s: Evangelists, city: int) -> list[int]:
    """Return the places of the cards in the city's box, or none for a waypoint."""
    first = city * s.c.box_size
    return [at for at in range(first, first + s.c.box_size) if s.box[at] != EMPTY] if 0 <= city < s.c.cities else []


def opens_box(s: Evangelists, before: Evangelists, seat: Seat) -> bool:
    """Return whether the player opens a box, so that the choice of a card is still to come."""
    places, left = list_box(before, s.pawn[seat]), list_box(s, s.pawn[seat])
    if not places:
        return False
    opened = (before.opened_boxes >> s.pawn[seat]) & 1
    if before.turn == seat and not opened and s.turn == seat and (s.opened_boxes >> s.pawn[seat]) & 1:
        return True
    return len(left) < len(places) and not all((before.seen[at] >> seat) & 1 for at in places)


def list_new_cards(better: Evangelists, other: Evangelists, seat: Seat) -> list[int]:
    """Return the cards that are in the gospel after the better option only."""
    return [card for card in better.slots[seat] if card not in other.slots[seat]]


def matches_theme(s: Evangelists, card: int, seat: Seat) -> bool:
    return bool((s.c.themes[card] >> s.theme[seat]) & 1)
