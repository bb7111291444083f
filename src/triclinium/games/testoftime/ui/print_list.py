"""The parts of Test of Time on paper: those that the rulebook asks each of five players to print."""

from typing import Final

from triclinium.boardkit.print_list import (
    CUBE,
    PrintedPieces,
    PrintedSheet,
    PrintList,
    Unprinted,
    list_pieces,
    make_tokens,
    make_track,
)
from triclinium.engine.component_kinds import POKER_CARD, CardFace
from triclinium.engine.core.text import Message, Name
from triclinium.games.testoftime.rules.components import Components
from triclinium.games.testoftime.ui.component_kinds import build_kinds

CARDS_EACH: Final = 3  # cards of one kind for one player
LABELS: Final = [Name(f"{kind} cards", "print") for kind in ("Tools", "Artwork", "Burial Site", "Temple", "Monument")]
BACK: Final = CardFace(Name("Testament", "print"))


def print_list(c: Components) -> PrintList:
    """Return the parts of an edition."""
    players = max(c.players)
    kind = build_kinds(c)["kind"]
    sire = Message("{0} gray dots, 1 blue dot", c.sire_cost)
    shaman = Message("{0} gray dots, 1 red dot", c.sire_shaman_cost)
    costs = [
        Message("{0}: create {1}, deaths {2}, preserve {3}", name, c.create[n], c.deaths[n], c.preserve[n])
        for n, name in enumerate(c.names)
    ]
    board = (
        make_track(Name("Testament spaces", "print"), [""] * c.spaces, POKER_CARD),
        make_track(Name("Sire zones", "print"), [sire] * c.sire_zones),
        make_track(Name("Sire Shaman zones", "print"), [shaman] * c.sire_shaman_zones),
        make_track(
            Name("Convert zone", "print"), [Message("{0} gray dots, 1 red dot", c.convert_cost[1])] * c.convert_zones
        ),
        make_track(Name("Costs", "print"), costs),
    )
    cards = [
        PrintedPieces(str(id), label, list_pieces("kind", kind, [n] * CARDS_EACH * players, BACK))
        for n, (id, label) in enumerate(zip(kind.ids, LABELS, strict=True))
    ]
    followers = [piece for tone in range(players) for piece in make_tokens("", c.max_followers, tone, "follower")]
    priests = [piece for tone in range(players) for piece in make_tokens("", c.max_shamans, tone, "power")]
    return PrintList(
        (
            PrintedSheet("boards", Name("player boards", "print"), board, players),
            *cards,
            PrintedPieces("followers", Name("tokens for followers", "print"), followers, CUBE),
            PrintedPieces("priests", Name("tokens for priests (shamans)", "print"), priests, CUBE),
        ),
        (
            Unprinted(
                Name("decay strips", "print"),
                Name("the rulebook says: cut as many strips of paper as you need", "print"),
            ),
            Unprinted(Name("preservation tokens", "print"), Name("use any small counters", "print")),
        ),
        Message("Everything is for {0} players; print the parts that you need.", players),
    )
