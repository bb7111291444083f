"""The course of a match: options, refusals, pieces, scores, records, and what bots weigh."""

import math

from triclinium.engine.core.chance import Keyed
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import ASK, ATTACKED, MATCH, ROUND, TURN, Option, State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.i18n.catalog import languages
from triclinium.testing.random_matches import Case, Walk
from triclinium.testing.sample import Checks, Sample, all_of, same

ROLLOUTS = 3  # further ends of a case whose scores are counted twice
ELSEWHERE = 97  # one in so many options that are not asked now is tried
UNDONE = 3  # moves that each walk takes back
UNDO_UNTIL = 150  # moves from here on are not taken back: that would replay too much


def a_match_is_never_stuck(game: Game, s: State, sample: Sample) -> None:
    assert s.legal, f"{s.asked} leaves no option"
    assert 0 <= s.who < s.seats, f"seat {s.who} is asked"
    assert s.asked.who == s.who, f"{s.asked} asks seat {s.who}"


def options_are_the_candidates_that_nothing_forbids(game: Game, s: State, sample: Sample) -> None:
    asked = s.asked
    candidates = s.candidates()
    assert candidates == sorted(set(candidates)), f"{asked} lists its candidates in disorder"
    same(s.legal, [o for o in candidates if asked.forbids(s, o) is None], f"options of {asked}")
    same(s.legal, asked.options(s), f"{asked}: the list that was kept is not the list of now")
    assert not set(candidates) & anytime(s), f"{asked} lists what can be played at any time"


def a_safe_answer_can_be_given(game: Game, s: State, sample: Sample) -> None:
    """One that is left to be given unasked is legal whenever it is named, and says what it does and until when."""
    step = s.asked
    o = step.safe(s)
    assert o == ASK or o in s.legal, f"{step} names {game.say(o)} as safe, which is not legal"
    assert o == ASK or step.spans, f"{step} names a safe answer, but not until when it can be given"
    assert set(step.spans) <= {TURN, ROUND, MATCH, ATTACKED}, f"{step} can be spared for {step.spans}"
    assert bool(step.spans) == bool(step.automatic), f"{step} does not say what its safe answer does"


def rounds_and_turns_never_fall(game: Game, s: State, sample: Sample) -> None:
    """They are read from the state alone, and every seat is in the order once."""
    assert sorted(game.order(s)) == list(range(s.seats)), f"the order of turns is {game.order(s)}"
    now = (game.round(s), game.turn(s))
    assert now >= (0, 0), f"round and turn are {now}"
    assert all(new >= old for new, old in zip(now, sample.period, strict=True)), f"{now} follows {sample.period}"
    sample.period = now


def pieces_are_conserved(game: Game, s: State, sample: Sample) -> None:
    sample.checks.conserved(s)


def chance_comes_from_the_key_alone(game: Game, s: State, sample: Sample) -> None:
    """In a true match; imagined worlds never draw from the key, and never tell it."""
    assert sample.walk.file is not None or isinstance(s.rng, Keyed), "a true match draws from another generator"


def a_refusal_changes_nothing_and_says_why(game: Game, s: State, sample: Sample) -> None:
    words = game.words
    readers = [words.reader(language) for language in languages()]
    before = all_of(s)
    candidates = s.candidates()
    for o in [*candidates, *elsewhere(game, s)]:
        sample.tally.tried += 1
        if o in s.legal:
            assert s.refusal(o) is None, f"{game.say(o)} is legal and refused"
            continue
        refused = refusal_of(game, s, o)
        assert refused.rule is s.refusal(o), f"{game.say(o)} is refused by {refused.rule}, not by {s.refusal(o)}"
        assert (refused.rule is NOT_ASKED) == (o not in candidates), f"{game.say(o)}: {refused.rule.text}"
        for reader in readers:
            sentence = words.refusal(refused, reader)
            whole = refused.rule.number in sentence and game.say(o) in sentence and "{" not in sentence
            assert whole, f"a refusal without its rule or its option: {sentence}"
    same(all_of(s), before, "a refusal changes")
    assert not s.events, f"a refusal is told: {s.events}"


