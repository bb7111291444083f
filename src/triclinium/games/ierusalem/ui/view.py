"""What each seat may see, and where every piece stands. Numbers of things, no text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.view import (
    ABSENT,
    ASIDE,
    BY_SEAT,
    IS_SEAT,
    MINE,
    UNTOLD,
    By,
    Ids,
    Label,
    Nth,
    On,
    Ref,
    View,
    base,
)
from triclinium.games.ierusalem.rules.actions.parable import top_tile
from triclinium.games.ierusalem.rules.actions.perform import Perform, is_idle
from triclinium.games.ierusalem.rules.actions.sanhedrin import judged
from triclinium.games.ierusalem.rules.actions.supper import ChangeTo, Go, SwapWith
from triclinium.games.ierusalem.rules.actions.visit import MATCHES, Bring, SeatApostle, lacking
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
    bit,
    card_at,
    members,
)
from triclinium.games.ierusalem.rules.scoring import sheet
from triclinium.games.ierusalem.rules.state import ALL_SOURCES, SOURCES, Ierusalem
from triclinium.games.ierusalem.rules.turn import Column

BACKS: Final = (*COLOURS, "mahane", "xxxiii")  # what cards show face down; numbered after the cards

Card: TypeAlias = Annotated[int, Ref("card")]
Held: TypeAlias = Annotated[int, Ref("held")]  # a card, or from CARDS on a back
Location: TypeAlias = Annotated[int, Ref("location")]
Apostle: TypeAlias = Annotated[int, Ref("apostle")]
Space: TypeAlias = Annotated[int, Ref("space")]
Marker: TypeAlias = Annotated[int, Ref("marker")]
Tile: TypeAlias = Annotated[int, Ref("tile")]
Colour: TypeAlias = Annotated[int, Ref("colour")]
# Of a Follower: in a match of three some are of the colour nobody plays.
Owner: TypeAlias = Annotated[Seat | Literal["unused"], IS_SEAT]
Supper: TypeAlias = Annotated[dict[int, Owner], By("space")]
Seated: TypeAlias = Annotated[dict[int, Apostle], By("seat")]
ByPlace: TypeAlias = Annotated[list[int], By("place")]  # Desert, Mountain, Lake


def all_ids(c: Components) -> Ids:
    """Of everything that a view names by number."""
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


# -- what is seen ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Ahead:
    """A Judgment ahead: what it would count for each player in full."""

    space: Annotated[int, On("step"), Label("space of the Sanhedrin")]
    tile: Tile
    counts: Annotated[list[int], BY_SEAT, Label("would count")]


@dataclass(slots=True)
class Sanhedrin:
    """The track."""

    marker: Annotated[int, On("step"), Label("marker")]
    last: Annotated[int, ASIDE]
    ahead: Annotated[list[Ahead], Label("Judgments ahead"), UNTOLD]


@dataclass(slots=True)
class ApostleColumn:
    """Its symbols and who waits there."""

    symbols: Annotated[list[Location], Label("symbols")]
    waiting: Annotated[list[Apostle], Label("waiting")]


@dataclass(slots=True)
class Squares:
    """Desert, Mountain or Lake; the Followers there by seat."""

    squares: Annotated[int, ASIDE]
    empty: Annotated[int, Label("empty squares")]
    followers: Annotated[list[int], Label("Followers"), BY_SEAT, UNTOLD]


@dataclass(slots=True)
class Stack:
    """A Parable stack: how many tiles are left, and the VP of the top one."""

    number: Annotated[int, ASIDE]
    left: Annotated[int, Label("tiles left"), UNTOLD]
    top: Annotated[int | None, Label("VP of the top tile")]


@dataclass(slots=True)
class Mahane:
    """The display, the deck, and the cards of the deck that all saw going under it."""

    display: Annotated[list[Card], Label("display")]
    deck: Annotated[int, Label("deck"), UNTOLD]
    under: Annotated[list[Card], Label("under the deck"), UNTOLD]


@dataclass(slots=True)
class Xxxiii:
    """The deck, and the cards of it that all saw going under it."""

    deck: Annotated[int, Label("deck"), UNTOLD]
    under: Annotated[list[Card], Label("under the deck"), UNTOLD]


@dataclass(slots=True)
class Camp:
    """Its Followers, all that takes up a space there, and its spaces."""

    followers: Annotated[int, Label("Followers")]
    fill: Annotated[int, Label("spaces taken"), UNTOLD]
    spaces: Annotated[int, Label("spaces")]


@dataclass(slots=True)
class Fit:
    """An Apostle column, counted from 1, that a column of cards may become."""

    column: int
    missing: list[Location]
    opens: bool


@dataclass(slots=True)
class CardColumn:
    """A player's column: its cards, their symbols and their Apostle VP."""

    cards: Annotated[list[Card], Label("cards")]
    symbols: Annotated[list[Location], Label("symbols"), UNTOLD]
    apostle_vp: Annotated[int, Label("Apostle VP")]
    fits: Annotated[list[Fit], ASIDE]


