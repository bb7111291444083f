"""A decision as people read it: the action that it is a part of, and its options in groups, the likely ones first.

The page and the terminal read the same groups in the same order, so that numbers mean the same in both. The order hangs
on the position alone, as the asked seat knows it: it stays while the question lasts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.game import Game

MANY = 12  # options of one verb; more of them are divided further


class Offer(Protocol):
    """What must be known of an option to find its place."""

    @property
    def option(self) -> str: ...
    @property
    def verb(self) -> str: ...
    @property
    def price(self) -> str: ...


AnyOffer = TypeVar("AnyOffer", bound=Offer)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of an action: its number, its name, its rule."""

    number: int
    name: str
    rule: str


@dataclass(frozen=True, slots=True)
class Steps:
    """``Tradition, 2 of 4: place the card (AE-6.4)``, with what is done and what is to come."""

    action: str
    stages: tuple[Stage, ...]
    at: int  # the number of the stage that is asked

    @property
    def now(self) -> Stage:
        return self.stages[self.at - 1]


@dataclass(slots=True)
class Section(Generic[AnyOffer]):
    """Options of one verb that belong together; most verbs have one section without a name."""

    name: str
    offers: list[AnyOffer] = field(default_factory=list)


@dataclass(slots=True)
class Group(Generic[AnyOffer]):
    """The options of one verb: what it is called, what all of them cost."""

    verb: str
    name: str
    price: str
    sections: list[Section[AnyOffer]]
    joint: bool = False  # of several verbs
    folded: str = ""  # what the button says behind which they stand; empty: they stand open

    @property
    def offers(self) -> list[AnyOffer]:
        return [offer for section in self.sections for offer in section.offers]


@dataclass(slots=True)
class Arranged(Generic[AnyOffer]):
    """All that may be chosen: in groups, and apart from them what ends or declines."""

    groups: list[Group[AnyOffer]] = field(default_factory=list)
    closing: list[AnyOffer] = field(default_factory=list)

    @property
    def all(self) -> list[AnyOffer]:
        """In the order of their numbers."""
        return [offer for group in self.groups for offer in group.offers] + self.closing

    @property
    def price(self) -> str:
        """What every answer costs, if they all cost the same."""
        prices = {group.price for group in self.groups}
        return prices.pop() if len(prices) == 1 else ""


def steps(game: Game, s: State, reader: Reader) -> Steps | None:
    """The action that the question is a part of; None: the step does not say."""
    heading = game.words.heading(s)
    if heading is None:
        return None
    stages = [Stage(number, reader.say(name), rule) for number, (name, rule) in enumerate(heading.stages, start=1)]
    return Steps(reader.say(heading.action), tuple(stages), heading.now)


def in_words(told: Steps, reader: Reader) -> str:
    """A heading in one line."""
    now = told.now
    if len(told.stages) == 1:
        return reader.read(Message("{0}: {1} ({2})", told.action, now.name, now.rule))
    said = Message("{0}, {1} of {2}: {3} ({4})", told.action, told.at, len(told.stages), now.name, now.rule)
    return reader.read(said)


def price(s: State, o: Option, reader: Reader) -> str:
    """What an option costs, in words."""
    template, figures = s.asked.costs(s, o)
    return reader.read(Message(template, *figures)) if template else ""


def arranged(game: Game, s: State, offers: Iterable[AnyOffer], reader: Reader) -> Arranged[AnyOffer]:
    """The offers by verb, then by what they name, each group where its likeliest option stands."""
    rank = ranks(game, s)
    found: Arranged[AnyOffer] = Arranged()
    by_verb: dict[str, list[AnyOffer]] = {}
    for offer in sorted(offers, key=lambda offer: rank(offer.option)):
        if game.notation.verb(game.read(offer.option)).closes:
            found.closing.append(offer)
        else:
            by_verb.setdefault(offer.verb, []).append(offer)
    names, folded = game.words.verbs, game.words.folded
    for verb, several in by_verb.items():
        prices = {offer.price for offer in several}
        name = reader.translate(names[verb]) if verb in names else ""
        same = prices.pop() if len(prices) == 1 else ""
        button = reader.translate(folded[verb]) if verb in folded and len(by_verb) > 1 else ""
        found.groups.append(Group(verb, name, same, sections(game, s, several, reader), folded=button))
    found.groups = joined(found.groups)
    return found


def joined(groups: list[Group[AnyOffer]]) -> list[Group[AnyOffer]]:
    """Verbs of one option each that follow each other are one group: nine moves, not nine groups."""
    found: list[Group[AnyOffer]] = []
    for group in groups:
        last = found[-1] if found else None
        apart = last is None or last.folded or group.folded or len(group.offers) > 1
        if last is None or apart or (len(last.offers) > 1 and not last.joint):
            found.append(group)
        else:
            last.sections[0].offers += group.offers
            last.price = last.price if last.price == group.price else ""
            last.name, last.joint = "", True
    return found


def ranks(game: Game, s: State) -> Callable[[str], int]:
    """Where an option stands, by its notation."""
    step = s.asked
    return lambda option: step.rank(s, game.read(option))


def sections(game: Game, s: State, offers: list[AnyOffer], reader: Reader) -> list[Section[AnyOffer]]:
    """Many options of one verb by what they name; the likely ones stay before all others."""
    if len(offers) <= MANY:
        return [Section("", offers)]
    rank = ranks(game, s)
    usual = max(rank(offer.option) for offer in offers)
    found: dict[str, Section[AnyOffer]] = {}
    for offer in offers:
        named = game.words.section(s, game.read(offer.option)) if rank(offer.option) == usual else None
        name = "" if named is None else reader.say(named)
        found.setdefault(name, Section(name)).offers.append(offer)
    return list(found.values())