def refusal_of(game: Game, s: State, o: Option) -> Refused:
    try:
        s.play(o)
    except Refused as refused:
        return refused
    raise AssertionError(f"{game.say(o)} is no option and was played")


def anytime(s: State) -> set[Option]:
    """What some seat may play at any moment and no step lists."""
    return {o for seat in range(s.seats) for o in s.anytime_options(seat)}


def elsewhere(game: Game, s: State) -> list[Option]:
    """A few options that are not asked now."""
    known = set(s.candidates()) | anytime(s)
    return [o for o in game.notation.all() if o not in known][::ELSEWHERE]


def scores_add_up(game: Game, s: State, sample: Sample) -> None:
    add_up(game, sample.scores())


def add_up(game: Game, scores: list[Score]) -> None:
    assert [score.seat for score in scores] == list(range(len(scores))), "scores are not in the order of seats"
    for score in scores:
        counted = sum(line.points for line in score.lines)
        assert (score.total is not None) == game.has_points, f"a total, or none, against what the game says: {score}"
        assert score.total in (None, counted), f"the lines do not make the total: {score}"
        assert len({line.name for line in score.lines}) == len(score.lines), f"a line stands twice: {score}"
    assert min(score.rank for score in scores) == 1, "nobody is first"
    for score in scores:
        assert score.rank == 1 + sum(other.rank < score.rank for other in scores), "ranks leave a gap"


def scores_equal_a_slow_second_computation(game: Game, s: State, sample: Sample) -> None:
    count_twice(game, s, sample.checks)


def count_twice(game: Game, s: State, checks: Checks) -> None:
    scores = game.scores(s)
    add_up(game, scores)
    if checks.slow_scores is not None:
        counted = [sum(line.points for line in score.lines) for score in scores]
        same(counted, checks.slow_scores(s), "totals")


def further_ends(case: Case, checks: Checks, count: int) -> None:
    """Scores at the ends of more matches: an end costs less than a walk."""
    for seed in range(count):
        s = case.deal(seed + 1)
        rollout(s, Rng(seed), case.game.bound)
        assert s.over, f"{case}, seed {seed + 1}: more than {case.game.bound} decisions"
        count_twice(case.game, s, checks)


def features_are_one_finite_number_for_each_weight(game: Game, s: State, sample: Sample) -> None:
    for seat in range(s.seats):
        features = game.evaluator.features(s, seat)
        assert len(features) == len(game.weights.each), f"{len(features)} features and {len(game.weights.each)} weights"
        assert all(math.isfinite(x) for x in features), f"a feature is no number: {features}"


def progress_is_a_part_of_the_match(game: Game, s: State, sample: Sample) -> None:
    """Bots mix what they expect early and late by it."""
    part = game.evaluator.progress(s)
    assert 0.0 <= part <= 1.0, f"progress is {part}"
    assert sample.walk.move or part < 0.6, f"a match begins with {part} of it over"


# -- records and undo ------------------------------------------------------------------------------------------------


def advance(walk: Walk, take_back: bool) -> bool:
    """Play the next option; if it may be taken back and shall be, see that this leaves no trace. Whether it did."""
    match, text, who = walk.match, walk.next(), walk.state.who
    before = {**all_of(walk.state), "record": match.record.dumps()} if take_back else {}
    match.play(text)
    if not take_back or not match.may_undo(who):
        return False
    match.undo(who)
    same({**all_of(walk.state), "record": match.record.dumps()}, before, f"{text} taken back leaves a trace")
    match.play(text)
    return True


def replay_equals_play(walk: Walk, middle: int) -> None:
    """The record of a walk, written and read again; middle is the digest after half of it."""
    match, game = walk.match, walk.case.game
    record = Record.loads(match.record.dumps())
    assert record.dumps() == match.record.dumps(), "a record read is not the record written"
    same(record.result, [(score.rank, score.total) for score in game.scores(match.state)], "result")
    halfway = record.replay(until=walk.length // 2, game=game)
    assert halfway.digest() == middle, "half a record replays to another state"
    again = Match.resume(record, game)
    same(all_of(again.state), all_of(match.state), "replayed")
    assert again.events == match.events, "a replay tells other events"
