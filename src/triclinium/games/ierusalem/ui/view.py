"""What each seat may see, and where every piece stands. Ids and numbers, no text."""

from triclinium.engine.core.state import Seat
from triclinium.engine.view import frame
from triclinium.games.ierusalem.rules.actions.parable import top_tile
from triclinium.games.ierusalem.rules.actions.perform import Perform
from triclinium.games.ierusalem.rules.actions.redistribute import Lay
from triclinium.games.ierusalem.rules.actions.sanhedrin import judged
from triclinium.games.ierusalem.rules.actions.supper import ChangeTo, Go, SwapWith
from triclinium.games.ierusalem.rules.actions.visit import MATCHES, Bring, SeatApostle, lacking
from triclinium.games.ierusalem.rules.kinds import (
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


def view(s: Ierusalem, seat: Seat) -> dict[str, object]:
    """The table as this seat, or a spectator, may know it (IE-R32)."""
    c = s.c
    seen = frame(s, seat if seat >= 0 else None, c.notation)
    seen |= {
        "active": s.active,
        "start": s.start,
        "turn": s.turns,
        "round": (s.turns + s.seats - 1) // s.seats,
        "stall_round": s.stall_round,
        "sanhedrin": sanhedrin_view(s),
        "apostles": [column_view(s, column) for column in range(3)],
        "seated": {c.seat_ids[i]: c.apostle_ids[a] for i, a in enumerate(s.seated) if a >= 0},
        "supper": {c.space_ids[space]: owner for space, owner in sorted(standing(s).items())},
        "locations": {
            LOCATIONS[place]: {
                "squares": c.squares[s.seats - 3][place],
                "empty": s.room[place],
                "followers": [s.at[who * 3 + place] for who in range(s.seats)],
            }
            for place in range(3)
        },
        "parables": [stack_view(s, number) for number in range(1, len(c.parable_names) + 1)],
        "mahane": {
            "display": [c.card_ids[card] for card in s.display],
            "deck": len(s.mahane),
            "under": [c.card_ids[card] for card in s.mahane[s.mahane_hidden :]],
        },
        "xxxiii": {"deck": len(s.xxxiii), "under": [c.card_ids[card] for card in s.xxxiii[s.xxxiii_hidden :]]},
        "players": [player_view(s, seat, who) for who in range(s.seats)],
        "jesus_vp": s.jesus_vp,
        "doing": doing_view(s),
    }
    return seen


def doing_view(s: Ierusalem) -> dict[str, object]:
    """What the decision is about, all of it public: the card in play and its actions to come, the Follower or Apostle
    on the way."""
    c = s.c
    seen: dict[str, object] = {}
    if s.over:
        return seen
    for step in s.stack:
        if isinstance(step, Perform):
            seen |= {"card": c.card_ids[step.card], "next": step.begin}
    asked = s.asked
    if isinstance(asked, Column):
        seen |= {"card": c.card_ids[asked.card], "next": 0}
    elif isinstance(asked, Go):
        seen |= {"leaves": LOCATIONS[asked.place], "invited": asked.free}
    elif isinstance(asked, (ChangeTo, SwapWith)):
        seen["moves"] = c.space_ids[asked.space]
    elif isinstance(asked, Bring):
        seen["column"] = asked.apostles
    elif isinstance(asked, SeatApostle):
        seen |= {"column": asked.apostles, "apostle": c.apostle_ids[asked.apostle]}
    elif isinstance(asked, Lay):
        seen["loose"] = [c.card_ids[card_at(place, s.colours[s.who])] for place in members(asked.loose, 0)]
    return seen


def sanhedrin_view(s: Ierusalem) -> dict[str, object]:
    """The track: the marker, and for each Judgment ahead what it would count for each player in full."""
    c = s.c
    ahead = [
        {
            "space": c.tile_spaces[i],
            "tile": TILES[tile],
            "counts": [judged(s, who, tile) for who in range(s.seats)],
        }
        for i, tile in enumerate(s.tiles)
        if s.judging and c.tile_spaces[i] > s.marker
    ]
    return {"marker": s.marker, "last": c.last, "ahead": ahead}


def column_view(s: Ierusalem, column: int) -> dict[str, object]:
    """An Apostle column: its symbols and who waits there."""
    return {
        "symbols": [LOCATIONS[place] for place in s.symbols[column * 3 : column * 3 + 3]],
        "waiting": [s.c.apostle_ids[apostle] for apostle in members(s.waiting[column], 0)],
    }


def standing(s: Ierusalem) -> dict[int, object]:
    """Who stands on each taken space; ``unused`` is the unused colour's."""
    found: dict[int, object] = {}
    for who in range(s.seats + 1):
        for space in members(s.supper[who], 0):
            found[space] = who if who < s.seats else "unused"
    return found


def stack_view(s: Ierusalem, number: int) -> dict[str, object]:
    """A Parable stack: the top tile's VP and how many are left."""
    taken = sum(parables >= number for parables in s.parables)
    left = len(s.c.stack(s.seats)) - taken
    return {"number": number, "left": left, "top": top_tile(s, number) if left else None}


def player_view(s: Ierusalem, viewer: Seat, who: Seat) -> dict[str, object]:
    """A player: all but the hand is public; the own deck's content is known to its owner, its order to nobody."""
    c = s.c
    three = who * 3
    first = who * ALL_SOURCES
    lines = sheet(s, who)
    seen: dict[str, object] = {
        "colour": None if s.colours[who] == NO_COLOUR else COLOURS[s.colours[who]],
        "vp": s.vp(who),
        "earned": {name: s.earned[first + i] for i, name in enumerate(SOURCES)},
        "end": {line.name: line.points for line in lines},
        "total": sum(line.points for line in lines),
        "denarii": s.denarii[who],
        "goods": {GOODS[good]: s.goods[three + good] for good in range(3)},
        "offerings": s.offerings[who],
        "camp": {"followers": s.camp[who], "fill": s.camp_fill(who), "spaces": s.camp_space(who)},
        "followers": {LOCATIONS[place]: s.at[three + place] for place in range(3)},
        "at_supper": s.at_supper(who),
        "columns": [card_column(s, who, column) for column in range(3)],
        "markers": [c.marker_ids[marker] for marker in members(s.markers[who], 0)],
        "received": {LOCATIONS[place]: n for place in range(5) if (n := s.received[who * 5 + place])},
        "favors_done": s.favors[who],
        "parables": s.parables[who],
        "illumination": bool(s.illumination[who]),
        "hand": hand_view(s, viewer, who),
        "deck": len(s.deck[who]),
        "discard": [c.card_ids[card_at(place, s.colours[who])] for place in members(s.discard[who], 0)],
    }
    if viewer == who:
        seen["deck_cards"] = [c.card_ids[card] for card in sorted(s.deck[who])]
    return seen


def card_column(s: Ierusalem, who: Seat, column: int) -> dict[str, object]:
    """A column: its cards, their Apostle VP, and what each Apostle column that it may become still lacks."""
    c = s.c
    cards = s.columns[who * 3 + column]
    fits = []
    for apostles in range(3):
        missing = symbols_missing(s, cards, apostles)
        if missing is not None and cards:
            opens = lacking(s, who, cards, apostles) == MATCHES
            fits.append({"column": apostles + 1, "missing": [LOCATIONS[place] for place in missing], "opens": opens})
    return {
        "cards": [c.card_ids[card] for card in cards],
        "symbols": [LOCATIONS[c.card_location[card]] for card in cards],
        "apostle_vp": sum(c.card_vp[card] for card in cards),
        "fits": fits,
    }


def symbols_missing(s: Ierusalem, cards: tuple[int, ...], apostles: int) -> list[int] | None:
    """The symbols of an Apostle column that cards do not bring; None: they never fit it (IE-R4)."""
    missing: list[int] = []
    used = 0
    for symbol in s.symbols[apostles * 3 : apostles * 3 + 3]:
        if used < len(cards) and s.c.card_location[cards[used]] == symbol:
            used += 1
        else:
            missing.append(symbol)
    return missing if used == len(cards) else None


def hand_view(s: Ierusalem, viewer: Seat, who: Seat) -> list[str]:
    """The cards of a hand; of those that the viewer does not know only the back."""
    seen: list[str] = []
    for card in s.hand[who]:
        if viewer == who or (s.known[who] >> bit(card)) & 1:
            seen.append(s.c.card_ids[card])
        else:
            seen.append(back_of(card))
    return sorted(seen) if viewer != who else seen


def back_of(card: int) -> str:
    """What a card shows face down."""
    return COLOURS[card // OWN_CARDS] if card < FIRST_MAHANE else "mahane" if card < FIRST_XXXIII else "xxxiii"
