"""What each seat may see, and where every piece stands. Ids and numbers, no text."""

from triclinium.engine.core.state import Seat
from triclinium.engine.view import frame
from triclinium.games.evangelists.rules.actions.rearrange import ChooseHow
from triclinium.games.evangelists.rules.actions.tradition import Keep, LeaveFaceUp, Place, PlaceKept
from triclinium.games.evangelists.rules.components import TRACK_IDS, TRACKS
from triclinium.games.evangelists.rules.scoring import matches
from triclinium.games.evangelists.rules.state import EMPTY, PUBLIC, Evangelists


def view(s: Evangelists, seat: Seat | None) -> dict[str, object]:
    """The table as this seat, or a spectator, may know it."""
    c = s.c
    seen = frame(s, seat, c.notation)
    seen |= {
        "round": s.round(),
        "rounds": c.track_end - c.track_start[s.seats],
        "marker": s.marker,
        "stenographer": s.stenographer,
        "turn": s.turn,
        "octagons": s.octagons,
        "used": {"travel": s.travelled, "rearrange": s.rearranged, "boat": s.sailed},
        "told": [c.place_ids[city] for city in range(c.cities) if (s.told >> city) & 1],
        "boats": [c.place_ids[city] for city in range(c.cities) if (s.boats >> city) & 1],
        "bag": {"white": s.bag_white, "black": s.bag_black, "supply": s.supply},
        "cities": [city_view(s, seat, city) for city in range(c.cities)],
        "players": [player_view(s, player) for player in range(s.seats)],
        "kept": [c.numbers[card] for card in s.kept],
        "placing": c.numbers[s.asked.card(s)] if not s.over and isinstance(s.asked, Place) else None,
        "leaf": s.asked.leaf if not s.over and isinstance(s.asked, ChooseHow) else None,
        "emphasis_once": s.emphasis_once,
    }
    return seen


def city_view(s: Evangelists, seat: Seat | None, city: int) -> dict[str, object]:
    """A city: its witness and its box, the faces only where this viewer knows them."""
    c = s.c
    witness = s.witness_at[city]
    cube = "white" if (s.alive >> witness) & 1 else "black" if (s.dead >> witness) & 1 else None
    return {
        "id": c.place_ids[city],
        "witness": c.witness_ids[witness],
        "cube": cube,
        "interviews_left": s.piles[witness],
        "box": [place_view(s, seat, city, at) for at in range(c.box_size)],
    }


def place_view(s: Evangelists, seat: Seat | None, city: int, at: int) -> dict[str, object] | None:
    """A place of a box. The back is public at all times (AE-1.7); who has looked is public too."""
    place = city * s.c.box_size + at
    card = s.box[place]
    if card == EMPTY:
        return None
    mask = s.seen[place]
    return {
        "back": s.c.theme_ids[s.c.back[card]],
        "face_up": s.face_up[city] == at,
        "card": s.c.numbers[card] if shown(s, seat, city, at) else None,
        "seen_by": [player for player in range(s.seats) if (mask >> player) & 1],
    }


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
    return isinstance(s.asked, (Keep, PlaceKept, LeaveFaceUp)) and s.pawn[s.who] == city


def player_view(s: Evangelists, player: Seat) -> dict[str, object]:
    """A player: everything about it is public."""
    c = s.c
    place = s.pawn[player]
    witnesses = range(len(c.witness_ids))
    return {
        "pawn": None if place == EMPTY else c.place_ids[place],
        "theme": c.theme_ids[s.theme[player]],
        "colour": None if s.colour[player] == EMPTY else c.theme_ids[s.colour[player]],
        "tokens": s.tokens[player],
        "tally": s.tally[player],
        "interviews": [c.witness_ids[w] for w in witnesses if (s.interviews[player] >> w) & 1],
        "slots": [None if card == EMPTY else c.numbers[card] for card in s.slots[player]],
        "levels": {TRACK_IDS[track]: s.level(player, track) for track in range(TRACKS)},
        "matches": matches(s, player),
    }