@dataclass(slots=True)
class Player:
    """All but the hand is public; the own deck's content is known to its owner, its order to nobody."""

    colour: Annotated[Colour | None, Label("colour")]  # None: not picked yet
    vp: Annotated[int, Label("VP")]
    earned: Annotated[list[int], By("source"), ASIDE]
    end: Annotated[dict[str, int], ASIDE]  # points by score line, if it ended now
    total: Annotated[int, Label("VP if it ended now")]
    denarii: Annotated[int, Label("Denarii")]
    goods: Annotated[list[int], By("good"), Label("goods"), MINE]
    offerings: Annotated[int, Label("Offerings")]
    camp: Annotated[Camp, Label("Camp")]
    followers: Annotated[ByPlace, Label("Followers")]
    at_supper: Annotated[int, Label("Followers at the Last Supper")]
    columns: Annotated[list[CardColumn], Label("column"), MINE, Nth("column")]
    markers: Annotated[list[Marker], Label("Favor markers")]
    received: Annotated[dict[int, int], By("location"), Label("Favors received")]
    favors_done: Annotated[int, Label("Favors done")]
    parables: Annotated[int, Label("Parables")]
    illumination: Annotated[bool, Label("Illumination tile")]
    hand: Annotated[list[Held], Label("hand")]
    deck: Annotated[int, Label("own deck"), UNTOLD]
    discard: Annotated[list[Card], Label("discard pile")]
    deck_cards: Annotated[list[Card] | None, ABSENT, ASIDE]
    idle: Annotated[list[Card] | None, ABSENT, ASIDE]  # of the own hand: nothing of them could be done now


@dataclass(slots=True)
class Doing:
    """What the decision is about, all of it public: the card in play and its actions to come, the Follower or Apostle
    on the way."""

    card: Annotated[Card | None, ABSENT, Label("card in play")] = None
    next: Annotated[int | None, ABSENT, ASIDE] = None
    leaves: Annotated[Location | None, ABSENT, Label("leaves")] = None
    invited: Annotated[bool | None, ABSENT, ASIDE] = None
    moves: Annotated[Space | None, ABSENT, Label("moves")] = None
    column: Annotated[int | None, ABSENT, ASIDE] = None
    apostle: Annotated[Apostle | None, ABSENT, Label("Apostle")] = None


@dataclass(slots=True)
class IerusalemView(View):
    """The table as a seat, or a spectator, may know it (IE-R32)."""

    active: Annotated[Seat, Label("turn"), IS_SEAT, UNTOLD]
    start: Annotated[Seat, Label("start player"), IS_SEAT, UNTOLD]
    turn: Annotated[int, Label("turns played"), UNTOLD]
    round: Annotated[int, Label("round")]
    stall_round: Annotated[int, ASIDE]
    sanhedrin: Annotated[Sanhedrin, Label("Sanhedrin")]
    apostles: Annotated[list[ApostleColumn], Label("Apostle column"), Nth("apostles")]
    seated: Annotated[Seated, Label("seat")]
    supper: Annotated[Supper, Label("Last Supper")]
    locations: Annotated[list[Squares], By("place"), Label("Locations")]
    parables: Annotated[list[Stack], Label("Parable"), Nth("parable")]
    mahane: Annotated[Mahane, Label("Mahane cards")]
    xxxiii: Annotated[Xxxiii, Label("XXXIII cards")]
    players: Annotated[list[Player], Label("players")]
    jesus_vp: Annotated[int, Label("VP of Jesus")]
    doing: Annotated[Doing, UNTOLD, Label("now")]


# -- how it is made ----------------------------------------------------------------------------------------------------


def view(s: Ierusalem, seat: Seat | None, ids: Ids) -> IerusalemView:
    """The table as this seat, or a spectator, may know it (IE-R32)."""
    c = s.c
    viewer = NOBODY if seat is None else seat
    return IerusalemView(
        *base(s, None if viewer == NOBODY else seat, c.notation),
        active=s.active,
        start=s.start,
        turn=s.turns,
        round=(s.turns + s.seats - 1) // s.seats,
        stall_round=s.stall_round,
        sanhedrin=sanhedrin_view(s),
        apostles=[column_view(s, column) for column in range(3)],
        seated={chair: apostle for chair, apostle in enumerate(s.seated) if apostle >= 0},
        supper=standing(s),
        locations=[
            Squares(c.squares[s.seats - 3][place], s.room[place], s.at[place : s.seats * 3 : 3]) for place in range(3)
        ],
        parables=[stack_view(s, number) for number in range(1, len(c.parable_names) + 1)],
        mahane=Mahane(list(s.display), len(s.mahane), list(s.mahane[s.mahane_hidden :])),
        xxxiii=Xxxiii(len(s.xxxiii), list(s.xxxiii[s.xxxiii_hidden :])),
        players=[player_view(s, viewer, who, ids) for who in range(s.seats)],
        jesus_vp=s.jesus_vp,
        doing=doing_view(s),
    )


