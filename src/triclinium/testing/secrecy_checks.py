"""Checks of secrecy: views, other worlds, events, running scores and undo."""

import json
import math

from triclinium.engine.core.chance import KeyedRng
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import ASK, EVERYBODY, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.visible_scores import VisibleNumber, VisibleScore, get_lower_bound, get_upper_bound
from triclinium.testing.sample import CheckTotals, MatchSample, assert_same, dump_view, view_json_for

MAX_TRIED_OPTIONS = 4  # number of options at a position whose effect on knowledge is checked
WORLD_COUNT = 24  # number of worlds sampled to measure score bounds and to count the true world
MAX_TRUE_SHARE = 0.75  # with one of two cards hidden, half of all worlds are the true one


def a_view_is_the_same_in_every_world_of_its_viewer(game: Game, s: State, sample: MatchSample) -> None:
    for seat in sample.viewers:
        view = sample.view(seat)
        check_json(view)
        assert ("options" in view) == (seat == s.who), f"the options of seat {s.who} in the view of {seat}"
        for world in sample.sample_worlds(seat):
            check_world(s, world, seat, sample)


def what_nobody_has_seen_can_be_dealt_again(game: Game, s: State, sample: MatchSample) -> None:
    """Require that `redeal` for EVERYBODY changes no seat's view."""
    world = s.resample(EVERYBODY, sample.rng)
    for seat in sample.viewers:
        check_world(s, world, seat, sample)


def check_world(s: State, world: State, seat: Seat, sample: MatchSample) -> None:
    """Require that a world is indistinguishable from the true one for a seat. NOBODY is a spectator."""
    seen = dump_view(sample.game, world, seat)
    if seen != sample.get_view_text(seat):
        assert_same(
            json.loads(seen), json.loads(sample.get_view_text(seat)), f"{s.asked}, seen by {seat} in another world"
        )
    assert (world.who, world.asked, world.stack) == (s.who, s.asked, s.stack), f"another world asks {world.asked}"
    assert world.options() == world.asked.options(world), f"{s.asked}: another world keeps an old list of options"
    if sample.game.has_open_scores:
        assert str(sample.game.scores(world)) == str(sample.scores()), f"a score counts what {seat} does not know"
    assert not isinstance(world.rng, KeyedRng), "another world draws from the key of the true one"
    sample.checks.conserved(world)
    if seat == s.who:
        assert_same(world.options(), s.options(), f"options of {s.asked} in another world")
        assert_same(world.candidates(), s.candidates(), f"candidates of {s.asked} in another world")
    assert world.asked.applies(world), f"{s.asked} is due only by what {seat} does not know"
    assert world.asked.forced_option(world, world.options()) == ASK, f"{s.asked} is not forced only by hidden cards"
    assert world.asked.auto_reply_option(world) == s.asked.auto_reply_option(s), (
        f"{s.asked} is safely answered by what {seat} does not know"
    )
    assert world.asked.list_plans(world) == s.asked.list_plans(s), f"{s.asked} plans by what {seat} does not know"
    assert world.asked.is_unthreatened(world) == s.asked.is_unthreatened(s), (
        f"{s.asked} is calm by what {seat} does not know"
    )


