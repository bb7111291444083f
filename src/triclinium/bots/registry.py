"""Registry of bots: the built-in ones and those of other packages.

Another package adds a bot with an entry point of the group ``triclinium.bots``. For quick tests, the environment
variable TRICLINIUM_BOTS names classes (``first:First``). A name may include a budget, as in ``strong@300ms`` and
``strong@500x``. The suffix ``+plain`` disables the ranking network, as in ``steady+plain`` and ``master+plain@5s``.
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
from triclinium.bots.rollout import Rollout
from triclinium.bots.search import Master, Strong
from triclinium.bots.steady import Casual, Steady
from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.engine.game import Game

GROUP = "triclinium.bots"
PLAIN = "plain"
BOTS_VARIABLE = "TRICLINIUM_BOTS"
BUILTIN_BOTS = (Random, Rollout, Novice, Casual, Greedy, Steady, Strong, Master)

BUILTIN_BOTS_BY_NAME: Mapping[str, type[Bot]] = MappingProxyType({kind.name: kind for kind in BUILTIN_BOTS})


@cache
def load_bot_classes() -> Mapping[str, type[Bot]]:
    """Return all bot classes by name: the built-in ones, the weakest first, then those of other packages."""
    classes = dict(BUILTIN_BOTS_BY_NAME)
    for kind in _load_plugin_bots():
        classes.setdefault(kind.name, kind)
    return classes


def list_bots() -> list[str]:
    """Return the names of all bots, the weakest built-in one first."""
    return list(load_bot_classes())


def create_bot(name: str, game: Game) -> Bot:
    """Return a bot for a game by its name. Raise BadSetup if the name is wrong."""
    kind, plain, budget = _parse_bot_name(name)
    created = kind(game)
    created.ignores_network = plain
    if budget is not None:
        created.budget = budget
    return created


def assign_bots(names: Sequence[str], places: int) -> list[str]:
    """Return a bot name for each place, from one name for all or one for each. Raise BadSetup if the numbers differ."""
    for name in names:
        _parse_bot_name(name)
    if len(names) == 1:
        return [names[0]] * places
    if len(names) != places:
        raise BadSetup(f"{len(names)} bots are named for {places} places; name one for all, or one for each")
    return list(names)


def strip_network_name(name: str) -> str:
    """Return the name of the same bot without its network. Bots without a network keep their name."""
    word, at, budget = name.partition("@")
    learns = word in load_bot_classes() and load_bot_classes()[word].uses_network
    return f"{word}+{PLAIN}{at}{budget}" if learns else name


def describe_network(names: Iterable[str], game: Game) -> str:
    """Return the name of the network that these bots use, for reports, or "" if none uses one."""
    words = {name.partition("@")[0] for name in names}
    loaded = load_network(game)
    return loaded.label if any(word in words and loaded.is_used_by(word) for word in list_learning_bots()) else ""


def _parse_bot_name(name: str) -> tuple[type[Bot], bool, Budget | None]:
    """Return the class for a bot name, whether its network is disabled, and its budget."""
    bot_name, at, budget = name.partition("@")
    word, plus, suffix = bot_name.partition("+")
    if word not in load_bot_classes():
        raise BadSetup(f"there is no bot {word!r}; {suggest_names(word, load_bot_classes())}")
    if plus and (suffix != PLAIN or not load_bot_classes()[word].uses_network):
        choices = ", ".join(f"{learner}+{PLAIN}" for learner in list_learning_bots())
        raise BadSetup(f"only {PLAIN!r} can be added to a bot, to one that learns: {choices}")
    return load_bot_classes()[word], bool(plus), Budget.read(budget) if at else None


def list_learning_bots() -> list[str]:
    """Return the names of the bots that use a ranking network."""
    return [name for name, kind in load_bot_classes().items() if kind.uses_network]


def _load_plugin_bots() -> list[type[Bot]]:
    """Return the classes from entry points and the environment. Raise BadSetup for one that does not load."""
    places = [point.value for point in entry_points(group=GROUP)]
    places += [place for place in os.environ.get(BOTS_VARIABLE, "").split(",") if place]
    return [_import_bot(place) for place in places]


def _import_bot(place: str) -> type[Bot]:
    module, _, name = place.partition(":")
    try:
        kind: object = getattr(import_module(module), name)
    except Exception as error:  # a third-party module may fail in any way
        raise BadSetup(f"the bot {place} does not load: {type(error).__name__}: {error}") from None
    if not isinstance(kind, type) or not issubclass(kind, Bot):
        raise BadSetup(f"the bot {place} does not load: it is not a Bot")
    return kind
