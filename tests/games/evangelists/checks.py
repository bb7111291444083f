"""Settings of the game for the property tests of all games."""

from itertools import combinations

from triclinium.engine.core.state import State
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists

VARIANTS: list[dict[str, object]] = [
    {},
    {"emphasis_once_per_motif": True, "theme_needs_match": True},
    {"memory_aid": False, "pick_pawn_colour": True},
    {"boat_after_last_octagon": True},
    {"stenographer": 0},
    {"stenographer": 1},
    {"stenographer": 4},
]


def check_conserved(s: State) -> None:
    """Check that cubes, tokens, interview cards, boats, leaves and cards are neither lost nor created."""
    assert isinstance(s, Evangelists)
    rounds = s.marker - s.c.track_start[s.seats]
    white = s.bag_white + s.alive.bit_count()
    assert white == max(0, s.c.white_in_bag - rounds * s.c.white_removed)
    black = s.bag_black + s.dead.bit_count() + s.supply
    assert black == s.c.black_in_bag + s.c.black_in_supply
    assert not s.alive & s.dead
    assert sum(s.tokens) == s.seats
    assert min(s.tokens) >= 0
    for witness in range(len(s.c.witness_ids)):
        held = sum((mask >> witness) & 1 for mask in s.interviews)
        assert held + s.piles[witness] == s.c.interview_cards
    assert s.boats.bit_count() == 3 or type(s.asked).__name__ == "Displace"
    in_boxes = [card for card in s.box if card != EMPTY]
    in_gospels = [card for slots in s.slots for card in slots if card != EMPTY]
    waiting = [card for card in s.kept_cards if in_gospels.count(card) == 0]
    assert sorted(set(in_boxes + in_gospels + waiting)) == list(range(len(s.c.numbers)))
    assert not set(in_boxes) & set(in_gospels)
    assert all(in_gospels.count(card) <= 2 for card in in_gospels)  # AE-R17
    for slots in s.slots:
        cards = [card for card in slots if card != EMPTY]
        assert len(cards) == len(set(cards))
        assert len(slots) <= s.c.slots_most
    assert 0 <= s.octagons <= s.c.octagons


def slow_scores(s: State) -> list[int]:
    """Return the scores of AE-11, computed by brute force from the printed data and the gospels alone."""
    assert isinstance(s, Evangelists)
    gospels = [[card for card in slots if card != EMPTY] for slots in s.slots]
    tracks = [slow_levels(s, seat, gospels[seat]) for seat in range(s.seats)]
    themes = [sum(s.theme[seat] in bits(s.c.themes[card]) for card in gospels[seat]) for seat in range(s.seats)]
    points = {0: 15, 1: 11, 2: 8, 3: 6, 4: 4, 5: 2}
    totals = []
    for seat in range(s.seats):
        total = s.tally[seat]
        for track in range(4):
            level = tracks[seat][track]
            if level:
                total += points.get(max(levels[track] for levels in tracks) - level, 0)
                total -= sum(tracks[other][track] == level for other in range(s.seats)) - 1
        if max(themes) and not (s.theme_needs_match and not themes[seat]):
            total += points.get(max(themes) - themes[seat], 0)
        if gospels[seat] and themes[seat] * 2 >= len(gospels[seat]):
            total += 5
        totals.append(total)
    return totals


def slow_levels(s: Evangelists, seat: int, cards: list[int]) -> list[int]:
    """Return the levels of AE-9, found by trying every combination of cards."""
    windows = [cards[i:j] for i, j in combinations(range(len(cards) + 1), 2)]
    framed = {
        witness
        for window in windows
        if len(window) >= 3
        for witness in bits(s.interviews[seat])
        if all(witness in bits(s.c.circles[card]) for card in window)
    }
    by_motif = [sum(motif in bits(s.c.motifs[card]) for card in cards) // 4 for motif in range(5)]
    emphasis = sum(min(1, sets) if s.emphasis_once else sets for sets in by_motif)
    chiasms = 0
    for window in windows:
        if len(window) == 4:
            a, b, c, d = (bits(s.c.motifs[card]) for card in window)
            chiasms += any(x != y for x in a & d for y in b & c)
    rising = max((len(window) for window in windows if window == sorted(window)), default=0)
    return [len(framed), emphasis, chiasms, rising if rising >= 3 else 0]


def bits(mask: int) -> set[int]:
    return {i for i in range(mask.bit_length()) if (mask >> i) & 1}
