"""Tests of reviews: the cost of decisions, the effect of luck, and the point after which the result was fixed."""

import json
import statistics

import pytest

import triclinium
from tests.slow import slow
from tests.toy import STOP, TOY
from triclinium.bots import Budget, choose_option, create_bot, derive_seed, review
from triclinium.bots.analysis import Advice
from triclinium.bots.core.value import compute_result_shares
from triclinium.bots.review import (
    GoodDecision,
    LuckEvent,
    Review,
    ReviewedDecision,
    assemble_review,
    find_chance_moves,
    find_good_decisions,
    find_largest_swings,
    measure_luck,
    review_choice,
    review_match,
    select_decisions,
)
from triclinium.bots.timeline import TimelinePoint, apply_final_result, compute_timeline, find_decided_move
from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import Match
from triclinium.engine.record import Record

BUDGET = Budget(60, 60)


def play_match(seed: int, lazy: Seat = NOBODY) -> Record:
    """Return a complete match of greedy bots where one seat may always stop."""
    match = Match(TOY, 2, seed)
    greedy, rngs = create_bot("greedy", TOY), [Rng(derive_seed(seed, seat)) for seat in range(2)]
    while not match.state.over:
        s = match.state
        stops = s.who == lazy and STOP in s.legal
        match.play(TOY.format_option(STOP if stops else choose_option(greedy, s, rngs[s.who])))
    return match.record


def compute_whole_timeline(record: Record) -> list[TimelinePoint]:
    course: list[TimelinePoint] = []
    while len(course) < len(record.options) + 1:
        course += compute_timeline(record, len(course), TOY)
    return course


def test_a_review_follows_the_win_probabilities() -> None:
    record = play_match(6)
    found = review_match(record, BUDGET, 1, game=TOY)
    assert len(found.chances) == len(record.options) + 1
    for row in found.chances:
        assert sum(row) == pytest.approx(1.0, abs=1e-3)
    assert found.chances[-1] == compute_result_shares(TOY.evaluator, record.replay(game=TOY))
    assert found == review_match(record, BUDGET, 1, game=TOY)


def test_always_stopping_is_reviewed_with_its_cost() -> None:
    """The costliest decisions are the seat's own, in order, each with a better option."""
    record = play_match(6, lazy=0)
    found = review_match(record, BUDGET, 1, game=TOY)
    own = found.list_costliest_decisions(0)
    assert 1 <= len(own) <= 3
    assert [round(one.cost, 2) for one in own] == sorted((round(one.cost, 2) for one in own), reverse=True)
    for one in own:
        s = record.replay(one.move, TOY)
        assert s.who == 0
        assert one.played.option == record.options[one.move] == "stop"
        assert one.better[0].option != "stop"
        assert TOY.read(one.better[0].option) in s.legal
        assert one.is_mistake
        assert one.points > 0
        assert one.played.share > 0  # The search tried the played option.


def advice(option: str, chance: float) -> Advice:
    return Advice(option, chance, 0.5)


def test_a_clear_loser_gets_three_mistakes_ordered_by_points() -> None:
    """If win probabilities hardly change, decisions are ranked by the points that they cost."""
    costs = {1: 4.0, 3: 9.0, 5: 0.2, 7: 6.0}
    course = [TimelinePoint([0.01, 0.99], 0 if n in costs else NOBODY, costs.get(n, 0.0)) for n in range(9)]
    decisions = {n: ReviewedDecision(n, 0, advice("a", 0.01), (advice("b", 0.01), advice("a", 0.01))) for n in costs}
    made = assemble_review(course, 9, [], decisions, ["a"] * 8)
    assert [(one.move, one.points) for one in made.list_costliest_decisions(0)] == [(3, 9.0), (7, 6.0), (1, 4.0)]
    assert Review.loads(json.loads(json.dumps(made.dumps()))) == made
    costly = ReviewedDecision(5, 0, advice("a", 0.4), (advice("b", 0.5),))
    made = assemble_review(course, 9, [], {**decisions, 5: costly}, ["a"] * 8)
    assert [one.move for one in made.list_costliest_decisions(0)] == [5, 3, 7]
    even = ReviewedDecision(3, 0, advice("a", 0.5), (advice("b", 0.5),), points=9.0)
    assert not even.is_mistake  # the search found no difference


def test_one_good_decision_is_praised() -> None:
    """A decision counts as well played if it raised the win probability and no option was better by the first estimate.

    Luck does not count.
    """
    chances = [0.5, 0.8, 0.6, 0.75, 0.75, 0.9]
    course = [TimelinePoint([one, 1 - one], 0 if n < 5 else NOBODY, 2.0 * (n == 4)) for n, one in enumerate(chances)]
    found = find_good_decisions(course, 5, [LuckEvent(0, 0, [0.3, -0.3], [1])], dict(enumerate("abcde")))
    assert found == [GoodDecision(2, 0, "c", 0.6, 0.75)]
    assert find_good_decisions(course, 2, [LuckEvent(0, 0, [0.3, -0.3], [1])], dict(enumerate("abcde"))) == []


