"""What holds for every title, at every moment of any match."""

import math

import pytest

from tests.matches import CASES, TITLES, Case, checks_of, moment, our_titles
from triclinium.engine import registry
from triclinium.engine.core.errors import BadSetup, Refused
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Title
from triclinium.engine.match import Match
from triclinium.engine.record import Record

every_case = pytest.mark.parametrize("case", CASES, ids=repr)
every_title = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)


# -- the titles themselves -------------------------------------------------------------------------------------------


def test_no_title_is_broken() -> None:
    assert registry.broken() == {}
    assert len(our_titles()) == len({title.prefix for title in our_titles()})


@every_title
def test_every_title_has_its_checks_and_they_use_every_variant(title: Title) -> None:
    used = checks_of(title.id).variants
    assert {} in used, "the game as it comes must be tested too"
    for variant in title.variants:
        tried = {chosen[variant.name] for chosen in used if variant.name in chosen} | {variant.default}
        numbers = [value for value in variant.values if not isinstance(value, (bool, str))]
        ends = {min(numbers), max(numbers)} if numbers else set()
        wanted = {value for value in variant.values if value not in numbers} | ends  # of numbers the two ends will do
        missing = wanted - tried
        assert not missing, f"no choice in VARIANTS has {variant.name} = {missing}"
    for chosen in used:
        fitting = [case for case in CASES if case.title is title and case.variants == chosen]
        assert fitting, f"{chosen} fits no number of seats"


@every_title
def test_wrong_numbers_of_seats_are_refused(title: Title) -> None:
    for seats in (-1, 0, 1, max(title.seats) + 1, 1000):
        if seats not in title.seats:
            with pytest.raises(BadSetup, match=f"not {seats} "):
                title.deal(seats, 1)


@every_title
def test_every_option_has_one_notation(title: Title) -> None:
    said = [title.say(o) for o in title.notation.all()]
    assert len(set(said)) == len(said)
    assert [title.read(text) for text in said] == title.notation.all()
    assert [title.read(text.upper()) for text in said] == title.notation.all()


# -- the course of a match -------------------------------------------------------------------------------------------


@every_case
def test_a_match_is_never_stuck_and_ends_within_its_bound(case: Case) -> None:
    for seed in case.walks():
        length = case.length(seed)
        assert 0 < length <= case.title.bound
        for s in case.walk(seed):
            if not s.over:
                assert s.options()
                assert 0 <= s.who < s.seats
                assert s.asked.who == s.who


@every_case
def test_options_are_the_candidates_that_nothing_forbids(case: Case) -> None:
    for seed in case.walks():
        for s in case.walk(seed):
            if s.over:
                continue
            candidates = s.candidates()
            assert candidates == sorted(set(candidates)), f"{s.asked} lists its candidates in disorder"
            assert s.options() == [o for o in candidates if s.asked.forbids(s, o) is None], str(s.asked)
            assert s.options() == s.asked.options(s), f"{s.asked}: the list that was kept is not the list of now"
            assert not set(candidates) & {o for seat in range(s.seats) for o in s.anytime_options(seat)}


@every_case
def test_a_refusal_changes_nothing_and_says_why(case: Case) -> None:
    words = case.title.words
    readers = [words.reader("en"), words.reader("fr")]
    for s in case.glance():
        s.news = []
        before = moment(s)
        for o in [*s.candidates(), *elsewhere(case.title, s)]:
            if o in s.legal:
                assert s.refusal(o) is None
                continue
            with pytest.raises(Refused) as caught:
                s.play(o)
            refused = caught.value
            assert refused.rule is s.refusal(o)
            assert (refused.rule is NOT_ASKED) == (o not in s.candidates())
            for reader in readers:
                sentence = words.refusal(refused, reader)
                assert refused.rule.number in sentence
                assert case.title.say(o) in sentence
                assert "{" not in sentence
        assert moment(s) == before
        assert s.news == []


