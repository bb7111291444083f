"""Who knows what: views, other worlds, events, running scores, and what can be taken back."""

import json
import math

from triclinium.engine.core.chance import Keyed
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import ASK, Seat, State
from triclinium.engine.game import Game
from triclinium.engine.visible_scores import Known, VisibleScore, greatest, least
from triclinium.testing.sample import Sample, Tally, dumped, same, seen_by

TRIED = 4  # options at a moment that are looked at for what they teach
SPAN = 24  # worlds that say how wide the bounds of a score may be, or how often the true one comes up
MOSTLY = 0.75  # with one card of two hidden the true world is half of all


def a_view_is_the_same_in_every_world_of_its_viewer(game: Game, s: State, sample: Sample) -> None:
    for seat in sample.viewers:
        view = sample.view(seat)
        check_json(view)
        assert ("options" in view) == (seat == s.who), f"the options of seat {s.who} in the view of {seat}"
        for world in sample.worlds(seat):
            check_world(s, world, seat, sample)


def check_world(s: State, world: State, seat: Seat, sample: Sample) -> None:
    """What a seat (NOBODY: a spectator) cannot tell apart."""
    seen = dumped(sample.game, world, seat)
    if seen != sample.text(seat):
        same(json.loads(seen), json.loads(sample.text(seat)), f"{s.asked}, seen by {seat} in another world")
    assert (world.who, world.asked, world.stack) == (s.who, s.asked, s.stack), f"another world asks {world.asked}"
    assert world.options() == world.asked.options(world), f"{s.asked}: another world keeps an old list of options"
    if sample.game.open_scores:
        assert str(sample.game.scores(world)) == str(sample.scores()), f"a score counts what {seat} does not know"
    assert not isinstance(world.rng, Keyed), "another world draws from the key of the true one"
    sample.checks.conserved(world)
    if seat == s.who:
        same(world.options(), s.options(), f"options of {s.asked} in another world")
        same(world.candidates(), s.candidates(), f"candidates of {s.asked} in another world")
    assert world.asked.applies(world), f"{s.asked} is due only by what {seat} does not know"
    assert world.asked.forced(world, world.options()) == ASK, f"{s.asked} is not forced only by hidden cards"
    assert world.asked.safe(world) == s.asked.safe(s), f"{s.asked} is safely answered by what {seat} does not know"
    assert world.asked.calm(world) == s.asked.calm(s), f"{s.asked} is calm by what {seat} does not know"


def check_json(value: object) -> None:
    """JSON keeps text keys only, and no number that is not one."""
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


def the_end_is_open_to_all_viewers(game: Game, s: State, sample: Sample) -> None:
    for seat in sample.viewers:
        check_json(sample.view(seat))
        assert "options" not in sample.view(seat), "options after the end"
        world = s.resample(seat, Rng(1))
        same(seen_by(game, world, seat), sample.view(seat), f"the end, seen by {seat} in another world")


def another_world_is_hardly_ever_the_true_one(game: Game, s: State, sample: Sample) -> None:
    """Counted in the first half of a match, where something is still hidden; judged over all matches."""
    if not sample.early:
        return
    key = s.state_key()
    for seat in sample.viewers if game.secrets else [s.who]:
        world = sample.worlds(seat)[0] if game.secrets else s.resample(seat, sample.rng)
        sample.tally.worlds += 1
        true = world.state_key() == key
        sample.tally.same += true and not (game.secrets and is_one_of_few(s, seat))


def is_one_of_few(s: State, seat: Seat) -> bool:
    """Whether so little is hidden from this viewer that the true world comes up again and again, but not always."""
    key, rng = s.state_key(), Rng(7)
    same = sum(s.resample(seat, rng).state_key() == key for _ in range(SPAN))
    return same <= SPAN * MOSTLY


def judge_worlds(game: Game, tally: Tally) -> None:
    if game.secrets:
        assert tally.same <= tally.worlds * 0.1, f"{tally.same} of {tally.worlds} worlds are the true one"
    else:
        assert tally.same == tally.worlds, "nothing is hidden, and yet another world differs"


def events_tell_no_more_than_the_view(game: Game, s: State, sample: Sample) -> None:
    """Two worlds that look the same to a viewer before and after an option gave that viewer the same events."""
    if not game.secrets:
        return
    o = sample.rng.pick(s.options())
    t = heard(s.clone(), s, o)
    for seat in sample.viewers:
        world = s.resample(seat, sample.rng)
        if world.refusal(o) is not None:
            continue  # in that world the card played is elsewhere
        heard(world, s, o)
        if dumped(sample.game, world, seat) == dumped(sample.game, t, seat):
            sample.tally.compared += 1
            same_news(game, world, t, seat, game.say(o))


