"""Verbs of Ierusalem. Each has a block of option numbers."""

from typing import Final

from triclinium.engine.core.notation import Notation, Verb
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import COLOURS, FIRST_MAHANE, FIRST_XXXIII, GOODS, LOCATIONS, SHADES

SKIP: Final = 0
DONE: Final = 1
ILLUMINATE: Final = 2
LISTEN: Final = 3
OFFERING: Final = 4
DRAW: Final = 5  # a card from the top of a deck; the option does not name the card, which is secret
TRADE: Final = 6
MAHANE: Final = 7  # the alternative at the Market: pay and draw a card
POST: Final = 8  # one option for each of 3 Locations with squares; the same for CALL, SEND and LEAVE
CALL: Final = 11
SEND: Final = 14
LEAVE: Final = 17
SELL: Final = 20  # one option for each of 3 goods; the same for BUY and WASTE
BUY: Final = 23
WASTE: Final = 26
COLUMN: Final = 29  # one option for each of 3 columns; the same for CLEAR
CLEAR: Final = 32
APPRECIATE: Final = 35  # one option for each of 4 colours of Apostles; the same for BRING
BRING: Final = 39
TO: Final = 43  # one option for each of 4 players
FAVOR: Final = 47  # one option for each of 8 Favor markers
REPLACE: Final = 55  # one option for each of 3 Locations and 4 players
VISIT: Final = 67  # one option for each source (Favors alone or one of 3 columns) and each of 3 Apostle columns
SEAT: Final = 79  # one option for each of 12 seats at the table
SCORE: Final = 91  # one option for each of 12 Apostles
TAKE: Final = 103  # one option for each of 20 Mahane cards
PLAY: Final = 130  # one option for each of 70 cards; the same for DISCARD and DROP
DISCARD: Final = 200
DROP: Final = 270
GO: Final = 340  # one option for each of 56 spaces at the Supper; the same for MOVE, ONTO, SWAP and WITH
MOVE: Final = 396
ONTO: Final = 452
SWAP: Final = 508
WITH: Final = 564
LAY: Final = 620  # one option for each of 70 cards and 3 columns
COLOUR: Final = 830  # one option for each of 4 colours of players

COLUMNS = ("1", "2", "3")
SEATS = ("0", "1", "2", "3")
SOURCES = ("favors", "1", "2", "3")


def build_notation(c: Components) -> Notation:
    """Return the words for every option of a components file."""
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
