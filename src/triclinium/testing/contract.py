"""The contract of a game: everything that the house relies on, checked along one walk through each case."""

import math
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.testing import clone_checks, match_checks, secrecy_checks, text_checks
from triclinium.testing.random_matches import Case, Samples, Variants, Walk, cases_of, choices_of, cover, worth_a_try
from triclinium.testing.sample import Checks, Sample, Tally, nothing_to_conserve

Property = Callable[[Game, State, Sample], None]

EACH: tuple[Property, ...] = (  # before each decision
    match_checks.a_match_is_never_stuck,
    match_checks.options_are_the_candidates_that_nothing_forbids,
    match_checks.a_safe_answer_can_be_given,
    match_checks.rounds_and_turns_never_fall,
    match_checks.pieces_are_conserved,
    match_checks.chance_comes_from_the_key_alone,
)
OFTEN: tuple[Property, ...] = (  # four times as often as a look
    text_checks.the_decision_is_said_in_every_language,
    text_checks.refusals_are_said_in_every_language,
)
LOOK: tuple[Property, ...] = (
    match_checks.a_refusal_changes_nothing_and_says_why,
    match_checks.scores_add_up,
    match_checks.features_are_one_finite_number_for_each_weight,
    match_checks.progress_is_a_part_of_the_match,
    clone_checks.a_clone_forgets_nothing,
    secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,
    secrecy_checks.another_world_is_hardly_ever_the_true_one,
    secrecy_checks.events_tell_no_more_than_the_view,
    secrecy_checks.nothing_learnt_can_be_taken_back,
    secrecy_checks.what_is_told_of_the_scores_is_true,
)
RARE: tuple[Property, ...] = (  # at one look of four: they are slow
    clone_checks.a_clone_can_be_played_without_harm,
    clone_checks.the_state_key_forgets_no_attribute,
    secrecy_checks.bounds_are_not_much_wider_than_what_can_be,
    text_checks.the_score_sheet_is_said_in_every_language,
    text_checks.the_table_is_shown_in_every_language_to_every_viewer,
)
END: tuple[Property, ...] = (
    match_checks.pieces_are_conserved,
    match_checks.scores_equal_a_slow_second_computation,
    clone_checks.no_old_clone_ever_changes,
    secrecy_checks.the_end_is_open_to_all_viewers,
    secrecy_checks.all_is_told_once_the_match_is_over,
    text_checks.the_table_is_shown_in_every_language_to_every_viewer,
)


def check_game(
    game: Game,
    variants: Sequence[Variants] | None = None,
    conserved: Callable[[State], None] = nothing_to_conserve,
    slow_scores: Callable[[State], list[int]] | None = None,
    derived: tuple[str, ...] = (),
    records: Path | None = None,
    samples: Samples | None = None,
) -> None:
    """Fail with the property, the seats, the variants, the seed and the move at which a game breaks its contract.

    `variants` are the choices to play with, together using each value (None: each value alone); `conserved` fails where
    pieces are lost or made; `slow_scores` counts the totals of a finished match another way; `derived` names attributes
    of the state that need not be in its `state_key`; `records` is a folder of records that are walked through as well.
    """
    checks = Checks(conserved, slow_scores, derived)
    samples = samples or Samples()
    listed = choices_of(game) if variants is None else list(variants)
    for holds in STATIC:
        named(holds.__name__, game.id, lambda holds=holds: holds(game))  # type: ignore[misc]
    check_choices(game, listed)
    tally = Tally()
    cases = cases_of(game, listed)
    for case in cases if samples.whole else cover(cases):
        check_case(case, checks, samples, tally, records)
    judge(game, tally)


def named(name: str, where: object, check: Callable[[], None]) -> None:
    """Whatever a check raises becomes one sentence with its name and the place."""
    try:
        check()
    except Exception as error:
        told = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        told = told or str(traceback.extract_tb(error.__traceback__)[-1].line)  # an assert without a word
        raise AssertionError(f"{name.replace('_', ' ')}: {where}: {told}") from error


def check_case(case: Case, checks: Checks, samples: Samples, tally: Tally, records: Path | None) -> None:
    """A match by chance, or several, and the record of the case if there is one."""
    ends = match_checks.ROLLOUTS * samples.matches
    named("scores equal a slow second computation", case, lambda: match_checks.further_ends(case, checks, ends))
    for seed in range(samples.matches):
        check_walk(case, seed, None, checks, samples, tally)
    if records is not None and (records / case.file).exists():
        check_walk(case, 0, records / case.file, checks, samples, tally)


def check_walk(case: Case, seed: int, record: Path | None, checks: Checks, samples: Samples, tally: Tally) -> None:
    walks: list[Walk] = []
    named("a match ends within its bound", f"{case}, seed {seed}", lambda: walks.append(Walk(case, seed, record)))
    Course(Sample(walks[0], checks, samples, tally)).run()


