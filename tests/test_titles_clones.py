"""Clones forget nothing and share nothing that changes; facts leave nothing out."""

import pytest

from tests.matches import CASES, TITLES, Case, moment
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, State

every_case = pytest.mark.parametrize("case", CASES, ids=repr)
every_title = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)


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
    for seed in case.walks():
        stride = max(1, case.length(seed) // 20)
        kept: list[tuple[State, int, dict[str, object]]] = []
        for n, s in enumerate(case.walk(seed)):
            if n % stride == 0 or s.over:
                t = s.clone()
                values = {name: copied(getattr(t, name)) for name in attributes(s)}
                assert values == {name: copied(getattr(s, name)) for name in attributes(s)}  # objects are the same ones
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
            value = getattr(s, name)
            if name in case.checks.derived or not isinstance(value, (bool, int, float, str, list, tuple)):
                continue  # an object, such as the components, is the same for the whole match
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
