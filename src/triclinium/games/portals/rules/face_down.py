"""Possible positions of cards that were taken from the row and perhaps discarded face down since then (PP-R12).

A face-down discard shows only its back. A card is *doubtful* if all players saw it taken and it may be one of the later
discards. For each hand and back, all players know two things about each discard. They know which doubtful cards were in
the hand at that moment. They also know its *blanks*: how many discards up to it can be cards that no other player has
seen. Every assignment of doubtful cards that respects both is possible, and no other.
"""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.games.portals.rules.components import NONE, Card

# Bits of the card in a doubtful entry. The higher bits are the place in the pile from which on it can be a discard.
CARD_BITS: Final = 8
CARD_MASK: Final = 255


def assign_doubtful(doubtful: list[int], discards: list[int], blanks: list[int], rng: Rng) -> list[Card]:
    """Return for each discard the doubtful card that it is in some possible world, or NONE for an unseen card.

    The entries of ``doubtful`` and the places of ``discards`` in the pile ascend. Doubtful cards in no discard are in
    the hand.
    """
    discarded_cards: list[Card] = []
    held: list[Card] = []  # for the current discard, the doubtful cards in the hand
    unseen = 0  # number of discards so far that are not doubtful cards
    after = 0
    for i in range(len(discards)):
        while after < len(doubtful) and doubtful[after] >> CARD_BITS <= discards[i]:
            held.append(doubtful[after] & CARD_MASK)
            after += 1
        others = blanks[i] - unseen
        if held and (
            others <= 0 or not is_assignment_possible(doubtful, discards, blanks, i + 1, len(held), after, unseen + 1)
        ):
            others = 0
        pick = rng.below(len(held) + others) if held else 0
        if pick < len(held):
            discarded_cards.append(held.pop(pick))
        else:
            discarded_cards.append(NONE)
            unseen += 1
    return discarded_cards


def is_assignment_possible(
    doubtful: list[int], discards: list[int], blanks: list[int], first: int, held: int, after: int, unseen: int
) -> bool:
    """Return whether the discards from ``first`` on can be filled, with ``held`` doubtful cards in the hand.

    Putting a doubtful card into a discard saves a blank, and a card that fits now also fits later. So each discard
    takes a doubtful card as long as there is one.
    """
    for i in range(first, len(discards)):
        while after < len(doubtful) and doubtful[after] >> CARD_BITS <= discards[i]:
            held += 1
            after += 1
        if held > 0:
            held -= 1
        else:
            unseen += 1
        if unseen > blanks[i]:
            return False
    return True


def can_be_discarded(gone: list[int], free: list[int], discards: list[int], blanks: list[int]) -> bool:
    """Return whether all entries of ``gone`` can be among the discards.

    Entries of ``free`` may be there too, others not.
    """
    left = sorted(gone)
    spare = sorted(free)
    unseen = 0
    for i in range(len(discards)):
        if left and left[0] >> CARD_BITS <= discards[i]:
            left.pop(0)
        elif spare and spare[0] >> CARD_BITS <= discards[i]:
            spare.pop(0)
        else:
            unseen += 1
        if unseen > blanks[i]:
            return False
    return not left
