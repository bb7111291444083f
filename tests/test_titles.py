"""What holds for every title, at every moment of any match."""

import json
import math

import pytest

from tests.matches import CASES, TITLES, Case, checks_of, our_titles, seen_by, viewers
from triclinium.kernel import registry
from triclinium.kernel.errors import BadSetup, Refused
from triclinium.kernel.match import Match
from triclinium.kernel.record import Record
from triclinium.kernel.rng import Rng
from triclinium.kernel.rule import NOT_ASKED
from triclinium.kernel.state import ASK, NOBODY, Option, State
from triclinium.kernel.title import Title

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
        wanted = set(variant.values)
        numbers = [value for value in variant.values if isinstance(value, int)]
        if len(numbers) > 6:
            wanted = {min(numbers), max(numbers)}  # of a long range the two ends are enough
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
    for seed in case.seeds():
        length = case.length(seed)
        assert 0 < length <= case.title.bound
        for s in case.walk(seed):
            if not s.over:
                assert s.options()
                assert 0 <= s.who < s.seats
                assert s.asked.who == s.who


@every_case
def test_options_are_the_candidates_that_nothing_forbids(case: Case) -> None:
    for seed in case.seeds():
        for s in case.walk(seed):
            if s.over:
                continue
            candidates = s.candidates()
            assert candidates == sorted(set(candidates)), f"{s.asked} lists its candidates in disorder"
            assert s.options() == [o for o in candidates if s.asked.forbids(s, o) is None], str(s.asked)
            assert s.options() == s.asked.options(s), f"{s.asked}: the list that was kept is not the list of now"
            assert not set(candidates) & set(s.asides())


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
    known = set(s.candidates()) | set(s.asides())
    return [o for o in title.notation.all() if o not in known][::97]


def moment(s: State) -> tuple[object, ...]:
    """All that could have changed."""
    return (s.digest(), s.facts(), s.stack[:], s.who, s.options(), s.rng.facts(), s.learnt)


@every_case
def test_pieces_are_conserved(case: Case) -> None:
    for seed in case.seeds():
        for s in case.walk(seed):
            case.checks.conserved(s)


@every_case
def test_scores_equal_a_slow_second_computation(case: Case) -> None:
    for seed in case.seeds():
        for s in case.walk(seed):
            if s.over:
                check_scores(case, s)
    for s in case.glance(12):
        check_scores(case, s)


def check_scores(case: Case, s: State) -> None:
    scores = s.scores()
    assert [score.seat for score in scores] == list(range(s.seats))
    assert [score.total for score in scores] == case.checks.slow_scores(s)
    for score in scores:
        assert score.total == sum(line.points for line in score.lines), score
        assert len({line.name for line in score.lines}) == len(score.lines)
    assert min(score.rank for score in scores) == 1
    for score in scores:
        assert score.rank == 1 + sum(other.rank < score.rank for other in scores)


# -- records and undo ------------------------------------------------------------------------------------------------


@every_case
def test_replay_equals_play(case: Case) -> None:
    for seed in case.seeds():
        match = Match(case.title, case.seats, seed, case.variants)
        rng = Rng(seed + 1)
        halfway = case.length(seed) // 2
        while not match.state.over:
            if len(match.record.options) == halfway:
                middle = match.state.digest()
            match.play(case.title.say(rng.pick(match.state.options())))
        record = Record.loads(match.record.dumps())
        assert record.dumps() == match.record.dumps()
        assert record.result == [(score.rank, score.total) for score in match.state.scores()]
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
            assert dumped(world, s.who) == dumped(t, s.who), f"{case.title.say(o)} shows {s.who} something new"


# -- knowledge -------------------------------------------------------------------------------------------------------


def dumped(s: State, seat: int) -> str:
    return json.dumps(seen_by(s, seat), sort_keys=True)


@every_case
def test_a_view_is_the_same_in_every_world_of_its_viewer(case: Case) -> None:
    rng = Rng(6)
    for s in case.glance():
        for seat in viewers(s):
            view = seen_by(s, seat)
            check_json(view)
            assert ("options" in view) == (seat == s.who)
            world = s.resample(seat, rng)
            assert dumped(world, seat) == json.dumps(view, sort_keys=True), f"{s.asked}, seen by {seat}"
            assert (world.who, world.asked, world.stack) == (s.who, s.asked, s.stack)
            assert world.options() == world.asked.options(world)
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
    for seed in case.seeds():
        for s in case.walk(seed):
            if s.over:
                for seat in viewers(s):
                    check_json(seen_by(s, seat))
                    assert "options" not in seen_by(s, seat)
                    assert dumped(s.resample(seat, Rng(1)), seat) == dumped(s, seat)


