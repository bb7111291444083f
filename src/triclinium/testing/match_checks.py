"""Checks of the course of a match: options, refusals, pieces, scores, records and features."""

import math

from triclinium.engine.core.chance import KeyedRng
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import ASK, ATTACKED, MATCH, ROUND, TURN, Option, State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.i18n.catalog import list_languages
from triclinium.testing.random_matches import GameCase, MatchRun
from triclinium.testing.sample import AuthorChecks, MatchSample, assert_same, snapshot_state

ROLLOUTS = 3  # number of further matches of a case whose final scores are computed twice
UNASKED_STRIDE = 97  # every 97th option that is not asked now is tried
MAX_UNDONE = 3  # maximum number of undone moves for each match
UNDO_UNTIL = 150  # later moves are not undone, because the replay would take too long


def a_match_is_never_stuck(game: Game, s: State, sample: MatchSample) -> None:
    assert s.legal, f"{s.asked} leaves no option"
    assert 0 <= s.who < s.seats, f"seat {s.who} is asked"
    assert s.asked.who == s.who, f"{s.asked} asks seat {s.who}"


def options_are_the_candidates_that_nothing_forbids(game: Game, s: State, sample: MatchSample) -> None:
    asked = s.asked
    candidates = s.candidates()
    assert candidates == sorted(set(candidates)), f"{asked} lists its candidates in disorder"
    assert_same(s.legal, [o for o in candidates if asked.forbids(s, o) is None], f"options of {asked}")
    assert_same(s.legal, asked.options(s), f"{asked}: the list that was kept is not the list of now")
    assert not set(candidates) & list_anytime_options(s), f"{asked} lists what can be played at any time"


def auto_replies_are_legal(game: Game, s: State, sample: MatchSample) -> None:
    """Require that an automatic reply is legal and declares its text and its spans."""
    step = s.asked
    o = step.auto_reply_option(s)
    assert o == ASK or o in s.legal, f"{step} names {game.format_option(o)} as safe, which is not legal"
    assert o == ASK or step.auto_reply_spans, f"{step} names a safe answer, but not until when it can be given"
    assert set(step.auto_reply_spans) <= {TURN, ROUND, MATCH, ATTACKED}, (
        f"{step} can be spared for {step.auto_reply_spans}"
    )
    assert bool(step.auto_reply_spans) == bool(step.auto_reply_text), f"{step} does not say what its safe answer does"
    for plan in step.list_plans(s):
        assert step.plan_option(s, plan) in s.legal, f"{step} begins the plan {plan!r} with an option that is not legal"
        assert plan.split()[0] in step.plan_texts, f"{step} does not say what the plan {plan!r} does"
    for plan in step.plan_texts:
        planned = step.plan_option(s, plan)
        assert planned == ASK or planned in s.legal, f"{step} continues the plan {plan!r} with what is not legal"


def rounds_and_turns_never_decrease(game: Game, s: State, sample: MatchSample) -> None:
    """Require that round and turn never fall, and that the turn order contains every seat once."""
    assert sorted(game.order(s)) == list(range(s.seats)), f"the order of turns is {game.order(s)}"
    now = (game.round(s), game.turn(s))
    assert now >= (0, 0), f"round and turn are {now}"
    assert all(new >= old for new, old in zip(now, sample.period, strict=True)), f"{now} follows {sample.period}"
    sample.period = now


def pieces_are_conserved(game: Game, s: State, sample: MatchSample) -> None:
    sample.checks.conserved(s)


def chance_comes_from_the_key_alone(game: Game, s: State, sample: MatchSample) -> None:
    """Require that a real match draws from the keyed generator."""
    assert sample.match_run.record_path is not None or isinstance(s.rng, KeyedRng), (
        "a true match draws from another generator"
    )


def a_refusal_changes_nothing_and_says_why(game: Game, s: State, sample: MatchSample) -> None:
    words = game.words
    readers = [words.reader(language) for language in list_languages()]
    before = snapshot_state(s)
    candidates = s.candidates()
    for o in [*candidates, *sample_unasked_options(game, s)]:
        sample.totals.tried_options += 1
        if o in s.legal:
            assert s.refusal(o) is None, f"{game.format_option(o)} is legal and refused"
            continue
        refused = play_refused_option(game, s, o)
        assert refused.rule is s.refusal(o), (
            f"{game.format_option(o)} is refused by {refused.rule}, not by {s.refusal(o)}"
        )
        assert (refused.rule is NOT_ASKED) == (o not in candidates), f"{game.format_option(o)}: {refused.rule.text}"
        for reader in readers:
            sentence = words.format_refusal(refused, reader)
            whole = refused.rule.number in sentence and game.format_option(o) in sentence and "{" not in sentence
            assert whole, f"a refusal without its rule or its option: {sentence}"
    assert_same(snapshot_state(s), before, "a refusal changes")
    assert not s.events, f"a refusal emits events: {s.events}"


