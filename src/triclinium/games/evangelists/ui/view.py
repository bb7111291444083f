"""View of a match for one seat: what it may see and where every piece is. It holds numbers and no text."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import Seat
from triclinium.engine.view import (
    IS_SEAT,
    NEVER_RANDOM,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    OWN_ON_TABLE,
    SAME_SEAT_ONLY,
    Label,
    PerKind,
    PerPlace,
    Ref,
    View,
    base_fields,
)
from triclinium.games.evangelists.rules.actions import tradition
from triclinium.games.evangelists.rules.actions.rearrange import ChooseHow
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.scoring import count_matches
from triclinium.games.evangelists.rules.state import EMPTY, PUBLIC, Evangelists

Card: TypeAlias = Annotated[int, Ref("tradition")]
Place: TypeAlias = Annotated[int, Ref("place")]
Witness: TypeAlias = Annotated[int, Ref("witness")]
Theme: TypeAlias = Annotated[int, Ref("theme")]
ByTrack: TypeAlias = Annotated[list[int], PerKind("track")]
Cube: TypeAlias = Literal["white", "black"]


@dataclass(slots=True)
class UsedActions:
    """Actions that the turn has already used of those allowed once (AE-2.7)."""

    travel: Annotated[bool, Label("travel")]
    rearrange: Annotated[bool, Label("rearrange")]
    boat: Annotated[bool, Label("boat")]


@dataclass(slots=True)
class Bag:
    """The status cubes in the bag, and the black ones in the supply."""

    white: Annotated[int, Label("white cubes")]
    black: Annotated[int, Label("black cubes")]
    supply: Annotated[int, Label("black cubes next to it")]


@dataclass(slots=True)
class BoxCard:
    """A card in a box. Its back (AE-1.7) and the seats that have seen it are public."""

    back: Annotated[Theme, Label("back")]
    face_up: Annotated[bool, Label("face up")]
    card: Card | None  # None if this viewer does not know the card
    seen_by: Annotated[list[Seat], Label("seen by"), IS_SEAT]


@dataclass(slots=True)
class City:
    """A city with its witness and its box."""

    id: Place
    witness: Annotated[Witness, Label("witness")]
    cube: Annotated[Cube | None, Label("cube"), NOT_IN_PREVIEW]
    interviews_left: Annotated[int, Label("interviews left")]
    box: Annotated[list[BoxCard | None], Label("box")]


@dataclass(slots=True)
class Player:
    """Public information about a player."""

    pawn: Annotated[Place | None, Label("pawn")]
    theme: Annotated[Theme, Label("theme")]
    colour: Annotated[Theme | None, Label("colour")]
    tokens: Annotated[int, Label("follow tokens")]
    tally: Annotated[int, Label("tally marks")]
    interviews: Annotated[list[Witness], Label("interviewed"), NEVER_RANDOM]
    slots: Annotated[list[Card | None], Label("gospel"), OWN_ON_TABLE, PerPlace("slot")]
    levels: Annotated[ByTrack, Label("level")]
    matches: Annotated[int, Label("cards of their theme")]


@dataclass(slots=True)
class EvangelistsView(View):
    """The view of a match for a seat or a spectator."""

    round: Annotated[int, Label("round")]
    rounds: Annotated[int, NOT_DRAWN]
    marker: Annotated[int, NOT_DRAWN]
    stenographer: Annotated[Seat, Label("stenographer"), IS_SEAT]
    turn: Annotated[Seat, Label("turn"), IS_SEAT, NOT_IN_PREVIEW]
    octagons: Annotated[int, Label("octagons left"), SAME_SEAT_ONLY]
    used: Annotated[UsedActions, Label("used this turn"), NOT_IN_PREVIEW]
    told: Annotated[
        list[Place], Label("boxes opened this turn"), NOT_IN_PREVIEW
    ]  # the cities whose box was opened this turn
    boats: Annotated[list[Place], Label("boats"), NEVER_RANDOM]
    bag: Annotated[Bag, Label("bag")]
    cities: Annotated[list[City], Label("cities")]
    players: Annotated[list[Player], Label("players")]
    kept: Annotated[list[Card], Label("kept cards"), NOT_IN_PREVIEW]
    placing: Annotated[Card | None, Label("card to be placed"), NOT_IN_PREVIEW]
    leaf: Annotated[int | None, Label("leaf"), NOT_IN_PREVIEW]  # the leaf that is being rearranged, from 0
    emphasis_once: Annotated[bool, NOT_DRAWN]


def view(
    s: Evangelists, seat: Seat | None, notation: Notation, all_faces_open: bool = False, is_past: bool = False
) -> EvangelistsView:
    """Return the view of this seat, or of a spectator.

    ``all_faces_open`` shows every face. ``is_past`` means an earlier position of the match.
    """
    # AE-R39: without the memory aid, a past view shows no box that was in hand.
    box_viewer = None if is_past and not s.memory_aid else seat
    c = s.c
    step = None if s.over else s.asked
    return EvangelistsView(
        *base_fields(s, seat, notation),
        round=s.get_round(),
        rounds=c.track_end - c.track_start[s.seats],
        marker=s.marker,
        stenographer=s.stenographer,
        turn=s.turn,
        octagons=s.octagons,
        used=UsedActions(s.travelled, s.rearranged, s.sailed),
        told=[city for city in range(c.cities) if (s.opened_boxes >> city) & 1],
        boats=[city for city in range(c.cities) if (s.boats >> city) & 1],
        bag=Bag(s.bag_white, s.bag_black, s.supply),
        cities=[view_city(s, box_viewer, city, all_faces_open) for city in range(c.cities)],
        players=[view_player(s, player) for player in range(s.seats)],
        kept=list(s.kept_cards),
        placing=step.get_card(s) if isinstance(step, tradition.Place) else None,
        leaf=step.leaf if isinstance(step, ChooseHow) else None,
        emphasis_once=s.emphasis_once,
    )


def view_city(s: Evangelists, seat: Seat | None, city: int, all_faces_open: bool) -> City:
    """Return a city. Faces in its box appear only if this viewer knows them or ``all_faces_open`` is set."""
    witness = s.witness_at[city]
    cube: Cube | None = "white" if (s.alive >> witness) & 1 else "black" if (s.dead >> witness) & 1 else None
    box = [view_box_card(s, seat, city, at, all_faces_open) for at in range(s.c.box_size)]
    return City(city, witness, cube, s.piles[witness], box)


def view_box_card(s: Evangelists, seat: Seat | None, city: int, at: int, all_faces_open: bool) -> BoxCard | None:
    """Return the card at a place in a box, or None if the place is empty."""
    place = city * s.c.box_size + at
    card = s.box[place]
    if card == EMPTY:
        return None
    mask = s.seen[place]
    seen_by = [player for player in range(s.seats) if (mask >> player) & 1]
    face = card if all_faces_open or is_face_visible(s, seat, city, at) else None
    return BoxCard(s.c.back[card], s.face_up[city] == at, face, seen_by)


def is_face_visible(s: Evangelists, seat: Seat | None, city: int, at: int) -> bool:
    """AE-R39  Return whether the viewer sees a face: with the memory aid, every face that the viewer has ever seen."""
    if s.face_up[city] == at:
        return True
    mask = s.seen[city * s.c.box_size + at]
    if not s.memory_aid:
        return seat is not None and seat == s.who and is_looking_at_box(s, city)
    return mask == PUBLIC or (seat is not None and bool((mask >> seat) & 1))


def is_looking_at_box(s: Evangelists, city: int) -> bool:
    """Return whether the deciding seat is looking at this box now."""
    in_hand = (tradition.Keep, tradition.PlaceKept, tradition.LeaveFaceUp)
    return isinstance(s.asked, in_hand) and s.pawn[s.who] == city


def view_player(s: Evangelists, player: Seat) -> Player:
    """Return a player, whose information is all public."""
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
        matches=count_matches(s, player),
    )
