"""A decision in the order in which people read it: the action that it belongs to, and its options in groups.

The page and the terminal read the same groups in the same order, so that numbers mean the same in both. The order
depends only on the position as the asked seat knows it, so it does not change while the question lasts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.game import Game

MAX_UNDIVIDED = 12  # maximum number of options of one verb in one section; a larger group is divided


class PricedOffer(Protocol):
    """The facts about an option that its place in the order depends on."""

    @property
    def option(self) -> str: ...
    @property
    def verb(self) -> str: ...
    @property
    def price(self) -> str: ...


AnyOffer = TypeVar("AnyOffer", bound=PricedOffer)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of an action: its number, name and rule."""

    number: int
    name: str
    rule: str


@dataclass(frozen=True, slots=True)
class ActionProgress:
    """The progress of an action: ``Tradition, 2 of 4: place the card (AE-6.4)``, with the earlier and later stages."""

    action: str
    stages: tuple[Stage, ...]
    at: int  # the number of the stage that is asked now

    @property
    def current_stage(self) -> Stage:
        return self.stages[self.at - 1]


@dataclass(slots=True)
class OptionSection(Generic[AnyOffer]):
    """A section of options of one verb that belong together. Most verbs have a single section without a name."""

    name: str
    offers: list[AnyOffer] = field(default_factory=list)


@dataclass(slots=True)
class OptionGroup(Generic[AnyOffer]):
    """The options of one verb, with its name and the price of all of them."""

    verb: str
    name: str
    price: str
    sections: list[OptionSection[AnyOffer]]
    joint: bool = False  # the group contains several verbs
    folded: str = ""  # the label of the button that unfolds the group; empty: the group is always open

    @property
    def offers(self) -> list[AnyOffer]:
        return [offer for section in self.sections for offer in section.offers]


@dataclass(slots=True)
class ArrangedOptions(Generic[AnyOffer]):
    """All allowed options: in groups, and separately those that end or decline."""

    groups: list[OptionGroup[AnyOffer]] = field(default_factory=list)
    closing: list[AnyOffer] = field(default_factory=list)

    @property
    def all(self) -> list[AnyOffer]:
        """Return all options in the order of their numbers."""
        return [offer for group in self.groups for offer in group.offers] + self.closing

    @property
    def price(self) -> str:
        """Return the price of all options if it is the same for each, else the empty text."""
        prices = {group.price for group in self.groups}
        return prices.pop() if len(prices) == 1 else ""


def read_action_progress(game: Game, s: State, reader: Reader) -> ActionProgress | None:
    """Return the action that the question is a part of, or None if the step names no action."""
    heading = game.words.heading(s)
    if heading is None:
        return None
    stages = [
        Stage(number, reader.format_arg(name), rule) for number, (name, rule) in enumerate(heading.stages, start=1)
    ]
    return ActionProgress(reader.format_arg(heading.action), tuple(stages), heading.current_stage)


def format_action_progress(progress: ActionProgress, reader: Reader) -> str:
    """Return the progress of an action as one line."""
    now = progress.current_stage
    if len(progress.stages) == 1:
        return reader.read(Message("{0}: {1} ({2})", progress.action, now.name, now.rule))
    message = Message(
        "{0}, {1} of {2}: {3} ({4})", progress.action, progress.at, len(progress.stages), now.name, now.rule
    )
    return reader.read(message)


def format_price(s: State, o: Option, reader: Reader) -> str:
    """Return the price of an option in words."""
    template, figures = s.asked.option_price(s, o)
    return reader.read(Message(template, *figures)) if template else ""


def arrange_options(game: Game, s: State, offers: Iterable[AnyOffer], reader: Reader) -> ArrangedOptions[AnyOffer]:
    """Return the options by verb and then by the thing that they name.

    A group is placed where its likeliest option is.
    """
    rank = build_rank_function(game, s)
    arrangement: ArrangedOptions[AnyOffer] = ArrangedOptions()
    by_verb: dict[str, list[AnyOffer]] = {}
    for offer in sorted(offers, key=lambda offer: rank(offer.option)):
        if game.notation.verb_of(game.read(offer.option)).closes:
            arrangement.closing.append(offer)
        else:
            by_verb.setdefault(offer.verb, []).append(offer)
    names, folded = game.words.verbs, game.words.folded
    for verb, verb_offers in by_verb.items():
        prices = {offer.price for offer in verb_offers}
        name = reader.translate(names[verb]) if verb in names else ""
        common_price = prices.pop() if len(prices) == 1 else ""
        button = reader.translate(folded[verb]) if verb in folded and len(by_verb) > 1 else ""
        arrangement.groups.append(
            OptionGroup(verb, name, common_price, split_into_sections(game, s, verb_offers, reader), folded=button)
        )
    arrangement.groups = merge_single_options(arrangement.groups)
    return arrangement


def merge_single_options(groups: list[OptionGroup[AnyOffer]]) -> list[OptionGroup[AnyOffer]]:
    """Return the groups, with neighbouring groups of one option each merged into one."""
    merged: list[OptionGroup[AnyOffer]] = []
    for group in groups:
        last = merged[-1] if merged else None
        is_separate = last is None or last.folded or group.folded or len(group.offers) > 1
        if last is None or is_separate or (len(last.offers) > 1 and not last.joint):
            merged.append(group)
        else:
            last.sections[0].offers += group.offers
            last.price = last.price if last.price == group.price else ""
            last.name, last.joint = "", True
    return merged


def build_rank_function(game: Game, s: State) -> Callable[[str], int]:
    """Return a function that gives the rank of an option by its notation."""
    step = s.asked
    return lambda option: step.display_rank(s, game.read(option))


def split_into_sections(game: Game, s: State, offers: list[AnyOffer], reader: Reader) -> list[OptionSection[AnyOffer]]:
    """Return sections of options by what they name; the likely options stay before all others."""
    if len(offers) <= MAX_UNDIVIDED:
        return [OptionSection("", offers)]
    rank = build_rank_function(game, s)
    usual = max(rank(offer.option) for offer in offers)
    sections_by_name: dict[str, OptionSection[AnyOffer]] = {}
    for offer in offers:
        heading = game.words.section(s, game.read(offer.option)) if rank(offer.option) == usual else None
        name = "" if heading is None else reader.format_arg(heading)
        sections_by_name.setdefault(name, OptionSection(name)).offers.append(offer)
    return list(sections_by_name.values())
