"""Which components an option is about: read off the axes of its verb."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from triclinium.engine.component_kinds import Thing
from triclinium.engine.core.notation import Verb
from triclinium.engine.core.text import Arg
from triclinium.engine.game_text import GameText
from triclinium.engine.view import Ids

ThingsByWord: TypeAlias = dict[str, Thing]  # things by their word in the notation


class Component(NamedTuple):
    """A card, a place, a piece: the table it stands in, its id there, and its name."""

    table: str
    id: str
    name: Arg


def list_components(ids: Ids, words: GameText) -> tuple[Component, ...]:
    """Everything that a game gives an id, table by table."""
    return tuple(
        Component(table, str(id), name_or_id(words, table, n, id)) for table in ids for n, id in enumerate(ids[table])
    )


def name_or_id(words: GameText, table: str, n: int, id: str | int) -> Arg:
    """What a game's words call a thing; what they do not name is called by its id."""
    try:
        return words.name_of(table, n)
    except LookupError:
        return str(id).replace("_", " ")


def map_axis_words(verbs: Iterable[Verb], ids: Ids) -> dict[str, list[ThingsByWord]]:
    """Of each verb, by its word, what the names on its axes mean; an axis that names no component is empty."""
    things_by_kind: dict[str, ThingsByWord] = {}
    for kind, listed in ids.items():
        things_by_kind[kind] = {str(id).lower(): (kind, n) for n, id in enumerate(listed)}
    return {verb.word: [_match_axis(axis, things_by_kind) for axis in verb.axes] for verb in verbs}


def _match_axis(axis: tuple[str, ...], things_by_kind: dict[str, ThingsByWord]) -> ThingsByWord:
    """The kind whose ids these are, or are among. Bare numbers may count anything, and name nothing."""
    if all(name.isdigit() for name in axis):
        return {}
    same = [things for things in things_by_kind.values() if tuple(things) == axis]
    within = [things for things in things_by_kind.values() if set(axis) <= things.keys()]
    return next(iter(same + within), {})
