"""The placement of things on maps and tracks, collected while the default board reads a view."""

from collections.abc import Callable, Mapping
from typing import Any

from triclinium.boardkit.fields import ViewField
from triclinium.boardkit.maps import finish_map, make_map, make_places
from triclinium.boardkit.parts import Button, Map, Part, Place, PlaceMark, Space, Track
from triclinium.engine.component_kinds import ComponentKind
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Name
from triclinium.engine.view import FIELD


class Placement:
    """The maps and tracks of a table."""

    def __init__(
        self, kinds: Mapping[str, ComponentKind], buttons_for: Callable[[str, int], list[Button]], viewer: Seat | None
    ) -> None:
        self.kinds = kinds
        self.buttons_for = buttons_for
        self.viewer = viewer
        self.places_by_kind: dict[str, list[Place]] = {}  # several kinds can share one map
        self.maps: dict[str, Map] = {}
        self.tracks: dict[str, Track] = {}
        self.placed_seats: set[tuple[str, Seat]] = set()  # seats whose piece is already on a map
        for name, kind in sorted(kinds.items(), key=lambda item: item[1].map_kind):
            if kind.shape == "place" and kind.layout is not None:
                self._add_map(name, kind)

    def _add_map(self, name: str, kind: ComponentKind) -> None:
        assert kind.layout is not None
        buttons = {n: place_buttons for n in range(len(kind.ids)) if (place_buttons := self.buttons_for(name, n))}
        if kind.map_kind:
            self.places_by_kind[name] = make_places(kind, kind.layout, buttons)
            self.maps[kind.map_kind].places += self.places_by_kind[name]
        else:
            self.maps[name] = make_map(name, kind, kind.layout, buttons)
            self.places_by_kind[name] = self.maps[name].places[:]

    def finish_parts(self) -> list[Part]:
        """Return the maps and tracks, ready for drawing; a map without pieces is included."""
        for board_map in self.maps.values():
            finish_map(board_map, self.viewer)
        return [*self.tracks.values(), *self.maps.values()]

    # -- maps -------------------------------------------------------------------------------------------------------

    def place_field(self, field: ViewField, numbers: list[int | None], seat: Seat | None) -> bool:
        """Put the places or spaces that a field names on their map; return False if they must be listed as well.

        The first single place of a seat is the position of its piece. A list of places is listed, and marked for its
        owner.
        """
        if field.ref in self.places_by_kind:
            known = [n for n in numbers if n is not None]
            if seat is None:
                self._mark_places(field, known)
                return len(known) == len(numbers)
            if field.is_list or (field.ref, seat) in self.placed_seats:
                if seat == self.viewer and field.is_list:
                    self._mark_places(field, known)
                return False
            self.placed_seats.add((field.ref, seat))
            for n in known:
                self.places_by_kind[field.ref][n].seats.append(seat)
            return True
        if self.kinds[field.ref].shape == "track":
            self.place_on_track(field, field.ref, numbers if field.is_list else numbers[0], seat)
            return True
        return False

    def _mark_places(self, field: ViewField, places: list[int]) -> None:
        for n in places:
            self.places_by_kind[field.ref][n].marks.append(PlaceMark(field.label, field.label))

    def place_by_kind(self, field: ViewField, kind: ComponentKind, items: list[tuple[int, Any]]) -> bool:
        """Put things on places: a list of places by thing, or the contents of some places.

        Return whether it was possible.
        """
        if field.ref in self.places_by_kind:
            for n, there in items:
                self.place_token(field.ref, there, field.per_kind, n)
            return True
        places = self.places_by_kind.get(field.per_kind)
        if places is None:
            return False
        for n, held in items:
            if field.is_seat and isinstance(held, int):
                places[n].seats.append(held)
            elif field.ref:
                places[n].holds.append(self.kinds[field.ref].names[held])
                places[n].buttons += self.buttons_for(field.ref, held)
            else:
                label = Name(held, FIELD) if isinstance(held, str) else field.label
                places[n].marks.append(PlaceMark(label, label))
        return True

    def place_token(self, places: str, place_number: int, kind: str, n: int) -> None:
        """Put a component at a place; its buttons are drawn there."""
        thing = self.kinds[kind]
        place = self.places_by_kind[places][place_number]
        place.tokens.append((str(thing.ids[n]).upper()[:2], thing.names[n]))
        place.buttons += self.buttons_for(kind, n)

    # -- tracks -----------------------------------------------------------------------------------------------------

    def place_on_track(self, field: ViewField, name: str, value: Any, seat: Seat | None) -> None:
        track = self.tracks.get(name)
        if track is None:
            kind = self.kinds[name]
            spaces = [Space(str(id), kind.names[n], buttons=self.buttons_for(name, n)) for n, id in enumerate(kind.ids)]
            track = self.tracks[name] = Track(field.label, spaces)
        several = value if isinstance(value, list | tuple) else [value]
        for n in several:
            space = track.spaces[n]
            if seat is not None:
                space.seats.append(seat)
            elif several is not value and not space.lit:
                space.at = True
            else:
                space.lit = True
