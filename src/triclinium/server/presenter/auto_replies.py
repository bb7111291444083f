"""Auto-replies that a seat has set or can set. Only the seat's owner may see them."""

from dataclasses import dataclass, field

from triclinium.engine.auto_replies import (
    PLAN_PREFIX,
    SPAN_NAMES,
    find_auto_reply,
    get_plan_text,
    list_active_replies,
    list_available_spans,
)
from triclinium.engine.core.state import ASK, Seat
from triclinium.engine.core.text import Reader
from triclinium.server import plugin_errors
from triclinium.server.tables.table import Table


@dataclass(frozen=True, slots=True)
class ReplySpan:
    """The time span of an auto-reply: this turn, this round or the whole match."""

    until: str
    name: str


@dataclass(frozen=True, slots=True)
class ActiveAutoReply:
    """An auto-reply that the seat has set for one kind of question."""

    step: str
    span: ReplySpan
    text: str  # description of the reply, translated


@dataclass(frozen=True, slots=True)
class OfferedPlan:
    """A plan that the seat can choose now: the text that chooses it, and its translated description."""

    option: str
    text: str


@dataclass(frozen=True, slots=True)
class AutoReplyView:
    """The auto-replies of a seat in the reader's language."""

    active: list[ActiveAutoReply]
    offered_spans: list[ReplySpan]  # spans that the seat can choose for the current question
    step: str = ""
    option: str = ""
    text: str = ""
    asked_anyway: bool = False  # the seat is asked despite its auto-reply, to protect another player's undo
    plans: list[OfferedPlan] = field(default_factory=list)


def build_auto_replies(table: Table, seat: Seat, reader: Reader) -> AutoReplyView:
    """Return the auto-replies of this seat."""
    s = table.current_match.state
    active = [
        ActiveAutoReply(wish.step, _make_span(wish.until, reader), reader.translate(wish.text))
        for wish in list_active_replies(table.auto_replies, s, seat)
    ]
    if s.over or s.who != seat:
        return AutoReplyView(active, [])
    step = s.asked
    plans: list[OfferedPlan] = []
    try:
        plans = [
            OfferedPlan(PLAN_PREFIX + plan, reader.translate(get_plan_text(s, plan))) for plan in step.list_plans(s)
        ]
        spans = list_available_spans(s)
        if not spans:
            return AutoReplyView(active, [], plans=plans)
        option = table.game.format_option(step.auto_reply_option(s))
        anyway = any(reply.step == step.id for reply in active)
        anyway = anyway and find_auto_reply(table.current_match, table.auto_replies, table.options.undo) == ASK
    except Exception as error:  # the seat can still answer the question itself
        plugin_errors.log_once(table.game_id, "rules", error)
        return AutoReplyView(active, [], plans=plans)
    offered = [] if anyway else [_make_span(until, reader) for until in spans]
    return AutoReplyView(active, offered, step.id, option, reader.translate(step.auto_reply_text), anyway, plans)


def _make_span(until: str, reader: Reader) -> ReplySpan:
    return ReplySpan(until, reader.format_arg(SPAN_NAMES[until]))


def build_auto_replies_json(seat: Seat, view: AutoReplyView) -> dict[str, object]:
    """Return the auto-replies of a seat as JSON."""
    now = {
        "step": view.step,
        "option": view.option,
        "text": view.text,
        "until": [span.until for span in view.offered_spans],
    }
    return {
        "seat": seat,
        "auto_replies": [{"step": reply.step, "until": reply.span.until, "text": reply.text} for reply in view.active],
        "offered": now if view.offered_spans else None,
        "plans": [{"option": plan.option, "text": plan.text} for plan in view.plans],
    }
