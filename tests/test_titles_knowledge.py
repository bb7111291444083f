"""Who knows what, in every title: views, other worlds, news, and what can be taken back."""

import math

import pytest

from tests.matches import CASES, TITLES, Case, cases_of, dumped, seen_by, viewers
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import ASK, Seat, State
from triclinium.engine.game import Title

every_case = pytest.mark.parametrize("case", CASES, ids=repr)
every_title = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)


@every_case
def test_a_view_is_the_same_in_every_world_of_its_viewer(case: Case) -> None:
    rng = Rng(6)
    for s in case.glance():
        for seat in viewers(s):
            view = seen_by(case.title, s, seat)
            check_json(view)
            assert ("options" in view) == (seat == s.who)
            for _ in range(3):
                check_world(case, s, s.resample(seat, rng), seat)


def check_world(case: Case, s: State, world: State, seat: Seat) -> None:
    """What a seat (NOBODY: a spectator) cannot tell apart."""
    assert dumped(case.title, world, seat) == dumped(case.title, s, seat), f"{s.asked}, seen by {seat}"
    assert (world.who, world.asked, world.stack) == (s.who, s.asked, s.stack)
    assert world.options() == world.asked.options(world)
    if case.title.open_scores:
        assert str(case.title.scores(world)) == str(case.title.scores(s)), f"a score counts what {seat} does not know"
    case.checks.conserved(world)
    if seat == s.who:
        assert world.options() == s.options(), str(s.asked)
        assert world.candidates() == s.candidates(), str(s.asked)
    assert world.asked.due(world), f"{s.asked} is due only by what {seat} does not know"
    assert world.asked.forced(world, world.options()) == ASK, f"{s.asked} is not forced only by hidden cards"


def check_json(value: object) -> None:
    """JSON keeps text keys only, and no number that is not one."""
    if isinstance(value, dict):
        for key, item in value.items():
            assert isinstance(key, str), f"the key {key!r} of a view is no text"
            check_json(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            check_json(item)
    else:
        assert value is None or isinstance(value, (bool, int, str)) or math.isfinite(float(str(value)))


@every_case
def test_the_end_is_open_to_all_viewers(case: Case) -> None:
    for seed in case.walks():
        for s in case.walk(seed):
            if s.over:
                for seat in viewers(s):
                    check_json(seen_by(case.title, s, seat))
                    assert "options" not in seen_by(case.title, s, seat)
                    assert dumped(case.title, s.resample(seat, Rng(1)), seat) == dumped(case.title, s, seat)


@every_title
def test_another_world_is_hardly_ever_the_true_one(title: Title) -> None:
    """In the first half of a match, where something is still hidden."""
    rng = Rng(7)
    worlds = same = 0
    for case in cases_of(title):
        for s in case.glance(20, share=0.5):
            for seat in viewers(s):
                worlds += 1
                same += s.resample(seat, rng).facts() == s.facts()
    if title.secrets:
        assert same <= worlds * 0.1, f"{same} of {worlds} worlds are the true one"
    else:
        assert same == worlds


@every_case
def test_news_tells_no_more_than_the_view(case: Case) -> None:
    """Two worlds that look the same to a viewer before and after an option gave that viewer the same news."""
    rng = Rng(8)
    words = case.title.words
    compared = 0
    for s in case.glance():
        o = rng.pick(s.options())
        t = s.clone()
        t.news = []
        t.play(o)
        for seat in viewers(s):
            world = s.resample(seat, rng)
            if world.refusal(o) is not None:
                continue  # in that world the card played is elsewhere
            world.rng = s.rng.copy()
            world.news = []
            world.play(o)
            assert t.news is not None
            assert world.news is not None
            if dumped(case.title, world, seat) == dumped(case.title, t, seat):
                compared += 1
                heard = [event.for_viewer(seat) for event in t.news]
                assert [event.for_viewer(seat) for event in world.news] == heard, f"{case.title.say(o)} to {seat}"
                reader = words.reader()
                assert words.log(world.news, seat, reader) == words.log(t.news, seat, reader)
    assert compared


@every_case
def test_nothing_learnt_can_be_taken_back(case: Case) -> None:
    """If an option leaves ``learnt`` as it was, no chance was drawn and its seat sees the same in any world."""
    rng = Rng(5)
    for s in case.glance():
        options = s.options()
        rng.shuffle(options)
        for o in options[:4]:
            t = s.clone()
            t.play(o)
            if t.learnt > s.learnt:
                continue
            assert t.learnt == s.learnt
            assert t.rng.facts() == s.rng.facts(), f"{case.title.say(o)} draws chance that nobody learns of"
            world = s.resample(s.who, rng)
            world.play(o)
            assert dumped(case.title, world, s.who) == dumped(case.title, t, s.who), (
                f"{case.title.say(o)} shows {s.who} something new"
            )
