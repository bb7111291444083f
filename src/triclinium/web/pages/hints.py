"""Hints on a page: marks on the options of the decision, and the reasons why the best option is better than others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from triclinium.bots.analysis import Advice, to_percent
from triclinium.bots.explanations import describe_reasons
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.server.bots.jobs import HintJob
from triclinium.server.presenter.decision import DecisionOffer
from triclinium.server.presenter.table_view import TableView
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext

SLIGHT_LOSS = 0.06  # a smaller loss of win probability counts as a little worse
MAX_NUMBER_KEYS = 9  # options have number keys from 1 to 9
OPTION_SLOT = "\0"  # the place of an option in a sentence, where a template draws it


@dataclass(frozen=True)
class HintMark:
    """The mark on one option: its win probability, and how it compares with the best. A percent of 0 is not shown."""

    offer: DecisionOffer
    number: int  # the number key of the option; 0 if it has none
    percent: int
    is_best: bool
    verdict: str


@dataclass(frozen=True)
class HintReason:
    """A sentence on the best option that names another one, which the template draws between the two texts."""

    before: str
    offer: DecisionOffer
    after: str


@dataclass(frozen=True)
class HintView:
    """A hint as the page shows it."""

    thinking: bool
    failed: bool
    marks: dict[str, HintMark] = field(default_factory=dict)  # marks by option, the best option first
    reasons: list[HintReason] = field(default_factory=list)  # reasons, of which the page always shows the first
    others: list[DecisionOffer] = field(default_factory=list)  # options that have no mark

    @property
    def best(self) -> HintMark:
        """Return the mark of the best option; there is one unless the bot is thinking or has failed."""
        return next(iter(self.marks.values()))


def build_hint_view(context: PageContext, hint: HintJob | None, table_view: TableView) -> HintView | None:
    """Return the hint for the viewing seat in its player's language, or None if there is none."""
    decision = table_view.combined_decision
    if hint is None or decision is None or table_view.seat is None:
        return None
    offers = decision.arranged.all
    advice_by_offer = dict(pair_advice_with_offers(hint.best, offers))
    done = hint.done.is_set()
    if not advice_by_offer:
        return HintView(not done, hint.failed or done)
    numbers = {offer.option: n for n, offer in enumerate(offers[:MAX_NUMBER_KEYS], start=1)}
    best = next(iter(advice_by_offer.values()))
    marks = {
        offer.option: HintMark(
            offer,
            numbers.get(offer.option, 0),
            to_percent(advice.chance),
            advice is best,
            describe_comparison(context.localize, best, advice),
        )
        for offer, advice in advice_by_offer.items()
    }
    others = [offer for offer in table_view.offers.values() if offer.allowed and not hint.covers_option(offer.option)]
    return HintView(
        not done,
        False,
        marks,
        list(explain_best_option(context.localize, table_view, advice_by_offer, hint.own_option)),
        others,
    )


def pair_advice_with_offers(
    best: Iterable[Advice], offers: list[DecisionOffer]
) -> Iterator[tuple[DecisionOffer, Advice]]:
    """Yield each advice with the option of the page that it is about.

    A page can ask two questions as one. It then offers an option that leads to the second question together with each
    answer to that question; the advice is about the answer that the search preferred.
    """
    by_option = {offer.option: offer for offer in offers}
    used_options: set[str] = set()
    for advice in best:
        steps = [advice.option, *advice.then.split(OPTION_SEPARATOR)] if advice.then else [advice.option]
        spellings = [OPTION_SEPARATOR.join(steps[:n]) for n in range(1, len(steps) + 1)]
        continuations = [option for option in by_option if option.startswith(advice.option + OPTION_SEPARATOR)]
        option = next((option for option in (*spellings, *continuations) if option in by_option), "")
        if option and option not in used_options:
            used_options.add(option)
            yield by_option[option], advice


def describe_comparison(localize: Localizer, best: Advice, advice: Advice) -> str:
    """Return in words how an option compares with the best one."""
    if advice is best:
        return localize("The bot would choose this.")
    if advice.equal:
        return localize("about as good")
    return localize("a little worse") if best.chance - advice.chance < SLIGHT_LOSS else localize("clearly worse")


def explain_best_option(
    localize: Localizer, table_view: TableView, advice_by_offer: dict[DecisionOffer, Advice], asked_option: str
) -> Iterator[HintReason]:
    """Yield why the best option is better than each other one, first the one that the reader asked about."""
    best = next(iter(advice_by_offer.values()))
    others = sorted(list(advice_by_offer.items())[1:], key=lambda pair: pair[1].option != asked_option)
    for offer, advice in others:
        if advice.equal:
            sentence = localize("About as good as {0}.", OPTION_SLOT)
        elif reason := explain_difference(table_view, advice):
            sentence = localize("Compared with {0}, {1}.", OPTION_SLOT, reason)
        else:
            sentence = localize(
                "The bot wins {1} of its trial matches after this, and {2} after {0}.",
                OPTION_SLOT,
                localize.percent(to_percent(best.chance)),
                localize.percent(to_percent(advice.chance)),
            )
        before, _, after = sentence.partition(OPTION_SLOT)
        yield HintReason(before, offer, after)


def explain_difference(table_view: TableView, advice: Advice) -> str:
    """Return what the best option achieves and this one does not, or "" if nothing of it can be seen on the board."""
    if table_view.seat is None:
        return ""
    reasons = describe_reasons(table_view.game, advice.reasons, table_view.seat)
    return "" if reasons is None else table_view.reader.read(reasons)
