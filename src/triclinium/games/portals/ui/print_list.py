"""The parts of Portals and Prophets on paper, in the order of the rulebook's contents."""

from typing import Final

from triclinium.boardkit.print_list import (
    SPACE,
    TOKEN,
    PrintedBoard,
    PrintedPiece,
    PrintedPieces,
    PrintedSheet,
    PrintList,
    make_tokens,
    make_track,
)
from triclinium.engine.component_kinds import CardFace
from triclinium.engine.core.text import Arg, Name
from triclinium.games.portals.rules.components import Components
from triclinium.games.portals.ui.card_faces import build_card_faces

DECK_LABELS: Final = (
    Name("Genesis cards", "print"),
    Name("Old Testament cards", "print"),
    Name("New Testament cards", "print"),
)
BACK_TONES: Final = (7, 2, 6)  # brown, green and gold
PAWN_TONES: Final = {"red": 0, "blue": 1, "green": 2, "yellow": 3, "purple": 4}
PAWNS_EACH: Final = 2  # one pawn for the map, one for the score track
LAST_SCORE: Final = 100


def print_list(c: Components) -> PrintList:
    """Return the parts of an edition."""
    faces = build_card_faces(c)
    backs = [CardFace(name, emblem="capsule", tone=tone) for name, tone in zip(c.deck_names, BACK_TONES, strict=True)]
    decks = [
        PrintedPieces(
            c.deck_ids[deck],
            DECK_LABELS[deck],
            [PrintedPiece(faces[card], backs[deck], ("card", card)) for card in cards],
        )
        for deck, cards in enumerate(c.by_deck)
    ]
    pawns = [
        pawn
        for id, name in zip(c.pawn_ids, c.pawn_names, strict=True)
        for pawn in make_tokens(name, PAWNS_EACH, PAWN_TONES.get(id, -1))
    ]
    score: list[Arg] = [Name("Start", "print"), *(str(n) for n in range(1, LAST_SCORE + 1))]
    tracks = (
        make_track(Name("Timeline", "print"), c.space_names),
        make_track(Name("Fuel gauge", "print"), c.gauge_names),
        make_track(Name("Score track", "print"), score, SPACE),
    )
    return PrintList(
        (
            PrintedBoard(
                "board",
                Name("game board: map", "print"),
                "pp-map",
                370.0,
                ("pieces", "flags", "portal", "gate"),
                ("place",),
            ),
            PrintedSheet("tracks", Name("game board: timeline, fuel gauge, score track", "print"), tracks),
            PrintedPieces("pawns", Name("pawns", "print"), pawns, TOKEN),
            PrintedPieces(
                "portals", Name("portals", "print"), make_tokens(Name("Portal", "print"), c.portals, 4), TOKEN
            ),
            *decks,
            PrintedPieces(
                "capsule", Name("time capsule", "print"), make_tokens(Name("Capsule", "print"), 1, 1, "capsule"), TOKEN
            ),
            PrintedPieces("fuel", Name("fuel marker", "print"), make_tokens(Name("Fuel", "print"), 1, 0, "red"), TOKEN),
        )
    )
