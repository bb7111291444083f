"""Levels of the four literary devices (AE-9), computed from the current gospel and interview cards alone."""

from triclinium.games.evangelists.rules.components import Components


def compute_device_levels(c: Components, slots: tuple[int, ...], interviews: int, emphasis_once: bool) -> list[int]:
    """Return the levels of inclusio, emphasis, chiasm and chronology, in this order."""
    cards = list_placed_cards(slots)
    return [
        count_inclusio(c, cards, interviews),
        count_emphasis(c, cards, emphasis_once),
        count_chiasm(c, cards),
        count_chronology(c, cards),
    ]


def list_placed_cards(slots: tuple[int, ...]) -> list[int]:
    """AE-9.1  Return the cards from left to right, without the empty slots."""
    return [card for card in slots if card >= 0]


def count_inclusio(c: Components, cards: list[int], interviews: int) -> int:
    """AE-9.2  Return the number of interviewed witnesses shown on three consecutive cards (AE-R20)."""
    if interviews == 0:
        return 0
    circles = c.circles
    run = c.inclusio_run
    framed = 0
    for first in range(len(cards) - run + 1):
        shared = interviews
        for at in range(first, first + run):
            shared &= circles[cards[at]]
        framed |= shared
    return framed.bit_count()


def count_emphasis(c: Components, cards: list[int], once: bool) -> int:
    """AE-9.3, AE-R21  Return the number of sets of four cards with a common motif.

    With the option ``once``, each motif counts one set at most.
    """
    tally = 0
    motif_tally = c.motif_tally
    for card in cards:
        tally += motif_tally[card]
    full = c.emphasis_set
    count = 0
    while tally:
        copies = tally & 63
        if copies >= full:
            count += 1 if once else copies // full
        tally >>= 6
    return count


def count_chiasm(c: Components, cards: list[int]) -> int:
    """AE-9.4, AE-R22  Return the number of windows of four cards with one motif outside and another inside."""
    motifs = c.motifs
    count = 0
    for i in range(len(cards) - 3):
        outside = motifs[cards[i]] & motifs[cards[i + 3]]
        if outside:
            inside = motifs[cards[i + 1]] & motifs[cards[i + 2]]
            both = outside | inside
            if inside and both & (both - 1):  # the cards need at least two different motifs
                count += 1
    return count


def count_chronology(c: Components, cards: list[int]) -> int:
    """AE-9.5, AE-R23  Return the length of the longest run of rising numbers, or 0 if it is shorter than 3."""
    longest = 0
    run = 0
    last = -1
    for card in cards:
        run = run + 1 if card > last else 1
        last = card
        if run > longest:
            longest = run
    return longest if longest >= c.chronology_min else 0