def elsewhere(title: Title, s: State) -> list[Option]:
    """A few options that are not asked now."""
    known = set(s.candidates()) | {o for seat in range(s.seats) for o in s.anytime_options(seat)}
    return [o for o in title.notation.all() if o not in known][::97]


@every_case
def test_pieces_are_conserved(case: Case) -> None:
    for seed in case.walks():
        for s in case.walk(seed):
            case.checks.conserved(s)


@every_case
def test_scores_equal_a_slow_second_computation(case: Case) -> None:
    ends = [case.deal(seed) for seed in range(5 * case.matches)]
    for seed, s in enumerate(ends):
        rollout(s, Rng(seed), case.title.bound)
    for seed in case.walks():
        ends += [s for s in case.walk(seed) if s.over]
    for s in ends:
        assert s.over
        counted = [sum(line.points for line in score.lines) for score in case.title.scores(s)]
        assert counted == case.checks.slow_scores(s)
        check_scores(case.title, s)


@every_case
def test_scores_add_up_at_any_moment(case: Case) -> None:
    for s in case.glance(12):
        check_scores(case.title, s)


def check_scores(title: Title, s: State) -> None:
    scores = title.scores(s)
    assert [score.seat for score in scores] == list(range(s.seats))
    for score in scores:
        assert (score.total is not None) == title.has_points
        assert score.total in (None, sum(line.points for line in score.lines)), score
        assert len({line.name for line in score.lines}) == len(score.lines)
    assert min(score.rank for score in scores) == 1
    for score in scores:
        assert score.rank == 1 + sum(other.rank < score.rank for other in scores)


# -- records and undo ------------------------------------------------------------------------------------------------


@every_case
def test_replay_equals_play(case: Case) -> None:
    for seed in range(case.matches):
        match = Match(case.title, case.seats, seed, case.variants)
        rng = Rng(seed + 1)
        halfway = case.length(seed) // 2
        while not match.state.over:
            if len(match.record.options) == halfway:
                middle = match.state.digest()
            match.play(case.title.say(rng.pick(match.state.options())))
        record = Record.loads(match.record.dumps())
        assert record.dumps() == match.record.dumps()
        assert record.result == [(score.rank, score.total) for score in case.title.scores(match.state)]
        assert record.replay(title=case.title).digest() == match.state.digest()
        assert record.replay(until=halfway, title=case.title).digest() == middle
        resumed = Match.resume(record, case.title)
        assert resumed.state.digest() == match.state.digest()
        assert resumed.news == match.news


@every_case
def test_what_is_taken_back_leaves_no_trace(case: Case) -> None:
    match = Match(case.title, case.seats, 3, case.variants)
    rng = Rng(4)
    undone = 0
    while not match.state.over and undone < 6 and len(match.record.options) < 150:
        before = (*moment(match.state), match.record.dumps())
        who = match.state.who
        match.play(case.title.say(rng.pick(match.state.options())))
        if match.may_undo(who) and rng.below(3) == 0:
            match.undo(who)
            assert (*moment(match.state), match.record.dumps()) == before
            undone += 1
    assert match.record.options


# -- what bots weigh -------------------------------------------------------------------------------------------------


@every_case
def test_features_are_one_finite_number_for_each_weight(case: Case) -> None:
    for s in case.glance(20):
        for seat in range(s.seats):
            features = case.title.evaluator.features(s, seat)
            assert len(features) == len(case.title.weights.each)
            assert all(math.isfinite(x) for x in features), features
    weights = case.title.weights
    assert all(math.isfinite(weight) for weight in [*weights.each, *weights.opening, *weights.endgame, *weights.turn])


@every_case
def test_a_match_makes_progress(case: Case) -> None:
    """Bots mix what they expect early and late by it."""
    course = [case.title.evaluator.progress(s) for s in case.glance(20)]
    assert all(0.0 <= part <= 1.0 for part in course), course
    assert course[0] < 0.6
    assert course[-1] >= course[0]
