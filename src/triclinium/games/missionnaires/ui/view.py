"""What each seat may see, and where every pawn stands (LM-R17)."""

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.view import frame
from triclinium.games.missionnaires.rules.actions.obstacles import under_way
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.scoring import scores
from triclinium.games.missionnaires.rules.state import Missionnaires


def view(s: Missionnaires, seat: Seat | None) -> dict[str, object]:
    """The table as this seat, or a spectator, sees it: ids and numbers, no text."""
    viewer = NOBODY if seat is None else seat
    shown = frame(s, seat, s.c.notation)
    shown["round"] = s.round
    shown["round_limit"] = s.v.round_limit
    shown["leader"] = s.first
    shown["turn"] = s.turn
    shown["share_spaces"] = s.v.share_spaces
    shown["card_per_coup"] = s.v.card_per_coup
    shown["under_way"] = place(s, under_way(s))  # where the declared step leads
    shown["territories_this_turn"] = s.territories
    shown["stock"] = s.stock()
    shown["players"] = [player(s, other, viewer) for other in range(s.seats)]
    shown["gendarmes"] = {s.c.gendarmes[i]: s.c.ids[space] for i, space in enumerate(s.gendarmes)}
    shown["overseers"] = {s.c.overseers[x]: overseer(s, x) for x in range(len(s.c.overseers))}
    shown["decks"] = {
        "territories": {"size": len(s.deck), "discards": [s.c.card_ids[card] for card in s.discard]},
        "sea": {"size": len(s.sea_deck), "discards": [s.c.card_ids[card] for card in s.sea_discard]},
    }
    shown["reserve"] = [
        slot(s, s.reserve[i], s.reserve_seen[i], s.reserve_out[i], viewer) for i in reversed(range(len(s.reserve)))
    ]
    shown["scores"] = [{"rank": score.rank, "total": score.total} for score in scores(s)]
    if viewer != NOBODY and s.at[viewer] != OFF:
        shown["distances"] = {s.c.ids[a]: s.c.distance[s.at[viewer]][a] for a in range(s.c.spaces)}
    return shown


def player(s: Missionnaires, who: Seat, viewer: Seat) -> dict[str, object]:
    """What lies before one player; a hidden card is a slot with what it is known not to be."""
    company = s.company(who)
    return {
        "seat": who,
        "colour": s.c.colours[who],
        "at": place(s, s.at[who]),
        "periodicals": s.periodicals[who],
        "bons": [s.c.card_ids[card] for card in s.bons[who]],
        "company": None if company == OFF else s.c.overseers[company],
        "newly_joined": company != OFF and (s.newly >> company) & 1 == 1,
        "missed": s.missed[who],
        "turns": s.turns[who],
        "sailed_from": place(s, s.sailed[who]),
        "rank": s.rank[who] or None,
        "resigned": (s.resigned >> who) & 1 == 1,
        "visited": congregations(s, s.visited[who]),
        "unvisited": [
            slot(s, s.hand[who][i], s.hand_seen[who][i], s.hand_out[who][i], viewer) for i in range(len(s.hand[who]))
        ],
    }


def overseer(s: Missionnaires, x: int) -> dict[str, object]:
    """Where an overseer is: with a seat, on a space, or off the board."""
    return {"with": None if s.escort[x] == NOBODY else s.escort[x], "at": place(s, s.overseer[x])}


def slot(s: Missionnaires, card: int, seen: int, out: int, viewer: Seat) -> dict[str, object]:
    """One congregation card: its town for those who have looked, else what all know it is not."""
    if s.knows(seen, viewer):
        return {"card": s.c.ids[s.c.congregation_at[card]]}
    return {"card": None, "ruled_out": congregations(s, out)}


def congregations(s: Missionnaires, mask: int) -> list[str]:
    """The towns of a mask of congregation cards."""
    cards = range(len(s.c.congregations))
    return [s.c.ids[s.c.congregation_at[card]] for card in cards if (mask >> card) & 1]


def place(s: Missionnaires, space: int) -> str | None:
    return None if space == OFF else s.c.ids[space]
