"""Matches in the terminal: the table as text, the question, and options by number or by notation.

The whole table is printed at the start and on request. Before later questions only its changes are printed, and at the
start of a turn the person's hand as well.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from triclinium.boardkit.text_table import (
    TextLine,
    build_game_lines,
    format_lines,
    select_changed_lines,
    select_own_lines,
)
from triclinium.bots import Bot, ask_bot, create_bot, derive_seed
from triclinium.bots.analysis import Advice, rate_options, to_percent
from triclinium.bots.budget import Budget
from triclinium.bots.explanations import describe_reasons
from triclinium.bots.levels import load_levels
from triclinium.bots.review import review_match
from triclinium.bots.search import Strong
from triclinium.cli.ansi import Ansi, ProgressBar, fold_text
from triclinium.cli.auto_replies import TerminalAutoReplies
from triclinium.cli.catalog import make_cli_reader
from triclinium.cli.question import TerminalQuestion
from triclinium.cli.recap import format_recap, format_round_summary, list_move_lines
from triclinium.cli.review import SEED as REVIEW_SEED
from triclinium.cli.review import ReviewText
from triclinium.engine.core.errors import BadNotation, Refused, TricliniumError
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.engine.credits import build_credits_messages
from triclinium.engine.game import Game
from triclinium.engine.match import Match, split_options
from triclinium.engine.visible_scores import VisibleScore, format_number
from triclinium.lab.text_table import format_table

PERSON_SEAT = 0  # the seat of the person at the terminal
MAX_LINE_LENGTH = 400  # maximum number of characters in an input line; no option is nearly as long
YES_ANSWERS = ("y", "yes", "o", "oui")
QUIT_COMMANDS = ("quit", "q", "exit")  # the help lists the first one
REVIEW_BUDGET = "300ms"  # thinking time for each decision that the review looks at
MIN_CHANGED_LINES = 8  # lines of changes that are printed in the smallest window


def get_terminal_width() -> int:
    """Return the width of the terminal in columns, 80 if it is unknown, but at least 40 for readable tables."""
    return max(40, shutil.get_terminal_size().columns)


class Terminal:
    """A match of one person, at seat 0, against bots."""

    def __init__(
        self, match: Match, bots: Sequence[str], seed: int, language: str, source: TextIO, out: TextIO
    ) -> None:
        game = match.game
        self.match = match
        self.game = game
        self.seed = seed
        self.source = source
        self.out = out
        self.ansi = Ansi(out)
        self.language = language
        self.cli_reader = make_cli_reader(language)
        names = [
            self.cli_reader.translate("Guest"),
            *(f"{name.capitalize()} {i}" for i, name in enumerate(bots, start=1)),
        ]
        self.names = names
        self.reader = game.words.reader(language, tuple(names))
        self.bots = {seat: create_bot(name, game) for seat, name in enumerate(bots, start=1)}
        self.rngs = {seat: Rng(derive_seed(seed, seat)) for seat in self.bots}
        self.auto_replies = TerminalAutoReplies(PERSON_SEAT, self.reader, self.cli_reader, self.print_line)
        self.recapped_events = 0  # number of event lists that the recap has shown
        self.shown_lines: list[TextLine] | None = None  # the table that the person has read
        self.shown_moves = 0  # the number of moves at that time
        self.asked_after = -1  # the number of moves when the question was last printed

    def run(self) -> int:
        """Play until the person leaves, and return the exit code."""
        self.print_greeting()
        while self.play_until_end():
            self.print_recap()
            self.print_line("\n" + self.ansi.bold(self.cli_reader.translate("The match is over.")))
            self.show_scores()
            self.propose_next_level()
            self.print_line(
                self.cli_reader.translate(
                    "Type `review` for your costliest mistakes and your luck. You can still type `table`, `log`, "
                    "`undo` or `save FILE`. An empty line quits."
                )
            )
            while self.match.state.over:
                line = self.read_line("> ")
                if line is None or line in ("", *QUIT_COMMANDS):
                    return 0
                self.run_line(line)
        self.print_line(self.cli_reader.translate("The match was not finished."))
        return 0

    def propose_next_level(self) -> None:
        """Name the next level of bots if the person has won against bots of one level."""
        levels = {bot.name for bot in self.bots.values()}
        next_level = load_levels(self.game).find_next_level(levels.pop()) if len(levels) == 1 else ""
        if next_level and self.game.scores(self.match.state)[PERSON_SEAT].rank == 1:
            text = msgid("You have won. If you win twice in a row, try stronger bots: `--bots {0}`.")
            self.print_line(self.cli_reader.translate(text).format(next_level))

    def play_until_end(self) -> bool:
        """Play until the match is over (True) or the person leaves (False)."""
        while not self.match.state.over:
            who = self.match.state.who
            if who in self.bots:
                played = [self.game.read(text) for text in self.match.record.options]
                answer = ask_bot(self.bots[who], self.match.state, self.rngs[who], played)
                if answer.fault:
                    failed = self.cli_reader.translate("{0} failed ({1}); a legal option was played in its place.")
                    self.print_line(self.ansi.red(failed.format(self.bots[who].name, answer.fault)))
                if answer.cut_short:
                    cut = self.cli_reader.translate("{0} ran out of time and played the best move found so far.")
                    self.print_line(cut.format(self.bots[who].name))
                if not self.play_bot_option(self.bots[who], answer.option):
                    return False
                continue
            if self.auto_replies.play_reply(self.match):
                continue
            if self.asked_after != len(self.match.record.options):
                self.asked_after = len(self.match.record.options)
                self.print_recap()
                self.show_short_table()
                self.print_question()
            line = self.read_line("> ")
            if line is None or line in QUIT_COMMANDS:
                return False
            if line:
                self.run_line(line)
        return True

    # -- input -----------------------------------------------------------------------------------------------------

    def run_line(self, line: str) -> None:
        """Run one line of input: an option or a command. A verb of the game has priority over a command."""
        word, _, rest = line.partition(" ")
        commands = {
            "help": self.print_help,
            "?": self.print_help,
            "table": self.show_table,
            "t": self.show_table,
            "log": self.show_log,
            "review": self.show_review,
            "scores" if self.game.has_points else "standing": self.show_scores,
            "undo": self.undo_move,
        }
        is_verb = any(verb.word == word for verb in self.game.verbs)
        if word in commands and not is_verb:
            commands[word]()
        elif word == "hint" and not is_verb:
            self.print_hint(rest.strip())
        elif word == "why" and not is_verb:
            self.explain_refusal(rest)
        elif word == "save" and not is_verb:
            self.save_record(rest.strip())
        elif word == "auto" and not is_verb:
            option = self.auto_replies.run_command(self.match, rest.strip())
            if option:
                self.choose(option)
        else:
            self.choose(line)

    def choose(self, text: str) -> None:
        """Play an option, or several separated by semicolons (all or none). Print the reason if it is refused."""
        try:
            if len(split_options(text)) > 1:
                self.match.play_options([self.game.format_option(self.game.read(part)) for part in split_options(text)])
            else:
                self.match.play(self.game.format_option(self.parse_option(text)))
        except Refused as refused:
            self.print_error(self.game.words.format_refusal(refused, self.reader))
        except TricliniumError as error:
            self.print_error(str(error))
        except Exception as error:  # a rule failed, and the match is unchanged
            self.print_fault(error)

    def print_fault(self, error: Exception) -> None:
        text = msgid(
            "This option caused an error in the rules of this game ({0}). Nothing has changed. Choose another option."
        )
        self.print_error(self.cli_reader.translate(text).format(type(error).__name__))

    def play_bot_option(self, bot: Bot, option: Option) -> bool:
        """Play a bot's option. If the rules fail with an error, try other options. Return False if all of them fail."""
        for o in dict.fromkeys([option, *self.match.state.options()]):
            try:
                self.match.play(self.game.format_option(o))
                return True
            except Exception as error:  # a rule failed, and the match is unchanged
                self.print_line(self.ansi.red(f"{bot.name}: {self.game.format_option(o)}"))
                self.print_fault(error)
        return False

    def parse_option(self, text: str) -> Option:
        """Return the option for a number of the list or a notation. Raise BadNotation if there is none."""
        legal = [entry.o for entry in self.build_question().entries] if text.isdecimal() else []
        if text.isdecimal() and not legal:
            raise BadNotation(self.reader.translate("the match is over"))
        if text.isdecimal():
            number = int(text[:9])
            if not 1 <= number <= len(legal):
                message = Message("There is no option {0}. Choose a number from 1 to {1}.", number, len(legal))
                raise BadNotation(self.cli_reader.read(message))
            return legal[number - 1]
        o = self.game.read(text)
        anytime = self.match.state.anytime_step(o)
        if anytime is not None and anytime.who != PERSON_SEAT:
            raise BadNotation(self.cli_reader.translate("It is not your turn."))
        return o

    def explain_refusal(self, text: str) -> None:
        """Print the reason for a refusal, found by trying the option on a copy."""
        if not text.strip():
            self.print_error(self.cli_reader.translate("Usage: `why OPTION`"))
            return
        try:
            self.match.state.clone().play(self.parse_option(text.strip()))
            self.print_line(self.cli_reader.translate("This option is allowed."))
        except Refused as refused:
            self.print_line(self.game.words.format_refusal(refused, self.reader))
        except TricliniumError as error:
            self.print_error(str(error))

    def undo_move(self) -> None:
        """Undo the last option of the person if no new information was revealed."""
        if not self.match.can_undo(PERSON_SEAT):
            self.print_error(self.cli_reader.translate("There is nothing to undo."))
            return
        text = self.match.undo(PERSON_SEAT)
        self.auto_replies.drop_reply_after_undo(self.match)
        self.recapped_events = min(self.recapped_events, len(self.match.events))
        self.asked_after = -1
        self.print_line(self.cli_reader.read(Message("Undone: {0}", text)))

    def print_hint(self, mine: str) -> None:
        """Print the options that the strong bot would choose, with reasons. It only uses the person's information."""
        s = self.match.state
        if s.over:
            self.print_error(self.reader.translate("the match is over"))
            return
        try:
            asked_option = self.parse_option(mine) if mine else s.legal[0]
        except TricliniumError as error:
            self.print_error(str(error))
            return
        if asked_option not in s.legal:
            self.explain_refusal(mine)
            return
        seed = derive_seed(self.seed, PERSON_SEAT, len(self.match.record.options))
        best = rate_options(
            self.game, s, Strong.budget, seed, own_option=self.game.format_option(asked_option) if mine else ""
        )
        question = self.build_question()
        indent = len("100 % ")
        options = [self.game.read(entry.option) for entry in best]
        labels = {entry.o: entry.label for entry in question.entries}
        self.print_line(self.cli_reader.read(Message("The strong bot would choose: {0}", labels[options[0]])))
        self.print_line(self.cli_reader.translate("Options with their numbers and estimated win probability:"))
        for entry, text in zip(best, question.format_options(options, self.ansi, indent), strict=True):
            self.print_line(f"{to_percent(entry.chance):4} %{text}")
            if entry is not best[0]:
                self.print_line(f"{'':13}{self.compare_with_best(entry, labels[options[0]])}")

    def compare_with_best(self, advice: Advice, better: str) -> str:
        """Return the reasons why the first option of a hint is better than this one."""
        reasons = None if advice.equal else describe_reasons(self.game, advice.reasons, PERSON_SEAT)
        if reasons is None:
            text = Message("about as good") if advice.equal else Message("{0} is better", better)
            return self.cli_reader.read(text)
        return self.cli_reader.read(Message("{0} is better: {1}", better, self.reader.read(reasons)))

    def save_record(self, name: str) -> None:
        """Write the record to a file. Ask before overwriting one."""
        if not name:
            self.print_error(self.cli_reader.translate("Usage: `save FILE`"))
            return
        path = Path(name).expanduser()
        if path.exists():
            answer = self.read_line(self.cli_reader.read(Message("{0} exists; overwrite it? [y/N]", name)) + " ")
            if answer is None or answer.lower() not in YES_ANSWERS:
                self.print_line(self.cli_reader.translate("The match was not saved."))
                return
        try:
            write_atomically(path, self.match.record.dumps())
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            self.print_error(self.cli_reader.read(Message("Cannot write {0}: {1}", name, why or "?")))
            return
        self.print_line(self.cli_reader.read(Message("Saved to {0}.", name)))

    # -- output ----------------------------------------------------------------------------------------------------

    def print_greeting(self) -> None:
        """Print the game, the opponents, the seed and the variants."""
        name = self.reader.format_arg(self.game.name)
        others = ", ".join(self.names[1:])
        self.print_line(self.ansi.bold(name))
        against = self.cli_reader.read(Message("against {0}", others))
        seed = self.cli_reader.read(Message("seed {0}", str(self.seed)))
        self.print_line(f"{self.names[0]} {self.cli_reader.translate('(you)')} {against}, {seed}")
        for variant, value in self.game.recorded_variants(self.match.record.variants):
            if value == variant.default:
                continue
            self.print_line(
                f"{self.reader.format_arg(variant.label)}: {self.reader.format_arg(variant.name_of(value))}"
            )
        self.print_line(
            self.cli_reader.translate(
                "Type the number of an option. `?` lists the commands, `t` shows the whole table."
            )
        )

    def print_recap(self) -> None:
        """Print the events since the person's last decision."""
        arguments = (self.match, self.recapped_events, PERSON_SEAT, self.reader, self.cli_reader, self.ansi)
        lines = [*format_recap(*arguments), *format_round_summary(*arguments)]
        self.recapped_events = len(self.match.events)
        if lines:
            self.print_line("\n" + "\n".join(lines))

    def show_short_table(self) -> None:
        """Print the changes of the table since it was last printed, and at the start of a turn the person's hand."""
        if self.shown_lines is None:
            self.show_table()
            return
        lines = self.build_table()
        deciders = self.match.list_deciders()[self.shown_moves :]
        own = select_own_lines(lines) if any(seat != PERSON_SEAT for seat in deciders) else []
        changed = [line for line in select_changed_lines(self.shown_lines, lines) if line not in own]
        self.remember_table(lines)
        self.print_lines([*self.format_changes(changed), *self.format_table_lines(own)])

    def format_changes(self, changed: Sequence[TextLine]) -> list[str]:
        """Return the changed lines, but no more than fit into half of the window."""
        lines = [line for line in self.format_table_lines(changed) if line]
        most = max(MIN_CHANGED_LINES, shutil.get_terminal_size().lines // 2)
        if len(lines) <= most:
            return lines
        left = len(lines) - most
        more = Message("{0} more {0:line has|lines have} changed. `t` shows the whole table.", left)
        return [*lines[:most], self.ansi.dim(self.cli_reader.read(more))]

    def show_table(self) -> None:
        """Print the whole table."""
        lines = self.build_table()
        self.remember_table(lines)
        self.print_lines(self.format_table_lines(lines))

    def build_table(self) -> list[TextLine]:
        return build_game_lines(self.game, self.game.view(self.match.state, PERSON_SEAT), self.reader)

    def format_table_lines(self, lines: Sequence[TextLine]) -> list[str]:
        return format_lines(lines, get_terminal_width(), self.ansi).split("\n") if lines else []

    def remember_table(self, lines: list[TextLine]) -> None:
        self.shown_lines = lines
        self.shown_moves = len(self.match.record.options)

    def show_review(self) -> None:
        """Print the review of the match once it is over: the costliest decisions of the person, and luck."""
        if not self.match.state.over:
            self.print_error(self.cli_reader.translate("A review is only available after the match is over."))
            return
        self.print_line(self.cli_reader.translate("The bot reviews the match. This can take a few minutes."))
        bar = ProgressBar(sys.stderr, self.cli_reader.translate("decisions reviewed"))
        try:
            review = review_match(self.match.record, Budget.read(REVIEW_BUDGET), REVIEW_SEED, self.game, bar.show)
        except KeyboardInterrupt:
            self.print_line(self.cli_reader.translate("The review was stopped."))
            return
        finally:
            bar.close()
        text = ReviewText(self.match, review, self.language, self.names).format_review([PERSON_SEAT])
        self.print_line(text)

    def print_question(self) -> None:
        """Print the question and its options."""
        self.print_lines(self.build_question().format_lines(self.ansi))
        self.auto_replies.print_suggestion(self.match)

    def build_question(self) -> TerminalQuestion:
        return TerminalQuestion(self.game, self.match.state, self.reader, get_terminal_width())

    def show_log(self) -> None:
        """Print the whole log."""
        moves = range(len(self.match.events))
        lines = [line.text for n in moves for line in list_move_lines(self.match, n, PERSON_SEAT, self.reader)]
        self.print_line("\n".join(lines) or self.cli_reader.translate("Nothing has happened yet."))

    def show_scores(self) -> None:
        """Print the score sheet."""
        scores = self.game.visible_scores(self.match.state, PERSON_SEAT)
        self.out.write(f"{format_score_sheet(self.game, scores, self.names, self.reader, self.cli_reader)}\n")

    def print_help(self) -> None:
        """Print the list of commands."""
        rows = [
            ("3, keep 2", msgid("choose an option by its number or words")),
            ("a; b", msgid("choose several options in order by their words (all or none)")),
            ("why OPTION", msgid("explain why an option is not allowed")),
            ("hint", msgid("show what the strong bot would choose, and why; `hint OPTION` compares that option")),
            ("undo", msgid("undo your last option, if no new information has been revealed")),
            ("auto round", msgid("answer this question automatically for a turn, a round or the match")),
            ("auto", msgid("list automatic answers; `auto off` cancels one")),
            ("t, table", msgid("show the whole table")),
            ("log", msgid("show the whole log")),
            ("scores", msgid("show the current scores"))
            if self.game.has_points
            else ("standing", msgid("show the current ranks and the reasons for them")),
            ("save FILE", msgid("save the match record to a file")),
            ("review", msgid("show your costliest mistakes and your luck after the match")),
            ("?, help", msgid("show this help")),
            ("q, quit", msgid("quit")),
        ]
        s = self.match.state
        example = self.build_question().entries[0].option if not s.over else "keep 2"
        texts = [
            [command if i else f"1, {example}", self.cli_reader.translate(what)]
            for i, (command, what) in enumerate(rows)
        ]
        for o in s.anytime_options(PERSON_SEAT):
            texts.append([self.game.format_option(o), self.cli_reader.translate("at any time")])
        start = max(len(command) for command, _ in texts) + 2
        for command, what in texts:
            self.print_line(f"{command.ljust(start)}{what}", start)
        for message in build_credits_messages(self.game):
            self.print_line(self.reader.read(message))

    def read_line(self, prompt: str) -> str | None:
        """Return one line of input, or None at the end of input."""
        line = ""
        if self.source is sys.stdin and self.ansi.is_terminal and self.source.isatty():
            with suppress(EOFError):
                line = input(prompt) + "\n"  # supports the history and editing of readline
        else:
            self.out.write(prompt)
            self.out.flush()
            line = self.source.readline()
        if not line:
            self.out.write("\n")
            return None
        return " ".join(line[:MAX_LINE_LENGTH].split())

    def print_line(self, text: str, hang: int | None = None) -> None:
        """Print text, folded at the width of the terminal."""
        self.out.write(f"{fold_text(text, get_terminal_width(), hang)}\n")

    def print_lines(self, lines: Sequence[str]) -> None:
        """Print lines below an empty one, if there are any."""
        if lines:
            self.out.write("\n" + "\n".join(lines).lstrip("\n") + "\n")

    def print_error(self, text: str) -> None:
        self.print_line(self.ansi.red(text))


def format_score_sheet(
    game: Game, scores: Sequence[VisibleScore], names: Sequence[str], reader: Reader, cli_reader: Reader
) -> str:
    """Return the score sheet with a row for each line and a column for each seat.

    A number that the viewer cannot know appears as two bounds or a question mark.
    """
    rows = [[cli_reader.translate("score" if game.has_points else "ranking"), *names]]
    for name in dict.fromkeys(name for score in scores for name in score.lines):
        label = reader.read(game.words.score_line(name))
        rows.append([label, *(format_number(score.shown_lines.get(name, 0), reader) for score in scores)])
    if game.has_points:
        rows.append([cli_reader.translate("total"), *(format_number(score.shown_total, reader) for score in scores)])
    rows.append([cli_reader.translate("rank"), *(format_number(score.rank, reader) for score in scores)])
    return format_table(rows)


def write_atomically(path: Path, text: str) -> None:
    """Write a file completely or not at all."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
