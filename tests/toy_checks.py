"""Settings of Figs for tests of all games: its variants, and an independent count of the scores."""

from typing import Final

from tests.toy import Toy, cards
from triclinium.engine.core.state import State
from triclinium.engine.variant import Choice

VARIANTS: Final[list[dict[str, Choice]]] = [{}, {"gift": True}, {"rounds": 9}, {"rounds": 2}]
DERIVED: Final = ("values",)


def check_conserved(s: State) -> None:
    """Check that every card is in exactly one place."""
    assert isinstance(s, Toy)
    places = [*s.pile, *(card for hand in s.hands for card in cards(hand)), *(c for own in s.laid for c in cards(own))]
    assert sorted(places) == list(range(len(s.values)))
    assert min(s.coins) >= 0


def slow_scores(s: State) -> list[int]:
    """Return the totals, counted independently."""
    assert isinstance(s, Toy)
    totals = []
    for seat in range(s.seats):
        total = s.coins[seat] + s.joined[seat]
        for card in range(len(s.values)):
            if s.laid[seat] & 1 << card:
                total += s.values[card] + s.values[card]
        totals.append(total)
    return totals
