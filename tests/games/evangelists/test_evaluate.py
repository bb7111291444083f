"""What bots look at."""

import pytest

from tests.games.evangelists.table import play, table
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.ai.evaluate import FEATURES, features
from triclinium.games.evangelists.rules.state import Evangelists


def at_work(s: Evangelists, seat: int) -> float:
    return features(s, seat)[FEATURES.index("at_work")]


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_an_action_under_way_is_seen_from_every_seat(turn: int) -> None:
    """AE-2.2  From the paid action to its end, and not between actions, whoever has yet to play in this round."""
    s = table(seats=3, pawns=["cyrene", "cyrene", "cyrene"], turn=turn)
    assert at_work(s, turn) == 0
    play(s, "travel weak")
    assert [at_work(s, seat) for seat in range(3)] == [float(seat == turn) for seat in range(3)]
    play(s, "to corinth")
    while not GAME.evaluator.is_stable(s):
        s.play(s.options()[-1])
    assert at_work(s, turn) == 0
