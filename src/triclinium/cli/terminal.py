"""A match in the terminal: the board as text, the question, the options by number or by notation."""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from triclinium.boardkit.text_table import table_text
from triclinium.bots import Bot, ask, bot, derive
from triclinium.bots.analysis import Advice, advise, percent
from triclinium.bots.explanations import told
from triclinium.bots.search import Strong
from triclinium.cli.ansi import Ansi
from triclinium.cli.auto_replies import Answers
from triclinium.cli.question import Asking
from triclinium.cli.recap import lines_of_move, recap_lines, round_over
from triclinium.engine.core.errors import BadNotation, Refused, TricliniumError
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.engine.credits import credits_messages
from triclinium.engine.game import Game
from triclinium.engine.game_text import reader_of
from triclinium.engine.match import Match, several
from triclinium.engine.visible_scores import VisibleScore, said
from triclinium.i18n.catalog import Domain
from triclinium.lab.text_table import columns

CLI = Domain("cli", Path(__file__).parent / "locale")
GUEST = 0  # the seat of the person at the terminal
LONGEST = 400  # letters of a line; no option comes near
YES = ("y", "yes", "o", "oui")
QUIT = ("quit", "q", "exit")  # the first is the one that help tells


def width() -> int:
    """The columns of the terminal; however narrow it is, tables are folded to no fewer than 40."""
    return max(40, shutil.get_terminal_size().columns)


def own_reader(language: str) -> Reader:
    """A reader of the terminal's own sentences."""
    return reader_of(language, None, CLI)


