"""Auto-replies in the terminal: `auto` lists them, `auto round` adds one, `auto off 1` removes one.

`auto NAME` chooses a plan of the current question.
"""

from collections.abc import Callable, Sequence

from triclinium.engine.auto_replies import (
    SPAN_NAMES,
    AutoReplies,
    AutoReply,
    create_auto_reply,
    create_plan,
    find_applicable_reply,
    find_auto_reply,
    get_plan_text,
    list_active_replies,
    list_available_spans,
)
from triclinium.engine.core.state import ASK, Seat
from triclinium.engine.core.text import JoinedList, Message, Reader
from triclinium.engine.match import Match


class TerminalAutoReplies:
    """The auto-replies of the person at the terminal."""

    def __init__(self, seat: Seat, reader: Reader, cli_reader: Reader, print_line: Callable[[str], None]) -> None:
        self.seat = seat
        self.reader = reader  # reads the game's messages
        self.cli_reader = cli_reader  # reads the messages of the terminal
        self.print_line = print_line
        self.replies: AutoReplies = {}

    def play_reply(self, match: Match) -> bool:
        """Answer the current question for the person if an auto-reply applies, and return whether it did."""
        if match.state.who != self.seat:
            return False
        o = find_auto_reply(match, self.replies)
        if o != ASK:
            match.play(match.game.format_option(o), automatic=True)
        return o != ASK

    def print_suggestion(self, match: Match) -> None:
        """Show below the question which auto-replies are available for it."""
        s = match.state
        for plan in s.asked.list_plans(s):
            self.print_line(f"  `auto {plan}`: {self.reader.translate(get_plan_text(s, plan))}")
        spans = list_available_spans(s)
        if not spans:
            return
        words = " · ".join(f"`auto {span}`" for span in spans)
        what = self.reader.translate(s.asked.auto_reply_text)
        self.print_line(self.cli_reader.read(Message("Answer automatically ({0}): {1}", what, words)))

    def run_command(self, match: Match, rest: str) -> str:
        """Run the command after `auto`. Return the option to play now, or ""."""
        s = match.state
        if not rest:
            self.print_replies(match)
        elif not s.over and s.who == self.seat and rest in s.asked.list_plans(s):
            plan = create_plan(s, rest)
            self.replies[plan.seat, plan.step] = plan
            return match.game.format_option(s.asked.plan_option(s, rest))
        elif rest in SPAN_NAMES:
            return self.add_reply(match, rest)
        elif rest.startswith("off"):
            self.remove_replies(list_active_replies(self.replies, s, self.seat), rest[3:].strip())
        else:
            self.print_line(
                self.cli_reader.translate(
                    "Usage: `auto`, `auto turn`, `auto round`, `auto attacked`, `auto match`, `auto off 1`"
                )
            )
        return ""

    def add_reply(self, match: Match, until: str) -> str:
        """Add an auto-reply to the current question and return its option, or ""."""
        s = match.state
        spans = list_available_spans(s)
        if not spans or s.who != self.seat:
            self.print_line(self.cli_reader.translate("This question cannot be answered automatically."))
            return ""
        if until not in spans:
            span_names = JoinedList([self.reader.format_arg(SPAN_NAMES[span]) for span in spans])
            self.print_line(
                self.cli_reader.read(Message("This question can be answered automatically only for: {0}.", span_names))
            )
            return ""
        reply = create_auto_reply(s, until)
        self.replies[reply.seat, reply.step] = reply
        return match.game.format_option(s.asked.auto_reply_option(s))

    def print_replies(self, match: Match) -> None:
        """List the active auto-replies."""
        active_replies = list_active_replies(self.replies, match.state, self.seat)
        if not active_replies:
            self.print_line(self.cli_reader.translate("No question is answered automatically."))
        for n, reply in enumerate(active_replies, start=1):
            self.print_line(
                f"  {n:3}  {self.reader.translate(reply.text)} ({self.reader.format_arg(SPAN_NAMES[reply.until])})"
            )

    def remove_replies(self, active_replies: Sequence[AutoReply], number: str) -> None:
        """Remove one auto-reply by its number, or all of them without a number."""
        if number and not (number.isdecimal() and 1 <= int(number[:9]) <= len(active_replies)):
            self.print_line(
                self.cli_reader.read(Message("There is no automatic answer {0}. Type `auto` to list them.", number))
            )
            return
        for reply in [active_replies[int(number) - 1]] if number else active_replies:
            del self.replies[reply.seat, reply.step]
        self.print_line(self.cli_reader.translate("You will be asked this question again."))

    def drop_reply_after_undo(self, match: Match) -> None:
        """Remove the auto-reply to the current question, because the person has returned to it with undo."""
        reply = find_applicable_reply(match.state, self.replies)
        if match.state.who == self.seat and reply is not None and find_auto_reply(match, self.replies) != ASK:
            del self.replies[reply.seat, reply.step]
