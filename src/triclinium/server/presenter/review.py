"""Review in the reader's language: a seat's costliest mistakes, its luck, and all hidden cards.

Only finished matches have a review, so it hides nothing.
"""

from dataclasses import dataclass

from triclinium.boardkit.revealed import HiddenThings, reveal_hidden_things
from triclinium.bots.analysis import to_percent
from triclinium.bots.explanations import describe_reasons as in_words
from triclinium.bots.review import GoodDecision, LuckEvent, Review, ReviewedDecision, Swing
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Part, Reader
from triclinium.server import fallback_text, plugin_errors
from triclinium.server.presenter.api_json import build_ranked_options_json
from triclinium.server.presenter.decision import format_question, make_option_labeller, make_reader
from triclinium.server.tables.table import Table

MIN_TOTAL_LUCK = 10  # percent


@dataclass(frozen=True, slots=True)
class ReviewedOption:
    """An option with the seat's win probability after it, in percent."""

    option: str
    label: str
    percent: int


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that reduced the seat's win probability."""

    move: int  # number of moves before the decision
    question: str
    played: ReviewedOption
    best: ReviewedOption
    others: list[ReviewedOption]  # the next best options
    cost: int  # loss of win probability in percentage points; 0: less than one
    points: int  # rough estimate of the loss in points; 0: less than one, or the game has only ranks
    why: list[str]  # reasons for the best option, in words
    open_hands: dict[Seat, list[HiddenThings]]  # hidden components of all players at that time


@dataclass(frozen=True, slots=True)
class SeatLuck:
    """The luck of a seat at one move."""

    move: int
    seat: Seat  # the seat whose decision caused the event
    lines: list[tuple[Seat, list[Part]]]  # seats and sentences of the events
    percent: int  # change of the seat's win probability, in percentage points


@dataclass(frozen=True, slots=True)
class GoodMove:
    """A decision of the seat that raised its win probability."""

    move: int  # number of moves before the decision
    label: str
    percent: int  # gain in percentage points


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The review of a match for one seat."""

    costliest: list[CostlyDecision]
    luck: list[SeatLuck]
    good: GoodMove | None = None
    cards_percent: int = 0  # win probability that all cards brought, in steps of 5%; 0: too little to mention


def build_seat_review(table: Table, review: Review, seat: Seat, language: str) -> SeatReview:
    """Return the review of a match for one seat."""
    reader = make_reader(table, language)
    costliest = [describe_decision(table, item, reader) for item in review.list_costliest_decisions(seat)]
    luck_events = [describe_luck(table, item, seat, reader) for item in review.list_luck_events(seat)]
    good = review.find_good_decision(seat)
    return SeatReview(
        costliest,
        [item for item in luck_events if item.lines],
        None if good is None else describe_good_move(table, good, language),
        round_total_luck(review.cards[seat]) if review.cards else 0,
    )


def round_total_luck(luck: float) -> int:
    """Return the luck of a match in steps of 5%, or 0 below 10%, because the estimate is off by 4% to 5%."""
    percent = 5 * round(20 * luck)
    return percent if abs(percent) >= MIN_TOTAL_LUCK else 0


def describe_good_move(table: Table, good: GoodDecision, language: str) -> GoodMove:
    """Return a good decision in the reader's language."""
    label = make_option_labeller(table, good.move, language)(good.played)
    return GoodMove(good.move, label, max(1, round(100 * (good.after - good.before))))


def describe_decision(table: Table, judged: ReviewedDecision, reader: Reader) -> CostlyDecision:
    """Return a decision with the better options and the hidden components of all players."""
    label = make_option_labeller(table, judged.move, reader.language)
    options = [
        ReviewedOption(option.option, label(option.option), to_percent(option.chance))
        for option in (judged.played, *judged.better)
    ]
    others = [option for option in options[2:] if option.option != judged.played.option]
    return CostlyDecision(
        judged.move,
        format_question(table, judged.move, reader.language),
        options[0],
        options[1],
        others,
        round(100 * judged.cost),
        round(judged.points) if table.game.has_points else 0,
        explain_best(table, judged, reader),
        reveal_hands(table, judged.move, reader),
    )


