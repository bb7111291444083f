"""Clauses of hints on cities: the witnesses whom a player can interview and the cards of the boxes."""

from collections.abc import Sequence
from operator import lt

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.ai.evaluation import count_turns_to_come
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
    more, less = ((a.travelled > b.travelled or a.sailed > b.sailed) for a, b in ((other, better), (better, other)))
    # A weak and a strong Travel whose destinations are not chosen yet differ in the octagons that are left.
    same = other.pawn[seat] != better.pawn[seat] and not is_destination_chosen(better, other) and not (more or less)
    if (more or same) and other.turn == seat:
        there = [
            n if city == better.pawn[seat] and not (less or same) else other.octagons for city, n in enumerate(there)
        ]
    return there


def list_octagons_in_cities(s: Evangelists, seat: Seat, starts: Sequence[int] = ()) -> list[int]:
    """Return for each city how many octagons the player could still have there in this turn, from one of the places."""
    c, left = s.c, [0] * len(s.c.distance)
    for place in starts or s.pawn[seat : seat + 1]:
        left[place] = s.octagons if s.turn == seat and place >= 0 else 0

    def sail(before: list[int]) -> list[int]:
        starts = [at for at, n in enumerate(before) if n and not s.sailed and (s.boats >> at) & 1]
        return [
            max([n, *(before[at] for at in starts if c.distance[at][to] <= c.reach_boat)])
            for to, n in enumerate(before)
        ]

    def travel(before: list[int]) -> list[int]:
        starts = [at for at, n in enumerate(before) if n and not s.travelled]
        costs = [[c.cost_weak if d <= c.reach_weak else c.cost_strong for d in row] for row in c.distance]
        return [max([n, *(before[at] - costs[at][to] for at in starts)]) for to, n in enumerate(before)]

    return [max(both) for both in zip(travel(sail(left)), sail(travel(left)), strict=True)][: c.cities]


def describe_witnesses(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on a witness who is on more of the player's cards or whom the player can reach with less."""
    cards, fewer = (list_open_witnesses(s, seat) for s in (better, other))
    gains = {w: n - other.count_circles(seat, w) for w, n in cards.items() if not (other.interviews[seat] >> w) & 1}
    losses = [n - better.count_circles(seat, w) for w, n in fewer.items() if w not in cards]
    witness = max(gains, key=lambda w: (gains[w], cards[w]), default=EMPTY)
    if witness != EMPTY and gains[witness] > 0 and sum(gains.values()) > sum(losses):
        text = msgid("you have {1} {1:card|cards} with the circle of {0:witness} instead of {2}")
        return text, (witness, cards[witness], cards[witness] - gains[witness])
    if better.pawn[seat] < 0 or better.pawn[seat] == other.pawn[seat]:
        return None
    here, there = (list_octagons_next_turn(s, seat) for s in (better, other))
    if better.turn == other.turn == seat and better.octagons and other.octagons:
        here, there = list_octagons_in_cities(better, seat), list_octagons_left(other, better, seat)
    values, before = (
        [cards.get(witness, 0) * (0, 4, 6, 7)[min(n, 3)] for witness, n in zip(better.witness_at, left, strict=True)]
        for left in (here, there)
    )
    city = max(range(len(values)), key=lambda city: values[city] - before[city])
    if values[city] <= before[city] or (values[city] <= max(before) and any(map(lt, values, before))):
        return None
    facts, left = (better.witness_at[city], cards[better.witness_at[city]]), (here[city], there[city])
    if city == better.pawn[seat] and is_destination_chosen(better, other):
        return msgid("you are with {0:witness}, whose circle is on {1} of your cards"), facts
    text = msgid("you can reach {0:witness}, on {1} of your cards, with {2} instead of {3} {3:octagon|octagons} left")
    return (text, (*facts, *left)) if is_destination_chosen(better, other) else None


def is_destination_chosen(better: Evangelists, other: Evangelists) -> bool:
    """Return whether the two options name destinations or keep the pawn in place, so that both were chosen."""
    before, after = ((s.turn, s.travelled, s.sailed, s.octagons) for s in (better, other))
    return before == after or better.turn != other.turn


def list_octagons_next_turn(s: Evangelists, seat: Seat) -> list[int]:
    """Return for each city how many octagons the player could have there in the next turn, or 0 if there is none."""
    t = s.clone()
    t.turn, t.octagons, t.travelled, t.sailed = seat, s.c.octagons if count_turns_to_come(s, seat) else 0, False, False
    return list_octagons_in_cities(t, seat)


def describe_surroundings(better: Evangelists, other: Evangelists, seat: Seat) -> Clause | None:
    """Return a clause on the cards in the pawn's city, or on the cards and the cities within a weak Travel of it."""
    places, s, reach = (better.pawn[seat], other.pawn[seat]), better, better.c.reach_weak
    if places[0] == places[1] or min(places) < 0 or not is_destination_chosen(better, other):
        return None
    if not (s.turn == seat and s.octagons) and not count_turns_to_come(s, seat):
        return None
    cards, fewer = (s.count_circles(seat, s.witness_at[at]) if at < s.c.cities else 0 for at in places)
    if cards > fewer and s.witness_at[places[0]] in list_open_witnesses(s, seat):
        return msgid("you are with {0:witness}, whose circle is on {1} of your cards"), (s.witness_at[places[0]], cards)
    (matching, size), (before, less) = (count_theme_cards(s, at, seat) for at in places)
    if matching > before and s.count_empty_slots(seat):
        return msgid("{1} of {2} cards in {0:place} {1:matches|match} your theme"), (places[0], matching, size)
    near, far = ([city for city in range(s.c.cities) if s.c.distance[at][city] <= reach] for at in places)
    cards, fewer = (sum(count_theme_cards(s, city, seat)[0] for city in cities) for cities in (near, far))
    if cards > fewer and s.count_empty_slots(seat):
        return msgid("{0} instead of {1} cards within {2} spaces match your theme"), (cards, fewer, reach)
    if size > less and matching >= before and s.count_empty_slots(seat):
        return msgid("you can choose from {1} instead of {2} cards in {0:place}"), (places[0], size, less)
    text = msgid("{0} instead of {1} cities are within {2} spaces")
    return (text, (len(near), len(far), reach)) if len(near) > len(far) else None


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
    if fills or (here < there and not looks and not new and len(better.slots[seat]) == len(other.slots[seat])):
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
