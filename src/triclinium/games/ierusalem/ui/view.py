"""View of a match for one seat: what it may see and where every piece is. It holds numbers and no text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.view import (
    IS_SEAT,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    OMIT_NONE,
    OWN_ON_TABLE,
    PER_SEAT,
    Ids,
    Label,
    OnTrack,
    PerKind,
    PerPlace,
    Ref,
    View,
    base_fields,
)
from triclinium.games.ierusalem.rules.actions.parable import get_top_tile_vp
from triclinium.games.ierusalem.rules.actions.perform import Perform, is_idle
from triclinium.games.ierusalem.rules.actions.sanhedrin import count_judgment_points
from triclinium.games.ierusalem.rules.actions.supper import ChangeTo, Go, SwapWith
from triclinium.games.ierusalem.rules.actions.visit import MATCHES, Bring, SeatApostle, find_visit_shortfall
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    CARDS,
    COLOURS,
    FIRST_MAHANE,
    FIRST_XXXIII,
    GOODS,
    LOCATIONS,
    NO_COLOUR,
    OWN_CARDS,
    TILES,
    find_card,
    get_card_bit,
    list_members,
)
from triclinium.games.ierusalem.rules.scoring import list_score_lines
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, SOURCES, Ierusalem
from triclinium.games.ierusalem.rules.turn import Column

BACKS: Final = (*COLOURS, "mahane", "xxxiii")  # the backs of cards, numbered after the cards

Card: TypeAlias = Annotated[int, Ref("card")]
HandCard: TypeAlias = Annotated[int, Ref("held")]  # a card, or a back from CARDS on
Location: TypeAlias = Annotated[int, Ref("location")]
Apostle: TypeAlias = Annotated[int, Ref("apostle")]
Space: TypeAlias = Annotated[int, Ref("space")]
Marker: TypeAlias = Annotated[int, Ref("marker")]
Tile: TypeAlias = Annotated[int, Ref("tile")]
Colour: TypeAlias = Annotated[int, Ref("colour")]
# The owner of a Follower. With three players, some Followers have the unused colour.
Owner: TypeAlias = Annotated[Seat | Literal["unused"], IS_SEAT]
Supper: TypeAlias = Annotated[dict[int, Owner], PerKind("space")]
Seated: TypeAlias = Annotated[dict[int, Apostle], PerKind("seat")]
ByPlace: TypeAlias = Annotated[list[int], PerKind("place")]  # Desert, Mountain and Lake


def view_ids(c: Components) -> Ids:
    """Return the ids of everything that a view names by number."""
    return {
        "card": c.card_ids,
        "held": [*c.card_ids, *BACKS],
        "location": LOCATIONS,
        "place": LOCATIONS[:3],
        "good": GOODS,
        "apostle": c.apostle_ids,
        "seat": c.seat_ids,
        "space": c.space_ids,
        "marker": c.marker_ids,
        "tile": TILES,
        "colour": COLOURS,
        "source": SOURCES,
    }


# -- parts of the view -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class UpcomingJudgment:
    """A future Judgment with its full score for each player."""

    space: Annotated[int, OnTrack("step"), Label("space of the Sanhedrin")]
    tile: Tile
    counts: Annotated[list[int], PER_SEAT, Label("VP at the next Judgment")]


@dataclass(slots=True)
class Sanhedrin:
    """The Sanhedrin's track with its marker and the future Judgments."""

    marker: Annotated[int, OnTrack("step"), Label("marker")]
    last: Annotated[int, NOT_DRAWN]
    ahead: Annotated[list[UpcomingJudgment], Label("Judgments ahead"), NOT_IN_PREVIEW]


@dataclass(slots=True)
class ApostleColumn:
    """An Apostle column: its symbols and its waiting Apostles."""

    symbols: Annotated[list[Location], Label("symbols")]
    waiting: Annotated[list[Apostle], Label("waiting")]


@dataclass(slots=True)
class LocationSquares:
    """Desert, Mountain or Lake, with the Followers there by seat."""

    squares: Annotated[int, NOT_DRAWN]
    empty: Annotated[int, Label("empty squares")]
    followers: Annotated[list[int], Label("Followers"), PER_SEAT, NOT_IN_PREVIEW]


