"""Component kinds of Ierusalem, from which the board kit draws its generic table."""

from collections.abc import Mapping, Sequence
from typing import Final

from triclinium.engine.component_kinds import PLAYER, ComponentKind, Facet, Layout, Sign, Thing
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.engine.view import FIELD
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    ACTIONS,
    CARDS,
    COLOURS,
    GOODS,
    LOCATIONS,
    SHADES,
    TILES,
)
from triclinium.games.ierusalem.ui.board_layout import COLUMN_PITCH, ROOM_LEFT, ROW_TOPS, SPACE_HEIGHT, SPACE_WIDTH
from triclinium.games.ierusalem.ui.card_faces import (
    LOCATION_TONES,
    build_card_faces,
    describe_location,
    find_deck,
    make_action_sign,
    name_card_back,
)
from triclinium.games.ierusalem.ui.reward_text import name_favor
from triclinium.games.ierusalem.ui.table_notes import list_space_notes
from triclinium.games.ierusalem.ui.view import BACKS, IerusalemView, view_ids

GOOD_TONES: Final = (7, 3, 1)
COLOUR_TONES: Final = (0, 3, 2, 1)
BACK_TONES: Final = (*COLOUR_TONES, 6, 7)
SHADE_TONES: Final = (4, 5, 7, 6)  # colour indexes of the four colours of Apostles
ROOM_WINDOW: Final = (
    ROOM_LEFT - 6,
    ROW_TOPS[0] - 6,
    COLUMN_PITCH * 10 + 10,
    ROW_TOPS[8] + SPACE_HEIGHT + 12 - ROW_TOPS[0],
)  # the viewBox of the Supper
LABEL_OFFSET: Final = (0.0, 20.0, "middle")  # offset and text anchor of a space's name
# Offsets of the names of Apostles, alternating, towards the middle of the table.
STAGGERED_OFFSETS: Final = ((0.0, 26.0), (0.0, 38.0))
DECK_NAMES: Final = (Name("Mahane cards", FIELD), Name("XXXIII cards", FIELD))
UNUSED: Final = Name("unused", "field")  # the owner of a Follower of the unused colour
CARD_VERBS: Final = ("play", "discard", "drop", "take", "lay")


def build_kinds(c: Components) -> Mapping[str, ComponentKind]:
    """Return the component kinds that a view names, except those that have nothing but a name."""
    ids = view_ids(c)
    steps = range(c.last + 1)
    card_names = [id.upper() for id in c.card_ids]
    return {
        "card": ComponentKind(
            ids["card"], card_names, "card", face=lambda card: build_card_faces(c)[card], facets=build_facets(c)
        ),
        "held": ComponentKind(
            ids["held"],
            [*card_names, *(name_card_back(c, n) for n in range(len(BACKS)))],
            "card",
            face=lambda held: build_card_faces(c)[held] if held < CARDS else None,
            tones=[0] * CARDS + list(BACK_TONES),
        ),
        "deck": ComponentKind(("mahane", "xxxiii"), DECK_NAMES, "pile", tones=BACK_TONES[-2:]),
        "location": ComponentKind(
            LOCATIONS, c.location_names, tones=LOCATION_TONES, notes=list_location_notes(c), sign=Sign
        ),
        "place": ComponentKind(LOCATIONS[:3], c.location_names[:3], tones=LOCATION_TONES),
        "good": ComponentKind(
            GOODS,
            c.good_names,
            tones=GOOD_TONES,
            notes=[Message("{0} Denarii, to buy or to sell", price) for price in c.price],
            sign=Sign,
        ),
        "space": ComponentKind(
            c.space_ids,
            list_space_names(c),
            "place",
            layout=build_room_layout(c),
            tones=list_space_tones(c),
            notes=list_space_notes(c),
        ),
        "seat": ComponentKind(
            c.seat_ids, [id.upper() for id in c.seat_ids], "place", layout=build_chair_layout(c), map_kind="space"
        ),
        "apostle": ComponentKind(
            c.apostle_ids,
            c.apostle_names,
            tones=[SHADE_TONES[shade] for shade in c.shade],
            notes=list_apostle_notes(c),
            sign=lambda id: make_apostle_sign(c, id),
        ),
        "colour": ComponentKind(COLOURS, c.colour_names, tones=COLOUR_TONES),
        "step": ComponentKind(steps, [str(step) for step in steps], "track"),
        "parable": ComponentKind(
            range(len(c.parable_names)),
            c.parable_names,
            notes=[
                Message("needs {0} {0:Follower|Followers} at the Last Supper", n + 1)
                for n in range(len(c.parable_names))
            ],
            sign=lambda _: Sign("parable"),
        ),
        "marker": ComponentKind(
            c.marker_ids,
            [name_favor(c, marker) for marker in range(len(c.marker_ids))],
            sign=lambda _: Sign("favor"),
        ),
        "tile": ComponentKind(TILES, c.tile_names, sign=Sign),
    }


