"""Data for the templates, computed from a view alone: positions, and the value of each space to each player."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from triclinium.boardkit.cards import find_cards_of
from triclinium.boardkit.parts import Card, Hand
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Message
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import CARDS, GOODS, LOCATIONS, REWARDS, TILES
from triclinium.games.ierusalem.ui import board_layout
from triclinium.games.ierusalem.ui.board_layout import ApostleFigure, Chair, SupperSpace
from triclinium.games.ierusalem.ui.card_faces import IDLE, draw_card, draw_card_back
from triclinium.games.ierusalem.ui.column_progress import (
    ColumnProgress,
    find_nearest_progress,
    format_progress,
    list_column_progress,
)
from triclinium.games.ierusalem.ui.help_card import help_card
from triclinium.games.ierusalem.ui.icons import ROMAN, get_icon_drawer
from triclinium.games.ierusalem.ui.print_list import print_list
from triclinium.games.ierusalem.ui.seat_panels import build_panel
from triclinium.games.ierusalem.ui.supper_spaces import collect_apostle_colours
from triclinium.games.ierusalem.ui.tracks_and_stacks import (
    draw_favor_track,
    draw_parable_track,
    join_ids,
    stack_denarii,
)
from triclinium.games.ierusalem.ui.view import (
    CardColumn,
    IerusalemView,
    LocationSquares,
    Player,
    UpcomingJudgment,
)

__all__ = ["draw", "help_card", "print_list"]

# verbs by the part of a small board where their options are chosen
CITY_VERBS: Final = {
    *("post", "call", "send", "leave", "replace", "trade", "mahane", "sell", "buy", "take", "draw"),
}
SUPPER_VERBS: Final = {"offering", "seat", "score", "go", "move", "onto", "swap", "with"}
TRACK_VERBS: Final = {"visit", "bring", "listen"}
PANES: Final = ("supper", "city", "tracks")


class LocationDrawing:
    """Desert, Mountain or Lake: its squares and the Followers on them."""

    def __init__(self, place: int, seen: LocationSquares) -> None:
        self.id = LOCATIONS[place]
        self.good = GOODS[place]
        self.empty = seen.empty
        self.squares = board_layout.list_location_squares(seen.squares)
        self.covered = seen.squares == board_layout.UNCOVERED_COUNT
        owners = [(seat, nth) for seat, n in enumerate(seen.followers) for nth in range(n)]
        self.followers = [
            (f"fo-{self.id}-{seat}-{nth}", seat, x + board_layout.SQUARE / 2, y + board_layout.SQUARE / 2)
            for (seat, nth), (x, y) in zip(owners, self.squares, strict=False)
        ]
        self.key = (place, self.empty, len(self.squares), tuple(seen.followers))


class MissingSymbols:
    """Symbols that a column lacks: those that need a Favor, and those that the next cards can bring too."""

    def __init__(self, best: ColumnProgress | None) -> None:
        self.by_favor = [] if best is None else [LOCATIONS[place] for place in best.by_favor]
        self.by_card = [] if best is None else [LOCATIONS[place] for place in best.by_card]
        self.all = [*((place, "round") for place in self.by_favor), *((place, "") for place in self.by_card)]


class ApostleColumnDrawing:
    """An Apostle column: its symbols, and the viewer's columns that can still match it."""

    def __init__(self, view: IerusalemView, column: int, mine: Player) -> None:
        seen = view.apostles[column]
        self.number = column + 1
        self.roman = ROMAN[self.number]
        self.x, self.y = board_layout.APOSTLE_COLUMNS[column]
        self.symbols = [LOCATIONS[place] for place in seen.symbols]
        self.waiting = len(seen.waiting)
        best = find_nearest_progress(
            progress for progress in list_column_progress(view, mine) if progress.apostles == self.number
        )
        self.fits = best is not None
        self.opens = best is not None and best.opens
        self.nth = 0 if best is None else best.nth  # the number of the best fitting column
        self.vp = 0 if best is None else mine.columns[best.nth - 1].apostle_vp
        self.missing = MissingSymbols(best)
        self.visits = [
            option
            for option in view.options or ()
            if option.startswith("visit ") and option.endswith(f" {self.number}")
        ]
        self.key = (column, tuple(seen.symbols), self.waiting, best, self.vp)


class CardColumnDrawing:
    """A player's column: its cards and the nearest Apostle column."""

    def __init__(
        self, c: Components, number: int, seen: CardColumn, candidates: list[ColumnProgress], playing: int | None
    ) -> None:
        best = find_nearest_progress(candidates)
        self.number = number
        self.cards = [
            draw_card(c, card, f"drop {c.card_ids[card]}", "now" if card == playing and last else "")
            for card, last in zip(seen.cards, [False] * (len(seen.cards) - 1) + [True], strict=False)
        ]
        self.symbols = [LOCATIONS[place] for place in seen.symbols]
        self.vp = seen.apostle_vp
        self.too_many = len(self.cards) > 3  # IE-2.8: too many cards for a visit.
        self.roman = "" if best is None else ROMAN[best.apostles]
        self.opens = best is not None and best.opens
        self.missing = MissingSymbols(best)
        self.progress_texts = [
            format_progress(c, progress) for progress in sorted(candidates, key=lambda progress: progress.distance)
        ]  # all possible Apostle columns, nearest first


