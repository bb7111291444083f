"""The bots by name: our own, and those of other packages.

Another package adds a bot by an entry point of the group ``triclinium.bots``; for a try, the environment variable
TRICLINIUM_BOTS names classes (``first:First``). A name may carry a budget: ``strong@300ms``, ``strong@500x``; and
``+plain`` leaves out what was learnt: ``steady+plain``, ``master+plain@5s``.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType

from triclinium.bots.base import Bot
from triclinium.bots.budget import Budget
from triclinium.bots.greedy import Greedy, Novice
from triclinium.bots.networks import load_network
from triclinium.bots.random import Random
from triclinium.bots.search import Master, Strong
from triclinium.bots.steady import Steady
from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.engine.game import Game

GROUP = "triclinium.bots"
PLAIN = "plain"
BOTS_VARIABLE = "TRICLINIUM_BOTS"
BUILTIN_BOTS = (Random, Novice, Greedy, Steady, Strong, Master)
LEVELS = ("novice", "steady", "strong", "master")  # what a table offers, the weakest first

BUILTIN_BOTS_BY_NAME: Mapping[str, type[Bot]] = MappingProxyType({kind.name: kind for kind in BUILTIN_BOTS})


@cache
def load_bot_classes() -> Mapping[str, type[Bot]]:
    """All bots at hand: ours, the weakest first, then the guests."""
    classes = dict(BUILTIN_BOTS_BY_NAME)
    for kind in _load_plugin_bots():
        classes.setdefault(kind.name, kind)
    return classes


def list_bots() -> list[str]:
    """The names of all bots, the weakest first."""
    return list(load_bot_classes())


def create_bot(name: str, game: Game) -> Bot:
    """A bot for a game; raises BadSetup."""
    kind, plain, budget = _parse_bot_name(name)
    created = kind(game)
    created.ignores_network = plain
    if budget is not None:
        created.budget = budget
    return created


def assign_bots(names: Sequence[str], places: int) -> list[str]:
    """A bot's name for each of so many places: one name for all, or one for each; raises BadSetup."""
    for name in names:
        _parse_bot_name(name)
    if len(names) == 1:
        return [names[0]] * places
    if len(names) != places:
        raise BadSetup(f"{len(names)} bots are named for {places} places; name one for all, or one for each")
    return list(names)


def strip_network_name(name: str) -> str:
    """The name of the same bot without what was learnt; one that uses nothing keeps its own."""
    word, at, budget = name.partition("@")
    learns = word in load_bot_classes() and load_bot_classes()[word].uses_network
    return f"{word}+{PLAIN}{at}{budget}" if learns else name


def describe_network(names: Iterable[str], game: Game) -> str:
    """How a report names what these bots have learnt; empty: none of them uses anything."""
    words = {name.partition("@")[0] for name in names}
    loaded = load_network(game)
    return loaded.label if any(word in words and loaded.is_used_by(word) for word in list_learning_bots()) else ""


def _parse_bot_name(name: str) -> tuple[type[Bot], bool, Budget | None]:
    """The class that a name means, whether it leaves out what was learnt, and the budget it carries."""
    bot_name, at, budget = name.partition("@")
    word, plus, suffix = bot_name.partition("+")
    if word not in load_bot_classes():
        raise BadSetup(f"there is no bot {word!r}; {suggest_names(word, load_bot_classes())}")
    if plus and (suffix != PLAIN or not load_bot_classes()[word].uses_network):
        choices = ", ".join(f"{learner}+{PLAIN}" for learner in list_learning_bots())
        raise BadSetup(f"only {PLAIN!r} can be added to a bot, to one that learns: {choices}")
    return load_bot_classes()[word], bool(plus), Budget.read(budget) if at else None


def list_learning_bots() -> list[str]:
    """The bots that use what was learnt, by name."""
    return [name for name, kind in load_bot_classes().items() if kind.uses_network]


def _load_plugin_bots() -> list[type[Bot]]:
    """The classes that other packages and the environment name; raises BadSetup for one that does not load."""
    places = [point.value for point in entry_points(group=GROUP)]
    places += [place for place in os.environ.get(BOTS_VARIABLE, "").split(",") if place]
    return [_import_bot(place) for place in places]


def _import_bot(place: str) -> type[Bot]:
    module, _, name = place.partition(":")
    try:
        kind: object = getattr(import_module(module), name)
    except Exception as error:  # somebody else's module may fail in any way
        raise BadSetup(f"the bot {place} does not load: {type(error).__name__}: {error}") from None
    if not isinstance(kind, type) or not issubclass(kind, Bot):
        raise BadSetup(f"the bot {place} does not load: it is no Bot")
    return kind
