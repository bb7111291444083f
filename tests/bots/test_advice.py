"""A hint ranks options with their chances."""

from tests.bots.test_review import played
from tests.toy import TOY
from triclinium.bots import Budget
from triclinium.bots.analysis import advise, hint
from triclinium.engine.core.rng import Rng

BUDGET = Budget(60, 60)


def test_a_hint_ranks_the_options() -> None:
    record = played(4).until(0)
    s = record.replay(game=TOY)
    best = hint(record, BUDGET, 1, game=TOY)
    assert 1 <= len(best) <= 3
    assert all(TOY.read(one.option) in s.legal for one in best)
    assert all(0.0 <= one.chance <= 1.0 for one in best)
    assert [one.share for one in best] == sorted((one.share for one in best), reverse=True)
    assert sum(one.share for one in best) <= 1.0001
    assert best == hint(record, BUDGET, 1, game=TOY)


def test_a_hint_knows_what_its_seat_knows() -> None:
    s = TOY.deal(2, 3)
    twin = s.resample(s.who, Rng(8))
    assert advise(TOY, s, BUDGET, 5) == advise(TOY, twin, BUDGET, 5)


def test_there_is_no_hint_after_the_end() -> None:
    assert hint(played(4), BUDGET, 1, game=TOY) == []
