"""Maps ready for drawing: each is scaled to a width of 1,000 units, so that one style fits all of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from triclinium.boardkit.graph import build_shortest_path_tree
from triclinium.boardkit.parts import Button, Map, Piece, Place
from triclinium.engine.component_kinds import ComponentKind, Layout
from triclinium.engine.core.state import Seat

WIDTH: Final = 1000
LABEL_OFFSET: Final = 32  # the distance of a name from its place, if the layout has no position for it
PIECE_SPACING: Final = 28  # the distance between pieces at one place


def make_map(name: str, kind: ComponentKind, layout: Layout, buttons: Mapping[int, list[Button]]) -> Map:
    """Return the places of a kind as a map, with buttons and nothing on them yet."""
    left, top, width, height = layout.window
    scale = WIDTH / width
    ground_transform = f"scale({scale:.4f}) translate({-left} {-top})" if layout.ground else ""
    places = make_places(kind, layout, buttons)
    return Map(
        name,
        round(height * scale, 1),
        tuple(layout.lines),
        places,
        ground=layout.ground,
        ground_transform=ground_transform,
    )


def make_places(kind: ComponentKind, layout: Layout, buttons: Mapping[int, list[Button]]) -> list[Place]:
    """Return the places of a kind, for its own map or that of another kind."""
    left, top, width, _ = layout.window
    scale = WIDTH / width
    places: list[Place] = []
    for n, (x, y) in enumerate(layout.points):
        at_x, at_y = round((x - left) * scale, 1), round((y - top) * scale, 1)
        dx, dy, anchor = layout.labels[n] if n < len(layout.labels) else (0.0, LABEL_OFFSET / scale, "middle")
        label = round(at_x + dx * scale, 1), round(at_y + dy * scale, 1)
        place = Place(str(kind.ids[n]), kind.names[n], at_x, at_y, *label, anchor, kind.tone(n), kind.note(n))
        place.buttons += buttons.get(n, ())
        places.append(place)
    return places


def finish_map(board_map: Map, viewer: Seat | None) -> None:
    """Complete a map that has all its pieces: spread the pieces, add the legend, and add the viewer's routes."""
    board_map.pieces = list(_place_pieces(board_map))
    occupied = [n for n, place in enumerate(board_map.places) if viewer in place.seats]
    if board_map.lines and len(occupied) == 1:
        _add_routes(board_map, occupied[0])
    board_map.legend = list(dict.fromkeys(mark.label for place in board_map.places for mark in place.marks))


def _add_routes(board_map: Map, start: int) -> None:
    """Add routes to all other places from the place of the viewer's only piece."""
    previous = build_shortest_path_tree(board_map.lines, start)
    board_map.routes = " ".join(
        [str(previous[n]) if n in previous and n != start else "-" for n in range(len(board_map.places))]
    )


def _place_pieces(board_map: Map) -> Iterator[Piece]:
    """Yield the pieces side by side.

    A seat's only piece keeps its identity from place to place, so that it can glide.
    """
    several: Counter[int | None] = Counter(seat for place in board_map.places for seat in place.seats)
    for place in board_map.places:
        pieces = [(seat, "") for seat in place.seats] + [(None, text) for text, _ in place.tokens]
        middle = (len(pieces) - 1) / 2
        for nth, (seat, text) in enumerate(pieces):
            id = f"piece-{place.id}-{nth}" if several[seat] > 1 else f"piece-{text if seat is None else seat}"
            yield Piece(id, round(place.x + (nth - middle) * PIECE_SPACING, 1), place.y, seat, text)
