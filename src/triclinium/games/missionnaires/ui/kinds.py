"""What the components of Les Missionnaires look like, as data: the board kit draws its table from this alone."""

from collections.abc import Mapping, Sequence
from typing import Final

from triclinium.engine.component_kinds import Face, Facet, Kind, Layout, Thing
from triclinium.engine.core.text import Name
from triclinium.engine.view import FIELD
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.ui.board_layout import HEIGHT, WIDTH, atlas
from triclinium.games.missionnaires.ui.view import MissionnairesView
from triclinium.i18n.catalog import ENGLISH

SPACES: Final = (6, 0, 7, 2, 1)  # tones of the Bethel, congregations, gendarmeries, green towns, sea points
LAND, SEA = 2, 1  # tones of the cards
COLOURS: Final = (0, 3, 1, 5)
DECKS: Final = ("territories", "sea")  # as the view calls them
DECK_NAMES: Final = (Name("territories", FIELD), Name("sea", FIELD))
SORTS: Final = (
    ("bethel", Name("Bethel", "facet")),
    ("congregation", Name("congregations", "facet")),
    ("gendarmerie", Name("gendarmeries", "facet")),
    ("green", Name("green towns", "facet")),
    ("sea", Name("sea points", "facet")),
)


def described(c: Components) -> Mapping[str, Kind]:
    """Of everything that a view names and that is more than its name, by kind."""
    return {
        "space": Kind(
            c.ids, c.space_names, "place", layout=layout(c), tones=[SPACES[kind] for kind in c.kind], facets=towns(c)
        ),
        "card": Kind(c.card_ids, c.card_names, "card", face=lambda card: face(c, card), facets=facets(c)),
        "deck": Kind(DECKS, DECK_NAMES, "pile", tones=(LAND, SEA)),
        "colour": Kind(c.colours, c.colour_names, tones=COLOURS),
        "gendarme": Kind(c.gendarmes, [id.upper() for id in c.gendarmes]),
        "overseer": Kind(c.overseers, c.overseer_names),
    }


def facets(c: Components) -> list[Facet]:
    """Cards by their deck, and by whether they may be kept."""
    kept = [("voucher", Name("BON, may be kept", "facet")), ("event", Name("takes effect at once", "facet"))]
    return [
        Facet(
            "deck",
            Name("Deck", "facet"),
            list(zip(DECKS, DECK_NAMES, strict=True)),
            lambda card: [DECKS[card >= c.territories]],
        ),
        Facet("use", Name("Use", "facet"), kept, lambda card: ["voucher" if c.bon[card] else "event"]),
    ]


def towns(c: Components) -> list[Facet]:
    """Spaces by what they are."""
    return [Facet("sort", Name("Sort", "facet"), SORTS, lambda space: [SORTS[c.kind[space]][0]])]


def layout(c: Components) -> Layout:
    """The sheet, with its spaces and names as on the game's own board."""
    spaces = atlas(c)
    labels = [space.labels.row(ENGLISH) for space in spaces]
    return Layout(
        window=(0.0, 0.0, WIDTH, HEIGHT),
        at=[(space.x, space.y) for space in spaces],
        lines=[(a, b) for a, near in enumerate(c.near) for b in near if a < b],
        labels=[(label.number("x"), label.number("y"), label.text("at")) for label in labels],
        ground="ground.svg#lm-coast",
    )


def face(c: Components, card: int) -> Face:
    return Face(c.card_names[card], lines=(c.card_texts[card],), tone=LAND if card < c.territories else SEA)


def named(c: Components, view: MissionnairesView, said: str) -> Sequence[Thing] | None:
    """An own congregation card is named by its place in the hand, a rival by the colour: both are on the map."""
    verb, *words = said.split()
    if verb == "move":
        rivals = [player for player in view.players if c.colours[player.colour] == words[0]]
        return [("space", rival.at) for rival in rivals if rival.at is not None]
    if verb != "swap" or view.viewer is None:
        return None
    town = view.players[view.viewer].unvisited[int(words[0]) - 1].card
    return [] if town is None else [("space", town)]
