"""`triclinium review`: a finished match looked back upon, in the terminal."""

import argparse
import sys
from collections.abc import Sequence

from triclinium.boardkit.revealed import opened
from triclinium.bots.analysis import percent
from triclinium.bots.budget import Budget
from triclinium.bots.explanations import told as in_words
from triclinium.bots.review import Judged, Review, Stroke, review
from triclinium.cli import arguments
from triclinium.cli.ansi import Bar
from triclinium.cli.streams import print_json, print_text
from triclinium.cli.terminal import own_reader
from triclinium.engine.core.errors import BadRecord, BadSetup
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Message, Reader, change, msgid
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.lab.text_table import columns

ROWS = 12  # of the course
SEED = 1  # the same record, reviewed by iterations, gives the same review


def review_command(args: argparse.Namespace) -> int:
    """What each seat's decisions cost, and what luck did."""
    record = Record.loads(arguments.read_text(args.record), args.record)
    budget = Budget.read(args.budget)
    seats = list(range(record.seats))
    if args.seat is not None:
        seat = arguments.whole("--seat", args.seat)
        if seat not in seats:
            raise BadSetup(f"--seat goes from 0 to {record.seats - 1} in this record, not {seat}")
        seats = [seat]
    bar = Bar(sys.stderr, "looked at")
    try:
        game = record.title_for(arguments.find_game(record.title, args.components) if args.components else None)
        found = review(record, budget, SEED, game, bar.show)
    except BadRecord as error:
        raise BadRecord(f"{args.record}: {error}") from None
    finally:
        bar.close()
    if args.json:
        print_json(found.dumps())
    else:
        print_text(Telling(Match.resume(record, game), found, args.language).text(seats))
    return 0


class Telling:
    """A review in words."""

    def __init__(self, match: Match, found: Review, language: str) -> None:
        self.match = match
        self.game = match.game
        self.found = found
        self.own = own_reader(language)
        names = tuple(f"{self.own.translate('seat')} {seat}" for seat in range(match.state.seats))
        self.reader: Reader = match.game.words.reader(language, names)

    def text(self, seats: Sequence[Seat]) -> str:
        """The course, then what each of these seats is told."""
        parts = [self.course()]
        for seat in seats:
            heading = self.say(msgid("The dearest decisions of {0}"), self.reader.seats[seat])
            decisions = [line for one in self.found.of_seat(seat) for line in self.decision(one)]
            parts.append("\n".join([heading, *(decisions or [self.say(msgid("  none that cost two in a hundred"))])]))
            strokes = [line for one in self.found.luck_of(seat) for line in self.stroke(one, seat)]
            if strokes:
                parts.append("\n".join([self.say(msgid("What luck did to {0}"), self.reader.seats[seat]), *strokes]))
        return "\n\n".join(parts)

    def say(self, text: str, *args: str | int) -> str:
        return self.own.read(Message(text, *args))

    def course(self) -> str:
        """Each seat's chance at a few positions, and from where on it is exact."""
        last = len(self.found.chances) - 1
        rows = [[self.say(msgid("after move")), *self.reader.seats]]
        for n in dict.fromkeys(round(i * last / (ROWS - 1)) for i in range(ROWS)):
            rows.append([str(n), *(f"{round(100 * chance)} %" for chance in self.found.chances[n])])
        text = columns(rows)
        if self.found.settled < last:
            settled = msgid(
                "After move {0} no decision could change who wins: from there on this is the result itself."
            )
            text += "\n" + self.say(settled, self.found.settled)
        return text

    def decision(self, one: Judged) -> list[str]:
        """What was asked and played, what was better, and what everybody held."""
        s = self.match.earlier(len(self.match.record.options) - one.move).state
        words, reader = self.game.words, self.reader

        def told(option: str, chance: float) -> str:
            return f"{reader.read(words.label(s, self.game.read(option)))} ({percent(chance)} %)"

        lines = [
            self.say(msgid("  move {0}: {1}"), one.move + 1, reader.read(words.question(s))),
            self.say(msgid("    played {0}"), told(one.played.option, one.played.chance)),
            self.say(msgid("    better {0}"), told(one.better[0].option, one.better[0].chance)),
            self.say(msgid("    why: {0}"), reader.read(in_words(self.game, one.played.reasons, one.seat))),
        ]
        for seat, held in opened(self.game, s, reader).items():
            for place in held:
                hidden = self.say(msgid("{0}: {1}"), f"{reader.seats[seat]}, {place.what}", ", ".join(place.things))
                lines.append(f"      {hidden}")
        return lines

    def stroke(self, one: Stroke, seat: Seat) -> list[str]:
        """What came, and by how much it changed the seat's chance."""
        events = self.match.events[one.move + 1]
        messages = [self.game.words.event(events[n], events[n].seat) for n in one.events]
        lines = [f"      {self.reader.read(message)}" for message in messages if message is not None]
        percent = change(round(100 * one.luck[seat]))
        return [self.say(msgid("  move {0}: {1} %"), one.move + 1, percent), *lines] if lines else []
