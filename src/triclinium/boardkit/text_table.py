"""The same table as text, for the terminal and for a page that cannot draw: its parts, folded to some columns."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, singledispatchmethod
from textwrap import wrap
from typing import Final, Protocol, TypeAlias

from triclinium.boardkit.default_board import default_board
from triclinium.boardkit.kind_lookup import kinds_of
from triclinium.boardkit.parts import (
    Board,
    Card,
    Cards,
    Counter,
    Group,
    Map,
    Part,
    Pile,
    Place,
    SeatPanel,
    Space,
    Tally,
    Track,
)
from triclinium.engine.component_kinds import NO_TONE, Kind, Tone
from triclinium.engine.core.text import Arg, Joined, Message, Reader, SeatName
from triclinium.engine.game import Game
from triclinium.engine.game_text import Words
from triclinium.engine.view import View

WIDE: Final = 100
NARROW: Final = 60  # columns; below, what games draw of letters breaks
INDENT: Final = "  "

Wear: TypeAlias = Callable[[str], str]


class Ink(Protocol):
    """How a terminal writes; tones are those of the kit, and seats have the first of them."""

    def bold(self, text: str) -> str: ...
    def tone(self, tone: Tone, text: str) -> str: ...


class Plain:
    """Without any colour."""

    def bold(self, text: str) -> str:
        return text

    def tone(self, tone: Tone, text: str) -> str:
        return text


PLAIN: Final = Plain()


def table_text(game: Game, view: View, reader: Reader, width: int = 0, ink: Ink = PLAIN) -> str:
    """The table as the game's words tell it, folded; if they leave that to the kit, or it is narrow, as the kit does.

    ``width``: the columns of the terminal; 0: as many as it takes.
    """
    if type(game.words).table is Words.table or 0 < width < NARROW:
        return text_table(view, kinds_of(game), reader, width or WIDE, ink)
    told = game.words.table(view, reader)
    if not width:
        return told
    lines = [part for line in told.splitlines() for part in _fitted(line, width)]
    names = [reader.say(SeatName(seat)) for seat in range(view.seats)]
    return "\n".join(_of_seat(line, names, ink) for line in lines)


def _of_seat(line: str, names: list[str], ink: Ink) -> str:
    """A line that begins with the name of a seat, in its colour."""
    start = line.lstrip("> ")
    for seat, name in enumerate(names):
        if start.startswith(name) and not start[len(name) :][:1].isalnum():
            return line[: len(line) - len(start)] + ink.tone(seat, name) + start[len(name) :]
    return line


def _fitted(line: str, width: int) -> list[str]:
    """A line of a game's own table, whose drawing is no wider than the narrowest terminal that shows it."""
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2 * len(INDENT))
    return wrap(line, width, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True)


def text_table(view: View, kinds: Mapping[str, Kind], reader: Reader, width: int = WIDE, ink: Ink = PLAIN) -> str:
    """A view in lines of at most so many columns."""
    return "\n".join(_Text(reader, width, ink).board(default_board(view, kinds, {})))


