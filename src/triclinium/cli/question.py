"""The question in the terminal: the action that it is a part of, and the options in the groups that the page has."""

from collections.abc import Sequence
from dataclasses import dataclass

from triclinium.boardkit.decision import Arranged, arranged, in_words, price, steps
from triclinium.cli.ansi import Ansi
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game


@dataclass(frozen=True, slots=True)
class Listed:
    """One option of the list."""

    o: Option
    option: str
    verb: str
    label: str
    price: str


class Asking:
    """What the asked seat may choose now, in the order of its numbers."""

    def __init__(self, game: Game, s: State, reader: Reader) -> None:
        self.game = game
        self.s = s
        self.reader = reader
        listed = [self.listed(o) for o in s.legal]
        self.arranged: Arranged[Listed] = arranged(game, s, listed, reader) if listed else Arranged()
        self.all = self.arranged.all

    def listed(self, o: Option) -> Listed:
        said = self.game.say(o)
        label = self.reader.read(self.game.words.label(self.s, o))
        return Listed(o, said, self.game.notation.verb(o).word, label, price(self.s, o, self.reader))

    def lines(self, ansi: Ansi) -> list[str]:
        """Heading, question, options: each group under its name."""
        found = [ansi.bold(self.reader.read(self.game.words.question(self.s)))]
        heading = self.heading()
        if heading:
            found.insert(0, ansi.dim(heading))
        for group in self.arranged.groups:
            shared = "" if self.arranged.price else group.price
            if len(self.arranged.groups) > 1 and (group.name or shared):
                found.append(ansi.dim("  " + ", ".join(part for part in (group.name, shared) if part)))
            for section in group.sections:
                if section.name:
                    found.append(ansi.dim(f"  {section.name}"))
                found += self.option_lines([one.o for one in section.offers], ansi)
        return found + self.option_lines([one.o for one in self.arranged.closing], ansi)

    def heading(self) -> str:
        """``Tradition, 2 of 4: place the card (AE-6.4)``, and what any answer costs."""
        told = steps(self.game, self.s, self.reader)
        if told is None:
            return ""
        heading = in_words(told, self.reader)
        return f"{heading}, {self.arranged.price}" if self.arranged.price else heading

    def option_lines(self, shown: Sequence[Option], ansi: Ansi) -> list[str]:
        """A line for each of these options: its number among all, its notation, what it means."""
        numbers = {one.o: n for n, one in enumerate(self.all, start=1)}
        wide = max((len(one.option) for one in self.all), default=0)
        return [
            f"  {numbers[one.o]:3}  {ansi.green(one.option.ljust(wide))}  {one.label}"
            for one in (self.all[numbers[o] - 1] for o in shown)
        ]
