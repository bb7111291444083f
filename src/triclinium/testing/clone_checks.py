"""Checks of clones: a clone is complete and shares no mutable data, and `state_key` contains every attribute."""

from collections.abc import Callable, Sequence

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, State
from triclinium.engine.game import Game
from triclinium.testing.sample import MatchSample, assert_same, snapshot_state

CLONE_DECISIONS = 40  # number of decisions played on a clone
MAX_CHANGED_PARTS = 12  # maximum number of parts of a long list that are changed


def list_declared_names(kind: type) -> set[str]:
    """Return the names that a class declares in its body, compiled or not."""
    namespace = vars(kind)
    return {*namespace.get("__mypyc_attrs__", ()), *namespace.get("__annotations__", ())}


def list_state_attributes(s: State) -> list[str]:
    """Return the names of the attributes that a game adds to its state."""
    names: set[str] = set()
    for kind in type(s).__mro__[: type(s).__mro__.index(State)]:
        names |= list_declared_names(kind)
    return sorted(name for name in names - list_declared_names(State) if not name.startswith("__"))


def copy_value(value: object) -> object:
    """Return a copy that does not share lists with the original."""
    return [copy_value(item) for item in value] if isinstance(value, list) else value


def read_attributes(s: State) -> dict[str, object]:
    return {name: copy_value(getattr(s, name)) for name in list_state_attributes(s)}


def a_clone_forgets_nothing(game: Game, s: State, sample: MatchSample) -> None:
    t = s.clone()
    values = read_attributes(t)
    # objects without `__eq__` must be identical
    assert_same(values, read_attributes(s), "a clone differs")
    assert_same(snapshot_state(t), snapshot_state(s), "a clone differs")
    assert t.seats == s.seats, "a clone has other seats"
    sample.old_clones.append((t, t.digest(), values))


def no_old_clone_ever_changes(game: Game, s: State, sample: MatchSample) -> None:
    for t, digest, values in sample.old_clones:
        assert_same(read_attributes(t), values, "a clone shares what changed later")
        assert t.digest() == digest, "a clone shares something that changed later"


def a_clone_can_be_played_without_harm(game: Game, s: State, sample: MatchSample) -> None:
    rng = Rng(9)
    before, values = snapshot_state(s), read_attributes(s)
    worlds = [s.resample(s.who, rng), s.resample(NOBODY, rng)] if game.has_secrets else []
    for t in (s.clone(), *worlds):
        for _ in range(CLONE_DECISIONS):
            if not t.over:
                t.play(rng.pick(t.options()))
    assert_same(snapshot_state(s), before, "playing a clone changes")
    assert_same(read_attributes(s), values, "playing a clone changes")


def the_state_key_forgets_no_attribute(game: Game, s: State, sample: MatchSample) -> None:
    """Require that a change of any part of any attribute changes the key, except for derived attributes."""
    key = s.state_key()
    for name in list_state_attributes(s):
        value = getattr(s, name)
        if name in sample.checks.derived or not isinstance(value, (bool, int, float, str, list, tuple, bytes)):
            continue  # an object, such as the components, is the same for the whole match
        for other in list_changed_values(value):
            t = s.clone()
            setattr(t, name, other)
            assert t.state_key() != key, f"{name} = {other!r} has the same state_key as {value!r}"


def list_changed_values(value: object) -> list[object]:
    """Return copies of a value with one part changed, in every way that is worth testing."""
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
    variations: list[object] = []
    for i in range(0, len(value), max(1, len(value) // MAX_CHANGED_PARTS)):
        for part in list_changed_values(value[i]):
            variations.append(kind([*value[:i], part, *value[i + 1 :]]))
    parts = [part for part in value if isinstance(part, (tuple, bytes))]
    if len({len(part) for part in parts}) > 1:
        variations.append(kind(shift_last_item(parts)))  # the key must include the length of a part of varying length
    return variations


def shift_last_item(parts: Sequence[Sequence[object]]) -> list[object]:
    """Return the parts with the last item of the longest one moved to the beginning of the next."""
    longest = max(range(len(parts)), key=lambda i: len(parts[i]))
    after = (longest + 1) % len(parts)
    kind: Callable[[list[object]], object] = type(parts[longest])
    shifted: list[object] = list(parts)
    shifted[longest] = kind(list(parts[longest][:-1]))
    shifted[after] = kind([parts[longest][-1], *parts[after]])
    return shifted