@dataclass(slots=True)
class ParableStack:
    """A Parable stack: the number of tiles left, and the VP of the top one."""

    number: Annotated[int, NOT_DRAWN]
    left: Annotated[int, Label("tiles left"), NOT_IN_PREVIEW]
    top: Annotated[int | None, Label("VP of the top tile")]


@dataclass(slots=True)
class MahaneCards:
    """The display, the deck, and the cards that all players saw going under the deck."""

    display: Annotated[list[Card], Label("cards on display")]
    deck: Annotated[int, Label("deck"), NOT_IN_PREVIEW]
    under: Annotated[list[Card], Label("under the deck"), NOT_IN_PREVIEW]


@dataclass(slots=True)
class XxxiiiDeck:
    """The deck, and the cards that all players saw going under it."""

    deck: Annotated[int, Label("deck"), NOT_IN_PREVIEW]
    under: Annotated[list[Card], Label("under the deck"), NOT_IN_PREVIEW]


@dataclass(slots=True)
class Camp:
    """A Camp: its Followers, the number of taken spaces, and its spaces."""

    followers: Annotated[int, Label("Followers")]
    fill: Annotated[int, Label("spaces taken"), NOT_IN_PREVIEW]
    spaces: Annotated[int, Label("spaces")]


@dataclass(slots=True)
class ColumnFit:
    """An Apostle column, counted from 1, that a column of cards can still match."""

    column: int
    missing: list[Location]
    opens: bool


@dataclass(slots=True)
class CardColumn:
    """A player's column: its cards, their symbols and their Apostle VP."""

    cards: Annotated[list[Card], Label("cards")]
    symbols: Annotated[list[Location], Label("symbols"), NOT_IN_PREVIEW]
    apostle_vp: Annotated[int, Label("Apostle VP")]
    fits: Annotated[list[ColumnFit], NOT_DRAWN]


@dataclass(slots=True)
class Player:
    """A player as the viewer sees it.

    Everything is public except the hand. Only its owner knows the content of a deck, and no player its order.
    """

    colour: Annotated[Colour | None, Label("colour")]  # None until it is picked
    vp: Annotated[int, Label("VP")]
    earned: Annotated[list[int], PerKind("source"), NOT_DRAWN]
    end: Annotated[dict[str, int], NOT_DRAWN]  # points by score line, if the game ended now
    total: Annotated[int, Label("VP if it ended now")]
    denarii: Annotated[int, Label("Denarii")]
    goods: Annotated[list[int], PerKind("good"), Label("goods"), OWN_ON_TABLE]
    offerings: Annotated[int, Label("Offerings")]
    camp: Annotated[Camp, Label("Camp")]
    followers: Annotated[ByPlace, Label("Followers")]
    at_supper: Annotated[int, Label("Followers at the Last Supper")]
    columns: Annotated[list[CardColumn], Label("column"), OWN_ON_TABLE, PerPlace("column")]
    markers: Annotated[list[Marker], Label("Favor markers")]
    received: Annotated[dict[int, int], PerKind("location"), Label("Favors received")]
    favors_done: Annotated[int, Label("Favors done")]
    parables: Annotated[int, Label("Parables")]
    illumination: Annotated[bool, Label("Illumination tile")]
    hand: Annotated[list[HandCard], Label("hand")]
    deck: Annotated[int, Label("own deck"), NOT_IN_PREVIEW]
    discard: Annotated[list[Card], Label("discard pile")]
    deck_cards: Annotated[list[Card] | None, OMIT_NONE, NOT_DRAWN]
    idle: Annotated[list[Card] | None, OMIT_NONE, NOT_DRAWN]  # cards in the viewer's hand that could do nothing now


@dataclass(slots=True)
class CurrentAction:
    """Public context of the current question.

    It has the card in play with its next actions, and the Follower or Apostle on its way.
    """

    card: Annotated[Card | None, OMIT_NONE, Label("card in play")] = None
    next: Annotated[int | None, OMIT_NONE, NOT_DRAWN] = None
    leaves: Annotated[Location | None, OMIT_NONE, Label("leaves the Location")] = None
    invited: Annotated[bool | None, OMIT_NONE, NOT_DRAWN] = None
    moves: Annotated[Space | None, OMIT_NONE, Label("moves at the Last Supper")] = None
    column: Annotated[int | None, OMIT_NONE, NOT_DRAWN] = None
    apostle: Annotated[Apostle | None, OMIT_NONE, Label("Apostle")] = None


