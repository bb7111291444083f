"""A map as it is drawn: every window is made 1,000 units wide, so that one style fits all of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from triclinium.boardkit.graph import came_from
from triclinium.boardkit.parts import Button, Map, Piece, Place
from triclinium.engine.component_kinds import Kind, Layout
from triclinium.engine.core.state import Seat

WIDTH: Final = 1000
BELOW: Final = 32  # where a name stands that the layout does not place
SIDE_BY_SIDE: Final = 28  # between pieces at one place


def new_map(name: str, kind: Kind, layout: Layout, buttons: Mapping[int, list[Button]]) -> Map:
    """The places of a kind, with what can be done there and nothing on them yet."""
    left, top, width, height = layout.window
    scale = WIDTH / width
    laid = f"scale({scale:.4f}) translate({-left} {-top})" if layout.ground else ""
    places = new_places(kind, layout, buttons)
    return Map(name, round(height * scale, 1), tuple(layout.lines), places, ground=layout.ground, laid=laid)


def new_places(kind: Kind, layout: Layout, buttons: Mapping[int, list[Button]]) -> list[Place]:
    """Of a kind, on its own map or on that of another."""
    left, top, width, _ = layout.window
    scale = WIDTH / width
    places: list[Place] = []
    for n, (x, y) in enumerate(layout.at):
        at_x, at_y = round((x - left) * scale, 1), round((y - top) * scale, 1)
        dx, dy, anchor = layout.labels[n] if n < len(layout.labels) else (0.0, BELOW / scale, "middle")
        label = round(at_x + dx * scale, 1), round(at_y + dy * scale, 1)
        place = Place(str(kind.ids[n]), kind.names[n], at_x, at_y, *label, anchor, kind.tone(n))
        place.buttons += buttons.get(n, ())
        places.append(place)
    return places


def finish(one: Map, viewer: Seat | None) -> None:
    """Once everything lies on it: pieces side by side, what the marks mean, and the viewer's ways."""
    one.pieces = list(_pieces(one))
    standing = [n for n, place in enumerate(one.places) if viewer in place.seats]
    if one.lines and len(standing) == 1:
        _lead(one, standing[0])
    one.legend = list(dict.fromkeys(mark.label for place in one.places for mark in place.marks))


def _lead(one: Map, start: int) -> None:
    """From the place where the viewer's only piece stands to all others."""
    came = came_from(one.lines, start)
    one.ways = " ".join([str(came[n]) if n in came and n != start else "-" for n in range(len(one.places))])


def _pieces(one: Map) -> Iterator[Piece]:
    """A piece that is the only one of its seat glides from place to place; of several, each belongs to its place."""
    several: Counter[int | None] = Counter(seat for place in one.places for seat in place.seats)
    for place in one.places:
        standing = [(seat, "") for seat in place.seats] + [(None, text) for text, _ in place.tokens]
        middle = (len(standing) - 1) / 2
        for nth, (seat, text) in enumerate(standing):
            id = f"piece-{place.id}-{nth}" if several[seat] > 1 else f"piece-{text if seat is None else seat}"
            yield Piece(id, round(place.x + (nth - middle) * SIDE_BY_SIDE, 1), place.y, seat, text)
