"""Copies and pickles of games. A game is pickled as its class and its components."""

from copy import copy
from typing import Any, Self

from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.weights import Weights


class PicklableGame:
    """Base class of `Game` for copies and pickles. The compiled parts have no default form for them."""

    id: str
    components_schema: ComponentsSchema | None
    file: ComponentsFile
    hash: str
    weights: Weights

    def with_components(self, file: ComponentsFile) -> Self:
        """Return the same game on another components file."""
        raise NotImplementedError

    def is_printed(self, file: ComponentsFile) -> bool:
        """Return whether a file is the printed game's components file."""
        raise NotImplementedError

    def register_first_built(self) -> None:
        """Register this game for unpickling if it is the first one of its class."""
        _first_built.setdefault(type(self), self)

    def __copy__(self) -> Self:
        """Return a second game with the same parts. Its attributes, such as the weights, can then be replaced."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself, because rules and components never change."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as class and components, with the weights if they differ from the game's own."""
        file = None if self.is_printed(self.file) else self.file
        own = _restore_game(type(self), file, self.hash, None)
        same = own is self or own.weights.as_tuple() == self.weights.as_tuple()
        return (_restore_game, (type(self), file, self.hash, None if same else self.weights))


_first_built: dict[Any, PicklableGame] = {}  # for each class, the game that its module creates


def _restore_game(
    kind: type[PicklableGame], file: ComponentsFile | None, hash: str, weights: Weights | None
) -> PicklableGame:
    """Return the game that was pickled. Raise BadSetup if this installation has other components."""
    if file is None:
        assert kind.components_schema is not None
        file = kind.components_schema.printed
    if kind not in _first_built:
        raise BadSetup(f"the module {kind.__module__} creates no game of the class {kind.__name__}")
    game = _first_built[kind].with_components(file)
    if game.hash != hash:
        raise BadSetup(f"the pickled {game.id} has the components {hash}, but this installation has {game.hash}")
    if weights is None:
        return game
    other = copy(game)
    other.weights = weights
    return other