@dataclass(slots=True)
class IerusalemView(View):
    """IE-R32  The view of a match for a seat or a spectator."""

    active: Annotated[Seat, Label("turn"), IS_SEAT, NOT_IN_PREVIEW]
    start: Annotated[Seat, Label("start player"), IS_SEAT, NOT_IN_PREVIEW]
    turn: Annotated[int, Label("turns played"), NOT_IN_PREVIEW]
    round: Annotated[int, Label("round")]
    stall_round: Annotated[int, NOT_DRAWN]
    sanhedrin: Annotated[Sanhedrin, Label("Sanhedrin")]
    apostles: Annotated[list[ApostleColumn], Label("Apostle column"), PerPlace("apostles")]
    seated: Annotated[Seated, Label("seat")]
    supper: Annotated[Supper, Label("Last Supper")]
    locations: Annotated[list[LocationSquares], PerKind("place"), Label("Locations")]
    parables: Annotated[list[ParableStack], Label("Parable"), PerPlace("parable")]
    mahane: Annotated[MahaneCards, Label("Mahane cards")]
    xxxiii: Annotated[XxxiiiDeck, Label("XXXIII cards")]
    players: Annotated[list[Player], Label("players")]
    jesus_vp: Annotated[int, Label("VP of Jesus")]
    doing: Annotated[CurrentAction, NOT_IN_PREVIEW, Label("now")]


# -- construction of the view ------------------------------------------------------------------------------------------


def view(s: Ierusalem, seat: Seat | None, ids: Ids) -> IerusalemView:
    """IE-R32  Return the view of this seat, or of a spectator."""
    c = s.c
    viewer = NOBODY if seat is None else seat
    return IerusalemView(
        *base_fields(s, None if viewer == NOBODY else seat, c.notation),
        active=s.active,
        start=s.start,
        turn=s.turns,
        round=(s.turns + s.seats - 1) // s.seats,
        stall_round=s.stall_round,
        sanhedrin=view_sanhedrin(s),
        apostles=[view_apostle_column(s, column) for column in range(3)],
        seated={chair: apostle for chair, apostle in enumerate(s.seated) if apostle >= 0},
        supper=map_supper_owners(s),
        locations=[
            LocationSquares(
                c.squares[s.seats - 3][place], s.empty_squares[place], s.at_location[place : s.seats * 3 : 3]
            )
            for place in range(3)
        ],
        parables=[view_stack(s, number) for number in range(1, len(c.parable_names) + 1)],
        mahane=MahaneCards(list(s.display), len(s.mahane), list(s.mahane[s.mahane_hidden :])),
        xxxiii=XxxiiiDeck(len(s.xxxiii), list(s.xxxiii[s.xxxiii_hidden :])),
        players=[view_player(s, viewer, who, ids) for who in range(s.seats)],
        jesus_vp=s.jesus_vp,
        doing=view_current_action(s),
    )


def view_current_action(s: Ierusalem) -> CurrentAction:
    """Return the context of the question.

    The card in play is performing its actions or waiting for its column.
    """
    seen = CurrentAction()
    if s.over:
        return seen
    for step in s.stack:
        if isinstance(step, Perform):
            seen.card, seen.next = step.card, step.begin
    top_step = s.asked
    if isinstance(top_step, Column):
        seen.card, seen.next = top_step.card, 0
    elif isinstance(top_step, Go):
        seen.leaves, seen.invited = top_step.place, top_step.free
    elif isinstance(top_step, (ChangeTo, SwapWith)):
        seen.moves = top_step.space
    elif isinstance(top_step, Bring):
        seen.column = top_step.apostles
    elif isinstance(top_step, SeatApostle):
        seen.column, seen.apostle = top_step.apostles, top_step.apostle
    return seen


def view_sanhedrin(s: Ierusalem) -> Sanhedrin:
    """Return the track with the future Judgments."""
    c = s.c
    ahead = [
        UpcomingJudgment(c.tile_spaces[i], tile, [count_judgment_points(s, who, tile) for who in range(s.seats)])
        for i, tile in enumerate(s.tiles)
        if s.has_judgments and c.tile_spaces[i] > s.marker
    ]
    return Sanhedrin(s.marker, c.last, ahead)


