"""Component kinds of Portals and Prophets, from which the board kit draws its generic table."""

from collections.abc import Mapping
from typing import Final

from triclinium.engine.component_kinds import NO_TONE, ComponentKind, Facet, Layout, Sign
from triclinium.engine.core.text import Name
from triclinium.games.portals.rules.components import NONE, Components
from triclinium.games.portals.ui.board_layout import HEIGHT, WIDTH, X0, Y0, build_board_map
from triclinium.games.portals.ui.card_faces import build_card_faces, list_region_tones
from triclinium.games.portals.ui.view import map_ids_by_kind

FUEL_TONES: Final = {"red": 0, "yellow": 3, "blue": 1}
DECK_TONES: Final = (7, 3, 1)  # colour indexes of the backs


def build_kinds(c: Components) -> Mapping[str, ComponentKind]:
    """Return the component kinds that a view names, except those that have nothing but a name."""
    ids = map_ids_by_kind(c)
    fuel = [FUEL_TONES.get(id, NO_TONE) for id in c.colour_ids]
    regions = list_region_tones(c)
    return {
        "card": ComponentKind(
            ids["card"], c.titles, "card", face=lambda card: build_card_faces(c)[card], facets=build_facets(c)
        ),
        "deck": ComponentKind(ids["deck"], c.deck_names, "pile", tones=DECK_TONES),
        "place": ComponentKind(
            ids["place"],
            c.place_names,
            "place",
            layout=build_map_layout(c),
            sign=find_pin,
            tones=[regions[region] for region in c.place_region],
        ),
        "space": ComponentKind(ids["space"], c.space_names, "track"),
        "gauge": ComponentKind(ids["gauge"], c.gauge_names, "track"),
        "colour": ComponentKind(ids["colour"], c.colour_names, tones=fuel, sign=find_fuel_sign),
        "region": ComponentKind(ids["region"], c.region_names, tones=regions),
        "symbol": ComponentKind(ids["symbol"], c.symbol_names, sign=Sign),
        "pawn": ComponentKind(ids["pawn"], c.pawn_names),
    }


def build_facets(c: Components) -> list[Facet]:
    """Return the filters of the gallery: cards by region, sign, deck and fuel."""

    def get_region(card: int) -> list[str]:
        return [c.region_ids[c.region[card]]] if card < c.events else []

    def list_signs(card: int) -> list[str]:
        if card >= c.events:
            return [] if c.symbol_card[card] == NONE else [c.symbol_ids[c.symbol_card[card]]]
        return [id for i, id in enumerate(c.symbol_ids) if (c.symbols[card] >> i) & 1]

    def get_fuel(card: int) -> list[str]:
        return [c.colour_ids[c.colour[card]]] if card < c.events and c.fuel[card] else []

    def get_period(card: int) -> list[str]:
        return [c.space_ids[c.period[card]]] if card < c.events else []

    def get_place(card: int) -> list[str]:
        return [c.place_ids[c.place[card]]] if card < c.events else []

    return [
        Facet("region", Name("Region", "facet"), list(zip(c.region_ids, c.region_names, strict=True)), get_region),
        Facet("sign", Name("Sign", "facet"), list(zip(c.symbol_ids, c.symbol_names, strict=True)), list_signs, Sign),
        Facet(
            "deck",
            Name("Deck", "facet"),
            list(zip(c.deck_ids, c.deck_names, strict=True)),
            lambda card: [c.deck_ids[c.deck[card]]],
        ),
        Facet(
            "fuel",
            Name("Fuel", "facet"),
            list(zip(c.colour_ids, c.colour_names, strict=True)),
            get_fuel,
            find_fuel_sign,
        ),
        Facet("period", Name("Century", "facet"), list(zip(c.space_ids, c.space_names, strict=True)), get_period),
        Facet("place", Name("Place", "facet"), list(zip(c.place_ids, c.place_names, strict=True)), get_place, find_pin),
    ]


def find_fuel_sign(colour: str) -> Sign:
    return Sign(colour, style=f"fuel {colour}")


def find_pin(_: str) -> Sign:
    return Sign("pin")


def build_map_layout(c: Components) -> Layout:
    """Return the map with the places of the game's own board."""
    spots = build_board_map(c).spots
    return Layout(
        window=(X0, Y0, WIDTH, HEIGHT),
        points=[(spot.x, spot.y) for spot in spots],
        lines=c.roads,
    )
