"""The table as text, for terminals and for pages that cannot draw: the same parts, in a number of columns."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial, singledispatchmethod
from textwrap import wrap
from typing import Final, Protocol, TypeAlias

from triclinium.boardkit.default_board import build_default_board
from triclinium.boardkit.kind_lookup import map_kinds_by_name
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
from triclinium.engine.component_kinds import NO_TONE, ComponentKind, Tone
from triclinium.engine.core.text import Arg, JoinedList, Message, Reader, SeatName
from triclinium.engine.game import Game
from triclinium.engine.game_text import GameText
from triclinium.engine.view import View

DEFAULT_WIDTH: Final = 100
MIN_DRAWING_WIDTH: Final = 60  # columns; drawings of letters do not fit into fewer
INDENT: Final = "  "

StyleFunction: TypeAlias = Callable[[str], str]


class TextStyle(Protocol):
    """The style of text in a terminal; tones are those of the kit, and seats have the first of them."""

    def bold(self, text: str) -> str: ...
    def tone(self, tone: Tone, text: str) -> str: ...


class PlainStyle:
    """A style without colours."""

    def bold(self, text: str) -> str:
        return text

    def tone(self, tone: Tone, text: str) -> str:
        return text


PLAIN_STYLE: Final = PlainStyle()


def format_game_table(game: Game, view: View, reader: Reader, width: int = 0, style: TextStyle = PLAIN_STYLE) -> str:
    """Return the table in the game's own words, or the kit's text if it has none or the terminal is too narrow.

    ``width`` is the number of columns of the terminal; 0 means no limit.
    """
    if type(game.words).format_table is GameText.format_table or 0 < width < MIN_DRAWING_WIDTH:
        return format_default_table(view, map_kinds_by_name(game), reader, width or DEFAULT_WIDTH, style)
    text = game.words.format_table(view, reader)
    if not width:
        return text
    lines = [part for line in text.splitlines() for part in _wrap_line(line, width)]
    names = [reader.format_arg(SeatName(seat)) for seat in range(view.seats)]
    return "\n".join(_colour_seat_name(line, names, style) for line in lines)


def _colour_seat_name(line: str, names: list[str], style: TextStyle) -> str:
    """Return a line in a seat's colour if it begins with the name of the seat."""
    start = line.lstrip("> ")
    for seat, name in enumerate(names):
        if start.startswith(name) and not start[len(name) :][:1].isalnum():
            return line[: len(line) - len(start)] + style.tone(seat, name) + start[len(name) :]
    return line


def _wrap_line(line: str, width: int) -> list[str]:
    """Return a line of a game's own table, wrapped if it is too long; its drawing fits into every width."""
    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2 * len(INDENT))
    return wrap(line, width, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True)


def format_default_table(
    view: View,
    kinds: Mapping[str, ComponentKind],
    reader: Reader,
    width: int = DEFAULT_WIDTH,
    style: TextStyle = PLAIN_STYLE,
) -> str:
    """Return a view as lines of at most `width` columns."""
    return "\n".join(_TextWriter(reader, width, style).format_board(build_default_board(view, kinds, {})))


