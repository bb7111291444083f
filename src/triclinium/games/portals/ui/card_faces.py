"""The printed faces of the cards, from which the board kit draws every card."""

from functools import lru_cache
from typing import Final

from triclinium.engine.component_kinds import CardFace, Fact, Sign, SignRow
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Arg, Message, Name, msgid
from triclinium.games.portals.rules.components import NONE, Card, Components, Space

REGION_TONES: Final = {"judea": 0, "samaria": 1, "galilee": 2, "distant": 3, "coastal": 4}
REGION_SIGN: Final = "region"
AS_REGION: Final = msgid("at the end: counts as one card of any region")
AS_SYMBOL: Final = msgid("at the end: one more of this symbol, and 1 point for each card that shows it")

# Short labels of the periods, where there is no room for their names.
PERIOD_LABELS: Final = (
    msgid("Gen"),
    msgid("15th"),
    msgid("14th"),
    msgid("13th"),
    msgid("12th"),
    msgid("11th"),
    msgid("10th"),
    msgid("9th"),
    msgid("8th"),
    msgid("7th"),
    msgid("6th"),
    msgid("5th"),
    msgid("NT"),
)


@lru_cache(FILE_CACHE_SIZE)
def build_card_faces(c: Components) -> tuple[CardFace, ...]:
    """Return the face of every card."""
    return tuple(
        [_build_event_face(c, card) if card < c.events else _build_bonus_face(c, card) for card in range(c.cards)]
    )


def list_region_tones(c: Components) -> list[int]:
    """Return the colour index of each region."""
    return [REGION_TONES.get(id, -1) for id in c.region_ids]


def _build_event_face(c: Components, card: Card) -> CardFace:
    """Return the face of an event: its time and place, its points, symbols and fuel."""
    region, place = c.region[card], c.place_names[c.place[card]]
    row = c.file.row("events").rows("card")[card]
    symbols = tuple([Sign(id, c.symbol_names[i]) for i, id in enumerate(c.symbol_ids) if (c.symbols[card] >> i) & 1])
    rows = (("symbols", symbols), ("fuels", list_fuel_signs(c, card)))
    fuel = Message("{0} {1}", c.fuel[card], c.colour_names[c.colour[card]]) if c.fuel[card] else Message("none")
    return CardFace(
        c.titles[card],
        corner=str(c.points[card]),
        band=c.space_names[c.period[card]],
        lines=(place,),
        brief=Message("{0}, {1}", Message(PERIOD_LABELS[c.period[card]]), place),
        details=(c.region_names[region], row.name("at")),
        signs=tuple([SignRow(row_signs, id) for id, row_signs in rows if row_signs]),
        tone=list_region_tones(c)[region],
        style=c.region_ids[region],
        picture=f"v-{c.region_ids[region]}",
        foot=row.name("ref"),
        about=_describe_worth(c, card, symbols),
        at=c.place_ids[c.place[card]],
        facts=(
            Fact(Message("Period"), c.space_names[c.period[card]], "PP-7.3"),
            Fact(Message("Place"), Message("{0}, {1}", place, c.region_names[region]), "PP-7.2"),
            Fact(Message("Points"), c.points[card], "PP-7.5"),
            Fact(Message("Symbols"), _join_names(symbols), "PP-11.6"),
            Fact(Message("Fuel"), fuel, "PP-8.5"),
            Fact(Message("Passage"), row.name("ref")),
            _name_deck(c, card),
        ),
    )


def _build_bonus_face(c: Components, card: Card) -> CardFace:
    """Return the face of a Region or Symbol card: it remains in the hand and counts at the end."""
    symbol = c.symbol_card[card]
    emblem = REGION_SIGN if symbol == NONE else c.symbol_ids[symbol]
    effect = AS_REGION if symbol == NONE else AS_SYMBOL
    return CardFace(
        c.titles[card],
        caption=Message("Any one region") if symbol == NONE else c.symbol_names[symbol],
        band=Message("Region card") if symbol == NONE else Message("Symbol card"),
        brief=Message("counts as any region at the end")
        if symbol == NONE
        else Message("counts as one more of its symbol at the end"),
        corner_sign=emblem,
        emblem=emblem,
        style="bonus",
        about=Message(effect),
        facts=(
            Fact(Message("At the end"), Message(effect), "PP-11.4" if symbol == NONE else "PP-11.7"),
            _name_deck(c, card),
        ),
    )


def _name_deck(c: Components, card: Card) -> Fact:
    return Fact(Message("Deck"), c.deck_names[c.deck[card]])


def list_fuel_signs(c: Components, card: Card) -> tuple[Sign, ...]:
    """PP-8.5  Return the icons that burning a card adds to the gauge."""
    colour = c.colour_ids[c.colour[card]] if c.fuel[card] else ""
    return (Sign(colour, style=f"fuel {colour}"),) * c.fuel[card]


def _join_names(signs: tuple[Sign, ...]) -> Arg:
    """Return the names of signs in a line."""
    text: Arg = signs[0].name if signs else Message("none")
    for sign in signs[1:]:
        text = Message("{0}, {1}", text, sign.name)
    return text


def _describe_worth(c: Components, card: Card, symbols: tuple[Sign, ...]) -> Message:
    """Return points, symbols and fuel in words."""
    text = Message("{0} {0:point|points}", c.points[card])
    for sign in symbols:
        text = Message("{0}, {1}", text, sign.name)
    if c.fuel[card]:
        text = Message("{0}; {1}", text, Message("fuel {0} {1}", c.fuel[card], c.colour_names[c.colour[card]]))
    return text


def label_period(period: Space) -> Name | Message:
    """Return the short label of a period."""
    return Message(PERIOD_LABELS[period])
