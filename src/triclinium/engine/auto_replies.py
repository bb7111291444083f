"""Automatic answers: what a person has left to be answered for them, and when that is done.

A wish belongs to a seat and to one kind of step, and lasts for a turn, a round or the match. It is a preference and no
part of the match: records do not know it. What is answered unasked is an ordinary option, marked in `Match.marks`, so
that it is taken back together with what it answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from triclinium.engine.core.state import ASK, ATTACKED, MATCH, NOBODY, ROUND, TURN, Option, Seat, State
from triclinium.engine.core.text import Message, Name
from triclinium.engine.match import Match

SPAN_CONTEXT = "span"  # what the names of spans are translated as
SPAN_NAMES: Mapping[str, Name] = {
    TURN: Name("this turn", "span"),
    ROUND: Name("this round", "span"),
    MATCH: Name("this match", "span"),
    ATTACKED: Name("this round, until I am attacked", "span"),
}
MAX_REPLIES = 24  # answers in a row; so many come only where rules go round in a circle


@dataclass(frozen=True, slots=True)
class AutoReply:
    """What one seat is spared: this step, until then."""

    seat: Seat
    step: str  # its id
    until: str
    period: tuple[int, int]  # the round and the turn in which it was made
    text: str  # what is done, as the step says it

    def is_active(self, s: State) -> bool:
        """Whether its turn or its round is still at hand. Taking back to that round brings it back, too."""
        now = s.period()
        if self.until == TURN:
            return now == self.period
        return self.until == MATCH or now[0] == self.period[0]


AutoReplies: TypeAlias = dict[tuple[Seat, str], AutoReply]  # by seat and step


def list_available_spans(s: State) -> tuple[str, ...]:
    """Until when the seat that is asked may be spared this question; none: it has no safe answer now."""
    if s.over or s.asked.auto_reply_option(s) == ASK:
        return ()
    is_unthreatened = s.asked.is_unthreatened(s)
    return tuple(span for span in s.asked.auto_reply_spans if is_unthreatened or span != ATTACKED)


def create_auto_reply(s: State, until: str) -> AutoReply:
    """The wish of the seat that is asked not to be asked this again until then, one of `spans_now`."""
    step = s.asked
    return AutoReply(s.who, step.id, until, s.period(), step.auto_reply_text)


def list_active_replies(replies: AutoReplies, s: State, seat: Seat) -> list[AutoReply]:
    """What is answered for this seat now."""
    return [] if s.over else [reply for reply in replies.values() if reply.seat == seat and reply.is_active(s)]


def find_auto_reply(match: Match, replies: AutoReplies, undo: bool = True) -> Option:
    """What is to be answered for the seat that is asked, or ASK.

    It is asked after all where somebody could still take back and could not after the answer: nobody loses that right
    by what another has left to be answered. ``undo``: whether anything is taken back here at all.
    """
    s = match.state
    reply = replies.get((s.who, s.asked.id)) if replies and not s.over else None
    if reply is None or not reply.is_active(s) or (reply.until == ATTACKED and not s.asked.is_unthreatened(s)):
        return ASK
    o = s.asked.auto_reply_option(s)
    return ASK if o == ASK or (undo and prevents_undo(match, o)) else o


def prevents_undo(match: Match, o: Option) -> bool:
    """Whether the last decision could be taken back now, and not after this option: it would teach something."""
    last = next((k for k, mark in enumerate(reversed(match.marks), start=1) if not mark.automatic), 0)
    if last == 0 or match.reveals_information(last):
        return False
    after = match.state.clone()
    after.choose(o)
    return after.undo_barrier != match.state.undo_barrier


def build_auto_reply_message(match: Match, n: int, viewer: Seat) -> Message | None:
    """What the log tells the seat itself, and nobody else, of a move that was made for it; None: it was not."""
    mark = match.marks[n - 1] if n > 0 else None
    if mark is None or not mark.automatic or viewer == NOBODY or mark.who != viewer:
        return None
    return Message("Answered for you: {0}", Message(mark.automatic))
