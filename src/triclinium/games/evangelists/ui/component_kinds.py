"""Component kinds of The Acts of the Evangelists, from which the board kit draws its generic table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from triclinium.engine.component_kinds import ComponentKind, Facet, Layout, Sign, Thing
from triclinium.engine.core.text import Message, Name, msgid
from triclinium.games.evangelists.rules.components import TRACK_IDS, Components
from triclinium.games.evangelists.ui.board_layout import MAP_WINDOW, list_map_places
from triclinium.games.evangelists.ui.card_faces import list_tradition_faces
from triclinium.games.evangelists.ui.device_reasons import list_members
from triclinium.games.evangelists.ui.view import EvangelistsView

TRACKS: Final = (msgid("inclusio"), msgid("emphasis"), msgid("chiasm"), msgid("chronology"))
CITY_TONE, WAYPOINT_TONE = 6, 7  # colour indexes of cities and waypoints
CITY_LABEL_OFFSET: Final = (12.0, -9.0, "start")  # default offset and text anchor of a city's name
WAYPOINT_LABEL_OFFSET: Final = (10.0, 3.0, "start")
LABEL_EXCEPTIONS: Final = {"corinth": (-10.0, 4.0, "end")}  # offsets for names that would overlap another name
THEME_TONES: Final = (0, 1, 2, 3, 4, 5)


def build_kinds(c: Components) -> Mapping[str, ComponentKind]:
    """Return the component kinds that a view names, except those that have nothing but a name."""
    places = [CITY_TONE if place < c.cities else WAYPOINT_TONE for place in range(len(c.place_ids))]
    traditions = ComponentKind(
        c.numbers, c.titles, "card", face=lambda card: list_tradition_faces(c)[card].printed, facets=build_facets(c)
    )
    return {
        "place": ComponentKind(c.place_ids, c.place_names, "place", layout=build_map_layout(c), tones=places),
        "tradition": traditions,
        "card": traditions,  # another name of the same kind, which sentences use
        "theme": ComponentKind(c.theme_ids, c.theme_names, tones=THEME_TONES, sign=find_sign("t")),
        "track": ComponentKind(
            TRACK_IDS, [Message(track) for track in TRACKS], sign=lambda track: Sign(f"d-{track[:3]}")
        ),
    }


def build_facets(c: Components) -> list[Facet]:
    """Return the filters of the gallery: traditions by theme, motif and witness."""

    def make_id_filter(ids: Sequence[str], masks: Sequence[int]) -> Callable[[int], Sequence[str]]:
        return lambda card: [ids[bit] for bit in list_members(masks[card])]

    def make_facet(id: str, label: Name, ids: Sequence[str], names: Sequence[Name], masks: Sequence[int]) -> Facet:
        return Facet(id, label, list(zip(ids, names, strict=True)), make_id_filter(ids, masks), find_sign(id[0]))

    return [
        make_facet("theme", Name("Theme", "facet"), c.theme_ids, c.theme_names, c.themes),
        make_facet("motif", Name("Motif", "facet"), c.motif_ids, c.motif_names, c.motifs),
        make_facet("witness", Name("Witness", "facet"), c.witness_ids, c.witness_names, c.circles),
    ]


def find_sign(letter: str) -> Callable[[str], Sign]:
    """Return a function that finds the signs of themes, motifs or witnesses."""
    return lambda id: Sign(f"{letter}-{id}")


def build_map_layout(c: Components) -> Layout:
    """Return the map with the places of the game's own board."""
    labels = [
        LABEL_EXCEPTIONS.get(spot.id, CITY_LABEL_OFFSET) if spot.is_city else WAYPOINT_LABEL_OFFSET
        for spot in list_map_places(c)
    ]
    return Layout(
        window=MAP_WINDOW,
        points=[(spot.x, spot.y) for spot in list_map_places(c)],
        lines=[(a, b) for a, near in enumerate(c.lines) for b in near if a < b],
        labels=labels,
        ground="coast.svg#coast",
    )


def find_option_things(c: Components, view: EvangelistsView, option_text: str) -> Sequence[Thing] | None:
    """Return the things that an option names: slots and leaves of the viewer's gospel, or cards by place or number."""
    verb, *words = option_text.split()
    if view.viewer is None or not words or not words[0].isdigit():
        return None
    number, own = int(words[0]), view.players[view.viewer]
    if verb == "copy":
        return [("tradition", c.numbers.index(number))]
    if verb in ("keep", "face"):
        box_card = None if own.pawn is None else view.cities[own.pawn].box[number]
        return [] if box_card is None or box_card.card is None else [("tradition", box_card.card)]
    slot = number - 1 if verb == "slot" else (number - 1) * c.slots_per_leaf  # The first slot represents a leaf.
    return [("slot", view.viewer * len(own.slots) + slot)]