def test_automatic_answers_are_not_reviewed() -> None:
    """Automatic answers are not listed among a seat's costliest decisions."""
    record = play_match(6, lazy=0)
    own = [n for n, moment in enumerate(compute_whole_timeline(record)) if moment.decider == 0]
    spared = own[: len(own) // 2]
    course = compute_timeline(record, 0, TOY, spared)
    assert [n for n, moment in enumerate(course) if moment.decider == 0] == own[len(own) // 2 :]
    assert not set(spared) & set(select_decisions(course, len(course), []))
    assert find_chance_moves(course) == find_chance_moves(
        compute_whole_timeline(record)
    )  # chance events after it are listed


def test_decisions_are_rated_with_the_knowledge_of_the_seat() -> None:
    s = play_match(6, lazy=0).replay(0, TOY)
    twin = s.resample(s.who, Rng(8))
    assert review_choice(TOY, s, 0, STOP, BUDGET, 5) == review_choice(TOY, twin, 0, STOP, BUDGET, 5)


def test_swings_exclude_chance() -> None:
    stands = [[0.5, 0.5], [0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [1.0, 0.0]]
    course = [TimelinePoint(chances, 0 if n < 4 else NOBODY, drew=n == 0) for n, chances in enumerate(stands)]
    assert find_largest_swings(course, []) == [0, 1, 3]
    assert find_largest_swings(course, [LuckEvent(0, 0, [0.39, -0.39], [1])]) == [1, 2, 3]
    assert find_chance_moves(course) == [0]


def test_only_one_decision_of_a_series_is_reviewed() -> None:
    costs = [(0, 1.0), (0, 3.0), (1, 2.0), (0, 0.5), (NOBODY, 0.0), (0, 0.7), (1, 0.0)]
    course = [TimelinePoint([0.5, 0.5], seat, cost) for seat, cost in costs]
    assert set(select_decisions(course, 7, [])) - set(find_largest_swings(course, [])) | {1, 2, 5} == {1, 2, 5}
    assert 5 not in set(select_decisions(course, 5, [])) - set(find_largest_swings(course, []))  # the result was fixed


def test_luck_names_the_revealed_cards() -> None:
    """The luck of a match lists drawn cards that could have been others, and no choices."""
    told = 0
    for seed in range(12):
        record = play_match(seed)
        course, match = compute_whole_timeline(record), Match.resume(record, TOY)
        for one in measure_luck(record, course, find_chance_moves(course), TOY):
            events = match.events[one.move + 1]
            assert sum(one.luck) == pytest.approx(0.0, abs=1e-3)
            assert all(events[n].kind != "chosen" for n in one.events)
            told += sum(events[n].kind == "drew" and bool(events[n].secrets) for n in one.events)
    assert told


def test_after_the_settled_move_no_choice_changes_the_winner() -> None:
    """After the settled move any choices would give the same winner, and one move earlier they would not."""
    for seed in (1, 6, 9):
        record = play_match(seed, lazy=1)
        end = find_decided_move(record, TOY)
        result = compute_result_shares(TOY.evaluator, record.replay(game=TOY))
        assert 0 < end <= len(record.options)
        course = apply_final_result(compute_whole_timeline(record), end)
        assert all(moment.chances == result for moment in course[end:])
        for n in range(end, len(record.options)):
            for o in record.replay(n, TOY).legal:
                s = record.replay(n, TOY)
                s.choose(o)
                while not s.over:
                    s.choose(s.legal[-1])
                assert compute_result_shares(TOY.evaluator, s) == result


def test_a_review_is_stored_as_text() -> None:
    found = review_match(play_match(6, lazy=0), BUDGET, 1, game=TOY)
    assert Review.loads(json.loads(json.dumps(found.dumps()))) == found


def test_each_seat_gets_its_own_luck() -> None:
    found = Review([], 0, [], [], [LuckEvent(n, 0, [0.01 * n, -0.01 * n], [0]) for n in range(8)])
    assert [one.move for one in found.list_luck_events(1)] == [5, 6, 7]
    assert [one.move for one in found.list_luck_events(0, 9)] == [3, 4, 5, 6, 7]


def test_only_a_finished_match_is_reviewed() -> None:
    with pytest.raises(BadRecord, match="only a match that is over"):
        review_match(play_match(6).truncate(3), BUDGET, 1, game=TOY)


def test_progress_is_reported() -> None:
    told: list[tuple[int, int]] = []
    review_match(play_match(6), BUDGET, 1, game=TOY, progress=lambda done, whole: told.append((done, whole)))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


# matches, and the largest mean in standard errors at p = 0.001
@pytest.mark.parametrize(("matches", "bound"), [(3, 31.6), slow(200, 3.34)])
def test_the_sum_of_luck_has_mean_zero(matches: int, bound: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "SUM_WORLDS", 2)
    game = triclinium.load_game("missionnaires")
    totals: list[float] = []
    for seed in range(matches):
        match = Match(game, 2, seed, {"round_limit": 100, "play_on": "never"})
        rng = Rng(seed)
        timeline: list[TimelinePoint] = []
        while not match.state.over:
            seen = match.state.undo_barrier
            match.play(game.format_option(rng.pick(match.state.options())))
            timeline.append(TimelinePoint([0.5, 0.5], 0, 0.0, match.state.undo_barrier > seen))
        luck = review.measure_total_luck(match.record, timeline, game)
        assert abs(sum(luck)) < 0.001
        totals.append(luck[0])
    error = statistics.stdev(totals) / len(totals) ** 0.5
    assert error > 0
    assert abs(statistics.mean(totals)) < bound * error
    portals = triclinium.load_game("portals")
    assert review.measure_total_luck(Match(portals, 2, 1, {}).record, [], portals) == []
