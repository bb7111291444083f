"""The parts of Les Missionnaires on paper, in the order of the rulebook's contents."""

from typing import Final

from triclinium.boardkit.print_list import (
    CUBE,
    TOKEN,
    PrintedBoard,
    PrintedPiece,
    PrintedPieces,
    PrintList,
    make_tokens,
)
from triclinium.engine.component_kinds import CardFace
from triclinium.engine.core.text import Name
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.ui.card_faces import (
    LAND_CARD,
    LAND_TONE,
    SEA_CARD,
    SEA_TONE,
    TOWN_TONE,
    build_card_faces,
    build_town_faces,
    is_sea_card,
)
from triclinium.games.missionnaires.ui.component_kinds import COLOUR_TONES

PERIODICALS_EACH: Final = 8  # the supply of one player (LM-1.5)
WITHOUT: Final = ("lm-pieces", "now", "offered")


def print_list(c: Components) -> PrintList:
    """Return the parts of an edition."""
    land = CardFace(Name("Territories", "print"), tone=LAND_TONE, emblem=LAND_CARD)
    sea = CardFace(Name("Sea voyage", "print"), tone=SEA_TONE, emblem=SEA_CARD)
    town_back = CardFace(Name("Congregation", "print"), tone=TOWN_TONE, emblem="congregation")
    cards = [
        PrintedPiece(face, sea if is_sea_card(c, n) else land, ("card", n))
        for n, face in enumerate(build_card_faces(c))
    ]
    towns = [
        PrintedPiece(face, town_back, ("space", space))
        for face, space in zip(build_town_faces(c), c.congregation_at, strict=True)
    ]
    pawns = [
        pawn for tone, name in zip(COLOUR_TONES, c.colour_names, strict=True) for pawn in make_tokens(name, 1, tone)
    ]
    gendarmes = [piece for id in c.gendarmes for piece in make_tokens(id.upper(), 1, 5)]
    overseers = [piece for id in c.overseers for piece in make_tokens(id.upper(), 1, 4)]
    periodicals = make_tokens(Name("periodical", "print"), PERIODICALS_EACH * len(c.colours), 7)
    return PrintList(
        (
            PrintedBoard("board", Name("game board", "print"), "lm-map", 508.0, WITHOUT, ("space",)),
            PrintedPieces("pawns", Name("“proclaimer” pawns", "print"), pawns, CUBE),
            PrintedPieces("gendarmes", Name("“gendarme” pawns", "print"), gendarmes, CUBE),
            PrintedPieces("overseers", Name("overseer pawns C and D", "print"), overseers, CUBE),
            PrintedPieces("sea", Name("“sea voyage” cards", "print"), cards[c.territories :]),
            PrintedPieces("territories", Name("“territories” cards", "print"), cards[: c.territories]),
            PrintedPieces("periodicals", Name("periodicals", "print"), periodicals, TOKEN),
            PrintedPieces("congregations", Name("“congregation” cards", "print"), towns),
        )
    )