class Terminal:
    """One person, at seat 0, against bots."""

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
        self.server = own_reader(language)
        names = [self.server.translate("Guest"), *(f"{name.capitalize()} {i}" for i, name in enumerate(bots, start=1))]
        self.names = names
        self.reader = game.words.reader(language, tuple(names))
        self.bots = {seat: bot(name, game) for seat, name in enumerate(bots, start=1)}
        self.rngs = {seat: Rng(derive(seed, seat)) for seat in self.bots}
        self.answers = Answers(GUEST, self.reader, self.server, self.say)
        self.told = 0  # how much of the news the person has read
        self.shown = ""  # the table as it was last shown
        self.asked_at = -1  # the number of options when the table was last shown

    def run(self) -> int:
        """Play until the match is over and done with, or the person leaves."""
        self.greet()
        while self.play_on():
            self.recap()
            self.say("\n" + self.ansi.bold(self.server.translate("The match is over.")))
            self.say(self.sheet())
            self.say(self.server.translate("You can still say `save FILE`, `log` or `undo`; an empty line leaves."))
            while self.match.state.over:
                line = self.read_line("> ")
                if line is None or line in ("", *QUIT):
                    return 0
                self.obey(line)
        self.say(self.server.translate("The match ends here, unfinished."))
        return 0

    def play_on(self) -> bool:
        """Play until the match is over (True) or the person leaves (False)."""
        while not self.match.state.over:
            who = self.match.state.who
            if who in self.bots:
                played = [self.game.read(text) for text in self.match.record.options]
                answer = ask(self.bots[who], self.match.state, self.rngs[who], played)
                if answer.fault:
                    failed = self.server.translate("{0} failed ({1}); a legal option was played in its place.")
                    self.say(self.ansi.red(failed.format(self.bots[who].name, answer.fault)))
                if answer.cut:
                    cut = self.server.translate("{0} ran out of time on this busy machine and played its best so far.")
                    self.say(cut.format(self.bots[who].name))
                if not self.play_for(self.bots[who], answer.option):
                    return False
                continue
            if self.answers.give(self.match):
                continue
            if self.asked_at != len(self.match.record.options):
                self.asked_at = len(self.match.record.options)
                self.recap()
                self.show_changes()
                self.ask()
            line = self.read_line("> ")
            if line is None or line in QUIT:
                return False
            if line:
                self.obey(line)
        return True

    # -- what the person says -----------------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        """One line from the person: an option or a command. A verb of the game wins over a command."""
        word, _, rest = line.partition(" ")
        commands = {
            "help": self.help,
            "table": self.show_table,
            "log": self.show_log,
            "scores" if self.game.has_points else "standing": self.show_scores,
            "undo": self.undo,
        }
        is_verb = any(verb.word == word for verb in self.game.verbs)
        if word in commands and not is_verb:
            commands[word]()
        elif word == "hint" and not is_verb:
            self.hint(rest.strip())
        elif word == "why" and not is_verb:
            self.why(rest)
        elif word == "save" and not is_verb:
            self.save(rest.strip())
        elif word == "auto" and not is_verb:
            option = self.answers.obey(self.match, rest.strip())
            if option:
                self.choose(option)
        else:
            self.choose(line)

    def choose(self, text: str) -> None:
        """Play an option, or several with semicolons between them, all or none; or say why not."""
        try:
            if len(several(text)) > 1:
                self.match.play_together([self.game.say(self.game.read(one)) for one in several(text)])
            else:
                self.match.play(self.game.say(self.option(text)))
        except Refused as refused:
            self.complain(self.game.words.refusal(refused, self.reader))
        except TricliniumError as error:
            self.complain(str(error))
        except Exception as error:  # a rule failed, and the match is as it was
            self.tell_fault(error)

    def tell_fault(self, error: Exception) -> None:
        said = msgid("the rules of this game failed over this option ({0}): nothing has changed, choose another one")
        self.complain(self.server.translate(said).format(type(error).__name__))

    def play_for(self, bot: Bot, option: Option) -> bool:
        """Play a bot's option; should the rules fail over it, another one. False: they fail over all."""
        for o in dict.fromkeys([option, *self.match.state.options()]):
            try:
                self.match.play(self.game.say(o))
                return True
            except Exception as error:  # a rule failed, and the match is as it was
                self.say(self.ansi.red(f"{bot.name}: {self.game.say(o)}"))
                self.tell_fault(error)
        return False

    def option(self, text: str) -> Option:
        """The option that a number of the list or a notation names."""
        legal = [one.o for one in self.asking().all] if text.isdecimal() else []
        if text.isdecimal() and not legal:
            raise BadNotation(self.reader.translate("the match is over"))
        if text.isdecimal():
            number = int(text[:9])
            if not 1 <= number <= len(legal):
                said = Message("there is no option {0}; they go from 1 to {1}", number, len(legal))
                raise BadNotation(self.server.read(said))
            return legal[number - 1]
        o = self.game.read(text)
        anytime = self.match.state.anytime_step(o)
        if anytime is not None and anytime.who != GUEST:
            raise BadNotation(self.server.translate("that is not yours to say"))
        return o

    def why(self, text: str) -> None:
        """Explain a refusal, by trying it on a copy."""
        if not text.strip():
            self.complain(self.server.translate("why what? `why OPTION`"))
            return
        try:
            self.match.state.clone().play(self.option(text.strip()))
            self.say(self.server.translate("that is allowed"))
        except Refused as refused:
            self.say(self.game.words.refusal(refused, self.reader))
        except TricliniumError as error:
            self.complain(str(error))

    def undo(self) -> None:
        """Take back the last option, as far as nothing was learnt."""
        if not self.match.may_undo(GUEST):
            self.complain(self.server.translate("nothing can be taken back"))
            return
        text = self.match.undo(GUEST)
        self.answers.taken_back(self.match)
        self.told = min(self.told, len(self.match.events))
        self.asked_at = -1
        self.say(self.server.read(Message("taken back: {0}", text)))

    def hint(self, mine: str) -> None:
        """What the strong bot would choose, and why rather that than another; it knows what the person knows."""
        s = self.match.state
        if s.over:
            self.complain(self.reader.translate("the match is over"))
            return
        try:
            asked = self.option(mine) if mine else s.legal[0]
        except TricliniumError as error:
            self.complain(str(error))
            return
        if asked not in s.legal:
            self.why(mine)
            return
        seed = derive(self.seed, GUEST, len(self.match.record.options))
        best = advise(self.game, s, Strong.budget, seed, mine=self.game.say(asked) if mine else "")
        asking = self.asking()
        options = [self.game.read(one.option) for one in best]
        labels = {one.o: one.label for one in asking.all}
        self.say(self.server.read(Message("The strong bot would choose: {0}", labels[options[0]])))
        self.say(self.server.translate("Options by their own numbers, with the estimated chance to win:"))
        for one, line in zip(best, asking.option_lines(options, self.ansi), strict=True):
            self.say(f"{percent(one.chance):4} %{line}")
            if one is not best[0]:
                self.say(f"{'':13}{self.compared(one, labels[options[0]])}")

    def compared(self, one: Advice, better: str) -> str:
        """Return why the option that a hint names first is better than this one."""
        if one.equal or not one.reasons:
            text = Message("about as good") if one.equal else Message("{0} is better", better)
            return self.server.read(text)
        why = self.reader.read(told(self.game, one.reasons, GUEST))
        return self.server.read(Message("{0} is better: {1}", better, why))

    def save(self, name: str) -> None:
        """Write the record; ask before overwriting."""
        if not name:
            self.complain(self.server.translate("save where? `save FILE`"))
            return
        path = Path(name).expanduser()
        if path.exists():
            answer = self.read_line(self.server.read(Message("{0} exists; overwrite it? [y/N]", name)) + " ")
            if answer is None or answer.lower() not in YES:
                self.say(self.server.translate("not saved"))
                return
        try:
            write_whole(path, self.match.record.dumps())
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            self.complain(self.server.read(Message("cannot write {0}: {1}", name, why or "?")))
            return
        self.say(self.server.read(Message("saved in {0}", name)))

    # -- what the person reads ----------------------------------------------------------------------------------

    def greet(self) -> None:
        """Which match this is, and against whom."""
        name = self.reader.say(self.game.name)
        others = ", ".join(self.names[1:])
        self.say(self.ansi.bold(name))
        against = self.server.read(Message("against {0}", others))
        seed = self.server.read(Message("seed {0}", str(self.seed)))
        self.say(f"{self.names[0]} {self.server.translate('(you)')} {against}, {seed}")
        for variant, value in self.game.chosen(self.match.record.variants):
            if value == variant.default:
                continue
            self.say(f"{self.reader.say(variant.label)}: {self.reader.say(variant.name_of(value))}")
        self.say(self.server.translate("`help` lists what you can say."))

    def recap(self) -> None:
        """What happened since the person last decided."""
        facts = (self.match, self.told, GUEST, self.reader, self.server, self.ansi)
        lines = [*recap_lines(*facts), *round_over(*facts)]
        self.told = len(self.match.events)
        if lines:
            self.say("\n" + "\n".join(lines))

    def show_changes(self) -> None:
        """The table, unless the person has just read it."""
        if self.table_text() != self.shown:
            self.show_table()

    def show_table(self) -> None:
        """Board and hand, as the person may see them."""
        self.shown = self.table_text()
        self.say("\n" + self.shown)

    def table_text(self) -> str:
        return table_text(self.game, self.game.view(self.match.state, GUEST), self.reader, width(), self.ansi)

    def ask(self) -> None:
        """The question and its options."""
        self.say("\n" + "\n".join(self.asking().lines(self.ansi)))
        self.answers.offer(self.match)

    def asking(self) -> Asking:
        return Asking(self.game, self.match.state, self.reader)

    def show_log(self) -> None:
        """The whole log."""
        moves = range(len(self.match.events))
        lines = [line.text for n in moves for line in lines_of_move(self.match, n, GUEST, self.reader)]
        self.say("\n".join(lines) or self.server.translate("nothing has happened yet"))

    def show_scores(self) -> None:
        """The score sheet."""
        self.say(self.sheet())

    def sheet(self) -> str:
        scores = self.game.scores_for(self.match.state, GUEST)
        return score_sheet(self.game, scores, self.names, self.reader, self.server)

    def help(self) -> None:
        """What can be said."""
        rows = [
            ("3, keep 2", msgid("an option by its number or its words")),
            ("a; b", msgid("several options in their order, by their words: all of them or none")),
            ("why OPTION", msgid("why that option is not allowed")),
            ("hint", msgid("what the strong bot would choose, and why; `hint OPTION`: why rather than that")),
            ("undo", msgid("take back your last option, if nothing was learnt since")),
            ("auto round", msgid("not to be asked this again for a turn, a round or the match")),
            ("auto", msgid("what is answered for you; `auto off` ends it")),
            ("table", msgid("the table again")),
            ("log", msgid("everything that happened")),
            ("scores", msgid("the scores as they stand"))
            if self.game.has_points
            else ("standing", msgid("the ranks at this moment, and the reasons for them")),
            ("save FILE", msgid("write the record of the match to a file")),
            ("help", msgid("these words")),
            ("quit", msgid("leave")),
        ]
        s = self.match.state
        example = self.asking().all[0].option if not s.over else "keep 2"
        texts = [[said if i else f"1, {example}", self.server.translate(what)] for i, (said, what) in enumerate(rows)]
        for o in s.anytime_options(GUEST):
            texts.append([self.game.say(o), self.server.translate("at any moment")])
        self.say(columns(texts, left=2))
        for message in credits_messages(self.game):
            self.say(self.reader.read(message))

    def read_line(self, prompt: str) -> str | None:
        """What the person writes; None when there is nothing more to read."""
        line = ""
        if self.source is sys.stdin and self.ansi.is_terminal and self.source.isatty():
            with suppress(EOFError):
                line = input(prompt) + "\n"  # with readline's history and editing
        else:
            self.out.write(prompt)
            self.out.flush()
            line = self.source.readline()
        if not line:
            self.out.write("\n")
            return None
        return " ".join(line[:LONGEST].split())

    def say(self, text: str) -> None:
        self.out.write(f"{text}\n")

    def complain(self, text: str) -> None:
        self.say(self.ansi.red(text))


def score_sheet(
    game: Game, scores: Sequence[VisibleScore], names: Sequence[str], reader: Reader, server: Reader
) -> str:
    """The score sheet: a row a line, a column a seat; what the viewer cannot know is two bounds or a question mark."""
    rows = [[server.translate("score" if game.has_points else "standing"), *names]]
    for name in dict.fromkeys(name for score in scores for name in score.lines):
        label = reader.read(game.words.score_line(name))
        rows.append([label, *(said(score.told_lines.get(name, 0), reader) for score in scores)])
    if game.has_points:
        rows.append([server.translate("total"), *(said(score.told, reader) for score in scores)])
    rows.append([server.translate("rank"), *(said(score.rank, reader) for score in scores)])
    return columns(rows)


def write_whole(path: Path, text: str) -> None:
    """Write a file wholly or not at all."""
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
