"""The table as text, for terminals and for pages that cannot draw: the parts of the default board as lines.

A game can add notes (`GameText.table_notes`, `ComponentKind.notes`) where the parts alone would lose something. Lines
are written whole first, then wrapped, then coloured. So two tables can be compared line by line at any width.
"""

from collections import Counter as Tallies
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatchmethod
from itertools import groupby
from textwrap import wrap
from typing import Final, Protocol, TypeAlias

from triclinium.boardkit.default_board import build_default_board
from triclinium.boardkit.fields import find_kind_of_field
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
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, JoinedList, Message, Reader, SeatName
from triclinium.engine.game import Game
from triclinium.engine.game_text import TableNote
from triclinium.engine.view import View

DEFAULT_WIDTH: Final = 100
INDENT: Final = "  "
MAX_FULL_CARDS: Final = 6  # a longer row that is not the viewer's own has titles only
MAX_GRID_COLUMNS: Final = 12
MIN_GRID_PLACES: Final = 12
MAX_CLAUSES: Final = 3  # parts in the line of a heading; if there are more, each gets its own line
POINTER: Final = "→ "  # before the name of the seat that decides
CELL_WIDTH: Final = 6  # columns of one place in a drawn grid

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


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of the table before it is wrapped. Its start is a name, which has the style of the line."""

    depth: int
    text: str
    start: str = ""
    tone: Tone = NO_TONE
    bold: bool = False
    pointer: str = ""  # written before the line of the seat that decides; it is no part of the text
    own: bool = False  # the line belongs to the viewer's hand or other own things on the table
    opens_panel: bool = False  # the line names a seat, and a blank line comes before it
    is_grid: bool = False  # the line is a row of a drawn grid, which is never wrapped

    def format(self, width: int, style: TextStyle) -> list[str]:
        """Return the line in lines of at most ``width`` columns. A row of a grid that does not fit is left out."""
        indent = INDENT * self.depth
        if self.is_grid:
            return [indent + self.text] if len(indent + self.text) <= width else []
        lines = wrap(
            self.text,
            max(10, width - len(indent) - len(self.pointer)),
            subsequent_indent=INDENT,
            break_long_words=True,
            break_on_hyphens=False,
        )
        styled = self._style_start(lines, style)
        styled[:1] = [self.pointer + line for line in styled[:1]]
        return [*([""] if self.opens_panel else []), *(indent + line for line in styled)]

    def _style_start(self, lines: list[str], style: TextStyle) -> list[str]:
        if not lines or not self.start:
            return lines

        def apply_style(text: str) -> str:
            toned = text if self.tone == NO_TONE else style.tone(self.tone, text)
            return style.bold(toned) if self.bold else toned

        if self.start.startswith(lines[0]):
            return [apply_style(lines[0]), *lines[1:]]
        if not lines[0].startswith(self.start):
            return lines
        return [apply_style(self.start) + lines[0][len(self.start) :], *lines[1:]]


# -- tables ------------------------------------------------------------------------------------------------------------


def format_game_table(game: Game, view: View, reader: Reader, width: int = 0, style: TextStyle = PLAIN_STYLE) -> str:
    """Return the table of a game with its notes, in at most ``width`` columns. The default is 100."""
    return format_lines(build_game_lines(game, view, reader), width or DEFAULT_WIDTH, style)


def build_game_lines(game: Game, view: View, reader: Reader) -> list[TextLine]:
    """Return the lines of a game's table with the game's notes."""
    return build_lines(view, map_kinds_by_name(game), reader, game.words.table_notes(view))


def format_default_table(
    view: View,
    kinds: Mapping[str, ComponentKind],
    reader: Reader,
    width: int = DEFAULT_WIDTH,
    style: TextStyle = PLAIN_STYLE,
) -> str:
    """Return a view as lines of at most `width` columns, without notes of a game."""
    return format_lines(build_lines(view, kinds, reader), width, style)


def build_lines(
    view: View, kinds: Mapping[str, ComponentKind], reader: Reader, notes: Sequence[TableNote] = ()
) -> list[TextLine]:
    """Return the lines of a view."""
    writer = _TextWriter(view, find_seat_tones(view, kinds), reader, notes)
    return list(writer.write_board(build_default_board(view, kinds, {})))


def format_lines(lines: Iterable[TextLine], width: int, style: TextStyle = PLAIN_STYLE) -> str:
    """Return lines as text of at most ``width`` columns."""
    return "\n".join(line for whole in lines for line in whole.format(width, style))


def find_seat_tones(view: View, kinds: Mapping[str, ComponentKind]) -> list[Tone]:
    """Return the colour index of each seat: that of its pieces, if the view gives players a `colour` with a tone."""
    tones = list(range(view.seats))
    for seat, player in enumerate(getattr(view, "players", [])):
        colour = getattr(player, "colour", None)
        kind = kinds.get(find_kind_of_field(type(player), "colour"))
        if seat < view.seats and isinstance(colour, int) and kind is not None and kind.tone(colour) != NO_TONE:
            tones[seat] = kind.tone(colour)
    return tones


def select_changed_lines(before: Sequence[TextLine], after: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines that are new or different since an earlier table, each below the headings that it belongs to.

    Rows of a drawn grid are left out, because other lines say the same.
    """
    known = Tallies(key for key, _ in _iterate_keys(before))
    selected: set[int] = set()
    for n, (key, headings) in enumerate(_iterate_keys(after)):
        if known[key]:
            known[key] -= 1
        elif not after[n].is_grid:
            selected |= {n, *headings}
    return [line for n, line in enumerate(after) if n in selected]


