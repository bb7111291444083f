"""Tests of the game: the contract, each rule by hand, and one complete match that must always replay."""

from pathlib import Path

import pytest

from kuhn.game import GAME
from kuhn.rules import ANSWER_IT, NO_BET, ONE_BET, Kuhn
from triclinium import Match, Record, Refused
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import State
from triclinium.testing import check_game

JACK, QUEEN, KING = range(3)


def chips_are_conserved(s: State) -> None:
    """KP-1.3  Check that all chips are with the seats or in the pot."""
    assert isinstance(s, Kuhn)
    assert sum(s.chips) + sum(s.pot) == 2 * s.deals * (s.c.ante + s.c.bet)
    assert min(s.chips) >= 0


def count_again(s: State) -> list[int]:
    """Return the totals from the chips themselves. The score sheet adds up gains and losses instead."""
    assert isinstance(s, Kuhn)
    return s.chips


def test_the_contract() -> None:
    check_game(GAME, [{}, {"deals": 1}, {"deals": 50}], chips_are_conserved, count_again)


# -- the rules, one by one -------------------------------------------------------------------------------------------


def table(*cards: int, deals: int = 1) -> Kuhn:
    """Return a match whose first deal gave seat 0 the first card and seat 1 the second."""
    s = GAME.deal(2, 1, {"deals": deals})
    assert isinstance(s, Kuhn)
    s.cards = [*cards, *({JACK, QUEEN, KING} - {*cards})]
    return s


def play(s: Kuhn, *options: str) -> Kuhn:
    for option in options:
        s.play(GAME.read(option))
    return s


def check_refusal(s: Kuhn, option: str, rule: Rule) -> None:
    with pytest.raises(Refused) as found:
        play(s, option)
    assert found.value.rule is rule


def test_each_seat_antes() -> None:
    """KP-2.1"""
    s = table(KING, JACK, deals=10)
    assert (s.chips, s.pot) == ([19, 19], [1, 1])


def test_the_seats_take_turns_to_begin() -> None:
    """KP-2.2"""
    s = table(KING, JACK, deals=2)
    assert s.who == 0
    assert play(s, "bet", "fold").who == 1


def test_a_deal_has_one_bet() -> None:
    """KP-3.2, KP-3.3"""
    s = play(table(KING, JACK), "bet")
    check_refusal(s, "bet", ONE_BET)
    check_refusal(s, "check", ANSWER_IT)


def test_only_a_bet_is_answered() -> None:
    """KP-3.4"""
    check_refusal(table(KING, JACK), "call", NO_BET)
    check_refusal(table(KING, JACK), "fold", NO_BET)


@pytest.mark.parametrize(
    ("options", "chips", "shown"),
    [
        ("check check", [1, 3], [JACK, QUEEN]),
        ("bet call", [0, 4], [JACK, QUEEN]),
        ("bet fold", [3, 1], []),
        ("check bet call", [0, 4], [JACK, QUEEN]),
        ("check bet fold", [1, 3], []),
    ],
)
def test_a_deal_has_five_courses(options: str, chips: list[int], shown: list[int]) -> None:
    """KP-4.1, KP-4.2  The queen beats the jack unless she folds. After a fold no card is shown."""
    s = play(table(JACK, QUEEN), *options.split())
    assert s.over
    assert (s.chips, s.shown) == (chips, shown)


def test_equal_chips_share_the_win() -> None:
    """KP-5.1"""
    s = play(table(JACK, QUEEN, deals=2), "check", "check")
    s.cards = [KING, QUEEN, JACK]
    play(s, "check", "check")
    assert [(score.rank, score.total) for score in GAME.scores(s)] == [(1, 4), (1, 4)]


def test_players_see_only_their_own_card() -> None:
    s = table(KING, JACK)
    assert [GAME.view_json(s, seat).get("card") for seat in (0, 1, None)] == ["king", "jack", None]


def test_the_golden_record() -> None:
    """The golden record of one match, which changes only if a rule changes."""
    text = (Path(__file__).parent / "match.rec").read_text(encoding="utf-8")
    match = Match.resume(Record.loads(text), GAME)
    assert match.record.dumps() == text
    assert match.state.digest() == 3427774101999740122
