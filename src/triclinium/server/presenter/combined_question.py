"""Combined questions: pages ask a question and the question that follows it at once, to save clicks."""

from collections.abc import Callable
from dataclasses import replace

from triclinium.boardkit.combined_question import MAX_QUESTIONS, NextQuestion, find_next_questions, join_option_labels
from triclinium.boardkit.decision import ArrangedOptions, OptionGroup, OptionSection
from triclinium.engine.auto_replies import PLAN_PREFIX, get_plan_text
from triclinium.engine.core.state import ASK, Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.server.presenter.decision import DecisionOffer, DecisionView, build_decision

OfferChange = Callable[[DecisionOffer], DecisionOffer]


def combine_questions(game: Game, s: State, seat: Seat, reader: Reader, seed: int, deep: int = 1) -> DecisionView:
    """Return a decision that includes the questions after it.

    Each option that leads to a second question is replaced by the options of that question.
    """
    combined = build_decision(game, s, reader)
    if deep == MAX_QUESTIONS:
        return combined
    for next_step in find_next_questions(game, s, seat, seed, s.asked.combined_verbs):
        after = combine_questions(game, next_step.state, seat, reader, seed, deep + 1)
        option = game.format_option(next_step.option)
        first = next(offer for offer in combined.allowed if offer.option == option)
        combined = merge_decisions(
            combined, first, prefix_options(game, next_step, after, first, s, reader), next_step.is_safe_answer(s)
        )
    return combined


def complete_options(
    game: Game, s: State, seat: Seat, reader: Reader, seed: int, decision: DecisionView
) -> DecisionView:
    """Return the decision with each option that leads to a safely answered question completed by that answer.

    The bare options follow in a folded group, for players who want to answer the second question themselves.
    """
    completed: dict[str, DecisionOffer] = {}
    bare: list[DecisionOffer] = []
    for next_step in find_next_questions(game, s, seat, seed, s.asked.completed_verbs):
        answer = next_step.state.asked.auto_reply_option(next_step.state)
        first = game.format_option(next_step.option)
        offer = next((offer for offer in decision.arranged.all if offer.option == first), None)
        if answer != ASK and offer is not None:
            bare.append(offer)
            completed[first] = replace(offer, option=first + OPTION_SEPARATOR + game.format_option(answer))
    if not bare:
        return decision
    arranged = map_offers(decision.arranged, lambda offer: completed.get(offer.option, offer))
    folded = OptionGroup("", "", "", [OptionSection("", bare)], folded=reader.translate(s.asked.completed_text))
    return replace(
        decision,
        allowed=[completed.get(offer.option, offer) for offer in decision.allowed] + bare,
        arranged=ArrangedOptions([*arranged.groups, folded], arranged.closing),
    )


def add_plans(s: State, reader: Reader, decision: DecisionView) -> DecisionView:
    """Return the decision with the plans of the step before its options. Those that decline follow the others."""
    offers = {plan: make_plan_offer(s, reader, plan) for plan in s.asked.list_plans(s)}
    closing = [
        offers.pop(plan) for plan in list(offers) if s.asked.plan_option(s, plan) == s.asked.auto_reply_option(s)
    ]
    groups = [OptionGroup("plan", "", "", [OptionSection("", list(offers.values()))])] if offers else []
    arranged = ArrangedOptions(groups + decision.arranged.groups, decision.arranged.closing + closing)
    return replace(decision, allowed=[*offers.values(), *closing, *decision.allowed], arranged=arranged)


def make_plan_offer(s: State, reader: Reader, plan: str) -> DecisionOffer:
    """Return a plan as an option that pages offer."""
    return DecisionOffer(PLAN_PREFIX + plan, "plan", reader.translate(get_plan_text(s, plan)))


def prefix_options(
    game: Game, next_step: NextQuestion, after: DecisionView, first: DecisionOffer, s: State, reader: Reader
) -> DecisionView:
    """Return a second question whose options answer both questions.

    An option of the result is the first option, a separator and the second option.
    """
    quiet = next_step.is_safe_answer(s)
    safe = next_step.state.asked.auto_reply_option(next_step.state)
    declined = game.format_option(safe) if safe in next_step.state.legal else ""

    def prefix_offer(offer: DecisionOffer) -> DecisionOffer:
        label = offer.label
        if offer.option == declined and not quiet:
            label = first.label
        elif not quiet:
            label = reader.read(join_option_labels(first.label, offer.label))
        return replace(offer, option=first.option + OPTION_SEPARATOR + offer.option, label=label)

    return replace(
        after,
        allowed=[prefix_offer(offer) for offer in after.allowed],
        refused=[prefix_offer(offer) for offer in after.refused],
        arranged=map_offers(after.arranged, prefix_offer),
    )


def merge_decisions(here: DecisionView, first: DecisionOffer, after: DecisionView, quiet: bool) -> DecisionView:
    """Merge two questions into one.

    If the first option is a safe answer (``quiet``), the second question is the one that pages ask.
    """
    rest = remove_option(here.arranged, first.option)
    own, more = (after, rest) if quiet else (here, after.arranged)
    groups = (own.arranged.groups if quiet else rest.groups) + more.groups
    groups.sort(key=lambda group: bool(group.folded))
    closing = after.arranged.closing + rest.closing
    return DecisionView(
        own.question,
        [offer for offer in here.allowed if offer is not first] + after.allowed,
        here.refused + after.refused,
        own.steps,
        ArrangedOptions(groups, closing),
        own.parts,
    )


def map_offers(arranged: ArrangedOptions[DecisionOffer], change: OfferChange) -> ArrangedOptions[DecisionOffer]:
    """Return the same groups with each offer changed."""
    groups = [
        replace(
            group,
            sections=[OptionSection(part.name, [change(offer) for offer in part.offers]) for part in group.sections],
        )
        for group in arranged.groups
    ]
    return ArrangedOptions(groups, [change(offer) for offer in arranged.closing])


def remove_option(arranged: ArrangedOptions[DecisionOffer], option: str) -> ArrangedOptions[DecisionOffer]:
    """Return the groups without one option."""
    groups = [
        replace(
            group,
            sections=[
                OptionSection(part.name, offers)
                for part in group.sections
                if (offers := _list_other_offers(part, option))
            ],
        )
        for group in arranged.groups
    ]
    return ArrangedOptions(
        [group for group in groups if group.sections],
        [offer for offer in arranged.closing if offer.option != option],
    )


def _list_other_offers(part: OptionSection[DecisionOffer], option: str) -> list[DecisionOffer]:
    return [offer for offer in part.offers if offer.option != option]
