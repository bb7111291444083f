"""Hints as pages show them: chances in words."""

from dataclasses import dataclass

from triclinium.bots.analysis import percent
from triclinium.server.bots.pending import Hint
from triclinium.server.presenter.decision import Offer
from triclinium.web.i18n import Speech
from triclinium.web.render import Reading

ALIKE = 0.02  # chances so near to each other are the same to a person
LESS = 0.06


@dataclass(frozen=True)
class Ranked:
    """One option of a hint."""

    option: str
    label: str
    percent: int
    verdict: str  # against the best, in words


@dataclass(frozen=True)
class Advised:
    """A hint as the page shows it."""

    thinking: bool
    failed: bool
    ranked: list[Ranked]


def advised(reading: Reading, given: Hint | None, offers: dict[str, Offer]) -> Advised | None:
    """The hint of a seat, in its player's language; only for that seat's eyes."""
    if given is None:
        return None
    best = max((one.chance for one in given.best), default=0.0)
    ranked = [
        Ranked(one.option, offers[one.option].label, percent(one.chance), verdict(reading.speech, n, best - one.chance))
        for n, one in enumerate(given.best)
        if one.option in offers
    ]
    return Advised(not given.done.is_set(), given.failed or (given.done.is_set() and not ranked), ranked)


def verdict(speech: Speech, n: int, behind: float) -> str:
    """How an option compares, for somebody who does not count in percent."""
    if n == 0:
        return speech("the bot would choose this")
    if behind < ALIKE:
        return speech("about as good")
    return speech("a little worse") if behind < LESS else speech("clearly worse")
