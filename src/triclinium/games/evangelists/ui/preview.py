"""Effects of the viewer's options, shown on their buttons and in the empty slots."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from triclinium.boardkit.parts import TokenStack
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.rules.state import EMPTY
from triclinium.games.evangelists.ui.board_layout import CityPlaque
from triclinium.games.evangelists.ui.card_faces import TraditionFace, list_tradition_faces
from triclinium.games.evangelists.ui.device_reasons import LevelChange, list_level_changes
from triclinium.games.evangelists.ui.gospels import Gospel, GospelSlot, SlotPreview
from triclinium.games.evangelists.ui.view import EvangelistsView

ICONS: Final = {
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
PAID_VERBS: Final = ("travel", "rearrange", "tradition", "interview")


@dataclass(slots=True)
class OptionEffect:
    """The contents of an option's button besides its label. Each kind of option fills its own fields."""

    face: TraditionFace | None = None  # the card to keep, to copy or to leave face up
    matches: bool = False  # The card matches the player's theme.
    best: SlotPreview | None = None  # the slot where the card would gain most
    slot: int = 0
    moves: list[LevelChange] | None = None  # the changes on the tracks
    number: int = 0  # the number of the card to be placed
    row: list[int] = field(default_factory=list)  # its number between those of its neighbours
    leaf: list[GospelSlot] = field(default_factory=list)
    city: CityPlaque | None = None
    circles: int = 0  # the number of the player's cards with that city's witness
    sign: str = ""
    cost: int = 0  # price in octagons
    backs: list[str] = field(default_factory=list)  # the leading themes of the cards in the box
    follows: list[tuple[int, int]] = field(default_factory=list)  # each seat that would gain by following, and its gain

    @property
    def price(self) -> TokenStack:
        return TokenStack("", self.cost, sign="oct", style="octs")


def compute_option_effect(
    c: Components, view: EvangelistsView, gospel: Gospel, cities: list[CityPlaque], option: str
) -> OptionEffect:
    """Return an option's effect, as the table shows it to the viewer."""
    does = OptionEffect()
    once = view.emphasis_once
    verb, _, name = option.partition(" ")
    if verb in ("keep", "face", "copy"):
        does.face = find_face_by_number(c, int(name)) if verb == "copy" else find_face_in_box(gospel, cities, int(name))
        if does.face is not None:
            does.matches = gospel.theme in does.face.themes
            if verb != "face":
                tried = preview_all_slots(c, gospel, option, does.face.card, once)
                does.best = max(tried, key=lambda preview: preview.gain, default=None)
                does.slot = next((cell.nth + 1 for cell in gospel.cells if does.best in cell.previews), 0)
    elif verb == "slot" and view.placing is not None:
        card, kept_cards = view.placing, view.kept
        cell = gospel.cells[int(name) - 1]
        after = kept_cards[kept_cards.index(card) + 1 :] if card in kept_cards else []
        does.moves = preview_slot(c, gospel, cell, option, card, once, after).moves
        does.number = c.numbers[card]
        before = [other.face.number for other in gospel.cells[: cell.nth] if other.face]
        behind = [other.face.number for other in gospel.cells[cell.nth :] if other.face]
        does.row = [*before[-1:], does.number, *behind[:1]]
    elif verb == "leaf":
        does.leaf = gospel.leaves[int(name) - 1]
        does.moves = find_best_leaf_changes(c, gospel, int(name) - 1, once)
    elif verb in ("flip", "position") and view.leaf is not None:
        slots = rearrange_slots(c, gospel.slots, view.leaf, -1 if verb == "flip" else int(name) - 1)
        does.moves = list_level_changes(c, gospel.levels, slots, gospel.interview_mask, once)
    elif verb in ("start", "to", "sail", "displace"):
        does.city = next((city for city in cities if city.id == name), None)
        does.circles = 0 if does.city is None else gospel.circles[does.city.witness]
    elif verb == "colour":
        does.sign = f"t-{name}"
    else:
        does.sign = ICONS.get(verb, "")
        does.cost = 0 if verb not in PAID_VERBS else c.cost_strong if name == "strong" else c.cost_weak
    return does


def find_face_by_number(c: Components, number: int) -> TraditionFace:
    """Return the card with the printed number that an option names."""
    return next(face for face in list_tradition_faces(c) if face.number == number)


def find_face_in_box(gospel: Gospel, cities: list[CityPlaque], nth: int) -> TraditionFace | None:
    """Return a card in the box at which the player is looking."""
    assert gospel.pawn is not None
    return cities[gospel.pawn].box[nth].face


def preview_all_slots(c: Components, gospel: Gospel, option: str, card: int, once: bool) -> list[SlotPreview]:
    """Return the effect of a card in every empty slot, and store each effect in its slot."""
    return [preview_slot(c, gospel, cell, option, card, once) for cell in gospel.cells if cell.face is None]


def preview_slot(
    c: Components, gospel: Gospel, cell: GospelSlot, option: str, card: int, once: bool, after: Sequence[int] = ()
) -> SlotPreview:
    """Return the effect of a card in one slot, and store it there.

    AE-6.4: if a second card follows and only one slot is left, the second card goes there without a question.
    """
    slots = gospel.slots[: cell.nth] + (card,) + gospel.slots[cell.nth + 1 :]
    if after and slots.count(EMPTY) == 1:
        last = slots.index(EMPTY)
        slots = slots[:last] + (after[0],) + slots[last + 1 :]
    preview = SlotPreview(
        option, c.numbers[card], list_level_changes(c, gospel.levels, slots, gospel.interview_mask, once)
    )
    cell.previews.append(preview)
    return preview


def find_best_leaf_changes(c: Components, gospel: Gospel, leaf: int, once: bool) -> list[LevelChange] | None:
    """Return the best changes from flipping or moving this leaf, or None if no change is a gain."""
    tried = [rearrange_slots(c, gospel.slots, leaf, position) for position in range(-1, len(gospel.leaves))]
    outcomes = [
        list_level_changes(c, gospel.levels, slots, gospel.interview_mask, once)
        for slots in tried
        if slots != gospel.slots
    ]
    best = max(outcomes, key=sum_rises, default=[])
    return best if sum_rises(best) > 0 else None


def sum_rises(moves: Sequence[LevelChange]) -> int:
    """Return the levels gained on all tracks together."""
    return sum(move.after - move.before for move in moves)


def rearrange_slots(c: Components, slots: tuple[int, ...], leaf: int, position: int) -> tuple[int, ...]:
    """AE-8.1  Return the gospel with a leaf flipped (position -1) or moved."""
    size = c.slots_per_leaf
    first = leaf * size
    lifted = slots[first : first + size]
    if position < 0:
        return slots[:first] + lifted[::-1] + slots[first + size :]
    rest = slots[:first] + slots[first + size :]
    return rest[: position * size] + lifted + rest[position * size :]
