"""Tests of whole random matches: AE-C20, AE-R17, AE-R19 and AE-R38."""

import pytest

from tests.games.evangelists.table import C, deal_match
from tests.matches import sample_cases
from triclinium.engine.core.rng import Rng
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules.actions.tradition import FollowTradition
from triclinium.games.evangelists.rules.state import EMPTY
from triclinium.games.evangelists.rules.turn import ChooseAction
from triclinium.testing import GameCase


@pytest.mark.parametrize("case", sample_cases(GAME), ids=repr)
def test_matches_at_random(case: GameCase) -> None:
    """AE-C20  In random matches the copy of a card is always available, and the bag is never empty at a draw.

    Gospels hold ten cards at most, and a match has six or five rounds.
    """
    seats = case.seats
    for seed in range(3):
        rng = Rng(seed)
        s = deal_match(seats=seats, seed=seed, variants=case.variants)
        turns: list[tuple[int, int]] = []
        made = 0
        while not s.over:
            step = s.asked
            if isinstance(step, ChooseAction) and (s.marker, s.turn) not in turns:
                turns.append((s.marker, s.turn))
            if isinstance(step, FollowTradition):  # AE-R17
                mine = s.slots[step.who]
                assert not set(s.kept_cards) & set(mine)
                assert all(sum(slots.count(card) for slots in s.slots) == 1 for card in s.kept_cards)
            if (s.alive | s.dead).bit_count() < len(C.witness_ids):
                assert s.bag_black >= 1  # AE-R19
            s.play(rng.pick(s.options()))
            made += 1
        assert len(turns) == seats * (C.track_end - C.track_start[seats])
        assert made <= GAME.max_decisions
        assert all(len(slots) == 10 for slots in s.slots)
        assert all(len(slots) - slots.count(EMPTY) <= 10 for slots in s.slots)


def test_the_bound_is_never_reached() -> None:
    """AE-R38  The longest turn has three actions and a boat ride.

    Each action is followed by all opponents, and a Rearrange has ten steps.
    """
    most = 0
    for seats in GAME.seats:
        turns = seats * (C.track_end - C.track_start[seats])
        rearrange = 2 + 2 * 10 + (seats - 1) * 3  # once per turn, strong
        tradition = 6 + (seats - 1) * 2  # the largest of the other actions, weak
        boat = 3
        most = max(most, seats * 4 + turns * (rearrange + tradition + boat + 1))
    assert most <= GAME.max_decisions
