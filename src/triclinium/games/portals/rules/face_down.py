"""Where doubtful cards can lie: taken from the row before all eyes, and perhaps discarded face down since (PP-R12).

A discard shows its back and nothing else. So of one hand and one back everybody knows, for each discard in order, which
doubtful cards were in the hand then (those doubtful since that discard or an earlier one) and how many cards that
nobody else has seen could be among the discards up to it, its *blanks*. Every way to lay the doubtful cards out that
keeps to both is possible, and no other is.
"""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.games.portals.rules.components import NONE, Card

CARD_BITS: Final = (
    8  # bits of the card in a doubtful entry; above them the place in the pile since which it is in doubt
)
CARD_MASK: Final = 255


def assign_doubtful(doubtful: list[int], discards: list[int], blanks: list[int], rng: Rng) -> list[Card]:
    """Return for each discard the doubtful card that it is in some possible world, or NONE for an unseen card.

    The entries of ``doubtful`` and the places of ``discards`` in the pile ascend. A card in no discard is held.
    """
    discarded_cards: list[Card] = []
    held: list[Card] = []  # doubtful cards in the hand at the discard in question
    unseen = 0  # discards so far that are no doubtful card
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
    """Return whether the discards from ``first`` on can be filled, with so many doubtful cards held then.

    A doubtful card in a discard only spares a blank, and one that can be there now can be there later: so each discard
    takes one as long as there is one.
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
    """Return whether all entries of ``gone`` can be among the discards; entries of ``free`` may be, any others not."""
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
