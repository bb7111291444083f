"""What each seat may see, and where every pawn stands (LM-R17)."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.view import ABSENT, ASIDE, IS_SEAT, MINE, UNTOLD, By, Label, Ref, View, base
from triclinium.games.missionnaires.rules.actions.obstacles import under_way
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.scoring import scores
from triclinium.games.missionnaires.rules.state import STOPPED, Missionnaires

Place: TypeAlias = Annotated[int, Ref("space")]
Card: TypeAlias = Annotated[int, Ref("card")]  # of the territories or of the sea
Colour: TypeAlias = Annotated[int, Ref("colour")]
Company: TypeAlias = Annotated[int, Ref("overseer")]
BySpace: TypeAlias = Annotated[list[int], By("space")]


@dataclass(slots=True)
class Slot:
    """One congregation card: its town for those who have looked, else the towns that all know it is not."""

    card: Place | None
    ruled_out: Annotated[list[Place] | None, ABSENT, ASIDE]


@dataclass(slots=True)
class Player:
    """What lies before one player."""

    seat: Annotated[Seat, IS_SEAT, ASIDE]
    colour: Annotated[Colour, ASIDE]
    at: Annotated[Place | None, Label("proclaimer")]  # None: home, or gone
    periodicals: Annotated[int, Label("periodicals")]
    bons: Annotated[list[Card], Label("vouchers"), MINE]
    company: Annotated[Company | None, Label("accompanied by")]
    newly_joined: Annotated[bool, Label("newly joined"), UNTOLD]
    missed: Annotated[int, Label("turns to miss")]
    turns: Annotated[int, Label("turns"), UNTOLD]
    sailed_from: Annotated[Place | None, Label("sailed from"), UNTOLD]
    route: Annotated[list[Place] | None, ABSENT, ASIDE]  # all spaces of the pawn, when the match is over
    rank: Annotated[int | None, Label("rank")]
    stopped: Annotated[bool, Label("plays on no more")]
    ended: Annotated[int | None, Label("home, or stopped, in round"), UNTOLD]
    resigned: Annotated[bool, Label("resigned"), UNTOLD]
    visited: Annotated[list[Place], Label("visited")]
    unvisited: Annotated[list[Slot], Label("to visit")]


@dataclass(slots=True)
class Overseer:
    """Where an overseer is: with a seat, on a space, or off the board."""

    with_: Annotated[Seat | None, Label("with"), IS_SEAT]
    at: Annotated[Place | None, Label("space")]


@dataclass(slots=True)
class Deck:
    """How many cards are left, and those that lie open beside them, the last on top."""

    size: Annotated[int, Label("cards"), UNTOLD]
    discards: Annotated[list[Card], Label("discarded")]


@dataclass(slots=True)
class Decks:
    """Both decks."""

    territories: Annotated[Deck, Label("territories")]
    sea: Annotated[Deck, Label("sea")]


@dataclass(slots=True)
class Standing:
    """How a seat stands."""

    rank: int
    total: int | None  # None: the game knows no points (LM-9.2)


@dataclass(slots=True)
class MissionnairesView(View):
    """The table as one seat, or a spectator, sees it."""

    round: Annotated[int, Label("round")]
    round_limit: Annotated[int, ASIDE]
    leader: Annotated[Seat, Label("leader"), IS_SEAT, UNTOLD]
    turn: Annotated[Seat, Label("turn"), IS_SEAT, UNTOLD]
    share_spaces: Annotated[bool, ASIDE]
    card_per_coup: Annotated[bool, ASIDE]
    card_on_pass: Annotated[bool, ASIDE]
    stays_behind: Annotated[bool, ASIDE]  # an overseer, where a visit is made (LM-4.3)
    under_way: Annotated[Place | None, Label("under way to"), UNTOLD]  # where the declared step leads
    territories_this_turn: Annotated[int, Label("territory cards this turn"), UNTOLD]
    stock: Annotated[int, Label("periodicals in stock"), UNTOLD]
    players: Annotated[list[Player], Label("players")]
    gendarmes: Annotated[list[Place], By("gendarme"), Label("gendarme")]
    overseers: Annotated[list[Overseer], By("overseer"), Label("overseers")]
    decks: Annotated[Decks, Label("decks")]
    reserve: Annotated[list[Slot], Label("reserve")]  # the top first
    standing: Annotated[list[Standing], ASIDE]
    distances: Annotated[BySpace | None, ABSENT, ASIDE]  # from the viewer's pawn


def view(s: Missionnaires, seat: Seat | None) -> MissionnairesView:
    """The table as this seat, or a spectator, sees it."""
    viewer = NOBODY if seat is None else seat
    reserve = zip(reversed(s.reserve), reversed(s.reserve_seen), reversed(s.reserve_out), strict=True)
    return MissionnairesView(
        *base(s, seat, s.c.notation),
        round=s.round,
        round_limit=s.v.round_limit,
        leader=s.first,
        turn=s.turn,
        share_spaces=s.v.share_spaces,
        card_per_coup=s.v.card_per_coup,
        card_on_pass=s.v.card_on_pass,
        stays_behind=not s.v.until_card,
        under_way=on_board(under_way(s)),
        territories_this_turn=s.territories,
        stock=s.stock(),
        players=[player(s, other, viewer) for other in range(s.seats)],
        gendarmes=s.gendarmes[:],
        overseers=[overseer(s, x) for x in range(len(s.overseer))],
        decks=Decks(Deck(len(s.deck), s.discard[:]), Deck(len(s.sea_deck), s.sea_discard[:])),
        reserve=[slot(s, *one, viewer) for one in reserve],
        standing=[Standing(score.rank, score.total) for score in scores(s)],
        distances=s.c.distance[s.at[viewer]] if viewer != NOBODY and s.at[viewer] != OFF else None,
    )


def player(s: Missionnaires, who: Seat, viewer: Seat) -> Player:
    """What lies before one player, as another or a spectator sees it."""
    company = s.company(who)
    hand = zip(s.hand[who], s.hand_seen[who], s.hand_out[who], strict=True)
    return Player(
        seat=who,
        colour=s.colour[who],
        at=on_board(s.at[who]),
        periodicals=s.periodicals[who],
        bons=list(s.bons[who]),
        company=on_board(company),
        newly_joined=company != OFF and (s.newly >> company) & 1 == 1,
        missed=s.missed[who],
        turns=s.turns[who],
        sailed_from=on_board(s.sailed[who]),
        route=s.route(who) if s.over else None,
        rank=s.rank[who] if s.rank[who] > 0 else None,
        stopped=s.rank[who] == STOPPED,
        ended=s.ended[who] or None,
        resigned=(s.resigned >> who) & 1 == 1,
        visited=towns(s, s.visited[who]),
        unvisited=[slot(s, *one, viewer) for one in hand],
    )


def overseer(s: Missionnaires, x: int) -> Overseer:
    return Overseer(None if s.escort[x] == NOBODY else s.escort[x], on_board(s.overseer[x]))


def slot(s: Missionnaires, card: int, seen: int, out: int, viewer: Seat) -> Slot:
    """One congregation card, open to those who have looked."""
    if s.knows(seen, viewer):
        return Slot(s.c.congregation_at[card], None)
    return Slot(None, towns(s, out))


def towns(s: Missionnaires, mask: int) -> list[int]:
    """The spaces of a mask of congregation cards."""
    found: list[int] = []
    while mask:  # most masks are nearly empty
        lowest = mask & -mask
        found.append(s.c.congregation_at[lowest.bit_length() - 1])
        mask ^= lowest
    return found


def on_board(number: int) -> int | None:
    """A space or an overseer; None for OFF."""
    return None if number == OFF else number