class Course:
    """One walk, with everything that is checked on the way; tests of the contract itself ask for one property alone."""

    def __init__(self, sample: Sample, only: tuple[Property, ...] = ()) -> None:
        self.sample = sample
        self.walk = sample.walk
        self.only = only
        self.look = max(1, self.walk.length // sample.samples.looks)
        self.often = max(1, self.look // 4)
        self.undone = 0
        self.middle = 0

    def run(self) -> None:
        self.hear()
        while not self.walk.state.over:
            self.before_a_decision()
            self.decide()
            self.hear()
        self.sample.fresh()
        self.hold(END)
        if not self.only:
            named("replay equals play", self.walk, lambda: match_checks.replay_equals_play(self.walk, self.middle))

    def before_a_decision(self) -> None:
        n = self.walk.move
        self.sample.fresh()
        if n == self.walk.length // 2:
            self.middle = self.walk.state.digest()
        self.hold(EACH)
        if n % self.often == 0:
            self.hold(OFTEN)
        if n % self.look == 0:
            self.hold(LOOK)
        if n % (4 * self.look) == 0:
            self.hold(RARE)

    def decide(self) -> None:
        """Play on; an early move that may be taken back is, a few times."""
        early = self.walk.move < match_checks.UNDO_UNTIL and self.undone < match_checks.UNDONE
        take_back = early and self.walk.move % self.often == 0

        def decide() -> None:
            self.undone += match_checks.advance(self.walk, take_back)

        named("what is taken back leaves no trace", self.walk, decide)

    def hear(self) -> None:
        told = text_checks.every_event_is_told_in_every_language_to_every_viewer
        events = self.walk.match.events[-1]
        if not self.only:
            named(told.__name__, self.walk, lambda: told(self.sample.game, events, self.sample))

    def hold(self, properties: tuple[Property, ...]) -> None:
        for holds in properties:
            if not self.only or holds in self.only:
                try:
                    holds(self.sample.game, self.walk.state, self.sample)
                except Exception as error:
                    named(holds.__name__, self.walk, raising(error))


def raising(error: Exception) -> Callable[[], None]:
    def again() -> None:
        raise error

    return again


def judge(game: Game, tally: Tally) -> None:
    """What only many matches together can say."""
    named("another world is hardly ever the true one", game.id, lambda: secrecy_checks.judge_worlds(game, tally))
    named("bounds are not much wider than what can be", game.id, lambda: secrecy_checks.judge_bounds(tally))
    assert not tally.missing, f"{game.id}, without a translation:\n" + "\n".join(sorted(tally.missing))
    assert tally.told, f"{game.id} tells no event"
    assert tally.tried, f"{game.id}: no option was tried"
    assert tally.compared or not game.secrets, f"{game.id}: no events of two worlds could be compared"


# -- the game itself -------------------------------------------------------------------------------------------------


def wrong_numbers_of_seats_are_refused(game: Game) -> None:
    for seats in (-1, 0, 1, max(game.seats) + 1, 1000):
        if seats not in game.seats:
            told = refused_deal(game, seats)
            assert f"not {seats} " in told, f"{seats} seats are not refused by their number: {told or 'they are dealt'}"


def refused_deal(game: Game, seats: int) -> str:
    try:
        game.deal(seats, 1)
    except BadSetup as refused:
        return str(refused)
    return ""


def every_option_has_one_notation(game: Game) -> None:
    options = game.notation.all()
    said = [game.say(o) for o in options]
    assert len(set(said)) == len(said), "two options are said alike"
    assert [game.read(text) for text in said] == options, "an option is read as another"
    assert [game.read(text.upper()) for text in said] == options, "an option in capitals is read as another"


def every_weight_is_a_number(game: Game) -> None:
    weights = game.weights
    for weight in [*weights.each, *weights.opening, *weights.endgame, *weights.turn]:
        assert math.isfinite(weight), f"{weight} is no number"


STATIC: tuple[Callable[[Game], None], ...] = (
    wrong_numbers_of_seats_are_refused,
    every_option_has_one_notation,
    every_weight_is_a_number,
    text_checks.every_translation_has_the_holes_of_its_template,
    text_checks.every_plural_has_the_forms_of_its_language,
    text_checks.a_translation_is_not_english,
    text_checks.french_has_its_typography,
    text_checks.a_game_and_its_variants_have_names_in_every_language,
)


def check_choices(game: Game, listed: Sequence[Variants]) -> None:
    """The choices to play with use every value of every variant, and each fits some number of seats."""
    assert {} in listed, f"{game.id}: the game as it comes must be checked too"
    for variant in game.variants:
        tried = {chosen[variant.name] for chosen in listed if variant.name in chosen} | {variant.default}
        missing = set(worth_a_try(variant.values)) - tried
        assert not missing, f"{game.id}: no choice has {variant.name} = {missing}"
    played = [case.variants for case in cases_of(game, listed)]
    for chosen in listed:
        assert dict(chosen) in played, f"{game.id}: {chosen} fits no number of seats"