def list_apostle_notes(c: Components) -> list[Arg]:
    """Return the colour and the value of each Apostle."""
    return [
        Message("{0}, {1}", c.shade_names[shade], Message("{0} VP for a Follower right behind", c.shade_value[shade]))
        for shade in c.shade
    ]


def make_apostle_sign(c: Components, id: str) -> Sign:
    """Return an Apostle in his robe, with his value."""
    shade = c.shade[c.apostle_ids.index(id)]
    return Sign("ap", style=f"a-{SHADES[shade]}", number=str(c.shade_value[shade]))


def list_location_notes(c: Components) -> list[Arg]:
    """Return the good of each Location and the price of a Follower there, or the action of Market and Temple."""
    places: list[Arg] = [
        Message(
            "{0}; {1}",
            Message("{0} for each of your Followers there", c.good_names[place]),
            Message("sending one out costs {0} {0:Denarius|Denarii}", price),
        )
        for place, price in enumerate(c.recruit_price)
    ]
    return places + [describe_location(place) for place in range(len(places), len(LOCATIONS))]


def build_facets(c: Components) -> list[Facet]:
    """Return the filters of the gallery: cards by Location, deck and action."""

    def find_action_sign(id: str) -> Sign:
        return make_action_sign(c, ACTIONS.index(id))

    used = sorted({action for actions in c.card_actions for action in actions})
    return [
        Facet(
            "location",
            Name("Location", "facet"),
            list(zip(LOCATIONS, c.location_names, strict=True)),
            lambda card: [LOCATIONS[c.card_location[card]]],
            Sign,
        ),
        Facet(
            "deck",
            Name("Deck", "facet"),
            [("own", Name("own cards", "facet")), *zip(("mahane", "xxxiii"), DECK_NAMES, strict=True)],
            lambda card: [find_deck(card)],
        ),
        Facet(
            "action",
            Name("Action", "facet"),
            [(ACTIONS[action], c.action_names[action]) for action in used],
            lambda card: [ACTIONS[action] for action in c.card_actions[card]],
            find_action_sign,
        ),
    ]


def list_space_names(c: Components) -> list[Arg]:
    """Return the names of the spaces: row and column."""
    return [id[:2].upper() + id[2:] for id in c.space_ids]


def list_space_tones(c: Components) -> list[int]:
    """Return the colour indexes of the spaces; those at Jesus stand out."""
    return [6 if (c.jesus_spaces >> space) & 1 else 7 for space in range(len(c.space_ids))]


def build_room_layout(c: Components) -> Layout:
    """Return the room with its spaces as on the game's own board."""
    at = [locate_space_center(x, y) for x, y in zip(c.space_x, c.space_y, strict=True)]
    return Layout(window=ROOM_WINDOW, points=at, labels=[LABEL_OFFSET] * len(at))


def build_chair_layout(c: Components) -> Layout:
    """Return the seats at the table; the Apostles' names are written on the table."""
    at = [locate_space_center(x, y) for x, y in zip(c.seat_x, c.seat_y, strict=True)]
    labels: list[tuple[float, float, str]] = []
    for x, y in zip(c.seat_x, c.seat_y, strict=True):
        dx, dy = STAGGERED_OFFSETS[x % 2]
        labels.append((dx, dy if y == min(c.seat_y) else 6 - dy, "middle"))
    return Layout(window=ROOM_WINDOW, points=at, labels=labels)


def locate_space_center(x: int, y: int) -> tuple[float, float]:
    return (ROOM_LEFT + COLUMN_PITCH * x + SPACE_WIDTH / 2, ROW_TOPS[y] + SPACE_HEIGHT / 2)


def find_option_things(c: Components, view: IerusalemView, option_text: str) -> Sequence[Thing] | None:
    """Return the things that an option names: cards, the viewer's columns, Apostle columns and rivals."""
    verb, *words = option_text.split()
    if view.viewer is None or not words:
        return None
    column = view.viewer * 3 - 1
    if verb in CARD_VERBS:
        card = c.card_ids.index(words[0])
        return [("card", card), ("held", card), *(("column", column + int(word)) for word in words[1:])]
    if verb in ("column", "clear"):
        return [("column", column + int(words[0]))]
    if verb == "visit":
        own = [("column", column + int(words[0]))] if words[0].isdigit() else []
        return [*own, ("apostles", int(words[1]) - 1)]
    if verb == "to":
        return [(PLAYER, int(words[0]))]
    return [("place", LOCATIONS.index(words[0])), (PLAYER, int(words[1]))] if verb == "replace" else None
