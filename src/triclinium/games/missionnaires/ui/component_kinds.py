"""Appearance of the components of Les Missionnaires as data for the board kit."""

from collections.abc import Mapping, Sequence
from typing import Final

from triclinium.engine.component_kinds import ComponentKind, Facet, Layout, Sign, Thing
from triclinium.engine.core.text import Arg, Message, Name, msgid
from triclinium.engine.view import FIELD
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.ui.board_layout import HEIGHT, WIDTH, list_spaces_by_number
from triclinium.games.missionnaires.ui.card_faces import (
    LAND_CARD,
    LAND_TONE,
    SEA_CARD,
    SEA_TONE,
    TOWN_TONE,
    build_card_faces,
    is_sea_card,
)
from triclinium.games.missionnaires.ui.view import MissionnairesView

SPACE_TONES: Final = (
    6,
    TOWN_TONE,
    7,
    LAND_TONE,
    SEA_TONE,
)  # tones of the Bethel, congregations, gendarmeries, green towns and sea points
COLOUR_TONES: Final = (0, 3, 1, 6)
DECK_IDS: Final = ("territories", "sea")  # ids that the view uses
DECK_NAMES: Final = (Name("territories", FIELD), Name("sea", FIELD))
# Kinds of spaces, in the order of the rules
KIND_LABELS: Final = (
    msgid("Bethel"),
    msgid("congregation"),
    msgid("gendarmerie"),
    msgid("green town"),
    msgid("sea point"),
)
SPACE_SORTS: Final = (
    ("bethel", Name("Bethel", "facet")),
    ("congregation", Name("congregations", "facet")),
    ("gendarmerie", Name("gendarmeries", "facet")),
    ("green", Name("green towns", "facet")),
    ("sea", Name("sea points", "facet")),
)


def build_kinds(c: Components) -> Mapping[str, ComponentKind]:
    """Return the appearance of all components that have more than a name, by kind."""
    return {
        "space": ComponentKind(
            c.ids,
            c.space_names,
            "place",
            layout=build_map_layout(c),
            tones=[SPACE_TONES[kind] for kind in c.kind],
            notes=list_space_notes(c),
            facets=build_space_facets(c),
            sign=lambda id: Sign(SPACE_SORTS[c.kind[c.ids.index(id)]][0]),
        ),
        "card": ComponentKind(
            c.card_ids,
            c.card_names,
            "card",
            face=lambda card: build_card_faces(c)[card],
            facets=build_card_facets(c),
        ),
        "deck": ComponentKind(
            DECK_IDS,
            DECK_NAMES,
            "pile",
            tones=(LAND_TONE, SEA_TONE),
            sign=lambda id: Sign(SEA_CARD if id == DECK_IDS[1] else LAND_CARD),
        ),
        "colour": ComponentKind(c.colours, c.colour_names, tones=COLOUR_TONES),
        "gendarme": ComponentKind(c.gendarmes, [id.upper() for id in c.gendarmes]),
        "overseer": ComponentKind(c.overseers, c.overseer_names, sign=lambda id: Sign(f"overseer-{id}")),
    }


def list_space_notes(c: Components) -> list[Arg]:
    """Return the kind of each space, and whether it is a port. Ways that touch a sea point are sea lanes."""
    kinds: list[Arg] = [Message(KIND_LABELS[kind]) for kind in c.kind]
    return [Message("{0}, port", kind) if c.port[space] else kind for space, kind in enumerate(kinds)]


def build_card_facets(c: Components) -> list[Facet]:
    """Return the facets of cards: the deck, and whether the card may be kept."""
    uses = [("voucher", Name("voucher, may be kept", "facet")), ("event", Name("takes effect at once", "facet"))]
    return [
        Facet(
            "deck",
            Name("Deck", "facet"),
            list(zip(DECK_IDS, DECK_NAMES, strict=True)),
            lambda card: [DECK_IDS[is_sea_card(c, card)]],
        ),
        Facet("use", Name("Use", "facet"), uses, lambda card: ["voucher" if c.bon[card] else "event"]),
    ]


def build_space_facets(c: Components) -> list[Facet]:
    """Return the facet of spaces: their kind."""
    return [Facet("sort", Name("Kind", "facet"), SPACE_SORTS, lambda space: [SPACE_SORTS[c.kind[space]][0]], sign=Sign)]


def build_map_layout(c: Components) -> Layout:
    """Return the layout of the map, with the spaces in the same places as on the game's own board."""
    spaces = list_spaces_by_number(c)
    return Layout(
        window=(0.0, 0.0, WIDTH, HEIGHT),
        points=[(space.x, space.y) for space in spaces],
        lines=[(a, b) for a, near in enumerate(c.near) for b in near if a < b],
        ground="ground.svg#lm-coast",
    )


def find_option_things(c: Components, view: MissionnairesView, option_text: str) -> Sequence[Thing] | None:
    """Return the components that an option text names indirectly, or None for other options.

    An own congregation card is named by its place in the hand, and a rival by a colour. Both are shown on the map.
    """
    verb, *words = option_text.split()
    if verb == "move":
        rivals = [player for player in view.players if c.colours[player.colour] == words[0]]
        return [("space", rival.at) for rival in rivals if rival.at is not None]
    if verb != "swap" or view.viewer is None:
        return None
    town = view.players[view.viewer].unvisited[int(words[0]) - 1].card
    return [] if town is None else [("space", town)]
