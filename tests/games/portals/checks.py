"""Settings of the game for the property tests of all games."""

from itertools import product

from triclinium.engine.core.state import State
from triclinium.engine.variant import Choice
from triclinium.games.portals.rules.components import GENESIS, NEW, NONE, OLD
from triclinium.games.portals.rules.state import Portals

# The table options are a separate object, and test_state.py checks that facts distinguish them. Uncertain cards come
# from face-down discards (PP-R12) and are otherwise in no digest.
DERIVED = ("v", "doubtful", "buried_blanks")

VARIANTS: list[dict[str, Choice]] = [
    {},
    {"start": 0, "portals": "starter", "range": "centuries", "nt_draw": "from_5th"},
    {"start": 1, "portals": "random", "fuel_cards": "two_per_turn", "discards": "hidden"},
    {"wilds": "one_per_set", "ties": "broken", "stall_rounds": 0, "round_limit": 13},
    {"stall_rounds": 0, "round_limit": 60, "discards": "hidden", "ties": "broken"},
    {"stall_rounds": 1},
    {"start": 4, "stall_rounds": 20, "fuel_cards": "two_per_turn"},
    {"simplified": True},
    {"simplified": True, "simplified_nt_end": True, "discards": "hidden", "nt_draw": "from_5th"},
    {"team": True},
    {"team": True, "ties": "broken", "wilds": "one_per_set", "portals": "starter"},
    {"team": True, "simplified": True},
    {"team": True, "simplified": True, "simplified_nt_end": True, "start": 3, "discards": "hidden"},
    {"sweep_row": True},
    {"sweep_row": True, "simplified": True, "discards": "hidden"},
]


def check_conserved(s: State) -> None:
    """Check that every card is in exactly one place, every pawn on its own place, and every count right."""
    assert isinstance(s, Portals)
    c = s.c
    seen = [*s.unused, *s.old, *s.new, *s.gone, *s.buried]
    seen += [card for card in s.row if card != NONE]
    for hand, played in zip(s.hands, s.played, strict=True):
        seen += hand
        seen += played
        assert len(hand) <= c.hand_limit
    assert sorted(seen) == list(range(c.cards))
    assert all(c.deck[card] == GENESIS for card in s.unused)
    assert all(c.deck[card] == OLD for card in s.old)
    assert all(c.deck[card] == NEW for card in s.new)
    stand = [place for place in s.pawns if place != NONE]
    assert len(set(stand)) == len(stand)
    assert len(s.buried) == len(s.buried_seen)
    for who in range(s.seats):
        assert s.known_in_hand[who] >> len(s.hands[who]) == 0
        assert s.points[who] == sum(c.points[card] for card in s.played[who])
        assert s.regions[who] == sum(c.region_unit[card] for card in s.played[who])
        assert s.symbols[who] == sum(c.symbol_unit[card] for card in s.played[who])
        assert s.new_played[who] == sum(c.deck[card] == NEW for card in s.played[who])
    assert 0 <= s.actions <= c.actions
    assert 0 <= s.gauge <= c.full
    assert s.round == 0 or s.capsule == min(s.round - 1, c.spaces - 1)


def slow_scores(s: State) -> list[int]:
    """Return the totals counted from the cards themselves."""
    assert isinstance(s, Portals)
    c = s.c
    sides = [[0, 2], [1, 3]] if s.v.team else [[who] for who in range(s.seats)]
    sheet = c.file.row("events").rows("card")
    faces = {row.text("id"): row for row in sheet}
    played = [[faces[c.card_ids[card]] for who in side for card in s.played[who]] for side in sides]
    held = [[c.card_ids[card] for who in side for card in s.hands[who] if card >= c.events] for side in sides]
    symbol_of = {
        row.text("id"): row.text("symbol") for row in c.file.row("bonus").rows("card") if row.text("kind") == "symbol"
    }
    found = [0] * len(sides)
    for i in range(len(sides)):
        found[i] += sum(row.integer("points") for row in played[i])
        stacks = [sum(row.text("region") == region for row in played[i]) for region in c.region_ids]
        wilds = sum(card.startswith("R") for card in held[i])
        found[i] += 10 * (sets_one_by_one(stacks, wilds) if s.v.one_wild_per_set else sets_by_trial(stacks, wilds))
        for card in held[i]:
            if card in symbol_of:
                found[i] += 1 + sum(symbol_of[card] in row.texts("symbols") for row in played[i])
    for symbol in c.symbol_ids:
        counts = [
            sum(symbol in row.texts("symbols") for row in cards) + sum(symbol_of.get(card) == symbol for card in bonus)
            for cards, bonus in zip(played, held, strict=True)
        ]
        for i, count in enumerate(counts):
            if count == max(counts) > 0:
                found[i] += 7
    return [found[i] for who in range(s.seats) for i, side in enumerate(sides) if who in side]


def sets_by_trial(stacks: list[int], wilds: int) -> int:
    """Return the largest number of sets over every assignment of the Region cards."""
    best = 0
    for chosen in product(range(len(stacks)), repeat=wilds):
        best = max(best, min(stack + chosen.count(region) for region, stack in enumerate(stacks)))
    return best


def sets_one_by_one(stacks: list[int], wilds: int) -> int:
    """Return the number of sets, built one after the other, each with at most one Region card."""
    best = 0
    if min(stacks) > 0:
        best = 1 + sets_one_by_one([stack - 1 for stack in stacks], wilds)
    if wilds > 0:
        for region in range(len(stacks)):
            left = [stack - (i != region) for i, stack in enumerate(stacks)]
            if min(left) >= 0:
                best = max(best, 1 + sets_one_by_one(left, wilds - 1))
    return best
