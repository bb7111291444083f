"""Size of a state in bytes, including its stack, without data shared by all states of the game."""

import sys

from triclinium.engine.core.state import State
from triclinium.engine.game import Game


def measure_state_bytes(game: Game, s: State) -> int:
    """Return the bytes of a state with everything it owns. Components belong to the game, so they are not counted."""
    a, b = game.deal(s.seats, 1), game.deal(s.seats, 2)
    shared = {id(getattr(a, name)) for name in _list_attribute_names(a) if getattr(a, name) is getattr(b, name)}
    seen: set[int] = set()
    return _measure_size(s, seen, shared)


def _measure_size(thing: object, seen: set[int], shared: set[int]) -> int:
    if id(thing) in seen or id(thing) in shared:
        return 0
    seen.add(id(thing))
    weight = sys.getsizeof(thing)
    if isinstance(thing, (list, tuple, set, frozenset)):
        return weight + sum(_measure_size(item, seen, shared) for item in thing)
    if isinstance(thing, dict):
        return weight + sum(
            _measure_size(key, seen, shared) + _measure_size(item, seen, shared) for key, item in thing.items()
        )
    if isinstance(thing, (int, str, bytes, float, type)) or thing is None:
        return weight
    own: object = getattr(thing, "__dict__", None)
    weight += sys.getsizeof(own) if own is not None else 0
    return weight + sum(_measure_size(getattr(thing, name), seen, shared) for name in _list_attribute_names(thing))


def _list_attribute_names(thing: object) -> list[str]:
    """Return the attributes of an object. A compiled object has no ``__dict__``; its class lists them."""
    names: list[str] = []
    for kind in type(thing).__mro__:
        listed: object = vars(kind).get("__mypyc_attrs__", ())
        if isinstance(listed, tuple):
            names += [name for name in listed if isinstance(name, str) and name != "__dict__"]
    names += list(getattr(thing, "__dict__", {}))
    return [name for name in dict.fromkeys(names) if hasattr(thing, name)]
