"""Lookup of each kind of component that a game's views refer to; a kind without a description is a plain token."""

from collections.abc import Mapping
from functools import lru_cache

from triclinium.engine.component_kinds import ComponentKind
from triclinium.engine.game import Game
from triclinium.engine.option_components import name_or_id

GAME_CACHE_SIZE = 100  # maximum number of games whose kinds are cached; a game on an edited file counts as another one


@lru_cache(GAME_CACHE_SIZE)
def map_kinds_by_name(game: Game) -> Mapping[str, ComponentKind]:
    """Return the kinds by the names that `Ref` and `By` use, including each kind for which the game has ids."""
    described = game.kinds()
    kinds_with_ids = {kind: described.get(kind) or _build_plain_kind(game, kind) for kind in game.ids}
    return {**kinds_with_ids, **described}  # some kinds have no ids in JSON: places of a seat, spaces of a track


def _build_plain_kind(game: Game, kind: str) -> ComponentKind:
    ids = game.ids[kind]
    return ComponentKind(ids, [name_or_id(game.words, kind, n, id) for n, id in enumerate(ids)])
