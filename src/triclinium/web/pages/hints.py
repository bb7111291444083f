"""Hints on a page: marks on the options of the decision, and why the best one is better than others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from triclinium.bots.analysis import Advice, percent
from triclinium.bots.explanations import told
from triclinium.engine.core.state import Seat
from triclinium.engine.match import TOGETHER
from triclinium.server.bots.jobs import Hint
from triclinium.server.presenter.decision import Offer
from triclinium.server.presenter.table_view import Shown
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading

LESS = 0.06  # a smaller loss of win probability is a little worse
KEYS = 9  # options have number keys from 1 to 9
SLOT = "\0"  # stands for an option until a template draws it


@dataclass(frozen=True)
class Mark:
    """The mark of a hint on one option: its win probability, and how it compares with the best."""

    offer: Offer
    number: int  # the option's own number key; 0: it has none
    percent: int
    best: bool
    verdict: str


@dataclass(frozen=True)
class Because:
    """A sentence on the best option that names another one, which the template draws between the two texts."""

    before: str
    offer: Offer
    after: str


@dataclass(frozen=True)
class Advised:
    """A hint as the page shows it."""

    thinking: bool
    failed: bool
    marks: dict[str, Mark] = field(default_factory=dict)  # by option, the best first
    because: list[Because] = field(default_factory=list)  # the first one is always in sight
    others: list[Offer] = field(default_factory=list)  # options without a mark

    @property
    def best(self) -> Mark:
        """Return the mark of the best option; there is one unless the bot thinks or failed."""
        return next(iter(self.marks.values()))


def advised(reading: Reading, given: Hint | None, shown: Shown) -> Advised | None:
    """Return the hint of a seat in its player's language, or None; only for that seat's eyes."""
    asked = shown.asking
    if given is None or asked is None or shown.seat is None:
        return None
    offers = asked.arranged.all
    found = dict(pairs(given.best, offers))
    done = given.done.is_set()
    if not found:
        return Advised(not done, given.failed or done)
    numbers = {offer.option: n for n, offer in enumerate(offers[:KEYS], start=1)}
    best = next(iter(found.values()))
    marks = {
        offer.option: Mark(
            offer,
            numbers.get(offer.option, 0),
            percent(one.chance),
            one is best,
            verdict(reading.speech, best, one),
        )
        for offer, one in found.items()
    }
    others = [offer for offer in shown.offers.values() if offer.allowed and not given.tells_of(offer.option)]
    return Advised(not done, False, marks, list(reasons(reading.speech, shown, found, given.mine)), others)


def pairs(best: Iterable[Advice], offers: list[Offer]) -> Iterator[tuple[Offer, Advice]]:
    """Yield each advice with the option of the page that stands for it.

    A page may ask two questions as one. An option that leads to the second question is then offered together with an
    answer to that one: the answer that the search preferred counts.
    """
    by_option = {offer.option: offer for offer in offers}
    taken: set[str] = set()
    for one in best:
        steps = [one.option, *one.then.split(TOGETHER)] if one.then else [one.option]
        spelt = [TOGETHER.join(steps[:n]) for n in range(1, len(steps) + 1)]
        led_to = [option for option in by_option if option.startswith(one.option + TOGETHER)]
        option = next((option for option in (*spelt, *led_to) if option in by_option), "")
        if option and option not in taken:
            taken.add(option)
            yield by_option[option], one


def verdict(speech: Speech, best: Advice, one: Advice) -> str:
    """Return how an option compares, in words."""
    if one is best:
        return speech("the bot would choose this")
    if one.equal:
        return speech("about as good")
    return speech("a little worse") if best.chance - one.chance < LESS else speech("clearly worse")


def reasons(speech: Speech, shown: Shown, found: dict[Offer, Advice], mine: str) -> Iterator[Because]:
    """Yield why the best option is better than each other one, beginning with the one that the reader asked about."""
    others = sorted(list(found.items())[1:], key=lambda pair: pair[1].option != mine)
    for offer, one in others:
        if one.equal:
            said = speech("About as good as {0}.", SLOT)
        elif one.reasons and shown.seat is not None:
            said = speech("Better than {0}: {1}", SLOT, why(shown, one, shown.seat))
        else:
            continue
        before, _, after = said.partition(SLOT)
        yield Because(before, offer, after)


def why(shown: Shown, one: Advice, seat: Seat) -> str:
    """Return what the best option has that this one has not."""
    return shown.reader.read(told(shown.game, one.reasons, seat))
