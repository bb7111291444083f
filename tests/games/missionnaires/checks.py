"""Settings of the game for the property tests of all games."""

from triclinium.engine.core.state import NOBODY, State
from triclinium.games.missionnaires.rules.components import BETHEL, OFF, SEA
from triclinium.games.missionnaires.rules.ranks import unpack_rank_key
from triclinium.games.missionnaires.rules.state import Missionnaires

VARIANTS: list[dict[str, object]] = [
    {},
    {"deal": "full", "round_limit": 300},
    {"visit_on_pass": True, "sea_card_per": "coup", "round_limit": 100},
    {"share_spaces": True, "overseer_until": "card", "play_on": "always"},
    {"overseer_can_be_called_away": False, "relief": False, "play_on": "never", "round_limit": 150},
    {"open_congregations": True, "overseer_until": "card", "deal": "full"},
    {"card_on_pass": True, "deal": "balanced"},
    {"pick_colour": True, "play_on": "vote", "visit_on_pass": True},
]
DERIVED = ("trail",)  # not part of digests; drawings show it


def check_conserved(s: State) -> None:
    """Check that cards, periodicals and pawns are neither lost nor created, and that pawns are on legal spaces."""
    assert isinstance(s, Missionnaires)
    congregations = list(s.reserve)
    for seat in range(s.seats):
        congregations += s.hand[seat]
        congregations += [card for card in range(len(s.c.congregations)) if (s.visited[seat] >> card) & 1]
        assert len(s.hand[seat]) == len(s.hand_seen[seat]) == len(s.hand_ruled_out[seat])
    assert sorted(congregations) == list(range(len(s.c.congregations)))
    assert len(s.reserve) == len(s.reserve_seen) == len(s.reserve_ruled_out)
    held = [card for cards in s.bons for card in cards]
    assert all(s.c.bon[card] for card in held)
    assert sorted(s.deck + s.discard + s.sea_deck + s.sea_discard + held) == list(range(len(s.c.card_ids)))
    assert all(card < s.c.territories for card in s.deck + s.discard)
    assert all(0 <= number <= s.c.periodicals_max for number in s.periodicals)
    assert s.count_stock() + sum(s.periodicals) == s.c.periodicals_total
    assert s.count_stock() >= 0
    assert min(s.missed) >= 0
    where_pawns_stand(s)


def where_pawns_stand(s: Missionnaires) -> None:
    """LM-3.8, LM-3.9, LM-6.1, LM-R20  Check that each pawn is on a space that the rules allow."""
    assert len(set(s.gendarmes)) == len(s.c.homes)
    assert all(s.c.kind[space] not in (BETHEL, SEA) for space in s.gendarmes)
    on_board = [space for space in s.at if space != OFF]
    assert all((s.at[seat] == OFF) == (s.rank[seat] != 0) for seat in range(s.seats))
    assert not set(on_board) & set(s.gendarmes)
    if not s.v.share_spaces:
        apart = [space for space in on_board if space != s.c.bethel]
        assert len(apart) == len(set(apart))
    for x in range(len(s.c.overseers)):
        space = s.overseer_space[x]
        assert space == OFF or (s.escort[x] == NOBODY and s.c.kind[space] != SEA and space not in s.gendarmes)
        assert s.escort[x] == NOBODY or s.rank[s.escort[x]] == 0
    assert s.escort[0] == NOBODY or s.escort[0] != s.escort[1]
    if s.overseer_space[0] == s.overseer_space[1] != OFF:
        assert s.overseer_space[0] == s.c.bethel


def slow_scores(s: State) -> list[int]:
    """Return the lines of the scores, counted independently from the cards and rounds."""
    assert isinstance(s, Missionnaires)
    totals = []
    for seat in range(s.seats):
        others = [mask for other, mask in enumerate(s.visited) if other != seat]
        hidden = {card for cards in (*s.hand, tuple(s.reserve)) for card in cards}
        mine = [
            card
            for card in range(len(s.c.congregations))
            if card not in hidden and not any((mask >> card) & 1 for mask in others)
        ]
        home = s.at[seat] == OFF and s.rank[seat] > 0
        turns = s.ended_round[seat] if s.at[seat] == OFF else s.round
        way = 0 if s.at[seat] == OFF else s.c.distance[s.c.bethel][s.at[seat]]
        lacking = s.rank_key_at_stop[seat] and unpack_rank_key(s.rank_key_at_stop[seat])
        if lacking:
            way = lacking[1] + lacking[2]
        totals.append(len(mine) + turns + (0 if home else len(s.hand[seat]) + len(s.bons[seat]) + way))
    return totals
