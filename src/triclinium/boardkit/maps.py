"""A map as it is drawn: every window is made 1,000 units wide, so that one style fits all of them."""

from collections.abc import Mapping
from typing import Final

from triclinium.boardkit.parts import Button, Map, Place
from triclinium.engine.kinds import Kind, Layout

WIDTH: Final = 1000
BELOW: Final = 32  # where a name stands that the layout does not place
SIDE_BY_SIDE: Final = 28  # between pieces at one place


def new_map(name: str, kind: Kind, layout: Layout, buttons: Mapping[int, list[Button]]) -> Map:
    """The places of a kind, with what can be done there and nothing on them yet."""
    left, top, width, height = layout.window
    scale = WIDTH / width
    places: list[Place] = []
    for n, (x, y) in enumerate(layout.at):
        at_x, at_y = round((x - left) * scale, 1), round((y - top) * scale, 1)
        dx, dy, anchor = layout.labels[n] if n < len(layout.labels) else (0.0, BELOW / scale, "middle")
        label = round(at_x + dx * scale, 1), round(at_y + dy * scale, 1)
        place = Place(str(kind.ids[n]), kind.names[n], at_x, at_y, *label, anchor, kind.tone(n))
        place.buttons += buttons.get(n, ())
        places.append(place)
    ends = [(places[a], places[b]) for a, b in layout.lines]
    roads = "".join(f"M{a.x} {a.y}L{b.x} {b.y}" for a, b in ends)
    return Map(name, round(height * scale, 1), roads, places)
