"""Hints as pages show them: chances in words."""

from dataclasses import dataclass

from triclinium.bots.analysis import Advice, percent
from triclinium.bots.reasons import told
from triclinium.engine.core.state import Seat
from triclinium.server.bots.pending import Hint
from triclinium.server.presenter.decision import Offer
from triclinium.server.presenter.shown import Shown
from triclinium.web.i18n import Speech
from triclinium.web.render import Reading

LESS = 0.06


@dataclass(frozen=True)
class Ranked:
    """One option of a hint."""

    option: str
    label: str
    percent: int
    verdict: str  # against the best, in words
    why: str  # what the best has that another has not; empty: it is told elsewhere


@dataclass(frozen=True)
class Advised:
    """A hint as the page shows it."""

    thinking: bool
    failed: bool
    ranked: list[Ranked]
    others: list[Offer]  # that it does not tell of


def advised(reading: Reading, given: Hint | None, shown: Shown) -> Advised | None:
    """The hint of a seat, in its player's language; only for that seat's eyes."""
    if given is None:
        return None
    offers = shown.offers
    best = [one for one in given.best if one.option in offers]
    whys = reasons(reading.speech, shown, best, given.mine)
    ranked = [
        Ranked(one.option, offers[one.option].label, percent(one.chance), verdict(reading.speech, best, one), why)
        for one, why in zip(best, whys, strict=True)
    ]
    others = [offer for offer in offers.values() if offer.allowed and not given.tells_of(offer.option)]
    return Advised(not given.done.is_set(), given.failed or (given.done.is_set() and not ranked), ranked, others)


def verdict(speech: Speech, best: list[Advice], one: Advice) -> str:
    """How an option compares, for somebody who does not count in percent."""
    if one is best[0]:
        return speech("the bot would choose this")
    if one.equal:
        return speech("equal, as far as the bot can tell")
    return speech("a little worse") if best[0].chance - one.chance < LESS else speech("clearly worse")


def reasons(speech: Speech, shown: Shown, best: list[Advice], mine: str) -> list[str]:
    """Beside the best option: why rather this than the reader's, or the second. Beside the others: why rather it."""
    if len(best) < 2 or shown.seat is None:
        return [""] * len(best)
    asked = next((n for n, one in enumerate(best) if one.option == mine), 1) or 1
    said = [_why(shown, one, shown.seat) for one in best]
    rest = [speech("With {0} instead: {1}", 1, text) if text else "" for text in said]
    rest[0] = speech("Rather than {0}: {1}", asked + 1, said[asked]) if said[asked] else ""
    rest[asked] = ""
    return rest


def _why(shown: Shown, one: Advice, seat: Seat) -> str:
    """What the best has that this one has not; of an equal one, if there is anything to tell."""
    return shown.reader.read(told(shown.game, one.reasons, seat)) if one.reasons or not one.equal else ""