class _TextWriter:
    """Writes parts as lines for one reader.

    It wraps lines before it colours them, because colour codes take no columns.
    """

    def __init__(self, reader: Reader, width: int, style: TextStyle) -> None:
        self.reader = reader
        self.width = width
        self.style = style

    def with_indent(self) -> "_TextWriter":
        """Return a writer that indents by two more columns."""
        return _TextWriter(self.reader, self.width - len(INDENT), self.style)

    def format_board(self, board: Board) -> Iterator[str]:
        yield from self.format_parts(board.parts)
        for panel in board.panels:
            yield from self.format_panel(panel)

    def format_panel(self, panel: SeatPanel) -> Iterator[str]:
        marks = [self.format_label(mark) for mark in panel.marks]
        name = self.reader.format_arg(SeatName(panel.seat))
        yield ""
        lines = self.wrap_text(f"{name} ({', '.join(marks)})" if marks else name)
        yield from self.style_start(lines, name, lambda text: self.style.bold(self.style.tone(panel.seat, text)))
        yield from (f"{INDENT}{line}" for line in self.with_indent().format_parts(panel.parts))

    def format_parts(self, parts: list[Part]) -> Iterator[str]:
        """Yield the lines of the parts: counters side by side, all other parts below each other."""
        chips = [self.format_counter(part) for part in parts if isinstance(part, Counter)]
        if chips:
            yield from self.wrap_text(", ".join(chips))
        for part in parts:
            if not isinstance(part, Counter):
                yield from self.format_part(part)

    def wrap_text(self, text: str) -> list[str]:
        return wrap(text, self.width, subsequent_indent=INDENT, break_long_words=True, break_on_hyphens=False)

    def format_label(self, label: Arg) -> str:
        return self.reader.format_arg(label)

    def format_heading(self, label: Arg) -> list[str]:
        """Return the heading of the lines that follow."""
        apply_style = partial(self.style.tone, label.seat) if isinstance(label, SeatName) else self.style.bold
        return [apply_style(line) for line in self.wrap_text(self.format_label(label))]

    def style_start(self, lines: list[str], start: str, apply_style: StyleFunction) -> list[str]:
        """Return the lines with a style on their beginning, if the first line has it."""
        if lines and start.startswith(lines[0]):
            return [apply_style(lines[0]), *lines[1:]]
        if not lines or not lines[0].startswith(start):
            return lines
        return [apply_style(start) + lines[0][len(start) :], *lines[1:]]

    def format_labelled(self, label: Arg, what: str, tone: Tone = NO_TONE) -> list[str]:
        """Return ``Row: ...``, with the colon as the reader's language sets it."""
        name = self.format_label(label)
        lines = self.wrap_text(self.reader.read(Message("{0}: {1}", name, what)))
        return self.style_start(lines, name, self.style.bold if tone == NO_TONE else partial(self.style.tone, tone))

    def format_counter(self, part: Counter) -> str:
        return f"{self.format_label(part.label)} {self.reader.format_arg(part.value)}".strip()

    # -- single parts --------------------------------------------------------------------------------------------------

    @singledispatchmethod
    def format_part(self, part: Part) -> Iterator[str]:
        raise TypeError(f"no text for {part}")

    @format_part.register
    def _(self, part: Tally) -> Iterator[str]:
        counts = [
            f"{self.reader.format_arg(count.name)} {self.reader.format_arg(count.value)}" for count in part.counts
        ]
        yield from self.format_labelled(part.label, ", ".join(counts))

    @format_part.register
    def _(self, part: Cards) -> Iterator[str]:
        yield from self.format_heading(part.label)
        for card in part.cards:
            yield from (f"{INDENT}{line}" for line in self.with_indent().format_card(card))

    @format_part.register
    def _(self, part: Pile) -> Iterator[str]:
        yield from self.format_labelled(part.label, str(part.count), part.tone)

    @format_part.register
    def _(self, part: Track) -> Iterator[str]:
        yield from self.format_labelled(part.label, " ".join(self.format_space(space) for space in part.spaces))

    @format_part.register
    def _(self, part: Map) -> Iterator[str]:
        """Yield the places that are marked or occupied; the rest of a map is not written."""
        marked: dict[tuple[str, Tone], list[Place]] = {}
        for place in part.places:
            for seat in place.seats:
                marked.setdefault((self.reader.format_arg(SeatName(seat)), seat), []).append(place)
            names = [*(mark.name for mark in place.marks), *(name for _, name in place.tokens), *place.holds]
            for name in names:
                marked.setdefault((self.format_label(name), NO_TONE), []).append(place)
        for (label, tone), places in sorted(marked.items(), key=lambda item: item[0][1] == NO_TONE):
            yield from self.format_labelled(
                label, self.reader.format_arg(JoinedList([place.name for place in places])), tone
            )

    @format_part.register
    def _(self, part: Group) -> Iterator[str]:
        yield from self.format_heading(part.label)
        yield from (f"{INDENT}{line}" for line in self.with_indent().format_parts(part.parts))

    def format_space(self, space: Space) -> str:
        """Return a space: in brackets if the marker is on it, with a star if it is lit."""
        name = self.reader.format_arg(space.name)
        seats = "".join(f"<{self.reader.format_arg(SeatName(seat))}>" for seat in space.seats)
        return f"[{name}]{seats}" if space.at else f"*{name}{seats}" if space.lit else f"{name}{seats}"

    def format_card(self, card: Card) -> list[str]:
        if card.face is None:
            back_text = "-" if card.empty else f"[{self.reader.format_arg(card.back) or '?'}]"
            notes = [self.format_counter(note) for note in card.notes]
            return self.wrap_text(
                self.reader.read(Message("{0}: {1}", back_text, ", ".join(notes))) if notes else back_text
            )
        face = card.face
        title = f"{self.reader.format_arg(face.title)} {self.reader.format_arg(face.corner)}".strip()
        if any(letter.isdigit() for letter in card.id) and card.id.lower() not in title.lower():
            title = f"{card.id.upper()} {title}"  # the notation of options uses the id
        texts = [self.reader.format_arg(line) for line in face.lines]
        texts += [self.reader.format_arg(face.about)] if face.about else []
        texts += [self.format_counter(note) for note in card.notes]
        lines = self.wrap_text(self.reader.read(Message("{0}: {1}", title, ", ".join(texts))) if texts else title)
        return self.style_start(lines, title, partial(self.style.tone, card.tone))
