"""Clones forget nothing and share nothing that changes; `state_key` leaves no attribute out."""

from collections.abc import Callable, Sequence

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, State
from triclinium.engine.game import Game
from triclinium.testing.sample import Sample, all_of, same

PLAYED = 40  # decisions on a clone
PARTS = 12  # of a long list, so many are changed


def declared(kind: type) -> set[str]:
    """The names that a class declares in its body, compiled or not."""
    found = vars(kind)
    return {*found.get("__mypyc_attrs__", ()), *found.get("__annotations__", ())}


def attributes(s: State) -> list[str]:
    """The names of what a game keeps in its state."""
    names: set[str] = set()
    for kind in type(s).__mro__[: type(s).__mro__.index(State)]:
        names |= declared(kind)
    return sorted(name for name in names - declared(State) if not name.startswith("__"))


def copied(value: object) -> object:
    """A value that later changes of the original do not reach."""
    return [copied(item) for item in value] if isinstance(value, list) else value


def values_of(s: State) -> dict[str, object]:
    return {name: copied(getattr(s, name)) for name in attributes(s)}


def a_clone_forgets_nothing(game: Game, s: State, sample: Sample) -> None:
    t = s.clone()
    values = values_of(t)
    same(values, values_of(s), "a clone differs")  # objects are the same ones
    same(all_of(t), all_of(s), "a clone differs")
    assert t.seats == s.seats, "a clone has other seats"
    sample.kept.append((t, t.digest(), values))


def no_old_clone_ever_changes(game: Game, s: State, sample: Sample) -> None:
    for t, digest, values in sample.kept:
        same(values_of(t), values, "a clone shares what changed later")
        assert t.digest() == digest, "a clone shares something that changed later"


def a_clone_can_be_played_without_harm(game: Game, s: State, sample: Sample) -> None:
    rng = Rng(9)
    before, values = all_of(s), values_of(s)
    worlds = [s.resample(s.who, rng), s.resample(NOBODY, rng)] if game.secrets else []
    for t in (s.clone(), *worlds):
        for _ in range(PLAYED):
            if not t.over:
                t.play(rng.pick(t.options()))
    same(all_of(s), before, "playing a clone changes")
    same(values_of(s), values, "playing a clone changes")


def the_state_key_forgets_no_attribute(game: Game, s: State, sample: Sample) -> None:
    """Changing any part of any attribute changes the key, unless the attribute is derived."""
    key = s.state_key()
    for name in attributes(s):
        value = getattr(s, name)
        if name in sample.checks.derived or not isinstance(value, (bool, int, float, str, list, tuple, bytes)):
            continue  # an object, such as the components, is the same for the whole match
        for other in changed(value):
            t = s.clone()
            setattr(t, name, other)
            assert t.state_key() != key, f"{name} = {other!r} has the same state_key as {value!r}"


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
    assert isinstance(value, (list, tuple, bytes)), f"{value!r} can only be a list, a tuple, bytes or a number"
    kind: Callable[[list[object]], object] = type(value)
    found: list[object] = []
    for i in range(0, len(value), max(1, len(value) // PARTS)):
        for part in changed(value[i]):
            found.append(kind([*value[:i], part, *value[i + 1 :]]))
    parts = [part for part in value if isinstance(part, (tuple, bytes))]
    if len({len(part) for part in parts}) > 1:
        found.append(kind(moved_on(parts)))  # a part of varying length is preceded by its length
    return found


def moved_on(parts: Sequence[Sequence[object]]) -> list[object]:
    """The last item of the longest part moved to the beginning of the next."""
    longest = max(range(len(parts)), key=lambda i: len(parts[i]))
    after = (longest + 1) % len(parts)
    kind: Callable[[list[object]], object] = type(parts[longest])
    found: list[object] = list(parts)
    found[longest] = kind(list(parts[longest][:-1]))
    found[after] = kind([parts[longest][-1], *parts[after]])
    return found
