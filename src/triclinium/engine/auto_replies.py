"""Auto-replies and plans: questions that a player has chosen to have answered automatically.

An auto-reply belongs to a seat and one kind of step. It lasts for a turn, a round or the match. It is a preference and
not a part of the match, so records do not contain it. The answer itself is an ordinary option with a mark in
`Match.marks`. An undo of the option before it removes the answer too.

A plan is an auto-reply to several kinds of step (`Step.plan_texts`): the seat chooses a row of moves at once, and makes
one of them on each of its turns, until the round ends or it is attacked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from triclinium.engine.core.state import ASK, ATTACKED, MATCH, NOBODY, ROUND, TURN, Option, Seat, State
from triclinium.engine.core.text import Message, Name
from triclinium.engine.match import Match

SPAN_CONTEXT = "span"  # translation context of the names of spans
SPAN_NAMES: Mapping[str, Name] = {
    TURN: Name("this turn", "span"),
    ROUND: Name("this round", "span"),
    MATCH: Name("this match", "span"),
    ATTACKED: Name("this round, until I am attacked", "span"),
}
PLAN_PREFIX = "plan "  # begins the text by which a plan is chosen, and stored in place of the id of a step
MAX_REPLIES = 24  # maximum number of answers in a row; more would mean that the rules loop


@dataclass(frozen=True, slots=True)
class AutoReply:
    """An auto-reply of one seat to one kind of step, or a plan, until the end of a span."""

    seat: Seat
    step: str  # the id of the step, or the name of the plan with its prefix
    until: str
    period: tuple[int, int]  # the round and the turn in which it was created
    text: str  # the answer in words, from the step

    @property
    def plan(self) -> str:
        """The name of the plan, or "" if this is a reply to one kind of step."""
        return self.step.removeprefix(PLAN_PREFIX) if self.step.startswith(PLAN_PREFIX) else ""

    def is_active(self, s: State) -> bool:
        """Return whether its turn or round is still running. An undo back into that round activates it again."""
        now = s.period()
        if self.until == TURN:
            return now == self.period
        return self.until == MATCH or now[0] == self.period[0]


AutoReplies: TypeAlias = dict[tuple[Seat, str], AutoReply]  # auto-replies by seat and step id


def list_available_spans(s: State) -> tuple[str, ...]:
    """Return the spans for which the asked seat can set an auto-reply.

    It is empty if the step has no safe answer now.
    """
    if s.over or s.asked.auto_reply_option(s) == ASK:
        return ()
    is_unthreatened = s.asked.is_unthreatened(s)
    return tuple(span for span in s.asked.auto_reply_spans if is_unthreatened or span != ATTACKED)


def create_auto_reply(s: State, until: str) -> AutoReply:
    """Return a new auto-reply for the question that is asked now. ``until`` is one of `list_available_spans`."""
    step = s.asked
    return AutoReply(s.who, step.id, until, s.period(), step.auto_reply_text)


def create_plan(s: State, plan: str) -> AutoReply:
    """Return a new plan of the asked seat. ``plan`` is one of `Step.list_plans`."""
    until = ATTACKED if s.asked.is_unthreatened(s) else ROUND
    return AutoReply(s.who, PLAN_PREFIX + plan, until, s.period(), get_plan_text(s, plan))


def get_plan_text(s: State, plan: str) -> str:
    """Return the text of a plan of the current question."""
    return s.asked.plan_texts[plan.split()[0]]


def list_active_replies(replies: AutoReplies, s: State, seat: Seat) -> list[AutoReply]:
    """Return the auto-replies of this seat that apply now."""
    return [] if s.over else [reply for reply in replies.values() if reply.seat == seat and reply.is_active(s)]


def find_auto_reply(match: Match, replies: AutoReplies, undo: bool = True) -> Option:
    """Return the option that an auto-reply gives to the current question, or ASK.

    The seat is asked after all if the answer would end another player's right to undo. No player loses that right
    through another player's auto-reply. ``undo`` is False if this table has no undo.
    """
    reply = find_applicable_reply(match.state, replies)
    o = ASK if reply is None else choose_reply_option(match.state, reply)
    return ASK if o == ASK or (undo and prevents_undo(match, o)) else o


def find_applicable_reply(s: State, replies: AutoReplies) -> AutoReply | None:
    """Return the plan or auto-reply that answers the current question, or None. Plans go first."""
    if not replies or s.over:
        return None
    calm = s.asked.is_unthreatened(s)
    for reply in sorted(replies.values(), key=lambda reply: not reply.plan):
        is_due = reply.seat == s.who and reply.is_active(s) and (calm or reply.until != ATTACKED)
        if is_due and choose_reply_option(s, reply) != ASK:
            return reply
    return None


def choose_reply_option(s: State, reply: AutoReply) -> Option:
    """Return the option that a plan or auto-reply gives to the current question, or ASK."""
    if reply.plan:
        return s.asked.plan_option(s, reply.plan)
    return s.asked.auto_reply_option(s) if reply.step == s.asked.id else ASK


def prevents_undo(match: Match, o: Option) -> bool:
    """Return whether this option would end the right to undo the last decision, because it reveals information."""
    last = next((k for k, mark in enumerate(reversed(match.marks), start=1) if not mark.automatic), 0)
    if last == 0 or match.reveals_information(last):
        return False
    after = match.state.clone()
    after.choose(o)
    return after.undo_barrier != match.state.undo_barrier


def build_auto_reply_message(match: Match, n: int, viewer: Seat) -> Message | None:
    """Return the log message for a move that was made automatically, or None.

    Only the seat itself sees it.
    """
    mark = match.marks[n - 1] if n > 0 else None
    if mark is None or not mark.automatic or viewer == NOBODY or mark.who != viewer:
        return None
    return Message("Answered automatically: {0}", Message(mark.automatic))
