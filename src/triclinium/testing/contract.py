"""The contract of a game: every requirement of the platform, checked during random matches of each case."""

import math
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.testing import clone_checks, match_checks, secrecy_checks, text_checks
from triclinium.testing.random_matches import (
    GameCase,
    MatchRun,
    SampleSizes,
    Variants,
    list_cases,
    list_representative_values,
    list_variant_choices,
    select_covering_cases,
)
from triclinium.testing.sample import AuthorChecks, CheckTotals, MatchSample, accept_any_pieces

Property = Callable[[Game, State, MatchSample], None]

EACH_DECISION_CHECKS: tuple[Property, ...] = (  # run before every decision
    match_checks.a_match_is_never_stuck,
    match_checks.options_are_the_candidates_that_nothing_forbids,
    match_checks.auto_replies_are_legal,
    match_checks.rounds_and_turns_never_decrease,
    match_checks.pieces_are_conserved,
    match_checks.chance_comes_from_the_key_alone,
)
FREQUENT_CHECKS: tuple[Property, ...] = (  # run four times as often as the sampled checks
    text_checks.decisions_are_translated,
    text_checks.refusals_are_translated,
)
SAMPLED_CHECKS: tuple[Property, ...] = (
    match_checks.a_refusal_changes_nothing_and_says_why,
    match_checks.scores_add_up,
    match_checks.features_are_one_finite_number_for_each_weight,
    match_checks.progress_is_a_fraction,
    clone_checks.a_clone_forgets_nothing,
    secrecy_checks.a_view_is_the_same_in_every_world_of_its_viewer,
    secrecy_checks.what_nobody_has_seen_can_be_dealt_again,
    secrecy_checks.resampled_worlds_differ,
    secrecy_checks.events_reveal_no_more_than_the_view,
    secrecy_checks.no_new_information_can_be_undone,
    secrecy_checks.visible_scores_are_true,
)
RARE_CHECKS: tuple[Property, ...] = (  # slow checks, run at every fourth sampled position
    clone_checks.a_clone_can_be_played_without_harm,
    clone_checks.the_state_key_forgets_no_attribute,
    secrecy_checks.score_bounds_are_tight,
    text_checks.score_sheets_are_translated,
    text_checks.tables_are_translated_for_every_viewer,
)
END_CHECKS: tuple[Property, ...] = (
    match_checks.pieces_are_conserved,
    match_checks.scores_equal_a_slow_second_computation,
    clone_checks.no_old_clone_ever_changes,
    secrecy_checks.the_end_is_open_to_all_viewers,
    secrecy_checks.final_scores_are_visible,
    text_checks.tables_are_translated_for_every_viewer,
)


def check_game(
    game: Game,
    variants: Sequence[Variants] | None = None,
    conserved: Callable[[State], None] = accept_any_pieces,
    slow_scores: Callable[[State], list[int]] | None = None,
    derived: tuple[str, ...] = (),
    records: Path | None = None,
    samples: SampleSizes | None = None,
) -> None:
    """Fail if a game breaks its contract. The error names the property, seats, variants, seed and move.

    `variants` are the choices to play with. Together they must use every value (None: each value alone). `conserved`
    fails if pieces are lost or created. `slow_scores` computes the totals of a finished match in a second way.
    `derived` names attributes of the state that need not be in its `state_key`. `records` is a folder of records that
    are checked in addition to the random matches.
    """
    checks = AuthorChecks(conserved, slow_scores, derived)
    samples = samples or SampleSizes()
    variant_choices = list_variant_choices(game) if variants is None else list(variants)
    for check in STATIC_CHECKS:
        run_named_check(check.__name__, game.id, lambda check=check: check(game))  # type: ignore[misc]
    check_variant_choices(game, variant_choices)
    totals = CheckTotals()
    cases = list_cases(game, variant_choices)
    for case in cases if samples.all_cases else select_covering_cases(cases):
        check_case(case, checks, samples, totals, records)
    check_totals(game, totals)


def run_named_check(name: str, where: object, check: Callable[[], None]) -> None:
    """Run a check. Convert any error to an AssertionError with the check's name and place."""
    try:
        check()
    except Exception as error:
        problem = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        problem = problem or str(traceback.extract_tb(error.__traceback__)[-1].line)
        raise AssertionError(f"{name.replace('_', ' ')}: {where}: {problem}") from error


def check_case(
    case: GameCase, checks: AuthorChecks, samples: SampleSizes, totals: CheckTotals, records: Path | None
) -> None:
    """Check one or several random matches, and the record of the case if there is one."""
    ends = match_checks.ROLLOUTS * samples.matches
    run_named_check(
        "scores equal a slow second computation", case, lambda: match_checks.check_more_ends(case, checks, ends)
    )
    for seed in range(samples.matches):
        check_match_run(case, seed, None, checks, samples, totals)
    if records is not None and (records / case.record_name).exists():
        check_match_run(case, 0, records / case.record_name, checks, samples, totals)


def check_match_run(
    case: GameCase, seed: int, record: Path | None, checks: AuthorChecks, samples: SampleSizes, totals: CheckTotals
) -> None:
    match_runs: list[MatchRun] = []
    run_named_check(
        "a match ends within its bound", f"{case}, seed {seed}", lambda: match_runs.append(MatchRun(case, seed, record))
    )
    ContractRun(MatchSample(match_runs[0], checks, samples, totals)).run()


