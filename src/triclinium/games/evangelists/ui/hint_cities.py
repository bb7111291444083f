"""Clauses of hints on cities: the witnesses whom a player can interview and the cards of the boxes."""

from collections.abc import Sequence

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists

Clause = tuple[str, tuple[int, ...]]

CARD_VALUE = 5  # value of a Tradition, if an Interview is worth four for each card with the circle


def describe_turn(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on an Interview or a Tradition that only the better option still allows in this turn."""
    if can_become_strong(other, better, seat):
        return None
    here, there = list_octagons_in_cities(better, seat), list_octagons_left(other, better, seat)
    return compare_turns(better, other, seat, (here, here), (there, there))


Octagons = tuple[list[int], list[int]]  # the octagons that can be left in each city for an Interview and a Tradition


def compare_turns(
    better: Evangelists, other: Evangelists, seat: Seat, here: Octagons, there: Octagons
) -> Clause | None:
    """Return a clause on an Interview or a Tradition that is better than all of the other option."""
    clauses: list[tuple[float, Clause]] = []
    values, before = rate_interviews(better, here[0], seat), rate_interviews(other, there[0], seat)
    city = values.index(max(values))
    facts = (better.witness_at[city], better.count_circles(seat, better.witness_at[city]))
    if values[city] > max(before) and not before[city]:
        text = msgid("this turn you can still interview {0:witness}, whose circle is on {1} of your cards")
        clauses.append((values[city], (text, facts)))
    elif values[city] > max(before) and there[0][city] < better.c.cost_strong:
        text = msgid("this turn you can still afford a strong Interview with {0:witness}, on {1} of your cards")
        clauses.append((values[city] / 3, (text, facts)))
    boxes = rate_boxes(better, here[1], seat)
    if max(boxes) > max(rate_boxes(other, there[1], seat)):
        city = boxes.index(max(boxes))
        text = msgid("this turn you can still keep a card of {0:place}, where {1} of {2} {1:matches|match} your theme")
        clauses.append((CARD_VALUE, (text, (city, *count_theme_cards(better, city, seat)))))
    return max(clauses)[1] if clauses else None


def rate_interviews(s: Evangelists, octagons: list[int], seat: Seat) -> list[int]:
    """Return for each city a value of the Interview there with these octagons."""
    cards = [list_open_witnesses(s, seat).get(witness, 0) for witness in s.witness_at]
    return [n * (6 if left >= s.c.cost_strong else 4 if left else 0) for n, left in zip(cards, octagons, strict=True)]


def rate_boxes(s: Evangelists, octagons: list[int], seat: Seat) -> list[float]:
    """Return for each city the share of cards that match the player's theme, if a Tradition is possible there."""
    rates = [0.0] * s.c.cities
    for city, left in enumerate(octagons if s.count_empty_slots(seat) else ()):
        matching, size = count_theme_cards(s, city, seat)
        rates[city] = matching / size if left and size and not (s.opened_boxes >> city) & 1 else 0.0
    return rates


def can_become_strong(s: Evangelists, before: Evangelists, seat: Seat) -> bool:
    """Return whether the player decides after an option whether a Tradition or an Interview is strong."""
    chooses_card = bool(s.kept_cards) and before.kept_cards[:1] != s.kept_cards[:1]
    return chooses_card or opens_box(s, before, seat) or bool(s.interviews[seat] & ~before.interviews[seat])


def list_octagons_left(other: Evangelists, better: Evangelists, seat: Seat) -> list[int]:
    """Return the octagons in each city after the other option, if the player could have moved to any other city."""
    there = list_octagons_in_cities(other, seat)
    if (other.travelled > better.travelled or other.sailed > better.sailed) and other.turn == seat:
        there = [n if city == better.pawn[seat] else other.octagons for city, n in enumerate(there)]
    return there


def list_octagons_in_cities(s: Evangelists, seat: Seat, starts: Sequence[int] = ()) -> list[int]:
    """Return for each city how many octagons the player could still have there in this turn, from one of the places."""
    c, left = s.c, [0] * len(s.c.distance)
    for place in starts or s.pawn[seat : seat + 1]:
        left[place] = s.octagons if s.turn == seat and place >= 0 else 0
    for step in ("sail", "travel", "sail"):
        before = left[:]
        for place, octagons in enumerate(before):
            if step == "sail" and octagons and not s.sailed and (s.boats >> place) & 1:
                left = [max(n, octagons * (d <= c.reach_boat)) for n, d in zip(left, c.distance[place], strict=True)]
            elif step == "travel" and octagons and not s.travelled:
                costs = (c.cost_weak if d <= c.reach_weak else c.cost_strong for d in c.distance[place])
                left = [max(n, octagons - cost) for n, cost in zip(left, costs, strict=True)]
    return left[: c.cities]


def describe_witnesses(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the witness who is nearer or on more of the player's cards."""
    clauses: list[tuple[float, Clause]] = []
    left = list_octagons_left(other, better, seat)
    for witness, cards in list_open_witnesses(better, seat).items() if better.pawn[seat] >= 0 else ():
        city, before = better.witness_at.index(witness), other.count_circles(seat, witness)
        near, far = (s.c.distance[s.pawn[seat]][city] for s in (better, other))
        value = cards / (1.0 + near) - before / (1.0 + far)
        facts: tuple[int, ...] = (witness, cards)
        moves = better.travelled > other.travelled or better.sailed > other.sailed
        text = msgid("you are with {0:witness}, whose circle is on {1} of your cards")
        if moves:
            text = msgid("you can reach {0:witness}, whose circle is on {1} of your cards")
        if cards > before:
            text = msgid("you have {1} {1:card|cards} with the circle of {0:witness} instead of {2}")
            facts += (before,)
        elif near:
            text = msgid("you are {2} {2:space|spaces} nearer to {0:witness}, whose circle is on {1} of your cards")
            facts += (far - near,)
        if (
            value > 0
            and (cards > before or not moves or not left[city])
            and not (other.interviews[seat] >> witness) & 1
        ):
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
    looks, new = opens_box(better, other, seat), list_new_cards(other, better, seat)
    left = list_octagons_left(other, better, seat)
    if (looks or city != place) and there and 0 <= city < better.c.cities:
        cards, size = count_theme_cards(other, city, seat)
        before = 0 if looks or place >= better.c.cities else count_theme_cards(other, place, seat)[0]
        if cards > before and cards / size > max(rate_boxes(other, left, seat)):
            return msgid("{1} of {2} cards in {0:place} {1:matches|match} your theme"), (city, cards, size)
    fills = looks and there and not any(left)
    if fills or (here < there and not looks and len(better.slots[seat]) == len(other.slots[seat])):
        text, only = msgid("you can fill one of your {0} empty slots"), msgid("you can fill your only empty slot")
        return (text, (there,)) if there > 1 else (only, ())
    adds = here > there and len(new) == 1 and not list_new_cards(better, other, seat)
    if adds and not matches_theme(other, new[0], seat) and not opens_box(other, better, seat):
        return msgid("“{0:card}” would fill an empty slot and does not match your theme"), (new[0],)
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