@dataclass(slots=True)
class CampSlot:
    """A space of the Camp. `marking` is "over" beyond the limit, and "blocked" until the second Favor."""

    kind: str
    marking: str
    first: bool  # whether it is the first piece of its kind, which a click discards


class Judgment:
    """A future Judgment with its full score for each player."""

    def __init__(self, c: Components, seen: UpcomingJudgment) -> None:
        self.space = seen.space
        self.tile = TILES[seen.tile]
        self.name = c.tile_names[seen.tile]
        self.y = board_layout.compute_track_y(seen.space, c.last)
        self.counts = seen.counts
        self.key = (seen.space, seen.tile, tuple(seen.counts))


@lru_cache(FILE_CACHE_SIZE)
def printed_data(c: Components) -> dict[str, object]:
    """Return the data that are printed and never change."""
    return {
        "pen": get_icon_drawer,
        "draw_parables": partial(draw_parable_track, c),
        "stack_denarii": stack_denarii,
        "panels": board_layout.PANEL_CORNERS,
        "track_steps": [(step, board_layout.compute_track_y(step, c.last)) for step in range(c.last + 1)],
        "step_high": min(
            20.0, round(board_layout.compute_track_y(0, c.last) - board_layout.compute_track_y(1, c.last) - 2, 1)
        ),
        "row_prices": [
            (id, row, GOODS[cost[0]], board_layout.ROW_TOPS[row])
            for id, row, cost in zip(c.row_ids, c.row_y, c.row_cost, strict=True)
            if cost
        ],
        "column_prices": [(nth + 1, GOODS[good]) for nth, good in enumerate(c.column_cost)],
        "markers": [
            (id, [(REWARDS[kind], n) for kind, n in c.marker_benefit[i]], LOCATIONS[c.marker_location[i]])
            for i, id in enumerate(c.marker_ids)
        ],
        "locations": LOCATIONS,
        "place_names": dict(zip(LOCATIONS, c.location_names, strict=True)),
        "full_names": dict(zip(LOCATIONS, c.location_full_names, strict=True)),
        "good_names": dict(zip(GOODS, c.good_names, strict=True)),
        "shade_names": c.shade_names,
        "prices": [(good, c.price[i]) for i, good in enumerate(GOODS)],
        "recruit": dict(zip(LOCATIONS[:3], c.recruit_price, strict=True)),
    }


def draw(c: Components, view: IerusalemView) -> dict[str, object]:
    """Return the template variables for the board and the viewer's area."""
    players = view.players
    own = view.viewer is not None
    me = view.active if view.viewer is None else view.viewer
    mine = players[me]
    doing = view.doing
    # A Follower goes to the Supper, and its player has to pay with these goods.
    pays = doing.invited is False and view.who == me
    spaces = draw_spaces(c, view, mine.goods if pays else None)
    chairs = draw_chairs(c, view)
    there = find_active_panes(view.options or ())
    judgments = [Judgment(c, ahead) for ahead in view.sanhedrin.ahead]
    return {
        **printed_data(c),
        "me": me,
        "own": own,
        "mine": mine,
        "spaces": spaces,
        "by_space": {space.id: space for space in spaces},
        "chairs": chairs,
        "by_chair": {chair.id: chair for chair in chairs},
        "apostles": draw_apostles(c, view, chairs),
        "places": [LocationDrawing(place, seen) for place, seen in enumerate(view.locations)],
        "columns": [ApostleColumnDrawing(view, column, mine) for column in range(3)],
        "favors_done": tuple([player.favors_done for player in players]),
        "disks": board_layout.build_favor_disks,
        "stacks": tuple([(stack.number, stack.left, stack.top) for stack in view.parables]),
        "marker": board_layout.compute_track_y(view.sanhedrin.marker, c.last),
        "judgments": judgments,
        "judgment_key": tuple([tile.key for tile in judgments]),
        "shown": map_visible_cards(c, view),
        "mentioned": find_cards_of("card", partial(draw_card, c)),
        "display": [draw_card(c, card) for card in view.mahane.display],
        "display_pitch": board_layout.compute_card_pitch(len(view.mahane.display)),
        "piles": [draw_card_columns(c, view, owner) for owner in players],
        "seat_keys": [repr(player) for player in players],
        "seat_panels": [build_panel(c, seat, player) for seat, player in enumerate(players)],
        "camp": list_camp_slots(c, mine),
        "draw_favors": partial(draw_favor_track, c, own and view.asked == "DoFavor"),
        "hand": draw_hand(c, view, mine),
        "deck": join_ids(c, mine.deck_cards or []),
        "movable": list_movable_cards(view),
        "playing": None if doing.card is None else draw_card(c, doing.card),
        "bringing": 0 if doing.apostle is None else c.shade[doing.apostle],
        "acts": there,
        "pane": next((pane for pane in PANES if there[pane]), PANES[0]),
    }


