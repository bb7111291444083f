"""The verbs of Ierusalem: each owns a block of options."""

from typing import Final

from triclinium.engine.core.notation import Notation, Verb
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import COLOURS, FIRST_MAHANE, FIRST_XXXIII, GOODS, LOCATIONS, SHADES

SKIP: Final = 0
DONE: Final = 1
ILLUMINATE: Final = 2
LISTEN: Final = 3
OFFERING: Final = 4
DRAW: Final = 5  # from the top of a deck: what it is stays secret
TRADE: Final = 6
MAHANE: Final = 7  # the Market's other half: pay and draw
POST: Final = 8  # 3 Locations with squares, as for the next three
CALL: Final = 11
SEND: Final = 14
LEAVE: Final = 17
SELL: Final = 20  # 3 goods, as for the next two
BUY: Final = 23
WASTE: Final = 26
COLUMN: Final = 29  # 3 columns
CLEAR: Final = 32
APPRECIATE: Final = 35  # 4 colours of Apostles
BRING: Final = 39
TO: Final = 43  # 4 seats
FAVOR: Final = 47  # 8 markers
REPLACE: Final = 55  # 3 Locations by 4 seats
VISIT: Final = 67  # Favors alone or one of 3 columns, by 3 Apostle columns
SEAT: Final = 79  # 12 seats at the table
SCORE: Final = 91  # 12 Apostles
TAKE: Final = 103  # 20 Mahane cards
PLAY: Final = 130  # 70 cards, as for the next two
DISCARD: Final = 200
DROP: Final = 270
GO: Final = 340  # 56 spaces at the Supper, as for the next four
MOVE: Final = 396
ONTO: Final = 452
SWAP: Final = 508
WITH: Final = 564
LAY: Final = 620  # 70 cards by 3 columns
COLOUR: Final = 830  # 4 colours of players

COLUMNS = ("1", "2", "3")
SEATS = ("0", "1", "2", "3")
SOURCES = ("favors", "1", "2", "3")


def build_notation(c: Components) -> Notation:
    """All verbs, with the names of this components file."""
    locations = LOCATIONS[:3]
    apostles = c.apostle_ids
    markers = c.marker_ids
    seats = c.seat_ids
    spaces = c.space_ids
    cards = c.card_ids
    mahane = c.card_ids[FIRST_MAHANE:FIRST_XXXIII]
    return Notation(
        [
            Verb("skip", SKIP, 1, closes=True),
            Verb("done", DONE, 1, closes=True),
            Verb("illuminate", ILLUMINATE, 1),
            Verb("listen", LISTEN, 1),
            Verb("offering", OFFERING, 1),
            Verb("draw", DRAW, 1),
            Verb("trade", TRADE, 1),
            Verb("mahane", MAHANE, 1),
            Verb("post", POST, 3, locations),
            Verb("call", CALL, 3, locations),
            Verb("send", SEND, 3, locations),
            Verb("leave", LEAVE, 3, locations),
            Verb("sell", SELL, 3, GOODS),
            Verb("buy", BUY, 3, GOODS),
            Verb("waste", WASTE, 3, GOODS),
            Verb("column", COLUMN, 3, COLUMNS),
            Verb("clear", CLEAR, 3, COLUMNS),
            Verb("appreciate", APPRECIATE, 4, SHADES),
            Verb("bring", BRING, 4, SHADES),
            Verb("to", TO, 4, SEATS, seat_axis=0),
            Verb("favor", FAVOR, 8, markers),
            Verb("replace", REPLACE, 12, locations, SEATS, seat_axis=1),
            Verb("visit", VISIT, 12, SOURCES, COLUMNS),
            Verb("seat", SEAT, 12, seats),
            Verb("score", SCORE, 12, apostles),
            Verb("take", TAKE, 20, mahane),
            Verb("play", PLAY, 70, cards),
            Verb("discard", DISCARD, 70, cards),
            Verb("drop", DROP, 70, cards),
            Verb("go", GO, 56, spaces),
            Verb("move", MOVE, 56, spaces),
            Verb("onto", ONTO, 56, spaces),
            Verb("swap", SWAP, 56, spaces),
            Verb("with", WITH, 56, spaces),
            Verb("lay", LAY, 210, cards, COLUMNS),
            Verb("colour", COLOUR, 4, COLOURS),
        ]
    )
