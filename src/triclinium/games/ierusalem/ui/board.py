"""What the templates draw, computed from a view alone: where all stands, and what each place is worth to whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from triclinium.engine.core.components import FILES_KEPT
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import CARDS, GOODS, LOCATIONS, REWARDS, TILES
from triclinium.games.ierusalem.ui import board_layout
from triclinium.games.ierusalem.ui.board_layout import Apostle, Chair, Face, Space
from triclinium.games.ierusalem.ui.column_progress import Way, nearest, told, ways
from triclinium.games.ierusalem.ui.help_card import help_card
from triclinium.games.ierusalem.ui.icons import ROMAN, pen
from triclinium.games.ierusalem.ui.reward_text import gift, listed
from triclinium.games.ierusalem.ui.supper_spaces import colours_of
from triclinium.games.ierusalem.ui.view import BACKS, Ahead, CardColumn, IerusalemView, Player, Squares

__all__ = ["draw", "gallery", "help_card"]

# On which part of a small board the answer to a decision lies.
IN_THE_CITY: Final = {
    *("post", "call", "send", "leave", "replace", "trade", "mahane", "sell", "buy", "take", "draw"),
}
AT_THE_SUPPER: Final = {"offering", "seat", "score", "go", "move", "onto", "swap", "with"}
ON_THE_TRACKS: Final = {"visit", "bring", "listen"}
PANES: Final = ("supper", "city", "tracks")


class Place:
    """Desert, Mountain or Lake: its squares and who stands on them."""

    def __init__(self, place: int, seen: Squares) -> None:
        self.id = LOCATIONS[place]
        self.good = GOODS[place]
        self.empty = seen.empty
        self.squares = board_layout.squares(seen.squares)
        self.covered = seen.squares == board_layout.UNCOVERED
        owners = [(seat, one) for seat, n in enumerate(seen.followers) for one in range(n)]
        self.followers = [
            (f"fo-{self.id}-{seat}-{one}", seat, x + board_layout.SQUARE / 2, y + board_layout.SQUARE / 2)
            for (seat, one), (x, y) in zip(owners, self.squares, strict=False)
        ]
        self.key = (place, self.empty, len(self.squares), tuple(seen.followers))


class Missing:
    """The symbols that a column lacks: those that only a Favor brings, and those that the next cards bring as well."""

    def __init__(self, best: Way | None) -> None:
        self.by_favor = [] if best is None else [LOCATIONS[place] for place in best.by_favor]
        self.by_card = [] if best is None else [LOCATIONS[place] for place in best.by_card]
        self.all = [*((place, "round") for place in self.by_favor), *((place, "") for place in self.by_card)]


class Column:
    """An Apostle column: its symbols, and which of the viewer's columns may become it."""

    def __init__(self, view: IerusalemView, column: int, mine: Player) -> None:
        seen = view.apostles[column]
        self.number = column + 1
        self.roman = ROMAN[self.number]
        self.x, self.y = board_layout.COLUMNS[column]
        self.symbols = [LOCATIONS[place] for place in seen.symbols]
        self.waiting = len(seen.waiting)
        best = nearest(one for one in ways(view, mine) if one.apostles == self.number)
        self.fits = best is not None
        self.opens = best is not None and best.opens
        self.nth = 0 if best is None else best.nth  # the column that fits best, and its VP
        self.vp = 0 if best is None else mine.columns[best.nth - 1].apostle_vp
        self.missing = Missing(best)
        self.visits = [
            option
            for option in view.options or ()
            if option.startswith("visit ") and option.endswith(f" {self.number}")
        ]
        self.key = (column, tuple(seen.symbols), self.waiting, best, self.vp)


class Pile:
    """One of a player's columns: its cards, and the Apostle column that it is nearest to."""

    def __init__(self, c: Components, number: int, seen: CardColumn, found: list[Way]) -> None:
        best = nearest(found)
        self.number = number
        self.faces = [board_layout.face(c, card) for card in seen.cards]
        self.symbols = [LOCATIONS[place] for place in seen.symbols]
        self.vp = seen.apostle_vp
        self.many = len(self.faces) > 3  # no visit (IE-2.8)
        self.roman = "" if best is None else ROMAN[best.apostles]
        self.opens = best is not None and best.opens
        self.missing = Missing(best)
        self.ways = [told(c, one) for one in sorted(found, key=lambda one: one.distance)]  # all of them, nearest first


@dataclass(slots=True)
class Slot:
    """A space of the Camp. ``how``: ``over`` beyond its limit, ``blocked`` until the second Favor."""

    kind: str
    how: str
    first: bool  # of its kind: the one that can be clicked away


