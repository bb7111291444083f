"""The names of what the rules count by numbers: Locations, actions, rewards, Judgments, cards."""

from typing import Final

# Locations; the first three have squares and give the good of the same number.
DESERT: Final = 0
MOUNTAIN: Final = 1
LAKE: Final = 2
MARKET: Final = 3
TEMPLE: Final = 4

# Colours of Apostles.
PURPLE: Final = 0
ORANGE: Final = 1
WHITE: Final = 2
SILVER: Final = 3

# Bottom actions of cards; those from GATHER on are the three gathering Locations.
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

# Rewards of Supper spaces, Parable track and Favors. The first three are goods, by number.
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

# Sanhedrin's Judgments.
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
NO_COLOUR: Final = -1  # of a player who has not picked one yet
SHADES: Final = ("purple", "orange", "white", "silver")

OWN_CARDS: Final = 10  # of each colour; Mahane cards follow the four decks, XXXIII A.D. cards close the list
FIRST_MAHANE: Final = 40
FIRST_XXXIII: Final = 60
CARDS: Final = 70
ONE_CARD: Final = [bytes([card]) for card in range(CARDS)]  # to lay at the end of a column


def bit(card: int) -> int:
    """A card's place in a mask of what one player can hold: own cards, Mahane, XXXIII A.D."""
    return card % OWN_CARDS if card < FIRST_MAHANE else card - FIRST_MAHANE + OWN_CARDS


def card_at(place: int, colour: int) -> int:
    """The card at a place of a player's mask."""
    return colour * OWN_CARDS + place if place < OWN_CARDS else place + FIRST_MAHANE - OWN_CARDS


def _chunks() -> list[tuple[int, ...]]:
    return [tuple([i for i in range(8) if (mask >> i) & 1]) for mask in range(256)]


_CHUNKS: Final = _chunks()


def members(mask: int, first: int) -> list[int]:
    """The numbers in a mask, ascending, counted from ``first``."""
    found: list[int] = []
    while mask:
        for i in _CHUNKS[mask & 255]:
            found.append(first + i)
        mask >>= 8
        first += 8
    return found
