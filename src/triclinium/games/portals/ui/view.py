"""What each seat may see: the open table, the backs of all hands, and the faces of one's own."""

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.view import frame
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, Card, Space
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.rules.turn import surely_last
from triclinium.games.portals.ui.visible import known_sides, knows, scores_for, side_of

ENDINGS = (None, "third_card", "exhaustion", "stall", "limit", "last_space")


def view(s: Portals, seat: Seat | None) -> dict[str, object]:
    """The table as this seat sees it; None is a spectator."""
    c = s.c
    viewer = NOBODY if seat is None else seat
    shown = frame(s, seat, c.notation)
    shown.update(
        {
            "round": s.round,
            "first": s.first,
            "turn": turn_of(s),
            "actions": s.actions,
            "capsule": c.space_ids[s.capsule],
            "gauge": c.gauge_ids[s.gauge],
            "in_range": named(c.space_ids, s.in_reach()),
            "out_of_range_by": [out_of_range_by(s, period) for period in range(c.spaces)],
            "burnt": named(c.colour_ids, s.burnt),
            "last_round": surely_last(s),
            "third_card_ends": s.v.third_card_ends,
            "ending": ENDINGS[s.ending],
            "team": s.v.team,
            "simplified": s.v.simplified,
            "portals": named(c.place_ids, s.portals),
            "row": [None if card == NONE else c.card_ids[card] for card in s.row],
            "decks": {"old": len(s.old), "new": len(s.new)},
            "gone": [c.card_ids[card] for card in s.gone],
            "buried": [
                {"back": c.deck_ids[c.deck[card]], "card": c.card_ids[card] if s.knows(viewer, i) else None}
                for i, card in enumerate(s.buried)
            ],
            "players": [player(s, who, viewer) for who in range(s.seats)],
            "leaders": leaders(s, viewer),
            "standing": [score.to_json() for score in scores_for(s, viewer)],
        }
    )
    if viewer != NOBODY:
        shown["hand"] = [own_card(s, viewer, card) for card in s.hands[viewer]]
    return shown


def turn_of(s: Portals) -> Seat | None:
    """Whose turn it is; None at set-up and when the match is over."""
    return s.who if s.round > 0 and not s.over else None


def named(names: list[str], mask: int) -> list[str]:
    """The names that a mask picks."""
    return [name for i, name in enumerate(names) if (mask >> i) & 1]


def player(s: Portals, who: Seat, viewer: Seat) -> dict[str, object]:
    """One player: all that lies open, the backs of the hand, and the faces that the viewer knows (PP-R32)."""
    c = s.c
    hand = s.hands[who]
    backs = [c.deck_ids[c.deck[card]] for card in hand]
    return {
        "seat": who,
        "team": who % 2 if s.v.team else None,
        "pawn": c.pawn_ids[who],
        "place": None if s.pawns[who] == NONE else c.place_ids[s.pawns[who]],
        "points": s.points[who],
        "new_played": s.new_played[who],
        "hand": [
            {"back": back, "card": c.card_ids[card] if knows(s, viewer, who, i) else None}
            for i, (back, card) in enumerate(zip(backs, hand, strict=True))
        ],
        "backs": {name: backs.count(name) for name in c.deck_ids},
        "played": [c.card_ids[card] for card in s.played[who]],
        "regions": {name: (s.regions[who] >> (FIELD * i)) & FIELD_MASK for i, name in enumerate(c.region_ids)},
        "symbols": {name: (s.symbols[who] >> (FIELD * i)) & FIELD_MASK for i, name in enumerate(c.symbol_ids)},
    }


def leaders(s: Portals, viewer: Seat) -> dict[str, list[Seat]]:
    """Who leads each category, by the Symbol cards that the viewer knows; hidden ones may change it (PP-11.6)."""
    found: dict[str, list[Seat]] = {}
    sides = known_sides(s, viewer)
    for symbol, name in enumerate(s.c.symbol_ids):
        counts = [sides[side_of(s, who)].count(symbol) for who in range(s.seats)]
        best = max(counts)
        found[name] = [who for who in range(s.seats) if best > 0 and counts[who] == best]
    return found


def own_card(s: Portals, viewer: Seat, card: Card) -> dict[str, object]:
    """A card of one's own hand, and what could be done with it now."""
    c = s.c
    shown: dict[str, object] = {"card": c.card_ids[card]}
    if card >= c.events:
        return shown
    in_range = (s.in_reach() >> c.period[card]) & 1 == 1
    shown["in_range"] = in_range
    shown["off"] = out_of_range_by(s, c.period[card])
    shown["steps"] = steps(s, viewer, c.place[card])
    spent = turn_of(s) == viewer and s.actions == 0
    shown["playable"] = in_range and s.pawns[viewer] == c.place[card] and not spent
    shown["fuel"] = c.fuel[card]
    shown["colour"] = c.colour_ids[c.colour[card]] if c.fuel[card] else None
    return shown


def out_of_range_by(s: Portals, period: Space) -> int:
    """By how many spaces a period is out of range, 0 if it is not; where only Full helps, what Full lacks (PP-R14)."""
    if (s.in_reach() >> period) & 1:
        return 0
    ends = (0, s.c.spaces - 1)
    if s.v.reach is s.c.reach_by_centuries and (period in ends or s.capsule in ends):
        return s.c.full - s.gauge
    return abs(period - s.capsule) - s.gauge


def steps(s: Portals, who: Seat, goal: int) -> int | None:
    """The moves to a place round the other pawns, portals included; None while there is no way or no pawn."""
    here = s.pawns[who]
    if here == NONE:
        return None
    blocked = s.occupied() & ~(1 << here)
    gates = [place for place in range(s.c.places) if (s.portals >> place) & 1]
    far = {here: 0}
    queue = [here]
    for place in queue:
        near = s.c.neighbours[place] + (gates if place in gates else [])
        for there in near:
            if there not in far and (blocked >> there) & 1 == 0:
                far[there] = far[place] + 1
                queue.append(there)
    return far.get(goal)
