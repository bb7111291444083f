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
from triclinium.games.missionnaires.ui.component_kinds import COLOUR_TONES, LAND_TONE, SEA_TONE, build_kinds

PERIODICALS_EACH: Final = 8  # the supply of one player (LM-1.5)
WITHOUT: Final = ("lm-pieces", "now", "offered")


def print_list(c: Components) -> PrintList:
    """Return the parts of an edition."""
    kinds = build_kinds(c)
    land, sea = (
        CardFace(Name("Territories", "print"), tone=LAND_TONE),
        CardFace(Name("Sea voyage", "print"), tone=SEA_TONE),
    )
    town_back = CardFace(Name("Congregation", "print"), tone=0)
    cards = [
        PrintedPiece(face, land if n < c.territories else sea, ("card", n))
        for n in range(len(c.card_ids))
        if (face := kinds["card"].get_face(n))
    ]
    towns = [
        PrintedPiece(CardFace(c.space_names[space], corner=c.grids[space], tone=0), town_back, ("space", space))
        for space in c.congregation_at
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
