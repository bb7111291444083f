"""View of a match for one seat: the open table, the backs of all hands, and the faces of the seat's hand."""

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.view import (
    IS_SEAT,
    NEVER_RANDOM,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    OMIT_NONE,
    SAME_SEAT_ONLY,
    Ids,
    Label,
    PerKind,
    Ref,
    View,
    base_fields,
)
from triclinium.engine.visible_scores import VisibleScore
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, Components
from triclinium.games.portals.rules.face_down import CARD_MASK
from triclinium.games.portals.rules.state import RUNNING, Portals
from triclinium.games.portals.rules.turn import is_surely_last_round
from triclinium.games.portals.ui.visible_scores import (
    UnseenCards,
    build_visible_scores,
    find_leading_sides,
    find_side,
    is_unsettled,
    knows_hand_card,
)

Card: TypeAlias = Annotated[int, Ref("card")]
Deck: TypeAlias = Annotated[int, Ref("deck")]
Place: TypeAlias = Annotated[int, Ref("place")]
Space: TypeAlias = Annotated[int, Ref("space")]
Gauge: TypeAlias = Annotated[int, Ref("gauge")]
Colour: TypeAlias = Annotated[int, Ref("colour")]
Pawn: TypeAlias = Annotated[int, Ref("pawn")]
Ending: TypeAlias = Annotated[int, Ref("ending")]

ByDeck: TypeAlias = Annotated[list[int], PerKind("deck")]
ByRegion: TypeAlias = Annotated[list[int], PerKind("region")]
BySymbol: TypeAlias = Annotated[list[int], PerKind("symbol")]

ENDINGS: Final = ("running", "third_card", "exhaustion", "stall", "limit", "last_space")


def map_ids_by_kind(c: Components) -> Ids:
    """Return the ids of everything that a view names."""
    return {
        "card": c.card_ids,
        "deck": c.deck_ids,
        "place": c.place_ids,
        "space": c.space_ids,
        "gauge": c.gauge_ids,
        "colour": c.colour_ids,
        "pawn": c.pawn_ids,
        "region": c.region_ids,
        "symbol": c.symbol_ids,
        "ending": ENDINGS,
    }


@dataclass(slots=True)
class HiddenCard:
    """A card by its back, with its face only if the viewer knows it (PP-R32)."""

    back: Deck
    card: Card | None


@dataclass(slots=True)
class OwnBonus:
    """A Region or Symbol card in the viewer's hand, which is never played."""

    card: Card


@dataclass(slots=True)
class OwnEvent:
    """An event in the viewer's hand with its distance in time and place."""

    card: Card
    in_range: Annotated[bool, Label("in range")]
    off: Annotated[int, Label("spaces out of range")]  # distance beyond the range; 0 within it
    steps: Annotated[int | None, Label("steps")]  # moves to its place; None without a way or a pawn
    playable: Annotated[bool, Label("playable here")]
    fuel: Annotated[int, NOT_DRAWN]  # number of fuel icons printed on the card
    colour: Annotated[Colour | None, NOT_DRAWN]


@dataclass(slots=True)
class PortalsDecks:
    """The numbers of cards that can still be drawn."""

    old: int
    new: int


@dataclass(slots=True)
class Player:
    """A player as the viewer sees it: public information, and the backs of the cards in hand."""

    seat: Seat
    team: Annotated[int | None, Label("team")]
    pawn: Annotated[Pawn, NOT_DRAWN]
    place: Annotated[Place | None, Label("pawn")]  # None until the pawn is placed
    points: Annotated[int, Label("points of cards")]
    new_played: Annotated[int, Label("New Testament cards played")]
    hand: Annotated[list[HiddenCard], Label("hand")]
    backs: Annotated[ByDeck, NOT_DRAWN]
    # PP-R12: cards taken from the row and perhaps discarded face down since then. None: discards are open.
    perhaps: Annotated[list[Card] | None, OMIT_NONE, Label("perhaps in hand"), NOT_IN_PREVIEW]
    played: Annotated[list[Card], Label("events witnessed")]
    regions: Annotated[ByRegion, Label("regions")]
    symbols: Annotated[BySymbol, Label("symbols")]


@dataclass(slots=True)
class Team:
    """Common results of two partners (PP-12.1)."""

    team: Annotated[int, Label("team")]
    seats: Annotated[list[Seat], NOT_DRAWN]
    points: Annotated[int, Label("points of cards")]
    regions: Annotated[ByRegion, Label("regions")]
    symbols: Annotated[BySymbol, Label("symbols")]


