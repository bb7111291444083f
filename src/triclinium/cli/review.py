"""The command `triclinium review`: the review of a finished match in the terminal."""

import argparse
import sys
from collections.abc import Sequence

from triclinium.boardkit.revealed import reveal_hidden_things
from triclinium.bots.analysis import to_percent
from triclinium.bots.budget import Budget
from triclinium.bots.explanations import describe_reasons as in_words
from triclinium.bots.review import LuckEvent, Review, ReviewedDecision, review_match
from triclinium.cli import arguments
from triclinium.cli.ansi import ProgressBar
from triclinium.cli.catalog import make_cli_reader
from triclinium.cli.streams import print_json, print_text
from triclinium.engine.core.errors import BadRecord, BadSetup
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Message, Reader, format_change, msgid
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.lab.text_table import format_table

TABLE_ROWS = 12  # maximum number of rows in the table of win probabilities
SEED = 1  # fixed, so that reviews of the same record with a number of iterations are equal


def review_command(args: argparse.Namespace) -> int:
    """Print the costliest decisions of each seat and the effects of luck."""
    record = Record.loads(arguments.read_text(args.record), args.record)
    budget = Budget.read(args.budget)
    seats = list(range(record.seats))
    if args.seat is not None:
        seat = arguments.parse_integer("--seat", args.seat)
        if seat not in seats:
            raise BadSetup(f"--seat goes from 0 to {record.seats - 1} in this record, not {seat}")
        seats = [seat]
    bar = ProgressBar(sys.stderr, "looked at")
    try:
        game = record.find_game(arguments.find_game(record.game_id, args.components) if args.components else None)
        match_review = review_match(record, budget, SEED, game, bar.show)
    except BadRecord as error:
        raise BadRecord(f"{args.record}: {error}") from None
    finally:
        bar.close()
    if args.json:
        print_json(match_review.dumps())
    else:
        print_text(ReviewText(Match.resume(record, game), match_review, args.language).format_review(seats))
    return 0


class ReviewText:
    """A review as text in one language."""

    def __init__(self, match: Match, match_review: Review, language: str, names: Sequence[str] = ()) -> None:
        self.match = match
        self.game = match.game
        self.match_review = match_review
        self.cli_reader = make_cli_reader(language)
        numbered = tuple(f"{self.cli_reader.translate('seat')} {seat}" for seat in range(match.state.seats))
        self.reader: Reader = match.game.words.reader(language, tuple(names) or numbered)

    def format_review(self, seats: Sequence[Seat]) -> str:
        """Return the table of win probabilities, followed by decisions and luck for each of these seats."""
        parts = [self.format_win_chances()]
        for seat in seats:
            heading = self.translate(msgid("{0}: costliest mistakes"), self.reader.seats[seat])
            decisions = [
                line
                for entry in self.match_review.list_costliest_decisions(seat)
                for line in self.format_decision(entry)
            ]
            parts.append("\n".join([heading, *(decisions or [self.translate(msgid("  no mistakes found"))])]))
            good = self.match_review.find_good_decision(seat)
            if good is not None:
                s = self.match.rebuild_before(len(self.match.record.options) - good.move).state
                label = self.reader.read(self.game.words.label(s, self.game.read(good.played)))
                gain = format_change(round(100 * (good.after - good.before)))
                parts.append(self.translate(msgid("Well played: move {0}: {1} ({2}%)"), good.move + 1, label, gain))
            luck_lines = [
                line for entry in self.match_review.list_luck_events(seat) for line in self.format_luck(entry, seat)
            ]
            if luck_lines:
                parts.append("\n".join([self.translate(msgid("{0}: luck"), self.reader.seats[seat]), *luck_lines]))
        return "\n\n".join(parts)

    def translate(self, text: str, *args: str | int) -> str:
        return self.cli_reader.read(Message(text, *args))

    def format_win_chances(self) -> str:
        """Return a table of win probabilities at a few positions, and the move after which they are exact."""
        last = len(self.match_review.chances) - 1
        rows = [[self.translate(msgid("after move")), *self.reader.seats]]
        for n in dict.fromkeys(round(i * last / (TABLE_ROWS - 1)) for i in range(TABLE_ROWS)):
            rows.append([str(n), *(f"{round(100 * chance)} %" for chance in self.match_review.chances[n])])
        text = format_table(rows)
        if self.match_review.settled < last:
            text_when_decided = msgid(
                "After move {0}, no decision could change the winner any more. From there on the table shows the "
                "final result."
            )
            text += "\n" + self.translate(text_when_decided, self.match_review.settled)
        return text

    def format_decision(self, mistake: ReviewedDecision) -> list[str]:
        """Return the question, the played and the better option, the reasons, and the hidden cards of all seats."""
        s = self.match.rebuild_before(len(self.match.record.options) - mistake.move).state
        words, reader = self.game.words, self.reader

        def describe_option(option: str, chance: float) -> str:
            return f"{reader.read(words.label(s, self.game.read(option)))} ({to_percent(chance)} %)"

        lines = [
            self.translate(msgid("  move {0}: {1}"), mistake.move + 1, reader.read(words.question(s))),
            self.translate(msgid("    played: {0}"), describe_option(mistake.played.option, mistake.played.chance)),
            self.translate(
                msgid("    better: {0}"), describe_option(mistake.better[0].option, mistake.better[0].chance)
            ),
        ]
        reasons = in_words(self.game, mistake.played.reasons, mistake.seat)
        if reasons is not None:
            lines.append(self.translate(msgid("    why: {0}"), reader.read(reasons)))
        for seat, hidden_groups in reveal_hidden_things(self.game, s, reader).items():
            for place in hidden_groups:
                hidden = self.translate(
                    msgid("{0}: {1}"), f"{reader.seats[seat]}, {place.what}", ", ".join(place.things)
                )
                lines.append(f"      {hidden}")
        return lines

    def format_luck(self, luck_event: LuckEvent, seat: Seat) -> list[str]:
        """Return the random events of a move and the change of the seat's win probability."""
        events = self.match.events[luck_event.move + 1]
        messages = [self.game.words.event_message(events[n], events[n].seat) for n in luck_event.events]
        lines = [f"      {self.reader.read(message)}" for message in messages if message is not None]
        percent = format_change(round(100 * luck_event.luck[seat]))
        return [self.translate(msgid("  move {0}: {1}%"), luck_event.move + 1, percent), *lines] if lines else []