@every_case
def test_another_world_is_hardly_ever_the_true_one(case: Case) -> None:
    rng = Rng(7)
    worlds = same = 0
    for seed in case.seeds():
        length = case.length(seed)
        for n, s in enumerate(case.walk(seed)):
            if n > length // 2:
                break
            if n % max(1, length // 20) == 0:
                for seat in viewers(s):
                    worlds += 1
                    same += s.resample(seat, rng).facts() == s.facts()
    if case.title.secrets:
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
            if dumped(world, seat) == dumped(t, seat):
                compared += 1
                heard = [event.for_viewer(seat) for event in t.news]
                assert [event.for_viewer(seat) for event in world.news] == heard, f"{case.title.say(o)} to {seat}"
                reader = words.reader()
                assert words.log(world.news, seat, reader) == words.log(t.news, seat, reader)
    assert compared


# -- clones and facts ------------------------------------------------------------------------------------------------


def declared(kind: type) -> set[str]:
    """The names that a class declares in its body, compiled or not."""
    found = vars(kind)
    return {*found.get("__mypyc_attrs__", ()), *found.get("__annotations__", ())}


def attributes(s: State) -> list[str]:
    """The names of what a title keeps in its state."""
    names: set[str] = set()
    for kind in type(s).__mro__[: type(s).__mro__.index(State)]:
        names |= declared(kind)
    return sorted(name for name in names - declared(State) if not name.startswith("__"))


def copied(value: object) -> object:
    """A value that later changes of the original do not reach."""
    return [copied(item) for item in value] if isinstance(value, list) else value


@every_case
def test_clones_forget_nothing_and_no_old_clone_ever_changes(case: Case) -> None:
    for seed in case.seeds():
        stride = max(1, case.length(seed) // 20)
        kept: list[tuple[State, int, dict[str, object]]] = []
        for n, s in enumerate(case.walk(seed)):
            if n % stride == 0 or s.over:
                t = s.clone()
                values = {name: copied(getattr(t, name)) for name in attributes(s)}
                assert values == {name: copied(getattr(s, name)) for name in attributes(s)}
                assert (t.seats, t.who, t.legal, t.stack, t.learnt) == (s.seats, s.who, s.legal, s.stack, s.learnt)
                assert t.digest() == s.digest()
                kept.append((t, t.digest(), values))
        for t, digest, values in kept:
            assert t.digest() == digest
            for name, value in values.items():
                assert getattr(t, name) == value, f"a clone shares {name}, which changed later"


@every_case
def test_a_clone_can_be_played_without_harm(case: Case) -> None:
    rng = Rng(9)
    for s in case.glance(20):
        before = moment(s)
        values = {name: copied(getattr(s, name)) for name in attributes(s)}
        for t in (s.clone(), s.resample(s.who, rng), s.resample(NOBODY, rng)):
            for _ in range(40):
                if not t.over:
                    t.play(rng.pick(t.options()))
        assert moment(s) == before
        assert {name: getattr(s, name) for name in attributes(s)} == values


@every_case
def test_the_facts_forget_no_attribute(case: Case) -> None:
    """Changing any part of any attribute changes the facts, unless checks.py lists it in DERIVED."""
    for s in case.glance(5):
        facts = s.facts()
        for name in attributes(s):
            if name == "c" or name in case.checks.derived:
                continue
            value = getattr(s, name)
            for other in changed(value):
                t = s.clone()
                setattr(t, name, other)
                assert t.facts() != facts, f"{name} = {other} has the same facts as {value}"


def changed(value: object) -> list[object]:
    """The same value with one part of it changed, in every way that is worth a try."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, float):
        return [value + 1.0]
    if isinstance(value, str):
        return [value + "x"]
    assert isinstance(value, (list, tuple)), f"{value!r} can only be a list, a tuple or a number"
    kind = type(value)
    found: list[object] = []
    for i in range(0, len(value), max(1, len(value) // 12)):
        for part in changed(value[i]):
            found.append(kind([*value[:i], part, *value[i + 1 :]]))
    if value and isinstance(value[0], tuple) and len({len(part) for part in value}) > 1:
        longest = max(range(len(value)), key=lambda i: len(value[i]))
        parts = list(value)
        moved = parts[longest][-1]
        parts[longest] = parts[longest][:-1]
        after = (longest + 1) % len(parts)
        parts[after] = (moved, *parts[after])
        found.append(kind(parts))  # a part of varying length is preceded by its length
    return found


# -- what bots weigh -------------------------------------------------------------------------------------------------


@every_case
def test_features_are_one_finite_number_for_each_weight(case: Case) -> None:
    for s in case.glance(20):
        for seat in range(s.seats):
            features = s.features(seat)
            assert len(features) == len(case.title.weights)
            assert all(math.isfinite(x) for x in features), features
    assert all(math.isfinite(weight) for weight in case.title.weights)