def heard(t: State, s: State, o: int) -> State:
    """A state after an option and with its events; chance falls as in the true world."""
    t.rng = s.rng.copy()
    t.events = []
    t.play(o)
    return t


def same_news(game: Game, world: State, t: State, seat: Seat, said: str) -> None:
    theirs, ours = world.events or [], t.events or []
    found = [event.for_viewer(seat) for event in theirs]
    assert found == [event.for_viewer(seat) for event in ours], f"{said}: {seat} is told of what it does not know"
    reader = game.words.reader()
    same(game.words.log(theirs, seat, reader), game.words.log(ours, seat, reader), f"{said}, told to {seat}")


def nothing_learnt_can_be_taken_back(game: Game, s: State, sample: Sample) -> None:
    """If an option leaves ``undo_barrier`` as it was, no chance was drawn and its seat sees the same in any world."""
    options = s.options()
    sample.rng.shuffle(options)
    for o in options[:TRIED]:
        t = s.clone()
        t.play(o)
        if t.undo_barrier > s.undo_barrier:
            continue
        assert t.undo_barrier == s.undo_barrier, f"{game.say(o)} unlearns"
        assert t.rng.state_key() == s.rng.state_key(), f"{game.say(o)} draws chance that nobody learns of"
        if game.secrets:
            world = s.resample(s.who, sample.rng)
            world.play(o)
            same(seen_by(game, world, s.who), seen_by(game, t, s.who), f"{game.say(o)} shows {s.who} something new")


# -- running scores --------------------------------------------------------------------------------------------------


def what_is_told_of_the_scores_is_true(game: Game, s: State, sample: Sample) -> None:
    """It is the same in every world of the viewer, and true in each of them."""
    before = s.digest()
    for viewer in sample.viewers:
        told = game.scores_for(s, viewer)
        assert len(told) == s.seats, f"scores of {len(told)} seats are told"
        check_true(told, sample.scores(), f"as {viewer} sees it")
        as_json = [score.to_json() for score in told]
        for world in sample.worlds(viewer):
            again = [score.to_json() for score in game.scores_for(world, viewer)]
            same(again, as_json, f"scores told to {viewer} in another world")
            check_true(told, game.scores(world), f"as {viewer} sees it in another world")
    assert s.digest() == before, "telling the scores changes the match"


def check_true(told: list[VisibleScore], truth: list[Score], whose: str) -> None:
    """Numbers equal the truth, bounds hold it, and a rank that is told is the rank."""
    for one, score in zip(told, truth, strict=True):
        where = f"seat {score.seat} {whose}"
        assert one.seat == score.seat, f"{where}: another seat"
        assert one.rank in (None, score.rank), f"{where}: rank {one.rank}, but it is {score.rank}"
        if score.total is not None:
            assert holds(one.total, score.total), f"{where}: total {one.total}, but it is {score.total}"
        for name, value in one.lines.items():
            points = sum(line.points for line in score.lines if line.name == name)
            assert holds(value, points), f"{where}: {name} {value}, but it is {points}"


def holds(value: Known, truth: int) -> bool:
    """Whether what is told of a number is true."""
    return value is None or least(value) <= truth <= greatest(value)


def all_is_told_once_the_match_is_over(game: Game, s: State, sample: Sample) -> None:
    for viewer in sample.viewers:
        told = game.scores_for(s, viewer)
        same(
            [(one.rank, one.total) for one in told],
            [(one.rank, one.total) for one in sample.scores()],
            f"what {viewer} is told of the end",
        )
        assert not [value for one in told for value in one.lines.values() if not isinstance(value, int)], told


def bounds_are_not_much_wider_than_what_can_be(game: Game, s: State, sample: Sample) -> None:
    """Counted here, judged over all matches: few worlds seldom meet the extremes, so twice what they span is near."""
    if game.open_scores or not game.secrets or sample.walk.file is not None:
        return
    for viewer in sample.viewers:
        told = [one.total for one in game.scores_for(s, viewer)]
        if None in told:
            continue  # a game may tell nothing of its scores
        worlds = [game.scores(s.resample(viewer, sample.rng)) for _ in range(SPAN)]
        for seat, total in enumerate(told):
            totals = [scores[seat].points for scores in worlds]
            sample.tally.told_width += 0 if total is None else greatest(total) - least(total)
            sample.tally.found_width += max(totals) - min(totals)


def judge_bounds(tally: Tally) -> None:
    assert tally.told_width <= 2 * tally.found_width, (
        f"the bounds of running scores are {tally.told_width} wide in sum, worlds span {tally.found_width}"
    )