@dataclass(slots=True)
class PortalsView(View):
    """The view of a match for a seat or a spectator."""

    round: Annotated[int, Label("round")]  # 0 until the pawns are placed
    first: Annotated[Seat, IS_SEAT, Label("begins the round"), NOT_IN_PREVIEW]
    turn: Annotated[Seat | None, NOT_DRAWN]  # None at set-up and after the match
    actions: Annotated[int, Label("actions left"), SAME_SEAT_ONLY]
    capsule: Annotated[Space, Label("time capsule")]
    gauge: Annotated[Gauge, Label("fuel gauge")]
    in_range: Annotated[list[Space], Label("in range"), NEVER_RANDOM]
    out_of_range_by: Annotated[list[int], NOT_DRAWN]  # for each space, how far it is out of range
    rounds_until: Annotated[
        list[int | None], NOT_DRAWN
    ]  # for each space, the rounds until it is in range with the current gauge; None if it is past
    burnt: Annotated[list[Colour], Label("burnt this turn"), SAME_SEAT_ONLY, NEVER_RANDOM]
    last_round: Annotated[bool, Label("last round")]
    third_card_ends: Annotated[bool, Label("a third New Testament card ends the game")]
    ending: Annotated[Ending | None, NOT_DRAWN]  # None before the end of the match
    team: Annotated[bool, NOT_DRAWN]
    simplified: Annotated[bool, Label("simplified")]
    portals: Annotated[list[Place], Label("portal"), NEVER_RANDOM]
    row: Annotated[list[Card | None], Label("row")]
    decks: Annotated[PortalsDecks, Label("decks"), NOT_IN_PREVIEW]
    gone: Annotated[list[Card], Label("out of the game")]
    buried: Annotated[list[HiddenCard], Label("discarded face down")]
    players: list[Player]
    teams: Annotated[list[Team] | None, OMIT_NONE, Label("teams"), NOT_IN_PREVIEW]  # None if there are no teams
    leaders: Annotated[list[list[Seat]], PerKind("symbol"), NOT_DRAWN]
    unsettled: Annotated[
        list[bool], PerKind("symbol"), NOT_DRAWN
    ]  # for each symbol, whether an unseen Symbol card could change its leader
    standing: Annotated[list[VisibleScore], NOT_IN_PREVIEW]
    hand: Annotated[list[OwnEvent | OwnBonus] | None, OMIT_NONE, NOT_IN_PREVIEW]  # None for a spectator


def view(s: Portals, seat: Seat | None) -> PortalsView:
    """Return the view of this seat; None means a spectator."""
    c = s.c
    viewer = NOBODY if seat is None else seat
    periods_in_range = s.compute_range_mask()
    off = [measure_range_gap(s, periods_in_range, period) for period in range(c.spaces)]
    unseen = UnseenCards(s, viewer)
    return PortalsView(
        *base_fields(s, seat, c.notation),
        round=s.round,
        first=s.first,
        turn=find_active_seat(s),
        actions=s.actions,
        capsule=s.capsule,
        gauge=s.gauge,
        in_range=list_mask_members(periods_in_range, c.spaces),
        out_of_range_by=off,
        rounds_until=[count_rounds_until(s, periods_in_range, period) for period in range(c.spaces)],
        burnt=list_mask_members(s.burnt, len(c.colour_ids)),
        last_round=is_surely_last_round(s),
        third_card_ends=s.v.third_card_ends,
        ending=None if s.ending == RUNNING else s.ending,
        team=s.v.team,
        simplified=s.v.simplified,
        portals=list_mask_members(s.portals, c.places),
        row=[None if card == NONE else card for card in s.row],
        decks=PortalsDecks(len(s.old), len(s.new)),
        gone=s.gone[:],
        buried=[
            HiddenCard(c.deck[card], card if s.knows_buried(viewer, i) else None) for i, card in enumerate(s.buried)
        ],
        players=[view_player(s, who, viewer) for who in range(s.seats)],
        teams=[view_team(s, side) for side in range(2)] if s.v.team else None,
        leaders=find_leaders(s, unseen),
        unsettled=[s.ending == RUNNING and is_unsettled(unseen, symbol) for symbol in range(c.symbol_kinds)],
        standing=build_visible_scores(s, viewer),
        hand=None if seat is None else view_own_hand(s, viewer, off),
    )


def find_active_seat(s: Portals) -> Seat | None:
    """Return the active seat; None at set-up and after the match."""
    return s.who if s.round > 0 and not s.over else None


def list_mask_members(mask: int, size: int) -> list[int]:
    """Return the set bits of a mask of ``size`` bits."""
    return [i for i in range(size) if (mask >> i) & 1]


