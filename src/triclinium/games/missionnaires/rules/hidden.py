"""Other deals of the congregation cards that a seat does not know (LM-4.2: what is ruled out stays ruled out)."""

from triclinium.engine.core.rng import Rng
from triclinium.games.missionnaires.rules.components import OFF


def first_deal(cards: list[int], out: list[int]) -> list[int]:
    """The cards in ascending order, each in a slot that may hold it; those in the way move on. One deal is known."""
    cards.sort()
    held = cards[:]
    waiting: list[int] = []
    for slot in range(len(cards)):
        if (out[slot] >> cards[slot]) & 1:
            held[slot] = OFF
            waiting.append(cards[slot])
    for card in waiting:
        assert house(card, held, out, [False] * len(held)), "the true deal contradicts what is ruled out"
    return held


def house(card: int, held: list[int], out: list[int], tried: list[bool]) -> bool:
    """Find the card a slot: a free one, or one whose card finds another."""
    for slot in range(len(held)):
        if held[slot] == OFF and not (out[slot] >> card) & 1:
            held[slot] = card
            return True
    for slot in range(len(held)):
        if held[slot] != OFF and not tried[slot] and not (out[slot] >> card) & 1:
            tried[slot] = True
            if house(held[slot], held, out, tried):
                held[slot] = card
                return True
    return False


def exchange(cards: list[int], out: list[int], rng: Rng) -> None:
    """Mix cards among slots, in place, respecting what each slot is known not to hold."""
    size = len(cards)
    for _ in range(3):
        for i in range(size):
            j = rng.below(size)
            if not ((out[i] >> cards[j]) & 1) and not ((out[j] >> cards[i]) & 1):
                card = cards[i]
                cards[i] = cards[j]
                cards[j] = card
