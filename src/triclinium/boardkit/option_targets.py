"""Which things an option names, so that it can be offered on them: read off the axes of its verb."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, TypeAlias

from triclinium.boardkit.kind_lookup import GAMES, kinds_of
from triclinium.boardkit.parts import Button
from triclinium.engine.component_kinds import Thing
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.match import several
from triclinium.engine.option_components import Named, meanings
from triclinium.engine.view import View

FEW = 3  # offers on one thing; more of them are clearer in the list

Buttons: TypeAlias = Mapping[Thing, list[Button]]


class Offer(Protocol):
    """What the kit must know of an option that may be chosen now."""

    @property
    def option(self) -> str: ...
    @property
    def verb(self) -> str: ...
    @property
    def label(self) -> str: ...


def buttons(game: Game, view: View, offers: Iterable[Offer], reader: Reader) -> Buttons:
    """The offers by the things that they name; what names nothing, or too many alike, is in the list alone."""
    found: dict[Thing, list[Button]] = {}
    short = game.words.short_labels
    for offer in offers:
        label = reader.translate(short[offer.verb]) if offer.verb in short else offer.label
        for thing in things(game, view, several(offer.option)[-1]):
            found.setdefault(thing, []).append(Button(offer.option, offer.label, label))
    return {thing: several for thing, several in found.items() if len(several) <= FEW}


def far_buttons(game: Game, view: View, ways: Iterable[Offer], direct: Buttons, reader: Reader) -> Buttons:
    """Places that several options lead to and none does: one click on them walks there."""
    kinds = kinds_of(game)
    found = buttons(game, view, ways, reader)
    return {
        thing: offered
        for thing, offered in found.items()
        if thing not in direct and thing[0] in kinds and kinds[thing[0]].shape == "place" and len(offered) == 1
    }


def things(game: Game, view: View, option: str) -> Sequence[Thing]:
    """What an option names of a view: as the game says, or by the axes of its verb."""
    said = game.named(view, option)
    if said is not None:
        return said
    verb, *words = option.split()
    return [named[word] for named, word in zip(axes_of(game)[verb], words, strict=True) if word in named]


@lru_cache(GAMES)
def axes_of(game: Game) -> dict[str, list[Named]]:
    """Of each verb, by its word, what the names on its axes mean; an axis that names no component is empty."""
    return meanings(game.verbs, game.ids)