class ContractRun:
    """One match with all checks. Tests of the contract itself select single properties with ``only``."""

    def __init__(self, sample: MatchSample, only: tuple[Property, ...] = ()) -> None:
        self.sample = sample
        self.match_run = sample.match_run
        self.only = only
        self.sample_interval = max(1, self.match_run.length // sample.samples.moments)
        self.frequent_interval = max(1, self.sample_interval // 4)
        self.undo_count = 0
        self.middle_digest = 0

    def run(self) -> None:
        self.check_events()
        while not self.match_run.state.over:
            self.check_decision()
            self.play_decision()
            self.check_events()
        self.sample.reset()
        self.run_checks(END_CHECKS)
        if not self.only:
            run_named_check(
                "replay equals play",
                self.match_run,
                lambda: match_checks.check_replay(self.match_run, self.middle_digest),
            )

    def check_decision(self) -> None:
        n = self.match_run.move
        self.sample.reset()
        if n == self.match_run.length // 2:
            self.middle_digest = self.match_run.state.digest()
        self.run_checks(EACH_DECISION_CHECKS)
        if n % self.frequent_interval == 0:
            self.run_checks(FREQUENT_CHECKS)
        if n % self.sample_interval == 0:
            self.run_checks(SAMPLED_CHECKS)
        if n % (4 * self.sample_interval) == 0:
            self.run_checks(RARE_CHECKS)

    def play_decision(self) -> None:
        """Play the next option. Test undo on a few early moves that allow it."""
        early = self.match_run.move < match_checks.UNDO_UNTIL and self.undo_count < match_checks.MAX_UNDONE
        try_undo = early and self.match_run.move % self.frequent_interval == 0

        def decide() -> None:
            self.undo_count += match_checks.play_next_option(self.match_run, try_undo)

        run_named_check("an undone move leaves no trace", self.match_run, decide)

    def check_events(self) -> None:
        check = text_checks.events_are_translated_for_every_viewer
        events = self.match_run.match.events[-1]
        if not self.only:
            run_named_check(check.__name__, self.match_run, lambda: check(self.sample.game, events, self.sample))

    def run_checks(self, properties: tuple[Property, ...]) -> None:
        for check in properties:
            if not self.only or check in self.only:
                try:
                    check(self.sample.game, self.match_run.state, self.sample)
                except Exception as error:
                    run_named_check(check.__name__, self.match_run, raise_later(error))


def raise_later(error: Exception) -> Callable[[], None]:
    def raise_error() -> None:
        raise error

    return raise_error


def check_totals(game: Game, totals: CheckTotals) -> None:
    """Check the totals, which only many matches together can show."""
    run_named_check(
        "another world is hardly ever the true one", game.id, lambda: secrecy_checks.check_world_counts(game, totals)
    )
    run_named_check(
        "bounds are not much wider than what can be", game.id, lambda: secrecy_checks.check_bound_widths(totals)
    )
    assert not totals.missing_texts, f"{game.id}, without a translation:\n" + "\n".join(sorted(totals.missing_texts))
    assert totals.event_count, f"{game.id} tells no event"
    assert totals.tried_options, f"{game.id}: no option was tried"
    assert totals.compared_events or not game.has_secrets, f"{game.id}: no events of two worlds could be compared"


# -- checks of the game itself -----------------------------------------------------------------------------------


def wrong_numbers_of_seats_are_refused(game: Game) -> None:
    for seats in (-1, 0, 1, max(game.seats) + 1, 1000):
        if seats not in game.seats:
            refusal = find_deal_refusal(game, seats)
            assert f"not {seats} " in refusal, (
                f"{seats} seats are not refused by their number: {refusal or 'they are dealt'}"
            )


def find_deal_refusal(game: Game, seats: int) -> str:
    try:
        game.deal(seats, 1)
    except BadSetup as refused:
        return str(refused)
    return ""


def every_option_has_one_notation(game: Game) -> None:
    options = game.notation.all_options()
    texts = [game.format_option(o) for o in options]
    assert len(set(texts)) == len(texts), "two options have the same label"
    assert [game.read(text) for text in texts] == options, "an option is read as another"
    assert [game.read(text.upper()) for text in texts] == options, "an option in capitals is read as another"


def every_weight_is_a_number(game: Game) -> None:
    weights = game.weights
    for weight in [*weights.values, *weights.opening, *weights.endgame, *weights.turn]:
        assert math.isfinite(weight), f"{weight} is no number"


STATIC_CHECKS: tuple[Callable[[Game], None], ...] = (
    wrong_numbers_of_seats_are_refused,
    every_option_has_one_notation,
    every_weight_is_a_number,
    text_checks.translations_keep_their_placeholders,
    text_checks.plurals_have_the_forms_of_their_language,
    text_checks.a_translation_is_not_english,
    text_checks.french_has_its_typography,
    text_checks.a_game_and_its_variants_have_names_in_every_language,
)


def check_variant_choices(game: Game, variant_choices: Sequence[Variants]) -> None:
    """Check that the choices use every value of every variant, and that each fits some number of seats."""
    assert {} in variant_choices, f"{game.id}: the game as it comes must be checked too"
    for variant in game.variants:
        tried = {chosen[variant.name] for chosen in variant_choices if variant.name in chosen} | {variant.default}
        missing = set(list_representative_values(variant.values)) - tried
        assert not missing, f"{game.id}: no choice has {variant.name} = {missing}"
    played = [case.variants for case in list_cases(game, variant_choices)]
    for chosen in variant_choices:
        assert dict(chosen) in played, f"{game.id}: {chosen} fits no number of seats"