class Judgment:
    """A Judgment ahead: what it counts for each player in full."""

    def __init__(self, c: Components, seen: Ahead) -> None:
        self.space = seen.space
        self.tile = TILES[seen.tile]
        self.name = c.tile_names[seen.tile]
        self.y = board_layout.step(seen.space, c.last)
        self.counts = seen.counts
        self.key = (seen.space, seen.tile, tuple(seen.counts))


@lru_cache(FILES_KEPT)
def printed(c: Components) -> dict[str, object]:
    """What never changes."""
    return {
        "pen": pen,
        "spelt": spelt,
        "panels": board_layout.PANELS,
        "track_steps": [(step, board_layout.step(step, c.last)) for step in range(c.last + 1)],
        "step_high": min(20.0, round(board_layout.step(0, c.last) - board_layout.step(1, c.last) - 2, 1)),
        "row_prices": [
            (id, row, GOODS[cost[0]], board_layout.TOPS[row])
            for id, row, cost in zip(c.row_ids, c.row_y, c.row_cost, strict=True)
            if cost
        ],
        "column_prices": [(nth + 1, GOODS[good]) for nth, good in enumerate(c.column_cost)],
        "parable_track": [
            (REWARDS[kind], n, gift(c, kind, n)) for kind, n in zip(c.parable_reward, c.parable_amount, strict=True)
        ],
        "markers": [
            (id, [(REWARDS[kind], n) for kind, n in c.marker_benefit[i]], LOCATIONS[c.marker_location[i]])
            for i, id in enumerate(c.marker_ids)
        ],
        "benefits": [listed([gift(c, kind, n) for kind, n in benefit]) for benefit in c.marker_benefit],
        "locations": LOCATIONS,
        "goods": GOODS,
        "place_names": dict(zip(LOCATIONS, c.location_names, strict=True)),
        "full_names": dict(zip(LOCATIONS, c.location_full_names, strict=True)),
        "good_names": dict(zip(GOODS, c.good_names, strict=True)),
        "shade_names": c.shade_names,
        "prices": [(good, c.price[i]) for i, good in enumerate(GOODS)],
        "recruit": dict(zip(LOCATIONS[:3], c.recruit_price, strict=True)),
    }


def gallery(c: Components) -> dict[str, object]:
    """What the box shows."""
    return {**printed(c), "face": partial(board_layout.face, c)}


def draw(c: Components, view: IerusalemView) -> dict[str, object]:
    """Everything that the board and the viewer's own strip show."""
    players = view.players
    own = view.viewer is not None
    me = view.active if view.viewer is None else view.viewer
    mine = players[me]
    doing = view.doing
    pays = doing.invited is False and view.who == me  # a Follower goes, and these goods are what he can pay
    spaces = supper_spaces(c, view, mine.goods if pays else None)
    chairs = supper_chairs(c, view)
    there = acts(view.options or ())
    judgments = [Judgment(c, ahead) for ahead in view.sanhedrin.ahead]
    return {
        **printed(c),
        "me": me,
        "own": own,
        "mine": mine,
        "spaces": spaces,
        "by_space": {space.id: space for space in spaces},
        "chairs": chairs,
        "by_chair": {chair.id: chair for chair in chairs},
        "apostles": apostles(c, view, chairs),
        "places": [Place(place, seen) for place, seen in enumerate(view.locations)],
        "columns": [Column(view, column, mine) for column in range(3)],
        "favors_done": tuple([player.favors_done for player in players]),
        "disks": board_layout.disks,
        "stacks": tuple([(stack.number, stack.left, stack.top) for stack in view.parables]),
        "marker": board_layout.step(view.sanhedrin.marker, c.last),
        "judgments": judgments,
        "judgment_key": tuple([tile.key for tile in judgments]),
        "faces": faces(c, view),
        "face": partial(board_layout.face, c),
        "display": [board_layout.face(c, card) for card in view.mahane.display],
        "display_pitch": board_layout.card_pitch(len(view.mahane.display)),
        "piles": [piles(c, view, one) for one in players],
        "seat_keys": [repr(player) for player in players],
        "camp": camp(c, mine),
        "hand": [held(c, card) for card in mine.hand],
        "idle": [c.card_ids[card] for card in mine.idle or ()],
        "deck": spelt(c.card_ids, mine.deck_cards or ()),
        "movable": movable(view),
        "playing": None if doing.card is None else board_layout.face(c, doing.card),
        "bringing": 0 if doing.apostle is None else c.shade[doing.apostle],
        "acts": there,
        "pane": next((pane for pane in PANES if there[pane]), PANES[0]),
    }


