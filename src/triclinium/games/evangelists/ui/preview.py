"""What each option of the viewer's would do, for its button and for the empty slots."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.rules.state import EMPTY
from triclinium.games.evangelists.ui.board_layout import Face, Plaque, faces
from triclinium.games.evangelists.ui.device_reasons import Change, changes
from triclinium.games.evangelists.ui.gospels import Gospel, Preview, Slot
from triclinium.games.evangelists.ui.view import EvangelistsView

SIGNS: Final = {
    "travel": "road",
    "tradition": "scroll",
    "interview": "talk",
    "rearrange": "swap",
    "boat": "boat",
    "weak": "talk",
    "strong": "talk",
    "follow": "tok",
    "left": "leaf",
    "right": "leaf",
}
PRICED: Final = ("travel", "rearrange", "tradition", "interview")


@dataclass(slots=True)
class Doing:
    """What stands on the button of an option besides its label; each kind of option fills its own part."""

    face: Face | None = None  # a card to keep, to copy or to leave face up
    matches: bool = False  # that card has the player's theme
    best: Preview | None = None  # the slot where that card would gain most
    slot: int = 0
    moves: list[Change] | None = None  # how the tracks would move
    leaf: list[Slot] = field(default_factory=list)
    city: Plaque | None = None
    circles: int = 0  # cards of the player's with that city's witness
    sign: str = ""
    cost: int = 0  # octagons
    backs: list[str] = field(default_factory=list)  # the themes of the cards in the box
    follows: list[tuple[int, int]] = field(default_factory=list)  # who would gain what by following


def what_it_does(c: Components, view: EvangelistsView, gospel: Gospel, cities: list[Plaque], option: str) -> Doing:
    """An option of the viewer's, with what it would change."""
    does = Doing()
    once = view.emphasis_once
    verb, _, name = option.partition(" ")
    if verb in ("keep", "face", "copy"):
        does.face = numbered(c, int(name)) if verb == "copy" else in_hand(gospel, cities, int(name))
        if does.face is not None:
            does.matches = gospel.theme in does.face.themes
            if verb != "face":
                tried = placings(c, gospel, option, does.face.card, once)
                does.best = max(tried, key=lambda preview: preview.gain, default=None)
                does.slot = next((cell.nth + 1 for cell in gospel.cells if does.best in cell.previews), 0)
    elif verb == "slot" and view.placing is not None:
        card, kept = view.placing, view.kept
        cell = gospel.cells[int(name) - 1]
        after = kept[kept.index(card) + 1 :] if card in kept else []
        does.moves = placing(c, gospel, cell, option, card, once, after).moves
    elif verb == "leaf":
        does.leaf = gospel.leaves[int(name) - 1]
        does.moves = rearrangement(c, gospel, int(name) - 1, once)
    elif verb in ("flip", "position") and view.leaf is not None:
        slots = rearranged(c, gospel.slots, view.leaf, -1 if verb == "flip" else int(name) - 1)
        does.moves = changes(c, gospel.levels, slots, gospel.mask, once)
    elif verb in ("start", "to", "sail", "displace"):
        does.city = next((city for city in cities if city.id == name), None)
        does.circles = 0 if does.city is None else gospel.circles[does.city.witness]
    elif verb == "colour":
        does.sign = f"t-{name}"
    else:
        does.sign = SIGNS.get(verb, "")
        does.cost = 0 if verb not in PRICED else c.cost_strong if name == "strong" else c.cost_weak
    return does


def numbered(c: Components, number: int) -> Face:
    """The card that an option names by what is printed on it."""
    return next(face for face in faces(c) if face.number == number)


def in_hand(gospel: Gospel, cities: list[Plaque], nth: int) -> Face | None:
    """A card of the box at which the player looks just now."""
    assert gospel.pawn is not None
    return cities[gospel.pawn].box[nth].face


def placings(c: Components, gospel: Gospel, option: str, card: int, once: bool) -> list[Preview]:
    """A card tried in every empty slot; what it would do stands in the slot."""
    return [placing(c, gospel, cell, option, card, once) for cell in gospel.cells if cell.face is None]


def placing(
    c: Components, gospel: Gospel, cell: Slot, option: str, card: int, once: bool, after: Sequence[int] = ()
) -> Preview:
    """A card tried in one slot; AE-6.4  a card after it that has a single slot left goes there unasked."""
    slots = gospel.slots[: cell.nth] + (card,) + gospel.slots[cell.nth + 1 :]
    if after and slots.count(EMPTY) == 1:
        last = slots.index(EMPTY)
        slots = slots[:last] + (after[0],) + slots[last + 1 :]
    preview = Preview(option, c.numbers[card], changes(c, gospel.levels, slots, gospel.mask, once))
    cell.previews.append(preview)
    return preview


def rearrangement(c: Components, gospel: Gospel, leaf: int, once: bool) -> list[Change] | None:
    """The most that flipping or moving this leaf would bring; None: it brings nothing."""
    tried = [rearranged(c, gospel.slots, leaf, position) for position in range(-1, len(gospel.leaves))]
    found = [changes(c, gospel.levels, slots, gospel.mask, once) for slots in tried if slots != gospel.slots]
    best = max(found, key=rise, default=[])
    return best if rise(best) > 0 else None


def rise(moves: Sequence[Change]) -> int:
    """Levels gained on all tracks together."""
    return sum(move.after - move.before for move in moves)


def rearranged(c: Components, slots: tuple[int, ...], leaf: int, position: int) -> tuple[int, ...]:
    """AE-8.1  The gospel with a leaf flipped (position -1) or moved."""
    size = c.slots_per_leaf
    first = leaf * size
    lifted = slots[first : first + size]
    if position < 0:
        return slots[:first] + lifted[::-1] + slots[first + size :]
    rest = slots[:first] + slots[first + size :]
    return rest[: position * size] + lifted + rest[position * size :]