def check_json(value: object) -> None:
    """Require that a value is valid JSON: keys are text and numbers are finite."""
    if isinstance(value, dict):
        for key, item in value.items():
            assert isinstance(key, str), f"the key {key!r} of a view is no text"
            check_json(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            check_json(item)
    elif value is not None and not isinstance(value, (bool, int, str)):
        assert isinstance(value, float), f"a view holds {value!r}"
        assert math.isfinite(value), f"a view holds {value}"


def the_end_is_open_to_all_viewers(game: Game, s: State, sample: MatchSample) -> None:
    for seat in sample.viewers:
        check_json(sample.view(seat))
        assert "options" not in sample.view(seat), "options after the end"
        world = s.resample(seat, Rng(1))
        assert_same(view_json_for(game, world, seat), sample.view(seat), f"the end, seen by {seat} in another world")


def resampled_worlds_differ(game: Game, s: State, sample: MatchSample) -> None:
    """Count how often resampling returns the true world in the first half of a match."""
    if not sample.is_first_half:
        return
    key = s.state_key()
    for seat in sample.viewers if game.has_secrets else [s.who]:
        world = sample.sample_worlds(seat)[0] if game.has_secrets else s.resample(seat, sample.rng)
        sample.totals.worlds += 1
        true = world.state_key() == key
        sample.totals.true_worlds += true and not (game.has_secrets and has_few_worlds(s, seat))


def has_few_worlds(s: State, seat: Seat) -> bool:
    """Return whether so little is hidden that the true world is sampled often, but not always."""
    key, rng = s.state_key(), Rng(7)
    same = sum(s.resample(seat, rng).state_key() == key for _ in range(WORLD_COUNT))
    return same <= WORLD_COUNT * MAX_TRUE_SHARE


def check_world_counts(game: Game, totals: CheckTotals) -> None:
    if game.has_secrets:
        assert totals.true_worlds <= totals.worlds * 0.1, (
            f"{totals.true_worlds} of {totals.worlds} worlds are the true one"
        )
    else:
        assert totals.true_worlds == totals.worlds, "nothing is hidden, and yet another world differs"


def events_reveal_no_more_than_the_view(game: Game, s: State, sample: MatchSample) -> None:
    """Require equal events in two worlds that look the same to a viewer before and after an option."""
    if not game.has_secrets:
        return
    o = sample.rng.pick(s.options())
    t = play_with_events(s.clone(), s, o)
    for seat in sample.viewers:
        world = s.resample(seat, sample.rng)
        if world.refusal(o) is not None:
            continue  # the played card is elsewhere in that world
        play_with_events(world, s, o)
        if dump_view(sample.game, world, seat) == dump_view(sample.game, t, seat):
            sample.totals.compared_events += 1
            check_same_events(game, world, t, seat, game.format_option(o))


def play_with_events(t: State, s: State, o: int) -> State:
    """Return the state after an option with its events. Random draws are those of the true world."""
    t.rng = s.rng.copy()
    t.events = []
    t.play(o)
    return t


def check_same_events(game: Game, world: State, t: State, seat: Seat, option_text: str) -> None:
    theirs, ours = world.events or [], t.events or []
    their_events = [event.for_viewer(seat) for event in theirs]
    assert their_events == [event.for_viewer(seat) for event in ours], (
        f"{option_text}: {seat} gets events that it cannot know"
    )
    reader = game.words.reader()
    assert_same(
        game.words.format_log(theirs, seat, reader),
        game.words.format_log(ours, seat, reader),
        f"{option_text}, told to {seat}",
    )


def no_new_information_can_be_undone(game: Game, s: State, sample: MatchSample) -> None:
    """Require that an option without a new ``undo_barrier`` draws nothing and reveals nothing to its seat."""
    options = s.options()
    sample.rng.shuffle(options)
    for o in options[:MAX_TRIED_OPTIONS]:
        t = s.clone()
        t.rng = Rng(1)  # changes with every draw; the streams of `chance.py` for one purpose leave no trace
        t.play(o)
        if t.undo_barrier > s.undo_barrier:
            continue
        assert t.undo_barrier == s.undo_barrier, f"{game.format_option(o)} unlearns"
        assert t.rng.state_key() == Rng(1).state_key(), f"{game.format_option(o)} draws chance that nobody learns of"
        if game.has_secrets:
            world = s.resample(s.who, sample.rng)
            world.play(o)
            assert_same(
                view_json_for(game, world, s.who),
                view_json_for(game, t, s.who),
                f"{game.format_option(o)} shows {s.who} something new",
            )


# -- running scores --------------------------------------------------------------------------------------------------


def visible_scores_are_true(game: Game, s: State, sample: MatchSample) -> None:
    """Require that visible scores are equal in every world of the viewer and correct in each."""
    before = s.digest()
    for viewer in sample.viewers:
        visible_scores = game.visible_scores(s, viewer)
        assert len(visible_scores) == s.seats, f"scores of {len(visible_scores)} seats are shown"
        check_visible_scores(visible_scores, sample.scores(), f"as {viewer} sees it")
        as_json = [score.to_json() for score in visible_scores]
        for world in sample.sample_worlds(viewer):
            again = [score.to_json() for score in game.visible_scores(world, viewer)]
            assert_same(again, as_json, f"scores told to {viewer} in another world")
            check_visible_scores(visible_scores, game.scores(world), f"as {viewer} sees it in another world")
    assert s.digest() == before, "telling the scores changes the match"


def check_visible_scores(visible_scores: list[VisibleScore], truth: list[Score], whose: str) -> None:
    """Require that visible numbers and ranks are correct, and that bounds contain the true number."""
    for visible, score in zip(visible_scores, truth, strict=True):
        where = f"seat {score.seat} {whose}"
        assert visible.seat == score.seat, f"{where}: another seat"
        assert visible.rank in (None, score.rank), f"{where}: rank {visible.rank}, but it is {score.rank}"
        if score.total is not None:
            assert is_consistent(visible.total, score.total), f"{where}: total {visible.total}, but it is {score.total}"
        for name, value in visible.lines.items():
            points = sum(line.points for line in score.lines if line.name == name)
            assert is_consistent(value, points), f"{where}: {name} {value}, but it is {points}"


def is_consistent(value: VisibleNumber, truth: int) -> bool:
    """Return whether a visible number is consistent with the true one."""
    return value is None or get_lower_bound(value) <= truth <= get_upper_bound(value)


def final_scores_are_visible(game: Game, s: State, sample: MatchSample) -> None:
    for viewer in sample.viewers:
        visible_scores = game.visible_scores(s, viewer)
        assert_same(
            [(score.rank, score.total) for score in visible_scores],
            [(score.rank, score.total) for score in sample.scores()],
            f"the final scores that {viewer} sees",
        )
        assert not [
            value for score in visible_scores for value in score.lines.values() if not isinstance(value, int)
        ], visible_scores


def score_bounds_are_tight(game: Game, s: State, sample: MatchSample) -> None:
    """Sum up the widths of bounds.

    The check at the end allows twice the sampled width, as samples rarely hit the extremes.
    """
    if game.has_open_scores or not game.has_secrets or sample.match_run.record_path is not None:
        return
    for viewer in sample.viewers:
        visible_totals = [score.total for score in game.visible_scores(s, viewer)]
        if None in visible_totals:
            continue  # a game need not show running scores
        worlds = [game.scores(s.resample(viewer, sample.rng)) for _ in range(WORLD_COUNT)]
        for seat, total in enumerate(visible_totals):
            totals = [scores[seat].points for scores in worlds]
            sample.totals.visible_width += 0 if total is None else get_upper_bound(total) - get_lower_bound(total)
            sample.totals.sampled_width += max(totals) - min(totals)


def check_bound_widths(totals: CheckTotals) -> None:
    assert totals.visible_width <= 2 * totals.sampled_width, (
        f"the bounds of running scores are {totals.visible_width} wide in sum, worlds span {totals.sampled_width}"
    )
