"""Determinization of the congregation cards that a seat does not know, within what is ruled out (LM-4.2)."""

from mypy_extensions import i64

from triclinium.engine.core.rng import Rng
from triclinium.games.missionnaires.rules.components import OFF


def collect_unseen(
    held: tuple[int, ...], seen: tuple[int, ...], ruled_out: tuple[int, ...], bit: int, cards: list[int], out: list[int]
) -> None:
    """Append the cards of one place that a seat has not seen, and what is ruled out for their slots."""
    for slot in range(len(held)):
        if not seen[slot] & bit:
            cards.append(held[slot])
            out.append(ruled_out[slot])


def fill_unseen_slots(held: tuple[int, ...], seen: tuple[int, ...], bit: int, dealt: list[int]) -> tuple[int, ...]:
    """Return the place with newly dealt cards in the slots that the seat has not seen."""
    if not dealt:
        return held
    if len(dealt) == len(held):  # usually the seat has seen none of the cards
        return tuple(dealt)
    dealt.reverse()
    return tuple([held[slot] if seen[slot] & bit else dealt.pop() for slot in range(len(held))])


def deal_unseen(cards: list[int], out: list[int], rng: Rng) -> list[int]:
    """Return a random deal of the cards to slots that may hold them. The true deal shows that one exists.

    Placing the cards favours some deals, so they are exchanged at random afterwards.
    """
    cards.sort()  # Sort first, so that the deal depends only on what is known and on the generator.
    rng.shuffle(cards)
    held = cards[:]
    free: list[int] = []  # free slots, ascending
    for slot in range(len(cards)):
        ruled_out: i64 = out[slot]
        card: i64 = cards[slot]
        if (ruled_out >> card) & 1:
            held[slot] = OFF
            free.append(slot)
    for slot in free[:]:
        placed = place_card(cards[slot], held, out, free) or place_by_moving(
            cards[slot], held, out, free, [False] * len(held)
        )
        assert placed, "the true deal contradicts what is ruled out"
    exchange_cards(held, out, rng)
    return held


def place_card(card: i64, held: list[int], out: list[int], free: list[int]) -> bool:
    """Put the card into the first free slot that may hold it, and return whether there is one."""
    for n in range(len(free)):
        slot = free[n]
        ruled_out: i64 = out[slot]
        if not (ruled_out >> card) & 1:
            held[slot] = card
            free.pop(n)
            return True
    return False


def place_by_moving(card: int, held: list[int], out: list[int], free: list[int], tried: list[bool]) -> bool:
    """Put the card into a slot whose own card can move to another slot, and return whether it worked."""
    for slot in range(len(held)):
        if held[slot] != OFF and not tried[slot] and not (out[slot] >> card) & 1:
            tried[slot] = True
            moved = held[slot]
            if place_card(moved, held, out, free) or place_by_moving(moved, held, out, free, tried):
                held[slot] = card
                return True
    return False


def exchange_cards(cards: list[int], out: list[int], rng: Rng) -> None:
    """Exchange cards between slots at random, in place. No card gets into a slot where it is ruled out."""
    size = len(cards)
    for i in range(size):
        j = rng.below(size)
        here: i64 = cards[i]  # machine integers, because this runs for every pair
        there: i64 = cards[j]
        out_here: i64 = out[i]
        out_there: i64 = out[j]
        if not ((out_here >> there) | (out_there >> here)) & 1:
            cards[i] = there
            cards[j] = here
