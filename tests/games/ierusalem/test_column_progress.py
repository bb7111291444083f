"""IE-2.7, IE-R4  Tests that the column data of bots agree with an independent count."""

import pytest

from triclinium.engine.core.rng import Rng
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.ai.column_progress import CARD, GAP, LOCKS, NEVER, READY, SPOILS, SeatColumns
from triclinium.games.ierusalem.rules.state import Ierusalem


def count_lacking(s: Ierusalem, who: int, laid: list[int], apostles: int) -> float:
    """Return the missing symbols place by place: a card, a new Favor, or a gap."""
    used = 0
    lacks = 0.0
    missing: list[int] = []
    for symbol in s.symbols[apostles * 3 : apostles * 3 + 3]:
        if used < len(laid) and laid[used] == symbol:
            used += 1
            continue
        if s.received[who * 5 + symbol] <= missing.count(symbol):
            lacks += GAP if used < len(laid) else CARD
        missing.append(symbol)
    return READY - lacks if used == len(laid) else NEVER


def count_missing_symbols(s: Ierusalem, who: int, laid: list[int]) -> float:
    return max(count_lacking(s, who, laid, apostles) for apostles in range(3)) if len(laid) <= 3 else NEVER


def compute_best_gain(s: Ierusalem, who: int, columns: list[list[int]], symbol: int) -> float:
    """Return the best progress by a card with this symbol in any column."""
    best = SPOILS
    for laid in columns:
        before = count_missing_symbols(s, who, laid) if laid else 0.0
        after = count_missing_symbols(s, who, [*laid, symbol])
        best = max(best, LOCKS if before == NEVER else SPOILS if after == NEVER else 2.0 * (after - before))
    return best


@pytest.mark.parametrize("symbols", ["printed", "random"])
def test_column_progress_equals_a_slow_count(symbols: str) -> None:
    rng = Rng(24)
    ready = spoilt = 0
    for seed in range(2):
        s = GAME.deal(4, seed, {"symbols": symbols})
        assert isinstance(s, Ierusalem)
        while s.who >= 0:
            who = s.who
            for place in range(who * 5, who * 5 + 5):  # because Favors are rare in random matches
                s.received[place] = max(s.received[place], rng.below(4))
            laid = [[s.c.card_location[card] for card in s.columns[column]] for column in range(who * 3, who * 3 + 3)]
            near = [count_missing_symbols(s, who, column) for column in laid if column]
            found = SeatColumns(s, who, -1)
            assert found.progress == sum(min(best, 2.0) for best in near if best != NEVER)
            assert found.spoilt == near.count(NEVER)
            assert [found.find_best_gain(symbol) for symbol in range(5)] == [
                compute_best_gain(s, who, laid, symbol) for symbol in range(5)
            ]
            ready += found.ready > 0
            spoilt += found.spoilt > 0
            s.choose(s.legal[rng.below(len(s.legal))])
    assert ready > 10
    assert spoilt > 10
