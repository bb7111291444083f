"""The question in the terminal: its action, and the options in the same groups as on the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triclinium.boardkit.decision import (
    ArrangedOptions,
    arrange_options,
    format_action_progress,
    format_price,
    read_action_progress,
)
from triclinium.cli.ansi import Ansi, fold_text
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game

MAX_NOTATION_COLUMN: Final = 24  # in columns; a wider notation does not move the labels of other options to the right


@dataclass(frozen=True, slots=True)
class NumberedOption:
    """One option of the list."""

    o: Option
    option: str
    verb: str
    label: str
    price: str


class TerminalQuestion:
    """The question to the asked seat with its numbered options, in lines of at most ``width`` columns."""

    def __init__(self, game: Game, s: State, reader: Reader, width: int) -> None:
        self.game = game
        self.s = s
        self.reader = reader
        self.width = width
        entries = [self.describe_option(o) for o in s.legal]
        self.arrangement: ArrangedOptions[NumberedOption] = (
            arrange_options(game, s, entries, reader) if entries else ArrangedOptions()
        )
        self.entries = self.arrangement.all

    def describe_option(self, o: Option) -> NumberedOption:
        notation = self.game.format_option(o)
        label = self.reader.read(self.game.words.label(self.s, o))
        return NumberedOption(
            o, notation, self.game.notation.verb_of(o).word, label, format_price(self.s, o, self.reader)
        )

    def format_lines(self, ansi: Ansi) -> list[str]:
        """Return the lines of heading, question and options, with a name above each group."""
        output = [ansi.bold(self.reader.read(self.game.words.question(self.s)))]
        heading = self.format_heading()
        if heading:
            output.insert(0, ansi.dim(heading))
        for group in self.arrangement.groups:
            shared = "" if self.arrangement.price else group.price
            if len(self.arrangement.groups) > 1 and (group.name or shared):
                output.append(ansi.dim("  " + ", ".join(part for part in (group.name, shared) if part)))
            for section in group.sections:
                if section.name:
                    output.append(ansi.dim(f"  {section.name}"))
                output += self.format_options([entry.o for entry in section.offers], ansi)
        output += self.format_options([entry.o for entry in self.arrangement.closing], ansi)
        return [fold_text(line, self.width) for line in output]

    def format_heading(self) -> str:
        """Return a heading such as ``Tradition, 2 of 4: place the card (AE-6.4)``, with any common price."""
        action_steps = read_action_progress(self.game, self.s, self.reader)
        if action_steps is None:
            return ""
        heading = format_action_progress(action_steps, self.reader)
        return f"{heading}, {self.arrangement.price}" if self.arrangement.price else heading

    def format_options(self, options: Sequence[Option], ansi: Ansi, indent: int = 0) -> list[str]:
        """Return a text for each of these options: its number among all, its notation and its label.

        ``indent`` is the number of columns that the caller writes before each of them.
        """
        numbers = {entry.o: n for n, entry in enumerate(self.entries, start=1)}
        width = max((len(entry.option) for entry in self.entries), default=0)
        start = 9 + width if width <= MAX_NOTATION_COLUMN else 9
        texts = [
            f"  {numbers[entry.o]:3}  {ansi.green(entry.option.ljust(width))}  {entry.label}"
            for entry in (self.entries[numbers[o] - 1] for o in options)
        ]
        return [fold_text(text, self.width - indent, start).replace("\n", "\n" + " " * indent) for text in texts]