def view_apostle_column(s: Ierusalem, column: int) -> ApostleColumn:
    return ApostleColumn(list(s.symbols[column * 3 : column * 3 + 3]), list_members(s.waiting[column], 0))


def map_supper_owners(s: Ierusalem) -> Supper:
    """Return the owner of the Follower on each taken space, in the order of the spaces."""
    owners: Supper = {}
    for who in range(s.seats + 1):
        owner: Owner = who if who < s.seats else "unused"
        for space in list_members(s.supper[who], 0):
            owners[space] = owner
    return dict(sorted(owners.items()))


def view_stack(s: Ierusalem, number: int) -> ParableStack:
    taken = sum(parables >= number for parables in s.parables)
    left = len(s.c.list_stack_values(s.seats)) - taken
    return ParableStack(number, left, get_top_tile_vp(s, number) if left else None)


def view_player(s: Ierusalem, viewer: Seat, who: Seat, ids: Ids) -> Player:
    three = who * 3
    first = who * ALL_SOURCES
    colour = s.colours[who]
    lines = list_score_lines(s, who)
    return Player(
        colour=None if colour == NO_COLOUR else colour,
        vp=s.get_vp(who),
        earned=s.earned[first : first + ALL_SOURCES],
        end={line.name: line.points for line in lines},
        total=sum(line.points for line in lines),
        denarii=s.denarii[who],
        goods=s.goods[three : three + 3],
        offerings=s.offerings[who],
        camp=Camp(s.camp[who], s.count_filled_spaces(who), s.count_camp_spaces(who)),
        followers=s.at_location[three : three + 3],
        at_supper=s.count_at_supper(who),
        columns=[view_card_column(s, who, column) for column in range(3)],
        markers=list_members(s.markers[who], 0),
        received={place: n for place in range(5) if (n := s.received[who * 5 + place])},
        favors_done=s.favors[who],
        parables=s.parables[who],
        illumination=bool(s.illumination[who]),
        hand=view_hand(s, viewer, who, ids["held"]),
        deck=len(s.deck[who]),
        discard=[find_card(place, colour) for place in list_members(s.discard[who], 0)],
        deck_cards=sorted(s.deck[who]) if viewer == who else None,
        idle=([card for card in s.hand[who] if is_idle(s, who, card)] or None) if viewer == who else None,
    )


def view_card_column(s: Ierusalem, who: Seat, column: int) -> CardColumn:
    """Return a column, with the missing symbols of each Apostle column that it can still match."""
    c = s.c
    cards = s.columns[who * 3 + column]
    fits = []
    for apostles in range(3) if cards else ():
        missing = find_missing_symbols(s, cards, apostles)
        if missing is not None:
            fits.append(ColumnFit(apostles + 1, missing, find_visit_shortfall(s, who, cards, apostles) == MATCHES))
    symbols = [c.card_location[card] for card in cards]
    return CardColumn(list(cards), symbols, sum(c.card_vp[card] for card in cards), fits)


def find_missing_symbols(s: Ierusalem, cards: bytes, apostles: int) -> list[int] | None:
    """IE-R4  Return the symbols of an Apostle column that the cards do not bring, or None if they never fit."""
    missing: list[int] = []
    used = 0
    for symbol in s.symbols[apostles * 3 : apostles * 3 + 3]:
        if used < len(cards) and s.c.card_location[cards[used]] == symbol:
            used += 1
        else:
            missing.append(symbol)
    return missing if used == len(cards) else None


def view_hand(s: Ierusalem, viewer: Seat, who: Seat, names: Sequence[str | int]) -> list[HandCard]:
    """Return the cards in a hand.

    Unknown cards appear by their backs, in an order that reveals nothing.
    """
    if viewer == who:
        return list(s.hand[who])
    known = s.known_cards[who]
    seen = [card if (known >> get_card_bit(card)) & 1 else view_card_back(card) for card in s.hand[who]]
    return sorted(seen, key=lambda held: str(names[held]))


def view_card_back(card: int) -> HandCard:
    """Return the back of a card."""
    if card < FIRST_MAHANE:
        return CARDS + card // OWN_CARDS
    return CARDS + len(COLOURS) + (card >= FIRST_XXXIII)