def doing_view(s: Ierusalem) -> Doing:
    """The card in play is the one whose actions are performed, or the one that looks for its column."""
    seen = Doing()
    if s.over:
        return seen
    for step in s.stack:
        if isinstance(step, Perform):
            seen.card, seen.next = step.card, step.begin
    asked = s.asked
    if isinstance(asked, Column):
        seen.card, seen.next = asked.card, 0
    elif isinstance(asked, Go):
        seen.leaves, seen.invited = asked.place, asked.free
    elif isinstance(asked, (ChangeTo, SwapWith)):
        seen.moves = asked.space
    elif isinstance(asked, Bring):
        seen.column = asked.apostles
    elif isinstance(asked, SeatApostle):
        seen.column, seen.apostle = asked.apostles, asked.apostle
    return seen


def sanhedrin_view(s: Ierusalem) -> Sanhedrin:
    """The track with the Judgments ahead."""
    c = s.c
    ahead = [
        Ahead(c.tile_spaces[i], tile, [judged(s, who, tile) for who in range(s.seats)])
        for i, tile in enumerate(s.tiles)
        if s.judging and c.tile_spaces[i] > s.marker
    ]
    return Sanhedrin(s.marker, c.last, ahead)


def column_view(s: Ierusalem, column: int) -> ApostleColumn:
    return ApostleColumn(list(s.symbols[column * 3 : column * 3 + 3]), members(s.waiting[column], 0))


def standing(s: Ierusalem) -> Supper:
    """Who stands on each taken space, in the order of the spaces."""
    found: Supper = {}
    for who in range(s.seats + 1):
        owner: Owner = who if who < s.seats else "unused"
        for space in members(s.supper[who], 0):
            found[space] = owner
    return dict(sorted(found.items()))


def stack_view(s: Ierusalem, number: int) -> Stack:
    taken = sum(parables >= number for parables in s.parables)
    left = len(s.c.stack(s.seats)) - taken
    return Stack(number, left, top_tile(s, number) if left else None)


def player_view(s: Ierusalem, viewer: Seat, who: Seat, ids: Ids) -> Player:
    three = who * 3
    first = who * ALL_SOURCES
    colour = s.colours[who]
    lines = sheet(s, who)
    return Player(
        colour=None if colour == NO_COLOUR else colour,
        vp=s.vp(who),
        earned=s.earned[first : first + ALL_SOURCES],
        end={line.name: line.points for line in lines},
        total=sum(line.points for line in lines),
        denarii=s.denarii[who],
        goods=s.goods[three : three + 3],
        offerings=s.offerings[who],
        camp=Camp(s.camp[who], s.camp_fill(who), s.camp_space(who)),
        followers=s.at[three : three + 3],
        at_supper=s.at_supper(who),
        columns=[card_column(s, who, column) for column in range(3)],
        markers=members(s.markers[who], 0),
        received={place: n for place in range(5) if (n := s.received[who * 5 + place])},
        favors_done=s.favors[who],
        parables=s.parables[who],
        illumination=bool(s.illumination[who]),
        hand=hand_view(s, viewer, who, ids["held"]),
        deck=len(s.deck[who]),
        discard=[card_at(place, colour) for place in members(s.discard[who], 0)],
        deck_cards=sorted(s.deck[who]) if viewer == who else None,
        idle=([card for card in s.hand[who] if is_idle(s, who, card)] or None) if viewer == who else None,
    )


def card_column(s: Ierusalem, who: Seat, column: int) -> CardColumn:
    """A column, and what each Apostle column that it may become still lacks."""
    c = s.c
    cards = s.columns[who * 3 + column]
    fits = []
    for apostles in range(3) if cards else ():
        missing = symbols_missing(s, cards, apostles)
        if missing is not None:
            fits.append(Fit(apostles + 1, missing, lacking(s, who, cards, apostles) == MATCHES))
    symbols = [c.card_location[card] for card in cards]
    return CardColumn(list(cards), symbols, sum(c.card_vp[card] for card in cards), fits)


def symbols_missing(s: Ierusalem, cards: bytes, apostles: int) -> list[int] | None:
    """The symbols of an Apostle column that cards do not bring; None: they never fit it (IE-R4)."""
    missing: list[int] = []
    used = 0
    for symbol in s.symbols[apostles * 3 : apostles * 3 + 3]:
        if used < len(cards) and s.c.card_location[cards[used]] == symbol:
            used += 1
        else:
            missing.append(symbol)
    return missing if used == len(cards) else None


def hand_view(s: Ierusalem, viewer: Seat, who: Seat, names: Sequence[str | int]) -> list[Held]:
    """The cards of a hand; of those that the viewer does not know only the back, in an order that tells nothing."""
    if viewer == who:
        return list(s.hand[who])
    known = s.known[who]
    seen = [card if (known >> bit(card)) & 1 else back_of(card) for card in s.hand[who]]
    return sorted(seen, key=lambda held: str(names[held]))


def back_of(card: int) -> Held:
    """What a card shows face down."""
    if card < FIRST_MAHANE:
        return CARDS + card // OWN_CARDS
    return CARDS + len(COLOURS) + (card >= FIRST_XXXIII)