def piles(c: Components, view: IerusalemView, player: Player) -> list[Pile]:
    """A player's columns."""
    found = ways(view, player)
    return [Pile(c, n, seen, [one for one in found if one.nth == n]) for n, seen in enumerate(player.columns, start=1)]


def spelt(ids: Sequence[str], numbers: Sequence[int]) -> str:
    """Things by their ids, one after the other."""
    return ", ".join([ids[n].upper() for n in numbers])


def supper_spaces(c: Components, view: IerusalemView, goods: list[int] | None) -> list[Space]:
    """The 56 spaces; with goods, what each lacks of its price is noted."""
    supper, seated = view.supper, view.seated
    shades = [c.shade[seated[chair]] if chair in seated else -1 for chair in range(len(c.seat_ids))]
    waiting = colours_of(c, [apostle for column in view.apostles for apostle in column.waiting])
    found = []
    for nth, seat in enumerate(c.space_seat):
        lacks = () if goods is None else lacking(c.space_cost[nth], goods)
        shade = shades[seat] if seat >= 0 else -1
        colours = waiting if seat >= 0 and shade < 0 else 0  # what cannot matter is left out: the space is drawn once
        found.append(board_layout.space(c, nth, supper.get(nth), shade, view.jesus_vp, colours, lacks))
    return found


def lacking(cost: tuple[int, ...], goods: list[int]) -> tuple[tuple[str, int], ...]:
    """The goods that are missing for a price."""
    return tuple([(good, n - has) for good, n, has in zip(GOODS, cost, goods, strict=True) if n > has])


def supper_chairs(c: Components, view: IerusalemView) -> list[Chair]:
    """The twelve seats; only of open ones it is asked what they would be worth."""
    return [
        board_layout.chair(
            c, nth, nth in view.seated, () if nth in view.seated else board_layout.worths(c, nth, view.supper)
        )
        for nth in range(len(c.seat_ids))
    ]


def apostles(c: Components, view: IerusalemView, chairs: list[Chair]) -> list[Apostle]:
    """Who sits and who waits; four in a column stand close."""
    found = [board_layout.seated(c, view.seated[nth], chair) for nth, chair in enumerate(chairs) if chair.taken]
    for column, seen in enumerate(view.apostles):
        for nth, apostle in enumerate(seen.waiting):
            found.append(board_layout.waiting(c, apostle, column, nth, len(seen.waiting) > 3))
    return found


def faces(c: Components, view: IerusalemView) -> dict[str, Face]:
    """Every card whose face the viewer sees somewhere, by the id that options say."""
    seen = view.mahane.display[:]
    for player in view.players:
        for column in player.columns:
            seen += column.cards
        seen += [card for card in player.hand if card < CARDS]
    if view.doing.card is not None:
        seen.append(view.doing.card)
    return {c.card_ids[card]: board_layout.face(c, card) for card in seen}


def movable(view: IerusalemView) -> list[str]:
    """IE-R22  The cards on the viewer's board that may be laid elsewhere or discarded now."""
    if view.asked != "Rearrange" or not view.options:
        return []
    return list(dict.fromkeys([option.split(" ")[1] for option in view.options if " " in option]))


def held(c: Components, card: int) -> tuple[Face | None, str]:
    """A card of a hand: its face, or what its back shows."""
    return (board_layout.face(c, card), "") if card < CARDS else (None, BACKS[card - CARDS])


def camp(c: Components, player: Player) -> list[Slot]:
    """The Camp's spaces in rows of three, each with what stands there."""
    kinds = ["follower"] * player.camp.followers
    for good, n in zip(GOODS, player.goods, strict=True):
        kinds += [good] * n
    kinds += ["offering"] * player.offerings
    spaces = player.camp.spaces
    found = [Slot(kind, "over" if n >= spaces else "", kind not in kinds[:n]) for n, kind in enumerate(kinds)]
    found += [Slot("", "", False) for _ in range(spaces - len(kinds))]
    locked = c.open_spaces + c.blocked_spaces - spaces
    found[spaces:spaces] = [Slot("lock", "blocked", True) for _ in range(locked)]
    return found


def acts(options: Sequence[str]) -> dict[str, bool]:
    """The parts of the board where the viewer can answer the decision now."""
    verbs = {option.split(" ")[0] for option in options}
    return {
        "supper": bool(verbs & AT_THE_SUPPER),
        "city": bool(verbs & IN_THE_CITY),
        "tracks": bool(verbs & ON_THE_TRACKS),
    }
