"""The gospels and the device tracks as they are drawn: leaves, what counts on each card, cubes on their spaces."""

from triclinium.engine.view import items, table_of, whole, word
from triclinium.games.evangelists.rules.components import TRACK_IDS, Components
from triclinium.games.evangelists.ui.chart import Face, faces
from triclinium.games.evangelists.ui.reasons import TRACK_CLASSES, Change, Lane, reasons


class Preview:
    """What a card would do in a slot."""

    def __init__(self, option: str, number: int, moves: list[Change]) -> None:
        self.option = option
        self.number = number
        self.moves = moves
        self.gain = sum(move.after - move.before for move in moves)


class Slot:
    """A slot of a gospel."""

    def __init__(self, nth: int, face: Face | None) -> None:
        self.nth = nth
        self.face = face
        self.devices: list[str] = []  # those in which its card counts
        self.lit: set[str] = set()  # its motifs and witnesses that count
        self.previews: list[Preview] = []

    @property
    def signs(self) -> tuple[str, ...]:
        return tuple(sorted(self.lit))

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.devices))


class Gospel:
    """A player's gospel with the reasons for its levels."""

    def __init__(self, c: Components, seat: int, player: dict[str, object], emphasis_once: bool) -> None:
        numbers = [None if number is None else whole(number) for number in items(player["slots"])]
        self.seat = seat
        self.slots = tuple([-1 if number is None else c.numbers.index(number) for number in numbers])
        self.theme = word(player["theme"])
        self.theme_name = c.theme_names[c.theme_ids.index(self.theme)]
        self.colour = "" if player["colour"] is None else word(player["colour"])  # of pawn and cubes (AE-R34)
        self.tokens = whole(player["tokens"])
        self.tally = whole(player["tally"])
        self.matches = whole(player["matches"])
        self.interviews = tuple(word(name) for name in items(player["interviews"]))
        self.mask = sum(1 << c.witness_ids.index(name) for name in self.interviews)
        # all that a seat's card shows of it
        self.key = (seat, self.slots, self.theme, self.colour, self.tokens, self.tally, self.interviews, self.matches)
        self.cards = sum(1 for card in self.slots if card >= 0)
        self.bonus = self.cards > 0 and 2 * self.matches >= self.cards
        levels = table_of(player["levels"])
        self.levels = [whole(levels[track]) for track in TRACK_IDS]
        self.pawn = None if player["pawn"] is None else word(player["pawn"])
        self.why: list[list[Lane]] = reasons(c, self.slots, self.mask, emphasis_once)
        cells = [Slot(nth, faces(c)[card] if card >= 0 else None) for nth, card in enumerate(self.slots)]
        for track, lanes in enumerate(self.why):
            for dot in [dot for lane in lanes for dot in lane.dots]:
                cells[dot.slot].devices.append(TRACK_CLASSES[track])
                cells[dot.slot].lit.add(dot.sign)
        size = c.slots_per_leaf
        self.cells = cells
        self.leaves = [cells[at : at + size] for at in range(0, len(cells), size)]

    def circles(self, c: Components, witness: str) -> int:
        """How many of its cards show a witness."""
        bit = c.witness_ids.index(witness)
        return sum((c.circles[card] >> bit) & 1 for card in self.slots if card >= 0)

    def following(self, c: Components, witness: str) -> int:
        """AE-7.7  What following an interview of this witness would pay."""
        return (c.follow_holding if witness in self.interviews else 0) + c.follow_card * self.circles(c, witness)


class Space:
    """A space of a device track with the cubes on it."""

    def __init__(self, label: str, seats: list[int], points: int) -> None:
        self.label = label
        self.seats = seats
        self.points = points
        self.off = False  # before the first space of the track
        self.foremost = False
        self.tied = len(seats) > 1  # AE-11.5


class Track:
    """A device track as far as it matters: one space past the foremost cube, two behind it, and others with cubes."""

    def __init__(self, c: Components, track: int, levels: list[int]) -> None:
        self.nth = track
        self.device = TRACK_CLASSES[track]
        self.rule = f"AE-9.{track + 2}"
        self.levels = levels
        foremost = max(levels)
        self.points = [relative(c, foremost, level) for level in levels]
        first = c.chronology_min if TRACK_IDS[track] == "chronology" else 1
        top = max(foremost + 1, first + 2)
        low = max(first, top - 3)
        off = Space("–", [seat for seat, level in enumerate(levels) if level == 0], 0)
        off.off, off.tied = True, False
        self.spaces = [off]
        below = sorted({level for level in levels if 0 < level < low})
        for level in [*below, *range(low, top + 1)]:
            seats = [seat for seat, own in enumerate(levels) if own == level]
            space = Space(str(level), seats, relative(c, foremost, level))
            space.foremost = level == foremost
            self.spaces.append(space)


def relative(c: Components, foremost: int, level: int) -> int:
    """AE-11.2  What a level scores, by how far it is behind the foremost cube."""
    if level == 0 or level > foremost:
        return 0
    behind = foremost - level
    return c.levels[behind] if behind < len(c.levels) else c.beyond
