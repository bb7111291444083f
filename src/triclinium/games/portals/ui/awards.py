"""Symbols and region sets won in a finished match, with the cards that won them (PP-11.3, PP-11.6)."""

from triclinium.boardkit.parts import Award, AwardShare
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Name
from triclinium.games.portals.rules.components import Components
from triclinium.games.portals.ui.card_faces import build_card_faces
from triclinium.games.portals.ui.view import PortalsView

SETS_NAME = Name("Region sets", "won")


def list_awards(c: Components, view: PortalsView) -> list[Award]:
    """Return the awards of a finished match; empty before its end. Partners share an award (PP-12.1).

    Its cards are the events played, then the Region or Symbol cards held.
    """
    if view.ending is None:
        return []
    sides = [[who] for who in range(view.seats)] if view.teams is None else [team.seats for team in view.teams]
    awards = [Award("region", SETS_NAME, [share for side in sides if (share := build_set_share(c, view, side)).count])]
    for symbol, id in enumerate(c.symbol_ids):
        shares = [compute_symbol_share(c, view, side, symbol) for side in sides if side[0] in view.leaders[symbol]]
        awards.append(Award(id, c.symbol_names[symbol], shares))
    return [award for award in awards if award.shares]


def list_held_cards(view: PortalsView, side: list[Seat]) -> list[int]:
    """Return the known cards in the hands of a side."""
    return [
        hidden_card.card for seat in side for hidden_card in view.players[seat].hand if hidden_card.card is not None
    ]


def list_played_cards(view: PortalsView, side: list[Seat]) -> list[int]:
    return [card for seat in side for card in view.players[seat].played]


def build_set_share(c: Components, view: PortalsView, side: list[Seat]) -> AwardShare:
    """PP-11.3, PP-11.4  Return a side's sets of five regions, with its Region cards."""
    points = view.standing[side[0]].shown_lines.get("sets", 0)
    count = points // c.set_points if isinstance(points, int) and c.set_points else 0
    events = sorted(list_played_cards(view, side), key=lambda card: (c.region[card], c.period[card]))
    wild = [card for card in list_held_cards(view, side) if c.wild[card]]
    return AwardShare(side, count, [build_card_faces(c)[card] for card in events + wild])


def compute_symbol_share(c: Components, view: PortalsView, side: list[Seat], symbol: int) -> AwardShare:
    """PP-11.5, PP-11.6  Return a side's events with a symbol, and its Symbol card."""
    events = [card for card in list_played_cards(view, side) if (c.symbols[card] >> symbol) & 1]
    cards = [card for card in list_held_cards(view, side) if c.symbol_card[card] == symbol]
    ordered = sorted(events, key=lambda card: c.period[card]) + cards
    return AwardShare(side, len(ordered), [build_card_faces(c)[card] for card in ordered])
