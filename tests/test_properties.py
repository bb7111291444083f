"""The properties themselves: each must notice a title that breaks it. Figs is broken in one way at a time."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests import test_titles as titles
from tests import test_titles_clones as clones
from tests import test_titles_knowledge as knowledge
from tests import test_titles_scores as scores
from tests import test_titles_words as words
from tests.matches import Case
from tests.toy import DRAW, FRENCH, JOIN, NEEDS_COINS, STOP, TOY, Figs, Join, Toy, ToyView, ToyWords, Turn, Wages, cards
from triclinium.engine.core.event import News
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.score import Line, Score
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.text import Message
from triclinium.engine.visible import VisibleScore

CASE = Case(TOY, 3, {}, 40, matches=6)

clone, facts, view, redeal = Toy.clone, Toy.facts, Figs.view, Toy.redeal
forbids, apply, options = Turn.forbids, Turn.apply, Turn.options


def shares_the_pile(self: Toy) -> Toy:
    t = clone(self)
    t.pile = self.pile
    return t


def forgets_coins(self: Toy) -> Toy:
    t = clone(self)
    t.coins = [0] * self.seats
    return t


def facts_without_joined(self: Toy) -> list[int]:
    t = clone(self)
    t.joined = []
    return facts(t)


def leaks_the_top(self: Figs, s: Toy, seat: Seat | None) -> ToyView:
    return replace(view(self, s, seat), pile=s.pile[-1] if s.pile else 0)


def tells_all_options(self: Figs, s: Toy, seat: Seat | None) -> ToyView:
    return replace(view(self, s, seat), options=[TOY.say(o) for o in s.options()])


def deals_nothing(self: Toy, seat: Seat, rng: Rng) -> None:
    pass


def deals_too_much(self: Toy, seat: Seat, rng: Rng) -> None:
    redeal(self, NOBODY, rng)


def loses_a_card(self: Toy, seat: Seat, rng: Rng) -> None:
    redeal(self, seat, rng)
    self.pile = self.pile[1:]


def pays_for_the_question(self: Turn, s: Toy, o: Option) -> Rule | None:
    s.coins[0] += 1
    return forbids(self, s, o)


def lists_what_is_forbidden(self: Turn, s: Toy) -> list[Option]:
    return self.candidates(s)


def skips_by_the_hand(self: Turn, s: Toy) -> bool:
    return min((s.values[card] for card in cards(s.hands[self.who])), default=9) <= s.coins[self.who]


def forced_by_the_hand(self: Turn, s: Toy, legal: list[Option]) -> Option:
    return STOP if min(legal) >= DRAW else -1


def draws_in_secret(self: Turn, s: Toy, o: Option) -> None:
    learnt = s.learnt
    apply(self, s, o)
    s.learnt = learnt


def shows_the_hand(self: Turn, s: Toy, o: Option) -> None:
    s.tell("chosen", self.who, (s.pile[0] if s.pile else 0,))
    apply(self, s, o)


def mints_coins(self: Join, s: Toy, o: Option) -> None:
    s.laid[self.who] |= s.laid[self.host]


def never_ends(self: Wages, s: Toy) -> None:
    s.then(Turn(0), Wages(NOBODY))


def counts_hidden_hands(self: Figs, s: Toy) -> list[Score]:
    held = [sum(s.values[card] for card in cards(hand)) for hand in s.hands]
    return [Score(seat, 1, held[seat], [Line("laid", held[seat])]) for seat in range(s.seats)]


def guesses_the_scores(self: Figs, s: State, viewer: Seat) -> list[VisibleScore]:
    return [VisibleScore(seat, None, (3, 9), {"coins": 3}) for seat in range(s.seats)]


def ranks_by_guess(self: Figs, s: State, viewer: Seat) -> list[VisibleScore]:
    return [VisibleScore(seat, 1, None, {}) for seat in range(s.seats)]


def says_the_same(self: ToyWords, s: State, o: Option) -> Message:
    return Message("laid figs")


def says_something_new(self: ToyWords, s: State) -> Message:
    return Message("what now?")


def drops_an_argument(self: ToyWords, news: News, viewer: Seat) -> Message | None:
    return Message("{0}: {1}", 3) if news.kind == "wages" else None


BREAKS: list[tuple[type, str, object, Callable[[Case], None]]] = [
    (Toy, "clone", shares_the_pile, clones.test_clones_forget_nothing_and_no_old_clone_ever_changes),
    (Toy, "clone", shares_the_pile, clones.test_a_clone_can_be_played_without_harm),
    (Toy, "clone", forgets_coins, clones.test_clones_forget_nothing_and_no_old_clone_ever_changes),
    (Toy, "facts", facts_without_joined, clones.test_the_facts_forget_no_attribute),
    (Figs, "view", leaks_the_top, knowledge.test_a_view_is_the_same_in_every_world_of_its_viewer),
    (Figs, "view", tells_all_options, knowledge.test_a_view_is_the_same_in_every_world_of_its_viewer),
    (Toy, "redeal", deals_too_much, knowledge.test_a_view_is_the_same_in_every_world_of_its_viewer),
    (Toy, "redeal", loses_a_card, knowledge.test_a_view_is_the_same_in_every_world_of_its_viewer),
    (Turn, "forbids", pays_for_the_question, titles.test_a_refusal_changes_nothing_and_says_why),
    (Turn, "options", lists_what_is_forbidden, titles.test_options_are_the_candidates_that_nothing_forbids),
    (Turn, "due", skips_by_the_hand, knowledge.test_a_view_is_the_same_in_every_world_of_its_viewer),
    (Turn, "forced", forced_by_the_hand, knowledge.test_a_view_is_the_same_in_every_world_of_its_viewer),
    (Turn, "apply", draws_in_secret, knowledge.test_nothing_learnt_can_be_taken_back),
    (Turn, "apply", shows_the_hand, knowledge.test_news_tells_no_more_than_the_view),
    (Join, "apply", mints_coins, titles.test_pieces_are_conserved),
    (Wages, "run", never_ends, titles.test_a_match_is_never_stuck_and_ends_within_its_bound),
    (Figs, "scores", counts_hidden_hands, scores.test_what_is_told_of_the_scores_is_the_same_and_true_in_every_world),
    (Figs, "scores_for", guesses_the_scores, scores.test_what_is_told_of_the_scores_is_true),
    (Figs, "scores_for", ranks_by_guess, scores.test_what_is_told_of_the_scores_is_true),
    (Figs, "scores_for", ranks_by_guess, scores.test_all_is_told_once_the_match_is_over),
    (ToyWords, "label", says_the_same, words.test_questions_and_labels_are_said_in_both_languages),
    (ToyWords, "question", says_something_new, words.test_questions_and_labels_are_said_in_both_languages),
]


@pytest.mark.parametrize(("kind", "name", "broken", "holds"), BREAKS)
def test_a_property_notices_what_breaks_it(
    kind: type, name: str, broken: object, holds: Callable[[Case], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    holds(CASE)
    monkeypatch.setattr(kind, name, broken)
    with pytest.raises(AssertionError):
        holds(CASE)


def test_a_world_that_is_the_true_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Toy, "redeal", deals_nothing)
    with pytest.raises(AssertionError, match="worlds are the true one"):
        knowledge.test_another_world_is_hardly_ever_the_true_one(TOY)


def test_a_hole_that_nothing_fills_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyWords, "event", drops_an_argument)
    with pytest.raises(IndexError):
        words.test_every_event_is_told_in_both_languages_to_every_viewer(CASE)


def test_a_translation_with_other_holes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TOY.words.french, NEEDS_COINS.text, "{0:fig} coûte trop")
    with pytest.raises(AssertionError, match="not filled in alike"):
        words.test_every_translation_has_the_holes_of_its_template(TOY)
    assert FRENCH[NEEDS_COINS.text] != TOY.words.french[NEEDS_COINS.text]


def test_the_sound_title_breaks_nothing() -> None:
    assert CASE.deal(1).refusal(JOIN) is not None
    knowledge.test_a_view_is_the_same_in_every_world_of_its_viewer(CASE)