def draw_card_columns(c: Components, view: IerusalemView, player: Player) -> list[CardColumnDrawing]:
    progress_list = list_column_progress(view, player)
    return [
        CardColumnDrawing(c, n, seen, [progress for progress in progress_list if progress.nth == n], view.doing.card)
        for n, seen in enumerate(player.columns, start=1)
    ]


def draw_spaces(c: Components, view: IerusalemView, goods: list[int] | None) -> list[SupperSpace]:
    """Return the 56 spaces. With ``goods``, each has the goods that are missing for its price."""
    supper, seated = view.supper, view.seated
    shades = [c.shade[seated[chair]] if chair in seated else -1 for chair in range(len(c.seat_ids))]
    waiting = collect_apostle_colours(c, [apostle for column in view.apostles for apostle in column.waiting])
    spaces = []
    for nth, seat in enumerate(c.space_seat):
        lacks = () if goods is None else list_missing_goods(c.space_cost[nth], goods)
        shade = shades[seat] if seat >= 0 else -1
        # Colours that cannot sit there are left out, so that the drawing of the space stays the same.
        colours = waiting if seat >= 0 and shade < 0 else 0
        spaces.append(board_layout.build_supper_space(c, nth, supper.get(nth), shade, view.jesus_vp, colours, lacks))
    return spaces


def list_missing_goods(cost: tuple[int, ...], goods: list[int]) -> tuple[tuple[str, int], ...]:
    """Return the goods that are missing for a price."""
    return tuple([(good, n - has) for good, n, has in zip(GOODS, cost, goods, strict=True) if n > has])


def draw_chairs(c: Components, view: IerusalemView) -> list[Chair]:
    """Return the twelve seats. Only open ones have values for possible Apostles."""
    return [
        board_layout.build_table_chair(
            c, nth, nth in view.seated, () if nth in view.seated else board_layout.list_seat_values(c, nth, view.supper)
        )
        for nth in range(len(c.seat_ids))
    ]


def draw_apostles(c: Components, view: IerusalemView, chairs: list[Chair]) -> list[ApostleFigure]:
    """Return the seated and the waiting Apostles. Four in a column are drawn closer together."""
    figures = [
        board_layout.build_seated_apostle(c, view.seated[nth], chair) for nth, chair in enumerate(chairs) if chair.taken
    ]
    for column, seen in enumerate(view.apostles):
        for nth, apostle in enumerate(seen.waiting):
            figures.append(board_layout.build_waiting_apostle(c, apostle, column, nth, len(seen.waiting) > 3))
    return figures


def map_visible_cards(c: Components, view: IerusalemView) -> dict[str, Card]:
    """Return every card whose face the viewer sees, by the id that options use."""
    seen = view.mahane.display[:]
    for player in view.players:
        for column in player.columns:
            seen += column.cards
        seen += [card for card in player.hand if card < CARDS]
    if view.doing.card is not None:
        seen.append(view.doing.card)
    return {c.card_ids[card]: draw_card(c, card) for card in seen}


def list_movable_cards(view: IerusalemView) -> list[str]:
    """IE-R22  Return the cards on the viewer's board that can be moved or discarded now."""
    if view.asked != "Rearrange" or not view.options:
        return []
    return list(dict.fromkeys([option.split(" ")[1] for option in view.options if " " in option]))


def draw_hand(c: Components, view: IerusalemView, player: Player) -> Hand:
    """Return a player's hand: faces that the viewer knows, with the option of this question, and backs."""
    verb = "discard" if view.asked == "DiscardHand" else "play"
    idle = player.idle or ()
    return Hand(
        Message("Cards in hand"),
        [
            draw_card_back(c, card - CARDS)
            if card >= CARDS
            else draw_card(c, card, f"{verb} {c.card_ids[card]}", "idle", IDLE)
            if card in idle
            else draw_card(c, card, f"{verb} {c.card_ids[card]}")
            for card in player.hand
        ],
    )


def list_camp_slots(c: Components, player: Player) -> list[CampSlot]:
    """Return the spaces of the Camp in order, each with its piece."""
    kinds = ["follower"] * player.camp.followers
    for good, n in zip(GOODS, player.goods, strict=True):
        kinds += [good] * n
    kinds += ["offering"] * player.offerings
    spaces = player.camp.spaces
    slots = [CampSlot(kind, "over" if n >= spaces else "", kind not in kinds[:n]) for n, kind in enumerate(kinds)]
    slots += [CampSlot("", "", False) for _ in range(spaces - len(kinds))]
    locked = c.open_spaces + c.blocked_spaces - spaces
    slots[spaces:spaces] = [CampSlot("lock", "blocked", True) for _ in range(locked)]
    return slots


def find_active_panes(options: Sequence[str]) -> dict[str, bool]:
    """Return the parts of the board where the viewer can answer the current question."""
    verbs = {option.split(" ")[0] for option in options}
    return {
        "supper": bool(verbs & SUPPER_VERBS),
        "city": bool(verbs & CITY_VERBS),
        "tracks": bool(verbs & TRACK_VERBS),
    }
