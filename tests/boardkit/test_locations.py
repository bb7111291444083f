"""Tests of the locations of cards after a match, as in `web/pages/component_gallery.py`."""

import pytest

from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.locations import find_card_locations
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import load_game


@pytest.mark.parametrize(("id", "kind", "copies"), [("portals", "card", 1), ("evangelists", "card", 2)])
def test_card_locations_are_revealed_only_at_the_end(id: str, kind: str, copies: int) -> None:
    """At the end hands count too, and no card has more locations than copies."""
    game = load_game(id)
    reader = game.words.reader("en", ("Ann", "Ben", "Cleo", "Dan"))
    s, chance = game.deal(game.seats[0], 5), Rng(2)
    with pytest.raises(ValueError, match="when the match is over"):
        find_card_locations(game, s, kind, 0, reader)
    while not s.over:
        s.choose(chance.pick(s.legal))
    cards = map_kinds_by_name(game)[kind]
    found = [find_card_locations(game, s, kind, n, reader) for n in range(len(cards.ids))]
    assert any(found)
    assert all(len(one) <= copies for one in found)
    assert any(one.seat is not None for several in found for one in several) or not game.has_secrets
