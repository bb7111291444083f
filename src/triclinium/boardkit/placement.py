"""What lies on maps and tracks, gathered while a view is walked."""

from collections.abc import Callable, Mapping
from typing import Any

from triclinium.boardkit.fields import Field
from triclinium.boardkit.maps import finish, new_map, new_places
from triclinium.boardkit.parts import Button, Map, Mark, Part, Place, Space, Track
from triclinium.engine.component_kinds import Kind
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Name
from triclinium.engine.view import FIELD


class Spots:
    """The maps and tracks of a table."""

    def __init__(self, kinds: Mapping[str, Kind], on: Callable[[str, int], list[Button]], viewer: Seat | None) -> None:
        self.kinds = kinds
        self.on = on
        self.viewer = viewer
        self.at: dict[str, list[Place]] = {}  # by kind; several kinds may lie on one map
        self.maps: dict[str, Map] = {}
        self.tracks: dict[str, Track] = {}
        self.standing: set[tuple[str, Seat]] = set()  # seats whose piece is on a map
        for name, kind in sorted(kinds.items(), key=lambda item: item[1].on):
            if kind.shape == "place" and kind.layout is not None:
                self._draw(name, kind)

    def _draw(self, name: str, kind: Kind) -> None:
        assert kind.layout is not None
        buttons = {n: several for n in range(len(kind.ids)) if (several := self.on(name, n))}
        if kind.on:
            self.at[name] = new_places(kind, kind.layout, buttons)
            self.maps[kind.on].places += self.at[name]
        else:
            self.maps[name] = new_map(name, kind, kind.layout, buttons)
            self.at[name] = self.maps[name].places[:]

    def parts(self) -> list[Part]:
        """All of them, as they are drawn; a map that nothing lies on is still a map."""
        for one in self.maps.values():
            finish(one, self.viewer)
        return [*self.tracks.values(), *self.maps.values()]

    # -- maps -------------------------------------------------------------------------------------------------------

    def put(self, field: Field, held: list[int | None], seat: Seat | None) -> bool:
        """Lay places or spaces that a field names; False: they are to be told as well.

        Of a seat the first single place is where its piece stands. A list of them is told, and marked for its owner.
        """
        if field.ref in self.at:
            known = [n for n in held if n is not None]
            if seat is None:
                self._mark(field, known)
                return len(known) == len(held)
            if field.many or (field.ref, seat) in self.standing:
                if seat == self.viewer and field.many:
                    self._mark(field, known)
                return False
            self.standing.add((field.ref, seat))
            for n in known:
                self.at[field.ref][n].seats.append(seat)
            return True
        if self.kinds[field.ref].shape == "track":
            self.put_on_track(field, field.ref, held if field.many else held[0], seat)
            return True
        return False

    def _mark(self, field: Field, places: list[int]) -> None:
        for n in places:
            self.at[field.ref][n].marks.append(Mark(field.label, field.label))

    def put_by_kind(self, field: Field, kind: Kind, items: list[tuple[int, Any]]) -> bool:
        """Things on places: a list of places by thing, or what stands at each of some places."""
        if field.ref in self.at:
            for n, there in items:
                self.stand(field.ref, there, field.by, n)
            return True
        places = self.at.get(field.by)
        if places is None:
            return False
        for n, held in items:
            if field.is_seat and isinstance(held, int):
                places[n].seats.append(held)
            elif field.ref:
                places[n].holds.append(self.kinds[field.ref].names[held])
                places[n].buttons += self.on(field.ref, held)
            else:
                said = Name(held, FIELD) if isinstance(held, str) else field.label
                places[n].marks.append(Mark(said, said))
        return True

    def stand(self, places: str, at: int, kind: str, n: int) -> None:
        """A thing at a place; what can be done with it can be done there."""
        thing = self.kinds[kind]
        place = self.at[places][at]
        place.tokens.append((str(thing.ids[n]).upper()[:2], thing.names[n]))
        place.buttons += self.on(kind, n)

    # -- tracks -----------------------------------------------------------------------------------------------------

    def put_on_track(self, field: Field, name: str, value: Any, seat: Seat | None) -> None:
        track = self.tracks.get(name)
        if track is None:
            kind = self.kinds[name]
            spaces = [Space(str(id), kind.names[n], buttons=self.on(name, n)) for n, id in enumerate(kind.ids)]
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
