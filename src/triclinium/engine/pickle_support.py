"""Copies and pickles of games: a game copies as itself, and is pickled as its class and components."""

from copy import copy
from typing import Any, Self

from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.weights import Weights


class PicklableGame:
    """Base of `Game`: its compiled parts have no default form for `copy` and `pickle`."""

    id: str
    components_schema: ComponentsSchema | None
    file: ComponentsFile
    hash: str
    weights: Weights

    def with_components(self, file: ComponentsFile) -> Self:
        """Return the same game on another components file."""
        raise NotImplementedError

    def is_printed(self, file: ComponentsFile) -> bool:
        """Return whether a file is the printed game's."""
        raise NotImplementedError

    def register_first_built(self) -> None:
        """Let pickles of this class come back as this game, if it is the first of its class."""
        _first_built.setdefault(type(self), self)

    def __copy__(self) -> Self:
        """Return another object with the same parts, whose attributes can be replaced: other weights, for example."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself: it holds the rules and the components, and no match changes them."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as class and components, with the weights where these are not the game's own."""
        file = None if self.is_printed(self.file) else self.file
        own = _restore_game(type(self), file, self.hash, None)
        same = own is self or own.weights.as_tuple() == self.weights.as_tuple()
        return (_restore_game, (type(self), file, self.hash, None if same else self.weights))


_first_built: dict[Any, PicklableGame] = {}  # for each class, the game that its module makes


def _restore_game(
    kind: type[PicklableGame], file: ComponentsFile | None, hash: str, weights: Weights | None
) -> PicklableGame:
    """Return the game that was pickled; raise BadSetup if this installation has other components."""
    if file is None:
        assert kind.components_schema is not None
        file = kind.components_schema.printed
    if kind not in _first_built:
        raise BadSetup(f"the module {kind.__module__} makes no game of the class {kind.__name__}")
    game = _first_built[kind].with_components(file)
    if game.hash != hash:
        raise BadSetup(f"the pickled {game.id} has the components {hash}, and this installation has {game.hash}")
    if weights is None:
        return game
    other = copy(game)
    other.weights = weights
    return other
