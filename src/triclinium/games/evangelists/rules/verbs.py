"""Options of the game as ints. Each verb has a block of numbers; the components give the names within a block."""

from typing import Final

from triclinium.engine.core.notation import Notation, Verb
from triclinium.games.evangelists.rules.components import Components

# Set-up (AE-1.12, AE-R34)
START: Final = 0  # one option for each city
COLOUR: Final = 32  # one option for each theme colour

# The actions of a turn (AE-D2)
TRAVEL: Final = 40  # the weak action; the next number is the strong one
TRADITION: Final = 42
INTERVIEW: Final = 43
REARRANGE: Final = 44  # the weak action; the next number is the strong one
BOAT: Final = 46
END: Final = 47

# Choices inside the actions
TO: Final = 48  # one option for each destination of a Travel or of its follower
SAIL: Final = 96  # one option for each place; the rules refuse waypoints
DISPLACE: Final = 128  # one option for each city
KEEP: Final = 160  # one option for each place in the box; none names a card, because the cards may be secret
BOX_MOST: Final = 8
NONE: Final = 168
SLOT: Final = 170  # one option for each slot of the player's gospel
SLOTS_MOST: Final = 20
FACE: Final = 190  # one option for each place in the box
WEAK: Final = 198
STRONG: Final = 199
LEAF: Final = 200  # one option for each leaf of the player's gospel
LEAVES_MOST: Final = 10
DONE: Final = 210
FLIP: Final = 211
POSITION: Final = 212  # one option for each index in the row of leaves

# Following
COPY: Final = 230  # one option for each tradition that can be copied
FOLLOW: Final = 290
DECLINE: Final = 291

# Adding a leaf (AE-10.1)
LEFT: Final = 292
RIGHT: Final = 293


def build_notation(c: Components) -> Notation:
    """Return the words for every option."""
    strength = ("weak", "strong")
    cities = c.place_ids[: c.cities]
    box = [str(place) for place in range(c.box_size)]
    slots = [str(slot + 1) for slot in range(c.slots_most)]
    leaves = [str(leaf + 1) for leaf in range(c.leaves_most)]
    return Notation(
        [
            Verb("start", START, 32, cities),
            Verb("colour", COLOUR, 8, c.theme_ids),
            Verb("travel", TRAVEL, 2, strength),
            Verb("tradition", TRADITION, 1),
            Verb("interview", INTERVIEW, 1),
            Verb("rearrange", REARRANGE, 2, strength),
            Verb("boat", BOAT, 1),
            Verb("end", END, 1, closes=True),
            Verb("to", TO, 48, c.place_ids),
            Verb("sail", SAIL, 32, c.place_ids),
            Verb("displace", DISPLACE, 32, cities),
            Verb("keep", KEEP, BOX_MOST, box),
            Verb("none", NONE, 1, closes=True),
            Verb("slot", SLOT, SLOTS_MOST, slots),
            Verb("face", FACE, BOX_MOST, box),
            Verb("weak", WEAK, 1),
            Verb("strong", STRONG, 1),
            Verb("leaf", LEAF, LEAVES_MOST, leaves),
            Verb("done", DONE, 1, closes=True),
            Verb("flip", FLIP, 1),
            Verb("position", POSITION, LEAVES_MOST, leaves),
            Verb("copy", COPY, 60, [str(number) for number in c.numbers]),
            Verb("follow", FOLLOW, 1),
            Verb("decline", DECLINE, 1, closes=True),
            Verb("left", LEFT, 1),
            Verb("right", RIGHT, 1),
        ]
    )
