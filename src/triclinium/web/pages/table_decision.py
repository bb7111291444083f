"""The decision on a table's page: the question, the options, the chosen option with its preview, hint and guide."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from triclinium.boardkit.preview import Preview
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.server.presenter.decision import DecisionOffer, DecisionView, RefusalGroup, group_refusals
from triclinium.server.presenter.table_view import TableView, find_asked_step
from triclinium.web.game_guide import GuideHint, load_guide
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.guide import load_guide_progress
from triclinium.web.pages.hints import HintMark, HintView, build_hint_view


@dataclass(frozen=True, slots=True)
class TableDecision:
    """The question that the reader has to answer, with everything that the page shows next to it."""

    question: DecisionView  # includes the next question if the step asks both at once
    spoken_question: str  # the question as a screen reader announces it
    offers: Mapping[str, DecisionOffer]  # allowed and refused options by notation
    refused: list[RefusalGroup]
    chosen: DecisionOffer | None  # the option that the reader has pressed and must confirm
    preview: Preview | None  # the preview of the chosen option
    hint: HintView | None
    counted: "CountedOffers | None"  # the options that the reader chooses several of

    @property
    def hint_marks(self) -> Mapping[str, HintMark]:
        """Return the hint's mark of each option; no marks while the reader confirms an option."""
        return {} if self.hint is None or self.chosen is not None else self.hint.marks


@dataclass(frozen=True, slots=True)
class CountedOffers:
    """Options that are chosen several times together, with the largest number of each."""

    total: int
    offers: list[tuple[DecisionOffer, int]]
    shortened: Mapping[str, int]  # by counts, "2 0 1": how many of the options to send

    @property
    def shortened_json(self) -> str:
        return json.dumps(self.shortened)


def build_counted_offers(table_view: TableView) -> CountedOffers | None:
    """Return the options of which the reader chooses several, or None if there is one to choose."""
    counted = table_view.counted_options
    if counted is None:
        return None
    offers = [table_view.offers[table_view.game.format_option(o)] for o in counted.options]
    shortened = {" ".join(map(str, answer)): sent for answer, sent in counted.shortened.items()}
    return CountedOffers(counted.total, list(zip(offers, counted.limits, strict=True)), shortened)


def build_table_decision(context: PageContext, table_view: TableView) -> TableDecision | None:
    """Return the decision of the reader, or None if the reader is not asked."""
    question = table_view.combined_decision
    if question is None:
        return None
    chosen = table_view.offer(context.request.query_params.get("choose", ""))
    hint = None
    if table_view.seat is not None:
        hint = build_hint_view(context, table_view.table.find_hint(table_view.seat), table_view)
    return TableDecision(
        question=question,
        spoken_question=build_spoken_question(context.localize, question.question),
        offers=table_view.combined_offers,
        refused=group_refusals(question),
        chosen=chosen,
        preview=None if chosen is None else table_view.preview(chosen.option),
        hint=hint,
        counted=None if chosen is not None else build_counted_offers(table_view),
    )


def build_spoken_question(localize: Localizer, question: str) -> str:
    """Return the question as a screen reader announces it: it says only once that it is the reader's turn."""
    turn = localize("Your turn")
    return question if turn.lower() in question.lower() else localize("{0}: {1}", turn, question)


@dataclass(frozen=True)
class ChainFinder:
    """The chains of moves that one click can choose; they are searched for only if a game's template asks for them."""

    table_view: TableView

    def list_chains(self) -> list[DecisionOffer]:
        """Return the chains that are not already options of the combined question."""
        view = self.table_view
        return [offer for notation, offer in view.chain_offers.items() if notation not in view.combined_offers]

    def find_chain(self, last: str, first: str = "") -> DecisionOffer | None:
        """Return the chain that ends with the option `last` and begins with the verb `first`, or None."""
        ending = f"{OPTION_SEPARATOR}{last}"
        ends = (offer for notation, offer in self.table_view.chain_offers.items() if notation.endswith(ending))
        return next((offer for offer in ends if offer.option.startswith(first)), None)


def find_guide_hint(context: PageContext, table_view: TableView) -> GuideHint | None:
    """Return the step of the newcomer's guide that the reader sees next, or None."""
    if not table_view.own_seats or table_view.past is not None or table_view.over:
        return None
    table = table_view.table
    progress = load_guide_progress(
        context.services.store, context.person, context.request.cookies, table.game_id, table.id
    )
    decision_kind = (
        find_asked_step(table, table_view.seat) if table_view.is_asked and table_view.seat is not None else ""
    )
    return load_guide(table.game).next_hint(progress.seen, decision_kind) if progress.enabled else None
