"""What the components of The Acts of the Evangelists look like, as data: the board kit draws its table from this."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from triclinium.engine.component_kinds import Face, Facet, Kind, Layout, Thing
from triclinium.engine.core.text import Joined, Message, Name
from triclinium.games.evangelists.rules.components import TRACK_IDS, Components
from triclinium.games.evangelists.ui.board_layout import WHOLE, spots
from triclinium.games.evangelists.ui.plain_text import TRACKS
from triclinium.games.evangelists.ui.view import EvangelistsView

CITY, WAYPOINT = 6, 7  # tones
BESIDE: Final = (12.0, -9.0, "start")  # where a city's name stands
BEFORE: Final = {"corinth": (-10.0, 4.0, "end")}  # where another name is in its way
THEMES: Final = (0, 1, 2, 3, 4, 5)


def described(c: Components) -> Mapping[str, Kind]:
    """Of everything that a view names and that is more than its name, by kind."""
    places = [CITY if place < c.cities else WAYPOINT for place in range(len(c.place_ids))]
    traditions = Kind(c.numbers, c.titles, "card", face=lambda card: face(c, card), facets=facets(c))
    return {
        "place": Kind(c.place_ids, c.place_names, "place", layout=layout(c), tones=places),
        "tradition": traditions,
        "card": traditions,  # as sentences call them
        "theme": Kind(c.theme_ids, c.theme_names, tones=THEMES),
        "track": Kind(TRACK_IDS, [Message(track) for track in TRACKS]),
    }


def facets(c: Components) -> list[Facet]:
    """Traditions by theme, motif and witness."""

    def having(ids: Sequence[str], masks: Sequence[int]) -> Callable[[int], Sequence[str]]:
        return lambda card: [ids[one] for one in members(masks[card])]

    def facet(id: str, label: Name, ids: Sequence[str], names: Sequence[Name], masks: Sequence[int]) -> Facet:
        return Facet(id, label, list(zip(ids, names, strict=True)), having(ids, masks))

    return [
        facet("theme", Name("Theme", "facet"), c.theme_ids, c.theme_names, c.themes),
        facet("motif", Name("Motif", "facet"), c.motif_ids, c.motif_names, c.motifs),
        facet("witness", Name("Witness", "facet"), c.witness_ids, c.witness_names, c.circles),
    ]


def layout(c: Components) -> Layout:
    """The map, with its places and names as on the game's own board."""
    labels = [
        BEFORE.get(spot.id, BESIDE) if spot.is_city else (spot.name_x - spot.x, spot.name_y - spot.y, spot.anchor)
        for spot in spots(c)
    ]
    return Layout(
        window=WHOLE,
        at=[(spot.x, spot.y) for spot in spots(c)],
        lines=[(a, b) for a, near in enumerate(c.lines) for b in near if a < b],
        labels=labels,
        ground="coast.svg#coast",
    )


def face(c: Components, card: int) -> Face:
    """A tradition: its number and verses, motifs, circles and themes; the first theme is its colour."""
    motifs, circles = members(c.motifs[card]), members(c.circles[card])
    lead = c.back[card]
    themes = [lead, *(theme for theme in members(c.themes[card]) if theme != lead)]
    signs = [f"m-{c.motif_ids[motif]}" for motif in motifs] + [f"w-{c.witness_ids[one]}" for one in circles]
    names = [c.motif_names[motif] for motif in motifs] + [c.witness_names[one] for one in circles]
    return Face(
        c.titles[card],
        corner=str(c.numbers[card]),
        lines=(c.references[card],),
        signs=(*signs, *(f"t-{c.theme_ids[theme]}" for theme in themes)),
        tone=THEMES[lead],
        about=Joined([*names, *(c.theme_names[theme] for theme in themes)]),
    )


def members(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if (mask >> bit) & 1]


def named(c: Components, view: EvangelistsView, said: str) -> Sequence[Thing] | None:
    """Slots and leaves of the own gospel, and cards: of the box where the own pawn is, or by their number."""
    verb, *words = said.split()
    if view.viewer is None or not words or not words[0].isdigit():
        return None
    number, own = int(words[0]), view.players[view.viewer]
    if verb == "copy":
        return [("tradition", c.numbers.index(number))]
    if verb in ("keep", "face"):
        held = None if own.pawn is None else view.cities[own.pawn].box[number]
        return [] if held is None or held.card is None else [("tradition", held.card)]
    slot = number - 1 if verb == "slot" else (number - 1) * c.slots_per_leaf  # a leaf by its first slot
    return [("slot", view.viewer * len(own.slots) + slot)]
