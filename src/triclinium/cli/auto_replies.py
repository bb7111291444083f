"""Automatic answers in the terminal: `auto` lists them, `auto round` adds one, `auto off 1` ends one."""

from collections.abc import Callable, Sequence

from triclinium.engine.auto_replies import SPANS, Wish, Wishes, answer, spans_now, standing, wish_of
from triclinium.engine.core.state import ASK, Seat
from triclinium.engine.core.text import Joined, Message, Reader
from triclinium.engine.match import Match


class Answers:
    """What the person at the terminal is spared."""

    def __init__(self, seat: Seat, reader: Reader, own: Reader, say: Callable[[str], None]) -> None:
        self.seat = seat
        self.reader = reader  # of the game's sentences
        self.own = own  # of the terminal's
        self.say = say
        self.wishes: Wishes = {}

    def give(self, match: Match) -> bool:
        """Answer for the person, if they are asked something that they wish to be spared."""
        if match.state.who != self.seat:
            return False
        o = answer(match, self.wishes)
        if o != ASK:
            match.play(match.game.say(o), automatic=True)
        return o != ASK

    def offer(self, match: Match) -> None:
        """Say below the question that it need not be asked again."""
        s = match.state
        spans = spans_now(s)
        if not spans:
            return
        words = " · ".join(f"`auto {span}`" for span in spans)
        what = self.reader.translate(s.asked.automatic)
        self.say(self.own.read(Message("Not to be asked again ({0}): {1}", what, words)))

    def obey(self, match: Match, rest: str) -> str:
        """What follows `auto`; the option to be chosen now, or nothing."""
        s = match.state
        if not rest:
            self.show(match)
        elif rest in SPANS:
            return self.wish(match, rest)
        elif rest.startswith("off"):
            self.end(standing(self.wishes, s, self.seat), rest[3:].strip())
        else:
            self.say(
                self.own.translate(
                    "auto what? `auto`, `auto turn`, `auto round`, `auto attacked`, `auto match`, `auto off 1`"
                )
            )
        return ""

    def wish(self, match: Match, until: str) -> str:
        """Spare the person the question at hand."""
        s = match.state
        spans = spans_now(s)
        if not spans or s.who != self.seat:
            self.say(self.own.translate("this question has no safe answer: it is asked every time"))
            return ""
        if until not in spans:
            known = Joined([self.reader.say(SPANS[span]) for span in spans])
            self.say(self.own.read(Message("this question is answered for you only for: {0}", known)))
            return ""
        wish = wish_of(s, until)
        self.wishes[wish.seat, wish.step] = wish
        return match.game.say(s.asked.safe(s))

    def show(self, match: Match) -> None:
        """What is answered for the person."""
        found = standing(self.wishes, match.state, self.seat)
        if not found:
            self.say(self.own.translate("nothing is answered for you"))
        for n, wish in enumerate(found, start=1):
            self.say(f"  {n:3}  {self.reader.translate(wish.text)} ({self.reader.say(SPANS[wish.until])})")

    def end(self, found: Sequence[Wish], number: str) -> None:
        """Ask again; without a number, everything."""
        if number and not (number.isdecimal() and 1 <= int(number[:9]) <= len(found)):
            self.say(self.own.read(Message("there is no answer {0}; `auto` lists them", number)))
            return
        for wish in [found[int(number) - 1]] if number else found:
            del self.wishes[wish.seat, wish.step]
        self.say(self.own.translate("you are asked again"))

    def taken_back(self, match: Match) -> None:
        """Whoever goes back to a question that would be answered at once is asked: that wish is over."""
        if match.state.who == self.seat and answer(match, self.wishes) != ASK:
            del self.wishes[self.seat, match.state.asked.id]
