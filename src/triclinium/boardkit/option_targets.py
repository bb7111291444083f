"""The things that an option names, according to the axes of its verb, so that a button can be placed on each thing."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, TypeAlias

from triclinium.boardkit.kind_lookup import GAME_CACHE_SIZE, map_kinds_by_name
from triclinium.boardkit.parts import Button
from triclinium.engine.component_kinds import Thing
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.match import split_options
from triclinium.engine.option_components import ThingsByWord, map_axis_words
from triclinium.engine.view import View

MAX_BUTTONS = 3  # maximum number of buttons on one thing; if there are more, the list of options is clearer

ButtonsByThing: TypeAlias = Mapping[Thing, list[Button]]


class LabelledOffer(Protocol):
    """The facts about an allowed option that the kit needs."""

    @property
    def option(self) -> str: ...
    @property
    def verb(self) -> str: ...
    @property
    def label(self) -> str: ...


def build_buttons(game: Game, view: View, offers: Iterable[LabelledOffer], reader: Reader) -> ButtonsByThing:
    """Return the buttons by component. Options that name none, or one of too many, are only in the list of options."""
    buttons_by_thing: dict[Thing, list[Button]] = {}
    short = game.words.short_labels
    for offer in offers:
        label = reader.translate(short[offer.verb]) if offer.verb in short else offer.label
        for thing in find_option_things(game, view, split_options(offer.option)[-1]):
            buttons_by_thing.setdefault(thing, []).append(Button(offer.option, offer.label, label))
    return {
        thing: thing_buttons for thing, thing_buttons in buttons_by_thing.items() if len(thing_buttons) <= MAX_BUTTONS
    }


def build_chain_buttons(
    game: Game, view: View, chains: Iterable[LabelledOffer], direct: ButtonsByThing, reader: Reader
) -> ButtonsByThing:
    """Return buttons for places that a chain of options reaches and no single option does."""
    kinds = map_kinds_by_name(game)
    buttons_by_thing = build_buttons(game, view, chains, reader)
    return {
        thing: thing_buttons
        for thing, thing_buttons in buttons_by_thing.items()
        if thing not in direct and thing[0] in kinds and kinds[thing[0]].shape == "place" and len(thing_buttons) == 1
    }


def find_option_things(game: Game, view: View, option: str) -> Sequence[Thing]:
    """Return the things of a view that an option names, as the game says or by the axes of its verb."""
    game_things = game.named_things(view, option)
    if game_things is not None:
        return game_things
    verb, *words = option.split()
    return [
        things_by_word[word]
        for things_by_word, word in zip(map_verb_axes(game)[verb], words, strict=True)
        if word in things_by_word
    ]


@lru_cache(GAME_CACHE_SIZE)
def map_verb_axes(game: Game) -> dict[str, list[ThingsByWord]]:
    """Return for each verb the meaning of the words on its axes; an axis that names no component is empty."""
    return map_axis_words(game.verbs, game.ids)