def explain_best(table: Table, judged: ReviewedDecision, reader: Reader) -> list[str]:
    """Return the reasons why the best option was better than the one played, in the game's own words."""
    try:
        reasons = in_words(table.game, judged.played.reasons, judged.seat)
        return [] if reasons is None else [reader.read(reasons)]
    except Exception as error:  # a fault in the game's texts must not prevent the review
        plugin_errors.log_once(table.game_id, "words", error)
        return []


def reveal_hands(table: Table, n: int, reader: Reader) -> dict[Seat, list[HiddenThings]]:
    """Return the hidden components of all players after n moves."""
    try:
        return reveal_hidden_things(table.game, table.position(n).state, reader)
    except Exception as error:  # a fault in the game's views must not prevent the review
        plugin_errors.log_once(table.game_id, "views", error)
        return {}


def describe_luck(table: Table, stroke: LuckEvent, seat: Seat, reader: Reader) -> SeatLuck:
    """Return a lucky or unlucky event, in sentences that describe it."""
    events = table.events(stroke.move + 1)
    came = [events[n] for n in stroke.events if n < len(events)]
    event_parts = [
        (event.seat, fallback_text.format_revealed_parts(table.game, event, reader))
        for event in select_weightiest(came)
    ]
    lines = [(whose, parts) for whose, parts in event_parts if parts]
    return SeatLuck(stroke.move, stroke.seat, lines, round(100 * stroke.luck[seat]))


def select_weightiest(events: list[Event]) -> list[Event]:
    """Return the events of the greatest weight and those with secrets, in order.

    Bookkeeping is left out if there is more.
    """
    worded = [event for event in events if event.type.text]
    most = max((event.type.weight for event in worded), default=0)
    return [event for event in worded if event.type.weight == most or event.secrets]


# -- for the API -----------------------------------------------------------------------------------------------------


def build_review_json(table: Table, review: Review, language: str) -> dict[str, object]:
    """Return the review of all seats as JSON."""
    reader = make_reader(table, language)
    return {
        "win_probabilities": review.chances,
        "settled": review.settled,
        "swings": [build_swing_json(table, item, language) for item in review.swings],
        "costliest": [build_costly_decision_json(table, item, language) for item in review.costliest],
        "luck": [build_luck_json(table, item, reader) for item in review.luck_events],
        "good": [build_good_decision_json(table, item, language) for item in review.good],
    }


def build_swing_json(table: Table, swing: Swing, language: str) -> dict[str, object]:
    """Return a decision that changed the win probabilities as JSON."""
    label = make_option_labeller(table, swing.move, language)
    return {
        "move": swing.move,
        "seat": swing.seat,
        "before": swing.before,
        "after": swing.after,
        "played": {"option": swing.played, "label": label(swing.played)},
        "better": build_ranked_options_json(table, swing.move, swing.better, language),
    }


def build_costly_decision_json(table: Table, judged: ReviewedDecision, language: str) -> dict[str, object]:
    """Return a costly decision as JSON."""
    return {
        "move": judged.move,
        "seat": judged.seat,
        "cost": round(judged.cost, 4),
        "played": build_ranked_options_json(table, judged.move, [judged.played], language)[0],
        "better": build_ranked_options_json(table, judged.move, judged.better, language),
        "reasons": explain_best(table, judged, make_reader(table, language)),
    }


def build_good_decision_json(table: Table, good: GoodDecision, language: str) -> dict[str, object]:
    """Return a good decision as JSON."""
    label = make_option_labeller(table, good.move, language)
    return {
        "move": good.move,
        "seat": good.seat,
        "before": good.before,
        "after": good.after,
        "played": {"option": good.played, "label": label(good.played)},
    }


def build_luck_json(table: Table, stroke: LuckEvent, reader: Reader) -> dict[str, object]:
    """Return a lucky or unlucky event as JSON, with its effect on each seat."""
    lines = describe_luck(table, stroke, 0, reader).lines
    texts = ["".join(part if isinstance(part, str) else part.text for part in parts) for _, parts in lines]
    return {"move": stroke.move, "seat": stroke.seat, "changes": stroke.luck, "texts": texts}
