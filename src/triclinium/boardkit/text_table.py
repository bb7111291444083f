"""The same table as text, for the terminal and for a page that cannot draw: its parts, folded to some columns."""

from collections.abc import Iterator, Mapping
from functools import singledispatchmethod
from textwrap import wrap
from typing import Final

from triclinium.boardkit.default import default_board
from triclinium.boardkit.kinds import kinds_of
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
from triclinium.engine.core.text import Arg, Joined, Message, Reader, SeatName
from triclinium.engine.game import Game
from triclinium.engine.kinds import Kind
from triclinium.engine.view import View
from triclinium.engine.words import Words

WIDE: Final = 100
INDENT: Final = "  "


def table_text(game: Game, view: View, reader: Reader, width: int = WIDE) -> str:
    """The table as the game's words tell it; if they leave that to the kit, as the kit does."""
    if type(game.words).table is Words.table:
        return text_table(view, kinds_of(game), reader, width)
    return game.words.table(view, reader)


def text_table(view: View, kinds: Mapping[str, Kind], reader: Reader, width: int = WIDE) -> str:
    """A view in lines of at most so many columns."""
    return "\n".join(_Text(reader, width).board(default_board(view, kinds, {})))


class _Text:
    """Parts as lines for one reader."""

    def __init__(self, reader: Reader, width: int) -> None:
        self.reader = reader
        self.width = width

    def board(self, board: Board) -> Iterator[str]:
        yield from self.parts(board.parts)
        for panel in board.panels:
            yield from self.panel(panel)

    def panel(self, panel: SeatPanel) -> Iterator[str]:
        marks = [self.heading(mark) for mark in panel.marks]
        name = self.reader.say(SeatName(panel.seat))
        yield ""
        yield from self.folded(f"{name} ({', '.join(marks)})" if marks else name)
        yield from (f"{INDENT}{line}" for line in _Text(self.reader, self.width - len(INDENT)).parts(panel.parts))

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

    def told(self, label: Arg, what: str) -> list[str]:
        """``Row: ...``, with the colon as the reader's language sets it."""
        return self.folded(self.reader.read(Message("{0}: {1}", self.heading(label), what)))

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
        yield from self.folded(self.heading(part.label))
        for card in part.cards:
            yield from (f"{INDENT}{line}" for line in _Text(self.reader, self.width - len(INDENT)).card(card))

    @lines.register
    def _(self, part: Pile) -> Iterator[str]:
        yield from self.told(part.label, str(part.count))

    @lines.register
    def _(self, part: Track) -> Iterator[str]:
        yield from self.told(part.label, " ".join(self.space(space) for space in part.spaces))

    @lines.register
    def _(self, part: Map) -> Iterator[str]:
        """What is marked or occupied; the rest of a map is no text."""
        marked: dict[str, list[Place]] = {}
        for place in part.places:
            for mark in place.marks:
                marked.setdefault(self.heading(mark.name), []).append(place)
            for seat in place.seats:
                marked.setdefault(self.reader.say(SeatName(seat)), []).append(place)
            for name in [*(name for _, name in place.tokens), *place.holds]:
                marked.setdefault(self.heading(name), []).append(place)
        for label, places in marked.items():
            yield from self.told(label, self.reader.say(Joined([place.name for place in places])))

    @lines.register
    def _(self, part: Group) -> Iterator[str]:
        yield from self.folded(self.heading(part.label))
        yield from (f"{INDENT}{line}" for line in _Text(self.reader, self.width - len(INDENT)).parts(part.parts))

    def space(self, space: Space) -> str:
        """The marker's in brackets, lit ones with a star."""
        name = self.reader.say(space.name)
        seats = "".join(f"<{self.reader.say(SeatName(seat))}>" for seat in space.seats)
        return f"[{name}]{seats}" if space.at else f"*{name}{seats}" if space.lit else f"{name}{seats}"

    def card(self, card: Card) -> list[str]:
        if card.face is None:
            return self.folded("-" if card.empty else f"[{self.reader.say(card.back) or '?'}]")
        face = card.face
        title = f"{self.reader.say(face.title)} {self.reader.say(face.corner)}".strip()
        told = [self.reader.say(line) for line in face.lines]
        told += [self.reader.say(face.about)] if face.about else []
        told += [self.counter(note) for note in card.notes]
        return self.folded(self.reader.read(Message("{0}: {1}", title, ", ".join(told))) if told else title)
