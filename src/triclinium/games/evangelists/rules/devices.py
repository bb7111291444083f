"""Literary devices: what the four tracks show (AE-9). Functions of the present gospel and interview cards alone."""

from triclinium.games.evangelists.rules.components import Components


def compute_device_levels(c: Components, slots: tuple[int, ...], interviews: int, emphasis_once: bool) -> list[int]:
    """The levels of inclusio, emphasis, chiasm and chronology, in this order."""
    cards = list_placed_cards(slots)
    return [
        count_inclusio(c, cards, interviews),
        count_emphasis(c, cards, emphasis_once),
        count_chiasm(c, cards),
        count_chronology(c, cards),
    ]


def list_placed_cards(slots: tuple[int, ...]) -> list[int]:
    """AE-9.1  Empty slots do not interrupt."""
    return [card for card in slots if card >= 0]


def count_inclusio(c: Components, cards: list[int], interviews: int) -> int:
    """AE-9.2  Witnesses interviewed whose circle is on three or more consecutive cards; each once (AE-R20)."""
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
    """AE-9.3, AE-R21  For each motif, its cards by fours; with the option each motif counts once."""
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
    """AE-9.4, AE-R22  Windows of four: a motif outside, another inside."""
    motifs = c.motifs
    count = 0
    for i in range(len(cards) - 3):
        outside = motifs[cards[i]] & motifs[cards[i + 3]]
        if outside:
            inside = motifs[cards[i + 1]] & motifs[cards[i + 2]]
            both = outside | inside
            if inside and both & (both - 1):  # at least two different motifs
                count += 1
    return count


def count_chronology(c: Components, cards: list[int]) -> int:
    """AE-9.5, AE-R23  The longest run of rising numbers; below 3 there is no cube."""
    longest = 0
    run = 0
    last = -1
    for card in cards:
        run = run + 1 if card > last else 1
        last = card
        if run > longest:
            longest = run
    return longest if longest >= c.chronology_min else 0
