"""View of a match: everything that each seat may see, with the places of all pawns (LM-R17)."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.view import (
    IS_SEAT,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    OMIT_NONE,
    OWN_ON_TABLE,
    Label,
    PerKind,
    Ref,
    View,
    base_fields,
)
from triclinium.games.missionnaires.rules.actions.obstacles import find_declared_space
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.scoring import scores
from triclinium.games.missionnaires.rules.state import STOPPED, Missionnaires

Place: TypeAlias = Annotated[int, Ref("space")]
Card: TypeAlias = Annotated[int, Ref("card")]  # card of the territories or of the sea
Colour: TypeAlias = Annotated[int, Ref("colour")]
Company: TypeAlias = Annotated[int, Ref("overseer")]
BySpace: TypeAlias = Annotated[list[int], PerKind("space")]


@dataclass(slots=True)
class CongregationSlot:
    """A congregation card: its town for those who have looked, or the towns that are ruled out for all."""

    card: Place | None
    ruled_out: Annotated[list[Place] | None, OMIT_NONE, NOT_DRAWN]


@dataclass(slots=True)
class Player:
    """The holdings and position of one player."""

    seat: Annotated[Seat, IS_SEAT, NOT_DRAWN]
    colour: Annotated[Colour, NOT_DRAWN]
    at: Annotated[Place | None, Label("proclaimer")]  # None: home, or gone
    periodicals: Annotated[int, Label("periodicals")]
    bons: Annotated[list[Card], Label("vouchers"), OWN_ON_TABLE]
    company: Annotated[Company | None, Label("accompanied by")]
    newly_joined: Annotated[bool, Label("newly joined"), NOT_IN_PREVIEW]
    missed: Annotated[int, Label("turns to miss")]
    turns: Annotated[int, Label("turns"), NOT_IN_PREVIEW]
    sailed_from: Annotated[Place | None, Label("sailed from"), NOT_IN_PREVIEW]
    route: Annotated[list[Place] | None, OMIT_NONE, NOT_DRAWN]  # all spaces of the pawn, once the match is over
    rank: Annotated[int | None, Label("rank")]
    stopped: Annotated[bool, Label("stopped playing")]
    ended: Annotated[int | None, Label("home, or stopped, in round"), NOT_IN_PREVIEW]
    resigned: Annotated[bool, Label("resigned"), NOT_IN_PREVIEW]
    visited: Annotated[list[Place], Label("visited")]
    unvisited: Annotated[list[CongregationSlot], Label("to visit")]


@dataclass(slots=True)
class Overseer:
    """The place of an overseer: with a seat, on a space, or off the board."""

    with_: Annotated[Seat | None, Label("with"), IS_SEAT]
    at: Annotated[Place | None, Label("space")]


@dataclass(slots=True)
class Deck:
    """A deck: the number of cards left, and its discards with the top card last."""

    size: Annotated[int, Label("cards"), NOT_IN_PREVIEW]
    discards: Annotated[list[Card], Label("discarded")]


@dataclass(slots=True)
class MissionnairesDecks:
    """The territory deck and the sea deck."""

    territories: Annotated[Deck, Label("territories")]
    sea: Annotated[Deck, Label("sea")]


@dataclass(slots=True)
class SeatRank:
    """The rank of a seat."""

    rank: int
    total: int | None  # None, because the game has no points (LM-9.2)


@dataclass(slots=True)
class MissionnairesView(View):
    """The table as one seat, or a spectator, sees it."""

    round: Annotated[int, Label("round")]
    round_limit: Annotated[int, NOT_DRAWN]
    leader: Annotated[Seat, Label("leader"), IS_SEAT, NOT_IN_PREVIEW]
    turn: Annotated[Seat, Label("turn"), IS_SEAT, NOT_IN_PREVIEW]
    share_spaces: Annotated[bool, NOT_DRAWN]
    card_per_coup: Annotated[bool, NOT_DRAWN]
    card_on_pass: Annotated[bool, NOT_DRAWN]
    stays_behind: Annotated[bool, NOT_DRAWN]  # True if an overseer stays at the congregation of a visit (LM-4.3)
    under_way: Annotated[Place | None, Label("under way to"), NOT_IN_PREVIEW]  # space of the declared step
    territories_this_turn: Annotated[int, Label("territory cards this turn"), NOT_IN_PREVIEW]
    stock: Annotated[int, Label("periodicals in stock"), NOT_IN_PREVIEW]
    players: Annotated[list[Player], Label("players")]
    gendarmes: Annotated[list[Place], PerKind("gendarme"), Label("gendarme")]
    overseers: Annotated[list[Overseer], PerKind("overseer"), Label("overseers")]
    decks: Annotated[MissionnairesDecks, Label("decks")]
    reserve: Annotated[list[CongregationSlot], Label("reserve")]  # top card first
    standing: Annotated[list[SeatRank], NOT_DRAWN]
    distances: Annotated[BySpace | None, OMIT_NONE, NOT_DRAWN]  # distances from the viewer's pawn


def view(s: Missionnaires, seat: Seat | None) -> MissionnairesView:
    """Return the table as this seat, or a spectator, sees it."""
    viewer = NOBODY if seat is None else seat
    reserve = zip(reversed(s.reserve), reversed(s.reserve_seen), reversed(s.reserve_ruled_out), strict=True)
    return MissionnairesView(
        *base_fields(s, seat, s.c.notation),
        round=s.round,
        round_limit=s.v.round_limit,
        leader=s.first,
        turn=s.turn,
        share_spaces=s.v.share_spaces,
        card_per_coup=s.v.card_per_coup,
        card_on_pass=s.v.card_on_pass,
        stays_behind=not s.v.until_card,
        under_way=off_to_none(find_declared_space(s)),
        territories_this_turn=s.territories,
        stock=s.count_stock(),
        players=[view_player(s, other, viewer) for other in range(s.seats)],
        gendarmes=s.gendarmes[:],
        overseers=[view_overseer(s, x) for x in range(len(s.overseer_space))],
        decks=MissionnairesDecks(Deck(len(s.deck), s.discard[:]), Deck(len(s.sea_deck), s.sea_discard[:])),
        reserve=[view_slot(s, *entry, viewer) for entry in reserve],
        standing=[SeatRank(score.rank, score.total) for score in scores(s)],
        distances=s.c.distance[s.at[viewer]] if viewer != NOBODY and s.at[viewer] != OFF else None,
    )


def view_player(s: Missionnaires, who: Seat, viewer: Seat) -> Player:
    """Return one player's holdings as another seat or a spectator sees them."""
    company = s.find_overseer(who)
    hand = zip(s.hand[who], s.hand_seen[who], s.hand_ruled_out[who], strict=True)
    return Player(
        seat=who,
        colour=s.colour[who],
        at=off_to_none(s.at[who]),
        periodicals=s.periodicals[who],
        bons=list(s.bons[who]),
        company=off_to_none(company),
        newly_joined=company != OFF and (s.newly_joined >> company) & 1 == 1,
        missed=s.missed[who],
        turns=s.turns[who],
        sailed_from=off_to_none(s.sailed_from[who]),
        route=s.list_route(who) if s.over else None,
        rank=s.rank[who] if s.rank[who] > 0 else None,
        stopped=s.rank[who] == STOPPED,
        ended=s.ended_round[who] or None,
        resigned=(s.resigned >> who) & 1 == 1,
        visited=list_mask_spaces(s, s.visited[who]),
        unvisited=[view_slot(s, *entry, viewer) for entry in hand],
    )


def view_overseer(s: Missionnaires, x: int) -> Overseer:
    return Overseer(None if s.escort[x] == NOBODY else s.escort[x], off_to_none(s.overseer_space[x]))


def view_slot(s: Missionnaires, card: int, seen: int, ruled_out: int, viewer: Seat) -> CongregationSlot:
    """Return a congregation card, with its town if the viewer has looked at it."""
    if s.has_seen(seen, viewer):
        return CongregationSlot(s.c.congregation_at[card], None)
    return CongregationSlot(None, list_mask_spaces(s, ruled_out))


def list_mask_spaces(s: Missionnaires, mask: int) -> list[int]:
    """Return the spaces of a mask of congregation cards."""
    spaces: list[int] = []
    while mask:  # The loop skips zero bits, because most masks are nearly empty.
        lowest = mask & -mask
        spaces.append(s.c.congregation_at[lowest.bit_length() - 1])
        mask ^= lowest
    return spaces


def off_to_none(number: int) -> int | None:
    """Return a space or overseer, or None for OFF."""
    return None if number == OFF else number
