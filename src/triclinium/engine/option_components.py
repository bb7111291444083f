"""Mapping from options to the components that they name, derived from the axes of their verbs."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from triclinium.engine.component_kinds import Thing
from triclinium.engine.core.notation import Verb
from triclinium.engine.core.text import Arg
from triclinium.engine.game_text import GameText
from triclinium.engine.view import Ids

ThingsByWord: TypeAlias = dict[str, Thing]  # things by their word in the notation


class Component(NamedTuple):
    """A component: its table, its id and its name."""

    table: str
    id: str
    name: Arg


def list_components(ids: Ids, words: GameText) -> tuple[Component, ...]:
    """Return every component that has an id, ordered by table."""
    return tuple(
        Component(table, str(id), name_or_id(words, table, n, id)) for table in ids for n, id in enumerate(ids[table])
    )


def name_or_id(words: GameText, table: str, n: int, id: str | int) -> Arg:
    """Return the game's name for a thing, or its id if it has none."""
    try:
        return words.name_of(table, n)
    except LookupError:
        return str(id).replace("_", " ")


def map_axis_words(verbs: Iterable[Verb], ids: Ids) -> dict[str, list[ThingsByWord]]:
    """Return, for each verb, the things that the words on each axis name. An axis without components is empty."""
    things_by_kind: dict[str, ThingsByWord] = {}
    for kind, listed in ids.items():
        things_by_kind[kind] = {str(id).lower(): (kind, n) for n, id in enumerate(listed)}
    return {verb.word: [_match_axis(axis, things_by_kind) for axis in verb.axes] for verb in verbs}


def _match_axis(axis: tuple[str, ...], things_by_kind: dict[str, ThingsByWord]) -> ThingsByWord:
    """Return the things of the kind whose ids the axis uses.

    Plain numbers name nothing, because they may count anything.
    """
    if all(name.isdigit() for name in axis):
        return {}
    same = [things for things in things_by_kind.values() if tuple(things) == axis]
    within = [things for things in things_by_kind.values() if set(axis) <= things.keys()]
    return next(iter(same + within), {})
