"""Numbers of Locations, actions, rewards, Judgments and cards, with their names."""

from typing import Final

from mypy_extensions import i64

# Locations. The first three have squares and give the good of the same number.
DESERT: Final = 0
MOUNTAIN: Final = 1
LAKE: Final = 2
MARKET: Final = 3
TEMPLE: Final = 4

# Colours of Apostles
PURPLE: Final = 0
ORANGE: Final = 1
WHITE: Final = 2
SILVER: Final = 3

# Bottom actions of cards. The numbers from GATHER on are the three gathering Locations.
GO_SUPPER: Final = 0
INVITED: Final = 1
PARABLE: Final = 2
DO_FAVOR: Final = 3
MEETING: Final = 4
STONE: Final = 5
BREAD: Final = 6
FISH: Final = 7
DENARIUS: Final = 8
VP3: Final = 9
GO_MARKET: Final = 10
GO_TEMPLE: Final = 11
DRAW_MAHANE: Final = 12
DRAW_XXXIII: Final = 13
CALL_FOLLOWER: Final = 14
REDISTRIBUTE: Final = 15
CHANGE_PLACES: Final = 16
GATHER: Final = 17
ACTIONS: Final = (
    "go_supper",
    "invited",
    "parable",
    "favor",
    "meeting",
    "stone",
    "bread",
    "fish",
    "denarius",
    "vp3",
    "go_market",
    "go_temple",
    "draw_mahane",
    "draw_xxxiii",
    "call_follower",
    "redistribute",
    "change_places",
)

# Rewards of Supper spaces, of the Parable track and of Favors. The first three are goods.
GIVES_DENARII: Final = 3
GIVES_VP: Final = 4
GIVES_MEETING: Final = 5
GIVES_MAHANE: Final = 6
GIVES_CALL: Final = 7
GIVES_OFFERING: Final = 8
GIVES_JESUS: Final = 9
GIVES_NOTHING: Final = 10
REWARDS: Final = (
    "stone",
    "bread",
    "fish",
    "denarii",
    "vp",
    "meeting",
    "draw_mahane",
    "call_follower",
    "offering",
    "jesus",
    "none",
)

# Judgments of the Sanhedrin
JUDGES_PARABLES: Final = 0
JUDGES_OFFERINGS: Final = 1
JUDGES_GOODS: Final = 2
JUDGES_CALLS: Final = 3
JUDGES_FAVORS: Final = 4
JUDGES_SUPPER: Final = 5
TILES: Final = ("parable", "offering", "goods", "call", "favor", "supper")

LOCATIONS: Final = ("desert", "mountain", "lake", "market", "temple")
GOODS: Final = ("stone", "bread", "fish")
COLOURS: Final = ("red", "yellow", "green", "blue")
NO_COLOUR: Final = -1  # a player who has not picked a colour yet
SHADES: Final = ("purple", "orange", "white", "silver")

MOST_SEATS: Final = 4
# number of cards of each colour; the four decks come first, then Mahane cards, then XXXIII A.D. cards
OWN_CARDS: Final = 10
FIRST_MAHANE: Final = 40
FIRST_XXXIII: Final = 60
CARDS: Final = 70
ONE_CARD: Final = [bytes([card]) for card in range(CARDS)]  # for each card, the bytes that append it to a column


def get_card_bit(card: int) -> int:
    """Return the bit of a card in a player's card mask: the player's own cards, then Mahane, then XXXIII A.D.

    A player's card mask covers all cards that one player can hold.
    """
    return card % OWN_CARDS if card < FIRST_MAHANE else card - FIRST_MAHANE + OWN_CARDS


def find_card(place: int, colour: int) -> int:
    """Return the card at a bit of a player's card mask."""
    return colour * OWN_CARDS + place if place < OWN_CARDS else place + FIRST_MAHANE - OWN_CARDS


CARD_MASK: Final = [1 << get_card_bit(card) for card in range(CARDS)]  # for each card, its bit in a player's card mask
OWN_MASK: Final = (1 << OWN_CARDS) - 1
MAHANE_MASK: Final = ((1 << (FIRST_XXXIII - FIRST_MAHANE)) - 1) << OWN_CARDS


def make_card_mask(cards: tuple[int, ...]) -> i64:
    """Return the card mask of cards that one player can hold."""
    mask: i64 = 0
    for card in cards:
        mask |= CARD_MASK[card]
    return mask


def _list_subsets_by_mask(numbers: list[int], each: int = 1) -> list[tuple[int, ...]]:
    """Return for each mask the numbers whose bits are set, with ``each`` numbers for a bit."""
    subsets: list[tuple[int, ...]] = [()]
    for i in range(0, len(numbers), each):
        more = tuple(numbers[i : i + each])
        subsets += [chosen + more for chosen in subsets]
    return subsets


class OptionBlock:
    """A block of options, listed by a bitmask.

    Option lists are needed in every decision, so the lists for each byte of the mask are prepared.
    """

    def __init__(self, first: int, size: int) -> None:
        numbers = list(range(first, first + size))
        self.parts: Final = [_list_subsets_by_mask(numbers[i : i + 8]) for i in range(0, size, 8)]

    def add_options(self, options: list[int], mask: i64) -> None:
        """Append the options of the mask."""
        part: i64 = 0
        while mask:
            chosen = mask & 255
            if chosen:
                options.extend(self.parts[part][chosen])
            mask >>= 8
            part += 1


class CardOptionBlock:
    """A block of card options with ``each`` options a card, listed by a player's card mask.

    Lists are prepared for five bits of the mask at a time.
    """

    def __init__(self, first: int, each: int) -> None:
        numbers = list(range(first, first + CARDS * each))
        self.parts: Final = [
            _list_subsets_by_mask(numbers[i : i + 5 * each], each) for i in range(0, CARDS * each, 5 * each)
        ]

    def add_options(self, options: list[int], mask: i64, colour: i64) -> None:
        """Append the options of the cards in the mask. Its first ten bits are cards of the colour."""
        part = colour * 2
        last_own = part + 1
        while mask:
            chosen = mask & 31
            if chosen:
                options.extend(self.parts[part][chosen])
            mask >>= 5
            part = FIRST_MAHANE // 5 if part == last_own else part + 1


_DECK_SUBSETS: Final = [
    _list_subsets_by_mask(list(range(first, first + OWN_CARDS))) for first in range(0, CARDS, OWN_CARDS)
]


def list_cards(mask: i64, colour: i64) -> tuple[int, ...]:
    """Return the cards of a player's card mask, ascending.

    Most hands have only the player's own cards, whose tuples are prepared.
    """
    cards = _DECK_SUBSETS[colour][mask & OWN_MASK]
    mask >>= OWN_CARDS
    ten: i64 = FIRST_MAHANE // OWN_CARDS
    while mask:
        chosen = mask & OWN_MASK
        if chosen:
            cards += _DECK_SUBSETS[ten][chosen]
        mask >>= OWN_CARDS
        ten += 1
    return cards


_BYTE_SUBSETS: Final = _list_subsets_by_mask(list(range(8)))


def list_members(mask: int, first: int) -> list[int]:
    """Return the set bits of a mask, ascending, counted from ``first``."""
    numbers: list[int] = []
    while mask:
        for i in _BYTE_SUBSETS[mask & 255]:
            numbers.append(first + i)
        mask >>= 8
        first += 8
    return numbers