def select_own_lines(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines of the viewer's hand and other own things on the table."""
    return [line for line in lines if line.own]


def _iterate_keys(lines: Sequence[TextLine]) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Yield a key for each line, made of its text and the names of its headings, and the indexes of these headings."""
    headings: list[int] = []
    for n, line in enumerate(lines):
        while headings and lines[headings[-1]].depth >= line.depth:
            headings.pop()
        names = [lines[heading].start or lines[heading].text for heading in headings]
        yield (*names, line.text), headings[:]
        headings.append(n)


# -- writing -----------------------------------------------------------------------------------------------------------


class _TextWriter:
    """Writes the parts of one table as lines for one reader."""

    def __init__(self, view: View, seat_tones: Sequence[Tone], reader: Reader, notes: Sequence[TableNote]) -> None:
        self.view = view
        self.seat_tones = seat_tones
        self.reader = reader
        self.notes = notes

    def write_board(self, board: Board) -> Iterator[TextLine]:
        yield from self.write_notes(None)
        yield from self.write_parts(board.parts, 0)
        for panel in board.panels:
            yield from self.write_panel(panel)

    def write_notes(self, seat: Seat | None) -> Iterator[TextLine]:
        """Yield the game's notes about a seat, or about the whole table."""
        for note in self.notes:
            if note.seat == seat:
                yield TextLine(0 if seat is None else 1, self.reader.read(note.text))

    def write_panel(self, panel: SeatPanel) -> Iterator[TextLine]:
        marks = [self.read(mark) for mark in panel.marks]
        name = self.read(SeatName(panel.seat))
        pointer = POINTER if self.view.who == panel.seat else ""
        text = f"{name} ({', '.join(marks)})" if marks else name
        yield TextLine(0, text, name, self.seat_tones[panel.seat], bold=True, pointer=pointer, opens_panel=True)
        yield from self.write_notes(panel.seat)
        yield from self.write_parts(panel.parts, 1)

    def write_parts(self, parts: Sequence[Part], depth: int) -> Iterator[TextLine]:
        """Yield the lines of the parts: counters side by side, all other parts below each other.

        Rows of empty places are left out.
        """
        counters = [self.format_counter(part) for part in parts if isinstance(part, Counter)]
        if counters:
            yield TextLine(depth, ", ".join(counters))
        for part in parts:
            if not isinstance(part, Counter) and not is_empty_row(part):
                own = isinstance(part, Cards | Group | Tally) and part.own
                for line in self.write_part(part, depth):
                    yield replace(line, own=True) if own else line

    def write_inner_parts(self, parts: Sequence[Part], depth: int) -> Iterator[TextLine]:
        """Yield the lines of the parts of a group. Neighbours with equal counts share a line."""
        for counts, run in groupby(parts, self.format_plain_counts):
            equal = list(run)
            labels = [part.label for part in equal if isinstance(part, Group | Tally)]
            if counts and len(labels) > 1:
                yield self.make_labelled(depth, self.join_names(labels), counts)
            else:
                yield from self.write_parts(equal, depth)

    def format_plain_counts(self, part: Part) -> str:
        """Return the counts of a part that has nothing else and belongs to no seat. Otherwise return no text."""
        if not isinstance(part, Group | Tally) or part.own or isinstance(part.label, SeatName):
            return ""
        if isinstance(part, Tally):
            return self.format_counts(part)
        counters = [self.format_counter(inner) for inner in part.parts if isinstance(inner, Counter)]
        return ", ".join(counters) if len(counters) == len(part.parts) else ""

    # -- short texts ----------------------------------------------------------------------------------------------

    def read(self, arg: Arg) -> str:
        return self.reader.format_arg(arg)

    def join_label(self, label: str, text: str) -> str:
        """Return ``Row: ...``, with the colon as the reader's language sets it."""
        return self.reader.read(Message("{0}: {1}", label, text))

    def join_clauses(self, clauses: Sequence[str]) -> str:
        text = clauses[0] if clauses else ""
        for clause in clauses[1:]:
            text = self.reader.read(Message("{0}; {1}", text, clause))
        return text

    def join_names(self, names: Sequence[Arg]) -> str:
        return self.read(JoinedList(names))

    def make_heading(self, depth: int, label: Arg) -> TextLine:
        text = self.read(label)
        if isinstance(label, SeatName):
            return TextLine(depth, text, text, self.seat_tones[label.seat])
        return TextLine(depth, text, text, bold=True)

    def make_labelled(self, depth: int, label: str, text: str, tone: Tone = NO_TONE) -> TextLine:
        return TextLine(depth, self.join_label(label, text), label, tone, bold=tone == NO_TONE)

    def format_counter(self, part: Counter) -> str:
        return f"{self.read(part.label)} {self.read(part.value)}".strip()

    def format_counts(self, part: Tally) -> str:
        return ", ".join(f"{self.read(count.name)} {self.read(count.value)}" for count in part.counts)

    def format_short(self, part: Part) -> str | None:
        """Return a part that fits into a line with others, or None if it needs lines of its own."""
        if isinstance(part, Counter):
            return self.format_counter(part)
        if isinstance(part, Tally):
            return self.join_label(self.read(part.label), self.format_counts(part))
        if isinstance(part, Pile):
            return self.join_label(self.read(part.label), str(part.count))
        if isinstance(part, Cards) and all(is_plain_back(card) for card in part.cards):
            return self.join_label(self.read(part.label), self.format_backs(part.cards))
        return None

    # -- one part -------------------------------------------------------------------------------------------------

    @singledispatchmethod
    def write_part(self, part: Part, depth: int) -> Iterator[TextLine]:
        raise TypeError(f"no text for {part}")

    @write_part.register
    def _(self, part: Tally, depth: int) -> Iterator[TextLine]:
        yield self.make_labelled(depth, self.read(part.label), self.format_counts(part))

    @write_part.register
    def _(self, part: Pile, depth: int) -> Iterator[TextLine]:
        yield self.make_labelled(depth, self.read(part.label), str(part.count), part.tone)

    @write_part.register
    def _(self, part: Track, depth: int) -> Iterator[TextLine]:
        spaces = " ".join(self.format_space(space) for space in part.spaces)
        yield self.make_labelled(depth, self.read(part.label), spaces)

    @write_part.register
    def _(self, part: Group, depth: int) -> Iterator[TextLine]:
        """Yield one line with all short parts, and below it the parts that need lines of their own."""
        counters = [self.format_counter(inner) for inner in part.parts if isinstance(inner, Counter)]
        others = [inner for inner in part.parts if not isinstance(inner, Counter) and not is_empty_row(inner)]
        texts = [text for text in map(self.format_short, others) if text is not None]
        clauses = [", ".join(counters)] if counters else []
        if len(texts) <= MAX_CLAUSES:
            clauses += texts
            others = [inner for inner in others if self.format_short(inner) is None]
        heading = self.make_heading(depth, part.label)
        yield replace(heading, text=self.join_label(heading.text, self.join_clauses(clauses))) if clauses else heading
        if len(others) == 1 and isinstance(others[0], Cards):
            yield from self.write_cards(others[0], depth + 1)
        else:
            yield from self.write_inner_parts(others, depth + 1)

    @write_part.register
    def _(self, part: Cards, depth: int) -> Iterator[TextLine]:
        label = self.read(part.label)
        if all(is_plain_back(card) for card in part.cards):
            yield self.make_labelled(depth, label, self.format_backs(part.cards))
        elif len(part.cards) > MAX_FULL_CARDS and not (part.own or part.is_numbered):
            titles = [self.format_title(card) if card.face else self.format_backs([card]) for card in part.cards]
            yield self.make_labelled(depth, label, ", ".join(titles))
        else:
            yield self.make_heading(depth, part.label)
            yield from self.write_cards(part, depth + 1)

    def write_cards(self, part: Cards, depth: int) -> Iterator[TextLine]:
        """Yield the cards of a row, one a line. Places without a known card share a line.

        Empty places are left out, except for the last ones of a numbered row, which show its length.
        """
        for is_plain, run in groupby(enumerate(part.cards, start=1), lambda numbered: is_plain_back(numbered[1])):
            numbered_cards = list(run)
            is_end = part.is_numbered and numbered_cards[-1][0] == len(part.cards)
            if all(card.empty and not card.notes for _, card in numbered_cards) and not is_end:
                continue
            if is_plain:
                backs = self.format_backs([card for _, card in numbered_cards])
                first, last = numbered_cards[0][0], numbered_cards[-1][0]
                numbers = f"{first}. " if first == last else f"{first}-{last}. "
                yield TextLine(depth, (numbers if part.is_numbered else "") + backs)
                continue
            for n, card in numbered_cards:
                yield self.make_card_line(depth, card, f"{n}. " if part.is_numbered else "")

    def make_card_line(self, depth: int, card: Card, number: str) -> TextLine:
        notes = [self.format_counter(note) for note in card.notes]
        if card.face is None:
            return TextLine(depth, number + self.join_label(self.format_back(card), ", ".join(notes)))
        title = number + self.format_title(card)
        texts = [self.read(line) for line in card.face.texts]
        texts += [self.read(card.face.about)] if card.face.about else []
        texts += notes
        return TextLine(depth, self.join_label(title, ", ".join(texts)) if texts else title, title, card.tone)

    def format_title(self, card: Card) -> str:
        """Return the title of a card, with the id that options use and a corner that nothing else explains."""
        assert card.face is not None
        title, corner = self.read(card.face.title), self.read(card.face.corner)
        if corner and corner != card.id and not card.face.about:
            title = f"{title} {corner}"
        if any(letter.isdigit() for letter in card.id) and card.id.lower() not in title.lower().split():
            title = f"{card.id.upper()} {title}"
        return title

    def format_back(self, card: Card) -> str:
        return "-" if card.empty else f"[{self.read(card.back) or '?'}]"

    def format_backs(self, cards: Sequence[Card]) -> str:
        """Return backs and empty places, equal ones with their number."""
        runs = [(back, len(list(run))) for back, run in groupby(self.format_back(card) for card in cards)]
        return ", ".join(back if n == 1 or back == "-" else f"{back} ×{n}" for back, n in runs)

    def format_space(self, space: Space) -> str:
        """Return a space: in brackets if the marker is on it, with a star if it is lit."""
        name = self.read(space.name)
        seats = "".join(f"<{self.read(SeatName(seat))}>" for seat in space.seats)
        return f"[{name}]{seats}" if space.at else f"*{name}{seats}" if space.lit else f"{name}{seats}"

    # -- maps -----------------------------------------------------------------------------------------------------

    @write_part.register
    def _(self, part: Map, depth: int) -> Iterator[TextLine]:
        """Yield the places of each piece and mark; on a map with lines the neighbours of the seats' places as well."""
        if not part.lines:
            yield from self.write_grid(part, depth)
        marked: dict[tuple[str, Tone], list[Place]] = {}
        for place in part.places:
            for seat in place.seats:
                marked.setdefault((self.read(SeatName(seat)), self.seat_tones[seat]), []).append(place)
            for name in [*(mark.name for mark in place.marks), *(name for _, name in place.tokens), *place.holds]:
                marked.setdefault((self.read(name), NO_TONE), []).append(place)
        seat_names = {self.read(SeatName(seat)) for seat in range(self.view.seats)}
        entries = sorted(marked.items(), key=lambda entry: entry[0][0] not in seat_names)
        single = [
            self.join_label(label, self.read(places[0].name))
            for (label, _), places in entries
            if len(places) == 1 and label not in seat_names
        ]
        for (label, tone), places in entries:
            if label in seat_names or len(places) > 1:
                text = self.join_names([place.name for place in places])
                near = self.format_neighbours(part, places[0]) if label in seat_names and len(places) == 1 else ""
                yield self.make_labelled(depth, label, self.join_clauses([text, near] if near else [text]), tone)
        if single:
            yield TextLine(depth, self.join_clauses(single))
        if not part.lines:
            yield from self.write_empty_places(part, depth)

    def format_noted_place(self, place: Place, is_near_viewer: bool) -> str:
        """Return a place with its id, its note and the pieces on it."""
        name = self.read(place.name)
        if is_near_viewer and len(place.id) < len(name) and place.id.lower() not in name.lower().split():
            name = f"{name} [{place.id}]"
        notes = [self.read(place.note)] if place.note and is_near_viewer else []
        notes += [self.read(SeatName(seat)) for seat in place.seats]
        notes += [self.read(name) for _, name in place.tokens]
        return f"{name} ({', '.join(notes)})" if notes else name

    def format_neighbours(self, part: Map, place: Place) -> str:
        """Return the places next to this one, with the pieces on them; next to the viewer's own with their notes."""
        at = part.places.index(place)
        near = [part.places[b if a == at else a] for a, b in part.lines if at in (a, b)]
        if not near:
            return ""
        is_own = self.view.viewer in place.seats
        names = [self.format_noted_place(other, is_own) for other in near]
        return self.reader.read(Message("next to {0}", JoinedList(names)))

    def write_empty_places(self, part: Map, depth: int) -> Iterator[TextLine]:
        """Yield the notes of empty places, each with its places."""
        noted: dict[str, list[Arg]] = {}
        for place in part.places:
            if place.note and not (place.seats or place.tokens or place.holds or place.marks):
                noted.setdefault(self.read(place.note), []).append(place.name)
        if noted:
            yield self.make_heading(depth, Message("Empty places"))
        for note, names in noted.items():
            yield TextLine(depth + 1, self.join_label(note, self.join_names(names)), note)

    def write_grid(self, part: Map, depth: int) -> Iterator[TextLine]:
        """Yield a drawing of places in rows and columns: names of empty places, and what is on others."""
        columns = sorted({place.x for place in part.places})
        if len(part.places) < MIN_GRID_PLACES or len(columns) > MAX_GRID_COLUMNS:
            return
        for _, run in groupby(sorted(part.places, key=lambda place: (place.y, place.x)), lambda place: place.y):
            cells = {place.x: self.format_cell(place) for place in run}
            row = "".join(cells.get(x, "").ljust(CELL_WIDTH) for x in columns).rstrip()
            yield TextLine(depth, row, is_grid=True)
        seats = [f"[{seat}] {self.read(SeatName(seat))}" for seat in range(self.view.seats)]
        yield TextLine(depth, ", ".join(seats))

    def format_cell(self, place: Place) -> str:
        """Return the content of a place in at most five characters, or its name if it is empty."""
        if place.seats:
            return "".join(f"[{seat}]" for seat in place.seats)[: CELL_WIDTH - 1]
        names = [*place.holds, *(name for _, name in place.tokens)]
        if names:
            return self.read(names[0])[: CELL_WIDTH - 1]
        if place.marks:
            return f"[{self.read(place.marks[0].name)[:1]}]"
        return self.read(place.name)[: CELL_WIDTH - 1]


def is_empty_row(part: Part) -> bool:
    """Return whether a part is a row of empty places. A row of the viewer is shown even if it is empty."""
    return isinstance(part, Cards) and not part.own and all(card.empty and not card.notes for card in part.cards)


def is_plain_back(card: Card) -> bool:
    """Return whether a card is an empty place or a back without notes."""
    return card.face is None and not card.notes
