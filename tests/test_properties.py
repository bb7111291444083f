"""Tests that each contract property notices a game that violates it. Figs is broken in one way at a time."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests import toy_checks
from tests.toy import (
    DRAW,
    JOIN,
    NEEDS_COINS,
    STOP,
    TOY,
    Figs,
    Join,
    Toy,
    ToyEvaluator,
    ToyView,
    ToyWords,
    Turn,
    Wages,
    cards,
)
from triclinium.engine.core.event import CHOSEN, Event
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.score import Score, ScoreSheetLine
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.game_text import TableNote
from triclinium.engine.record import Record
from triclinium.engine.variant import Choice
from triclinium.engine.visible_scores import VisibleScore
from triclinium.testing import (
    GameCase,
    SampleSizes,
    check_game,
    clone_checks,
    match_checks,
    secrecy_checks,
    text_checks,
)
from triclinium.testing.contract import ContractRun, Property
from triclinium.testing.random_matches import MatchRun
from triclinium.testing.sample import AuthorChecks, CheckTotals, MatchSample

CASE = GameCase(TOY, 3, {})
CHECKS = AuthorChecks(toy_checks.check_conserved, toy_checks.slow_scores, toy_checks.DERIVED)

clone, state_key, view, redeal, resample = Toy.clone, Toy.state_key, Figs.view, Toy.redeal, Toy.resample
record_of = Record.create
forbids, apply, options = Turn.forbids, Turn.apply, Turn.options


def clone_with_shared_pile(self: Toy) -> Toy:
    t = clone(self)
    t.pile = self.pile
    return t


def forgets_coins(self: Toy) -> Toy:
    t = clone(self)
    t.coins = [0] * self.seats
    return t


def key_without_joined(self: Toy) -> list[int]:
    t = clone(self)
    t.joined = []
    return state_key(t)


def leaks_the_top(self: Figs, s: Toy, seat: Seat | None) -> ToyView:
    return replace(view(self, s, seat), pile=s.pile[-1] if s.pile else 0)


def view_with_all_options(self: Figs, s: Toy, seat: Seat | None) -> ToyView:
    return replace(view(self, s, seat), options=[TOY.format_option(o) for o in s.options()])


def deals_nothing(self: Toy, seat: Seat, rng: Rng) -> None:
    pass


def deals_too_much(self: Toy, seat: Seat, rng: Rng) -> None:
    redeal(self, NOBODY, rng)


def loses_a_card(self: Toy, seat: Seat, rng: Rng) -> None:
    redeal(self, seat, rng)
    self.pile = self.pile[1:]


def keeps_the_key(self: Toy, seat: Seat, rng: Rng) -> Toy:
    t = resample(self, seat, rng)
    t.rng = self.rng.copy()
    return t


def changes_the_generator(self: Turn, s: Toy, o: Option) -> None:
    s.rng = Rng(1)
    apply(self, s, o)


def weighs_too_much(self: ToyEvaluator, s: State, seat: Seat) -> list[float]:
    return [1.0]


def is_half_over(self: ToyEvaluator, s: State) -> float:
    return 0.7


def forgets_the_gift(game: Game, seats: int, seed: int, variants: Mapping[str, Choice]) -> Record:
    return record_of(game, seats, seed, {**variants, "gift": False})


def pays_for_the_question(self: Turn, s: Toy, o: Option) -> Rule | None:
    s.coins[0] += 1
    return forbids(self, s, o)


def list_forbidden_options(self: Turn, s: Toy) -> list[Option]:
    return self.candidates(s)


def skip_by_the_hand(self: Turn, s: Toy) -> bool:
    return min((s.values[card] for card in cards(s.hands[self.who])), default=9) <= s.coins[self.who]


def force_by_the_hand(self: Turn, s: Toy, legal: list[Option]) -> Option:
    return STOP if min(legal) >= DRAW else -1


def draws_in_secret(self: Turn, s: Toy, o: Option) -> None:
    learnt = s.undo_barrier
    apply(self, s, o)
    s.undo_barrier = learnt


def shows_the_hand(self: Turn, s: Toy, o: Option) -> None:
    s.emit(CHOSEN, self.who, (s.pile[0] if s.pile else 0,))
    apply(self, s, o)


def mint_coins(self: Join, s: Toy, o: Option) -> None:
    s.laid[self.who] |= s.laid[self.host]


def counts_down(self: Figs, s: Toy) -> int:
    return s.rounds_left


def seat_one_twice(self: Figs, s: Toy) -> tuple[Seat, ...]:
    return (0, 1, 1)


def never_ends(self: Wages, s: Toy) -> None:
    s.push(Turn(0), Wages(NOBODY))


def counts_hidden_hands(self: Figs, s: Toy) -> list[Score]:
    held = [sum(s.values[card] for card in cards(hand)) for hand in s.hands]
    return [Score(seat, 1, held[seat], [ScoreSheetLine("laid", held[seat])]) for seat in range(s.seats)]


def guesses_the_scores(self: Figs, s: State, viewer: Seat) -> list[VisibleScore]:
    return [VisibleScore(seat, None, (3, 9), {"coins": 3}) for seat in range(s.seats)]


def ranks_by_guess(self: Figs, s: State, viewer: Seat) -> list[VisibleScore]:
    return [VisibleScore(seat, 1, None, {}) for seat in range(s.seats)]


def label_all_options_alike(self: ToyWords, s: State, o: Option) -> Message:
    return Message("laid figs")


def leaves_a_hole(self: ToyWords, view: ToyView) -> list[TableNote]:
    return [TableNote(Message("coins {"))]


def ask_untranslated(self: ToyWords, s: State) -> Message:
    return Message("what now?")


def drops_an_argument(self: ToyWords, event: Event, viewer: Seat) -> Message | None:
    return Message("{0}: {1}", 3) if event.kind == "wages" else None


BREAKS: list[tuple[type, str, object, tuple[Property, ...]]] = [
    (
        Toy,
        "clone",
        clone_with_shared_pile,
        (clone_checks.a_clone_forgets_nothing, clone_checks.no_old_clone_ever_changes),
    ),
    (Toy, "clone", clone_with_shared_pile, (clone_checks.a_clone_can_be_played_without_harm,)),
    (Toy, "clone", forgets_coins, (clone_checks.a_clone_forgets_nothing,)),
    (Toy, "state_key", key_without_joined, (clone_checks.the_state_key_forgets_no_attribute,)),
    (Figs, "view", leaks_the_top, (secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,)),
    (Figs, "view", view_with_all_options, (secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,)),
    (Toy, "redeal", deals_too_much, (secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,)),
    (Toy, "redeal", loses_a_card, (secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,)),
    (Toy, "resample", keeps_the_key, (secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,)),
    (Turn, "forbids", pays_for_the_question, (match_checks.a_refusal_changes_nothing_and_says_why,)),
    (Turn, "options", list_forbidden_options, (match_checks.options_are_the_candidates_that_nothing_forbids,)),
    (Turn, "applies", skip_by_the_hand, (secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,)),
    (Turn, "forced_option", force_by_the_hand, (secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,)),
    (Turn, "apply", draws_in_secret, (secrecy_checks.no_new_information_can_be_undone,)),
    (Turn, "apply", shows_the_hand, (secrecy_checks.events_reveal_no_more_than_the_view,)),
    (Turn, "apply", changes_the_generator, (match_checks.chance_comes_from_the_key_alone,)),
    (Figs, "turn", counts_down, (match_checks.rounds_and_turns_never_decrease,)),
    (Figs, "order", seat_one_twice, (match_checks.rounds_and_turns_never_decrease,)),
    (Join, "apply", mint_coins, (match_checks.pieces_are_conserved,)),
    (Figs, "scores", counts_hidden_hands, (secrecy_checks.visible_scores_are_true,)),
    (Figs, "scores", counts_hidden_hands, (match_checks.scores_equal_a_slow_second_computation,)),
    (Figs, "visible_scores", guesses_the_scores, (secrecy_checks.visible_scores_are_true,)),
    (Figs, "visible_scores", ranks_by_guess, (secrecy_checks.visible_scores_are_true,)),
    (Figs, "visible_scores", ranks_by_guess, (secrecy_checks.final_scores_are_visible,)),
    (ToyEvaluator, "features", weighs_too_much, (match_checks.features_are_one_finite_number_for_each_weight,)),
    (ToyEvaluator, "progress", is_half_over, (match_checks.progress_is_a_fraction,)),
    (ToyWords, "label", label_all_options_alike, (text_checks.decisions_are_translated,)),
    (ToyWords, "table_notes", leaves_a_hole, (text_checks.tables_are_translated_for_every_viewer,)),
]


def watch(*only: Property) -> CheckTotals:
    """Play a few matches of Figs and check these properties often, or all properties if none are given."""
    tally = CheckTotals()
    for seed in range(6):
        sample = MatchSample(MatchRun(CASE, seed), CHECKS, SampleSizes(moments=40, worlds=3), tally)
        ContractRun(sample, only).run()
    return tally


def check() -> None:
    check_game(
        TOY,
        toy_checks.VARIANTS,
        toy_checks.check_conserved,
        toy_checks.slow_scores,
        toy_checks.DERIVED,
        samples=SampleSizes(moments=40),
    )


@pytest.mark.parametrize(("kind", "name", "broken", "properties"), BREAKS)
def test_a_property_fails_for_a_broken_game(
    kind: type, name: str, broken: object, properties: tuple[Property, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    watch(*properties)
    monkeypatch.setattr(kind, name, broken)
    told = "|".join(holds.__name__.replace("_", " ") for holds in properties)
    with pytest.raises(AssertionError, match=rf"^({told}): figs, 3 seats, no variants, seed \d, move \d+: ."):
        watch(*properties)


def test_a_failure_names_the_path_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Figs, "view", leaks_the_top)
    with pytest.raises(AssertionError, match=r"in another world: pile: \d+, not \d+"):
        watch(secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer)


def test_a_match_without_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wages, "run", never_ends)
    with pytest.raises(AssertionError, match=r"more than \d+ decisions"):
        check()


def test_a_determinization_equal_to_the_true_state_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Toy, "redeal", deals_nothing)
    with pytest.raises(AssertionError, match="worlds are the true one"):
        check()


def test_a_sentence_without_french_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyWords, "question", ask_untranslated)
    with pytest.raises(AssertionError, match=r"without a translation:\n  what now\?"):
        check()


def test_an_unfilled_placeholder_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyWords, "event_message", drops_an_argument)
    with pytest.raises(AssertionError, match=r"move \d+: IndexError"):
        check()


def test_state_missing_from_a_record_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Record, "create", forgets_the_gift)
    with pytest.raises(
        AssertionError, match=r"^(replay equals play|an undone move leaves no trace).*figs, 2 seats, gift = True"
    ):
        check()


def test_a_translation_with_other_placeholders_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        text_checks, "read_translations", lambda game, language: {NEEDS_COINS.text: "{0:fig} coûte trop"}
    )
    with pytest.raises(AssertionError, match="not filled in alike"):
        check()


def test_an_untested_value_of_a_variant_is_noticed() -> None:
    with pytest.raises(AssertionError, match=r"figs: no choice has rounds = \{9\}"):
        check_game(TOY, [{}, {"gift": True}, {"rounds": 2}])


def test_the_correct_game_passes_all_properties() -> None:
    assert CASE.deal(1).refusal(JOIN) is not None
    check()
    check_game(TOY, derived=toy_checks.DERIVED)  # Each value is checked alone.
