"""What each seat may see, and where every piece stands. Numbers, no text."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import Seat
from triclinium.engine.view import ASIDE, IS_SEAT, MINE, OF_TURN, OPEN, UNTOLD, By, Label, Nth, Ref, View, base
from triclinium.games.evangelists.rules.actions import tradition
from triclinium.games.evangelists.rules.actions.rearrange import ChooseHow
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.scoring import matches
from triclinium.games.evangelists.rules.state import EMPTY, PUBLIC, Evangelists

Card: TypeAlias = Annotated[int, Ref("tradition")]
Place: TypeAlias = Annotated[int, Ref("place")]
Witness: TypeAlias = Annotated[int, Ref("witness")]
Theme: TypeAlias = Annotated[int, Ref("theme")]
ByTrack: TypeAlias = Annotated[list[int], By("track")]
Cube: TypeAlias = Literal["white", "black"]


@dataclass(slots=True)
class Used:
    """What the turn has had of the actions that are allowed once (AE-2.7)."""

    travel: Annotated[bool, Label("travel")]
    rearrange: Annotated[bool, Label("rearrange")]
    boat: Annotated[bool, Label("boat")]


@dataclass(slots=True)
class Bag:
    """The status cubes in the bag, and the black ones beside it."""

    white: Annotated[int, Label("white cubes")]
    black: Annotated[int, Label("black cubes")]
    supply: Annotated[int, Label("black cubes beside it")]


@dataclass(slots=True)
class Boxed:
    """A card in a box. The back is public at all times (AE-1.7); who has looked is public too."""

    back: Theme
    face_up: bool
    card: Card | None  # None: this viewer does not know it
    seen_by: Annotated[list[Seat], Label("seen by"), IS_SEAT]


@dataclass(slots=True)
class City:
    """A city: its witness and its box."""

    id: Place
    witness: Annotated[Witness, Label("witness")]
    cube: Annotated[Cube | None, Label("cube"), UNTOLD]
    interviews_left: Annotated[int, Label("interviews left")]
    box: Annotated[list[Boxed | None], Label("box")]


@dataclass(slots=True)
class Player:
    """A player: everything about it is public."""

    pawn: Annotated[Place | None, Label("pawn")]
    theme: Annotated[Theme, Label("theme")]
    colour: Annotated[Theme | None, Label("colour")]
    tokens: Annotated[int, Label("follow tokens")]
    tally: Annotated[int, Label("tally marks")]
    interviews: Annotated[list[Witness], Label("interviewed"), OPEN]
    slots: Annotated[list[Card | None], Label("gospel"), MINE, Nth("slot")]
    levels: Annotated[ByTrack, Label("level")]
    matches: Annotated[int, Label("cards of their theme")]


@dataclass(slots=True)
class EvangelistsView(View):
    """The table as one seat, or a spectator, may know it."""

    round: Annotated[int, Label("round")]
    rounds: Annotated[int, ASIDE]
    marker: Annotated[int, ASIDE]
    stenographer: Annotated[Seat, Label("stenographer"), IS_SEAT]
    turn: Annotated[Seat, Label("turn"), IS_SEAT, UNTOLD]
    octagons: Annotated[int, Label("octagons left"), OF_TURN]
    used: Annotated[Used, Label("used this turn"), UNTOLD]
    told: Annotated[list[Place], Label("boxes opened this turn"), UNTOLD]  # the cities whose box was opened this turn
    boats: Annotated[list[Place], Label("boats"), OPEN]
    bag: Annotated[Bag, Label("bag")]
    cities: Annotated[list[City], Label("cities")]
    players: Annotated[list[Player], Label("players")]
    kept: Annotated[list[Card], Label("kept cards"), UNTOLD]
    placing: Annotated[Card | None, Label("card to be placed"), UNTOLD]
    leaf: Annotated[int | None, Label("leaf"), UNTOLD]  # that is being rearranged, from 0
    emphasis_once: Annotated[bool, ASIDE]


def view(
    s: Evangelists, seat: Seat | None, notation: Notation, opened: bool = False, recalled: bool = False
) -> EvangelistsView:
    """The table as this seat, or a spectator, may know it; ``opened``: with every face; ``recalled``: as it was."""
    eyes = None if recalled and not s.memory_aid else seat  # AE-R39: who has to remember sees no box in hand again
    c = s.c
    asked = None if s.over else s.asked
    return EvangelistsView(
        *base(s, seat, notation),
        round=s.round(),
        rounds=c.track_end - c.track_start[s.seats],
        marker=s.marker,
        stenographer=s.stenographer,
        turn=s.turn,
        octagons=s.octagons,
        used=Used(s.travelled, s.rearranged, s.sailed),
        told=[city for city in range(c.cities) if (s.told >> city) & 1],
        boats=[city for city in range(c.cities) if (s.boats >> city) & 1],
        bag=Bag(s.bag_white, s.bag_black, s.supply),
        cities=[city_view(s, eyes, city, opened) for city in range(c.cities)],
        players=[player_view(s, player) for player in range(s.seats)],
        kept=list(s.kept),
        placing=asked.card(s) if isinstance(asked, tradition.Place) else None,
        leaf=asked.leaf if isinstance(asked, ChooseHow) else None,
        emphasis_once=s.emphasis_once,
    )


def city_view(s: Evangelists, seat: Seat | None, city: int, opened: bool) -> City:
    """A city, with the faces of its box only where this viewer knows them, or where all lie open."""
    witness = s.witness_at[city]
    cube: Cube | None = "white" if (s.alive >> witness) & 1 else "black" if (s.dead >> witness) & 1 else None
    box = [boxed(s, seat, city, at, opened) for at in range(s.c.box_size)]
    return City(city, witness, cube, s.piles[witness], box)


def boxed(s: Evangelists, seat: Seat | None, city: int, at: int, opened: bool) -> Boxed | None:
    """What lies at a place of a box."""
    place = city * s.c.box_size + at
    card = s.box[place]
    if card == EMPTY:
        return None
    mask = s.seen[place]
    seen_by = [player for player in range(s.seats) if (mask >> player) & 1]
    face = card if opened or shown(s, seat, city, at) else None
    return Boxed(s.c.back[card], s.face_up[city] == at, face, seen_by)


def shown(s: Evangelists, seat: Seat | None, city: int, at: int) -> bool:
    """AE-R39  Whether the table shows the face: with the memory aid all that the viewer has seen."""
    if s.face_up[city] == at:
        return True
    mask = s.seen[city * s.c.box_size + at]
    if not s.memory_aid:
        return seat is not None and seat == s.who and looks_at(s, city)
    return mask == PUBLIC or (seat is not None and bool((mask >> seat) & 1))


def looks_at(s: Evangelists, city: int) -> bool:
    """Whether the asked seat has the cards of this box in hand just now."""
    in_hand = (tradition.Keep, tradition.PlaceKept, tradition.LeaveFaceUp)
    return isinstance(s.asked, in_hand) and s.pawn[s.who] == city


def player_view(s: Evangelists, player: Seat) -> Player:
    """A player, with nothing kept back."""
    place, colour = s.pawn[player], s.colour[player]
    return Player(
        pawn=None if place == EMPTY else place,
        theme=s.theme[player],
        colour=None if colour == EMPTY else colour,
        tokens=s.tokens[player],
        tally=s.tally[player],
        interviews=[witness for witness in range(len(s.c.witness_ids)) if (s.interviews[player] >> witness) & 1],
        slots=[None if card == EMPTY else card for card in s.slots[player]],
        levels=s.levels[player * TRACKS : player * TRACKS + TRACKS],
        matches=matches(s, player),
    )
