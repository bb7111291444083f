"""Tests of two questions combined on pages: no option is lost, and none skips new information.

API clients and the terminal get one question after the other.
"""

from itertools import islice

import pytest

from tests.boardkit.test_decision import NAMES, golden
from tests.slow import slow
from triclinium import list_games, load_game
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.match import split_options
from triclinium.server.presenter.combined_question import combine_questions
from triclinium.server.presenter.decision import DecisionView

# Only Les Missionnaires combines two questions here. The slow tests check every position of every game.
CASES = [("missionnaires", 11), *(slow(id, 1) for id in list_games())]


def arrange_question(game: Game, s: State) -> DecisionView:
    return combine_questions(game, s, s.who, game.words.reader("en", NAMES), 1)


@pytest.mark.parametrize(("id", "every"), CASES)
def test_every_option_is_offered_and_none_is_chosen_after_a_reveal(id: str, every: int) -> None:
    game = load_game(id)
    for s in islice((s for s in golden(game) if s.asked.combined_verbs), 0, None, every):
        told = arrange_question(game, s)
        assert {split_options(offer.option)[0] for offer in told.allowed} == {game.format_option(o) for o in s.legal}
        assert sorted(offer.option for offer in told.arranged.all) == sorted(offer.option for offer in told.allowed)
        for offer in told.allowed:
            there = s.clone()
            for option in split_options(offer.option):
                assert (there.who, there.undo_barrier) == (s.who, s.undo_barrier)
                there.play(game.read(option))
        again = arrange_question(game, s.resample(s.who, Rng(5)))
        assert [offer.option for offer in again.allowed] == [offer.option for offer in told.allowed]


def test_vouchers_are_listed_next_to_the_steps() -> None:
    """LM-8.4  Before the main action a page asks one question.

    The rare option to burn a voucher is a single button (LM-8.7).
    """
    game = load_game("missionnaires")
    found = (arrange_question(game, s) for s in golden(game) if s.asked.id == "BonWindow")
    told = next(told for told in found if told.steps is not None and told.steps.at == 2)
    assert told.question.startswith("Your turn, from ")
    verbs = [offer.option.split()[0] for offer in told.arranged.all]
    assert "play" in verbs
    assert "done" not in [offer.option for offer in told.allowed]
    steps = [offer for offer in told.allowed if offer.option.startswith("done; go ")]
    assert steps
    assert all("voucher" not in offer.label for offer in steps)
    assert [bool(group.folded) for group in told.arranged.groups][-1]  # the last group, burning
    assert [group.verb for group in told.arranged.groups if group.folded] == ["burn"]


def test_stopping_plays_no_voucher_unless_chosen() -> None:
    """LM-3.3, LM-8.4  The option to stop is listed once, next to the vouchers that could be played after stopping."""
    game = load_game("missionnaires")
    found = (arrange_question(game, s) for s in golden(game) if s.asked.id == "GoOn")
    told = next(told for told in found if any(offer.option == "stop; done" for offer in told.allowed))
    labels = {offer.option: offer.label for offer in told.allowed}
    assert labels["stop; done"] == "Stop here"
    assert any(label.startswith("Stop here, then: ") for label in labels.values())