def play_refused_option(game: Game, s: State, o: Option) -> Refused:
    try:
        s.play(o)
    except Refused as refused:
        return refused
    raise AssertionError(f"{game.format_option(o)} is no option and was played")


def list_anytime_options(s: State) -> set[Option]:
    """Return the options that seats may play at any moment and that no step lists."""
    return {o for seat in range(s.seats) for o in s.anytime_options(seat)}


def sample_unasked_options(game: Game, s: State) -> list[Option]:
    """Return a few options that are not asked now."""
    known = set(s.candidates()) | list_anytime_options(s)
    return [o for o in game.notation.all_options() if o not in known][::UNASKED_STRIDE]


def scores_add_up(game: Game, s: State, sample: MatchSample) -> None:
    check_score_sums(game, sample.scores())


def check_score_sums(game: Game, scores: list[Score]) -> None:
    assert [score.seat for score in scores] == list(range(len(scores))), "scores are not in the order of seats"
    for score in scores:
        counted = sum(line.points for line in score.lines)
        assert (score.total is not None) == game.has_points, f"a total, or none, against what the game says: {score}"
        assert score.total in (None, counted), f"the lines do not make the total: {score}"
        assert len({line.name for line in score.lines}) == len(score.lines), f"a line stands twice: {score}"
    assert min(score.rank for score in scores) == 1, "nobody is first"
    for score in scores:
        assert score.rank == 1 + sum(other.rank < score.rank for other in scores), "ranks leave a gap"


def scores_equal_a_slow_second_computation(game: Game, s: State, sample: MatchSample) -> None:
    check_slow_scores(game, s, sample.checks)


def check_slow_scores(game: Game, s: State, checks: AuthorChecks) -> None:
    scores = game.scores(s)
    check_score_sums(game, scores)
    if checks.slow_scores is not None:
        counted = [sum(line.points for line in score.lines) for score in scores]
        assert_same(counted, checks.slow_scores(s), "totals")


def check_more_ends(case: GameCase, checks: AuthorChecks, count: int) -> None:
    """Check the final scores of further matches, because a rollout is cheaper than a full check."""
    for seed in range(count):
        s = case.deal(seed + 1)
        rollout(s, Rng(seed), case.game.max_decisions)
        assert s.over, f"{case}, seed {seed + 1}: more than {case.game.max_decisions} decisions"
        check_slow_scores(case.game, s, checks)


def features_are_one_finite_number_for_each_weight(game: Game, s: State, sample: MatchSample) -> None:
    for seat in range(s.seats):
        features = game.evaluator.features(s, seat)
        assert len(features) == len(game.weights.values), (
            f"{len(features)} features and {len(game.weights.values)} weights"
        )
        assert all(math.isfinite(x) for x in features), f"a feature is no number: {features}"


def progress_is_a_fraction(game: Game, s: State, sample: MatchSample) -> None:
    """Require a progress from 0 to 1, because bots use it to combine opening and endgame weights."""
    part = game.evaluator.progress(s)
    assert 0.0 <= part <= 1.0, f"progress is {part}"
    assert sample.match_run.move or part < 0.6, f"a match begins with {part} of it over"


# -- records and undo ------------------------------------------------------------------------------------------------


def play_next_option(match_run: MatchRun, try_undo: bool) -> bool:
    """Play the next option and return whether undo was tested. An undo must leave no trace."""
    match, text, who = match_run.match, match_run.choose_next_option(), match_run.state.who
    before = {**snapshot_state(match_run.state), "record": match.record.dumps()} if try_undo else {}
    match.play(text)
    if not try_undo or not match.can_undo(who):
        return False
    match.undo(who)
    assert_same(
        {**snapshot_state(match_run.state), "record": match.record.dumps()},
        before,
        f"{text} leaves a trace after an undo",
    )
    match.play(text)
    return True


def check_replay(match_run: MatchRun, middle_digest: int) -> None:
    """Require that the record of a match replays to the same states.

    ``middle_digest`` is the digest after half of it.
    """
    match, game = match_run.match, match_run.case.game
    record = Record.loads(match.record.dumps())
    assert record.dumps() == match.record.dumps(), "a record read is not the record written"
    assert_same(record.result, [(score.rank, score.total) for score in game.scores(match.state)], "result")
    halfway = record.replay(move_count=match_run.length // 2, game=game)
    assert halfway.digest() == middle_digest, "half a record replays to another state"
    resumed = Match.resume(record, game)
    assert_same(snapshot_state(resumed.state), snapshot_state(match.state), "replayed")
    assert resumed.events == match.events, "a replay tells other events"