class _Text:
    """Parts as lines for one reader. Lines are folded first and coloured then, for colours take no room."""

    def __init__(self, reader: Reader, width: int, ink: Ink) -> None:
        self.reader = reader
        self.width = width
        self.ink = ink

    def indented(self) -> "_Text":
        """What writes two columns further in."""
        return _Text(self.reader, self.width - len(INDENT), self.ink)

    def board(self, board: Board) -> Iterator[str]:
        yield from self.parts(board.parts)
        for panel in board.panels:
            yield from self.panel(panel)

    def panel(self, panel: SeatPanel) -> Iterator[str]:
        marks = [self.heading(mark) for mark in panel.marks]
        name = self.reader.say(SeatName(panel.seat))
        yield ""
        lines = self.folded(f"{name} ({', '.join(marks)})" if marks else name)
        yield from self.begun(lines, name, lambda text: self.ink.bold(self.ink.tone(panel.seat, text)))
        yield from (f"{INDENT}{line}" for line in self.indented().parts(panel.parts))

    def parts(self, parts: list[Part]) -> Iterator[str]:
        """Counters beside each other, all else below."""
        chips = [self.counter(part) for part in parts if isinstance(part, Counter)]
        if chips:
            yield from self.folded(", ".join(chips))
        for part in parts:
            if not isinstance(part, Counter):
                yield from self.lines(part)

    def folded(self, text: str) -> list[str]:
        return wrap(text, self.width, subsequent_indent=INDENT, break_long_words=True, break_on_hyphens=False)

    def heading(self, label: Arg) -> str:
        return self.reader.say(label)

    def headed(self, label: Arg) -> list[str]:
        """A line of its own above what it names."""
        wear = partial(self.ink.tone, label.seat) if isinstance(label, SeatName) else self.ink.bold
        return [wear(line) for line in self.folded(self.heading(label))]

    def begun(self, lines: list[str], start: str, wear: Wear) -> list[str]:
        """Lines whose beginning is coloured, if it stands on the first of them."""
        if lines and start.startswith(lines[0]):
            return [wear(lines[0]), *lines[1:]]
        if not lines or not lines[0].startswith(start):
            return lines
        return [wear(start) + lines[0][len(start) :], *lines[1:]]

    def told(self, label: Arg, what: str, tone: Tone = NO_TONE) -> list[str]:
        """``Row: ...``, with the colon as the reader's language sets it."""
        name = self.heading(label)
        lines = self.folded(self.reader.read(Message("{0}: {1}", name, what)))
        return self.begun(lines, name, self.ink.bold if tone == NO_TONE else partial(self.ink.tone, tone))

    def counter(self, part: Counter) -> str:
        return f"{self.heading(part.label)} {self.reader.say(part.value)}".strip()

    # -- one part ---------------------------------------------------------------------------------------------------

    @singledispatchmethod
    def lines(self, part: Part) -> Iterator[str]:
        raise TypeError(f"no text for {part}")

    @lines.register
    def _(self, part: Tally) -> Iterator[str]:
        counts = [f"{self.reader.say(count.name)} {self.reader.say(count.value)}" for count in part.counts]
        yield from self.told(part.label, ", ".join(counts))

    @lines.register
    def _(self, part: Cards) -> Iterator[str]:
        yield from self.headed(part.label)
        for card in part.cards:
            yield from (f"{INDENT}{line}" for line in self.indented().card(card))

    @lines.register
    def _(self, part: Pile) -> Iterator[str]:
        yield from self.told(part.label, str(part.count), part.tone)

    @lines.register
    def _(self, part: Track) -> Iterator[str]:
        yield from self.told(part.label, " ".join(self.space(space) for space in part.spaces))

    @lines.register
    def _(self, part: Map) -> Iterator[str]:
        """What is marked or occupied; the rest of a map is no text."""
        marked: dict[tuple[str, Tone], list[Place]] = {}
        for place in part.places:
            for seat in place.seats:
                marked.setdefault((self.reader.say(SeatName(seat)), seat), []).append(place)
            names = [*(mark.name for mark in place.marks), *(name for _, name in place.tokens), *place.holds]
            for name in names:
                marked.setdefault((self.heading(name), NO_TONE), []).append(place)
        for (label, tone), places in sorted(marked.items(), key=lambda item: item[0][1] == NO_TONE):
            yield from self.told(label, self.reader.say(Joined([place.name for place in places])), tone)

    @lines.register
    def _(self, part: Group) -> Iterator[str]:
        yield from self.headed(part.label)
        yield from (f"{INDENT}{line}" for line in self.indented().parts(part.parts))

    def space(self, space: Space) -> str:
        """The marker's in brackets, lit ones with a star."""
        name = self.reader.say(space.name)
        seats = "".join(f"<{self.reader.say(SeatName(seat))}>" for seat in space.seats)
        return f"[{name}]{seats}" if space.at else f"*{name}{seats}" if space.lit else f"{name}{seats}"

    def card(self, card: Card) -> list[str]:
        if card.face is None:
            named = "-" if card.empty else f"[{self.reader.say(card.back) or '?'}]"
            notes = [self.counter(note) for note in card.notes]
            return self.folded(self.reader.read(Message("{0}: {1}", named, ", ".join(notes))) if notes else named)
        face = card.face
        title = f"{self.reader.say(face.title)} {self.reader.say(face.corner)}".strip()
        if any(letter.isdigit() for letter in card.id) and card.id.lower() not in title.lower():
            title = f"{card.id.upper()} {title}"  # by which an option names it
        told = [self.reader.say(line) for line in face.lines]
        told += [self.reader.say(face.about)] if face.about else []
        told += [self.counter(note) for note in card.notes]
        lines = self.folded(self.reader.read(Message("{0}: {1}", title, ", ".join(told))) if told else title)
        return self.begun(lines, title, partial(self.ink.tone, card.tone))