def view_player(s: Portals, who: Seat, viewer: Seat) -> Player:
    """Return a player as the viewer sees it: public information, the backs of the hand, and known faces (PP-R32)."""
    c = s.c
    backs = [c.deck[card] for card in s.hands[who]]
    hand = [
        HiddenCard(backs[i], card if knows_hand_card(s, viewer, who, i) else None)
        for i, card in enumerate(s.hands[who])
    ]
    if s.v.hidden_discards and viewer != who:  # PP-R12: the order of the cards in the hand is secret.
        hand.sort(key=lambda hidden_card: (hidden_card.back, hidden_card.card is None, hidden_card.card))
    return Player(
        seat=who,
        team=who % 2 if s.v.team else None,
        pawn=who,
        place=None if s.pawns[who] == NONE else s.pawns[who],
        points=s.points[who],
        new_played=s.new_played[who],
        hand=hand,
        backs=[backs.count(deck) for deck in range(len(c.deck_ids))],
        perhaps=list_possible_hand_cards(s, who, viewer) if s.v.hidden_discards else None,
        played=list(s.played[who]),
        regions=unpack_counts(s.regions[who], c.regions),
        symbols=unpack_counts(s.symbols[who], c.symbol_kinds),
    )


def list_possible_hand_cards(s: Portals, who: Seat, viewer: Seat) -> list[Card]:
    """PP-R12  Return the doubtful cards that a player may still hold; for the owner no card is doubtful."""
    return [] if viewer == who else sorted([entry & CARD_MASK for entry in s.doubtful[who]])


def unpack_counts(counts: int, size: int) -> list[int]:
    """Return ``size`` counts that are packed into one int."""
    return [(counts >> (FIELD * i)) & FIELD_MASK for i in range(size)]


def view_team(s: Portals, side: int) -> Team:
    """PP-12.1, PP-R26  Return the common results of a team: the first and third seats, or the second and fourth."""
    c = s.c
    seats = [who for who in range(s.seats) if find_side(s, who) == side]
    return Team(
        team=side,
        seats=seats,
        points=sum([s.points[who] for who in seats]),
        regions=unpack_counts(sum([s.regions[who] for who in seats]), c.regions),
        symbols=unpack_counts(sum([s.symbols[who] for who in seats]), c.symbol_kinds),
    )


def find_leaders(s: Portals, unseen: UnseenCards) -> list[list[Seat]]:
    """PP-11.6  Return the leaders of each symbol, by the Symbol cards that the viewer knows."""
    leaders_by_symbol: list[list[Seat]] = []
    for symbol in range(s.c.symbol_kinds):
        ahead = find_leading_sides(unseen.counts, symbol)
        leaders_by_symbol.append([who for who in range(s.seats) if unseen.side_of[who] in ahead])
    return leaders_by_symbol


def view_own_hand(s: Portals, viewer: Seat, off: list[int]) -> list[OwnEvent | OwnBonus]:
    """Return the cards in the viewer's hand in the order in which they came, with their state."""
    c = s.c
    distances = compute_step_distances(s, viewer)
    spent = find_active_seat(s) == viewer and s.actions == 0
    cards: list[OwnEvent | OwnBonus] = []
    for card in s.hands[viewer]:
        if card >= c.events:
            cards.append(OwnBonus(card))
            continue
        out, distance = off[c.period[card]], distances.get(c.place[card])
        colour = c.colour[card] if c.fuel[card] else None
        playable = out == 0 and distance == 0 and not spent
        cards.append(OwnEvent(card, out == 0, out, distance, playable, c.fuel[card], colour))
    return cards


def measure_range_gap(s: Portals, periods_in_range: int, period: Space) -> int:
    """PP-R14  Return the number of spaces by which a period is out of range, or 0.

    Where only a full gauge helps, it is the number of positions up to Full.
    """
    if (periods_in_range >> period) & 1:
        return 0
    ends = (0, s.c.spaces - 1)
    if s.v.range_masks is s.c.range_by_centuries and (period in ends or s.capsule in ends):
        return s.c.full - s.gauge
    return abs(period - s.capsule) - s.gauge


def count_rounds_until(s: Portals, periods_in_range: int, period: Space) -> int | None:
    """Return the rounds until a period is in range with the current gauge, 0 if it is now, or None if it is past."""
    if (periods_in_range >> period) & 1:
        return 0
    for capsule in range(s.capsule + 1, s.c.spaces):
        if (s.v.range_masks[capsule * (s.c.full + 1) + s.gauge] >> period) & 1:
            return capsule - s.capsule
    return None


def compute_step_distances(s: Portals, who: Seat) -> dict[Place, int]:
    """Return the moves to each place around other pawns, including portals; empty without a pawn."""
    here = s.pawns[who]
    if here == NONE:
        return {}
    blocked = s.compute_occupied_mask() & ~(1 << here)
    gates = list_mask_members(s.portals, s.c.places)
    distances = {here: 0}
    queue = [here]
    for place in queue:
        near = s.c.neighbours[place] + (gates if place in gates else [])
        for there in near:
            if there not in distances and (blocked >> there) & 1 == 0:
                distances[there] = distances[place] + 1
                queue.append(there)
    return distances
