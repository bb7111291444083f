"""Tests that hints rank options by win probability."""

from tests.bots.test_review import play_match
from tests.toy import TOY
from triclinium.bots import Budget
from triclinium.bots.analysis import (
    Advice,
    find_hints,
    group_equal_options,
    is_about_as_good,
    list_tried_options,
    rate_options,
)
from triclinium.bots.base import DecisionRequest
from triclinium.bots.explanations import Reason
from triclinium.bots.search import Strong
from triclinium.engine.core.rng import Rng

BUDGET = Budget(60, 60)


def test_a_hint_ranks_the_options() -> None:
    record = play_match(4).truncate(0)
    s = record.replay(game=TOY)
    best = find_hints(record, BUDGET, 1, game=TOY)
    assert 1 <= len(best) <= 3
    assert all(TOY.read(one.option) in s.legal for one in best)
    assert all(0.0 <= one.chance <= 1.0 for one in best)
    assert [one.chance for one in best] == sorted((one.chance for one in best), reverse=True)
    assert best[0].share == max(one.share for one in best)
    assert sum(one.share for one in best) <= 1.0001
    assert best == find_hints(record, BUDGET, 1, game=TOY)


def test_a_hint_uses_only_the_knowledge_of_its_seat() -> None:
    s = TOY.deal(2, 3)
    twin = s.resample(s.who, Rng(8))
    assert rate_options(TOY, s, BUDGET, 5) == rate_options(TOY, twin, BUDGET, 5)


def test_indistinguishable_options_are_called_equal() -> None:
    def tried(*facts: tuple[float, float, float]) -> list[Advice]:
        return group_equal_options(
            [Advice(f"o{n}", chance, share, error) for n, (chance, share, error) in enumerate(facts)]
        )

    clear = tried((0.6, 0.8, 0.01), (0.5, 0.2, 0.02))
    assert [(one.option, one.chance, one.equal) for one in clear] == [("o0", 0.6, False), ("o1", 0.5, False)]
    blurred = tried((0.6, 0.6, 0.03), (0.4, 0.1, 0.02), (0.56, 0.2, 0.03))
    assert [(one.option, one.chance, one.equal) for one in blurred] == [
        ("o0", 0.59, False),
        ("o2", 0.59, True),
        ("o1", 0.4, False),
    ]
    lucky = tried((0.6, 0.9, 0.01), (0.7, 0.1, 0.01))  # the most visited option stays the best
    assert [(one.option, one.equal) for one in lucky] == [("o0", False), ("o1", True)]


def test_a_small_loss_without_a_reason_is_called_about_as_good() -> None:
    best, near, far = Advice("a", 0.5, 0.8), Advice("b", 0.47, 0.1), Advice("c", 0.46, 0.1)
    reason = Reason("coins", 0, 4.0, 4.0, True)
    assert is_about_as_good(TOY, best, near, [], 0)
    assert not is_about_as_good(TOY, best, near, [reason], 0)
    assert not is_about_as_good(TOY, best, far, [], 0)


def test_the_readers_own_option_is_rated() -> None:
    record = play_match(4).truncate(0)
    s = record.replay(game=TOY)
    for o in s.legal:
        text = TOY.format_option(o)
        told = find_hints(record, Budget(60, 4), 1, max_options=1, game=TOY, own_option=text)
        assert text in [one.option for one in told]
        assert len(told) <= 2


def test_a_hint_without_time_rates_options_by_the_evaluation() -> None:
    """On a busy machine the time can be over before the first iteration."""
    s = TOY.deal(2, 3)
    tree = Strong(TOY).search(DecisionRequest(TOY, s, s.who, Rng(1), Budget(60, 1)))
    tree.root.visits = 0
    for node in tree.root.children.values():
        node.visits = 0
    advices = group_equal_options(list_tried_options(TOY, tree, s, 3, ""))
    assert 1 < len(advices) <= 3
    assert all(0.0 <= advice.chance <= 1.0 for advice in advices)


def test_there_is_no_hint_after_the_end() -> None:
    assert find_hints(play_match(4), BUDGET, 1, game=TOY) == []
