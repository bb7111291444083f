"""What the templates draw, computed from a view alone: places, pieces, gospels, and what each option would do."""

from typing import Final

from triclinium.kernel.frame import items, table_of, whole, word
from triclinium.kernel.message import Name
from triclinium.titles.evangelists.chart import AT, Face, Plaque, distances, faces, lines, pawns, reaches
from triclinium.titles.evangelists.components import TRACK_IDS, TRACKS, Components
from triclinium.titles.evangelists.reasons import TRACK_CLASSES, Change, Lane, changes, reasons


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
        self.interviews = [word(name) for name in items(player["interviews"])]
        self.met = tuple(self.interviews)
        self.mask = sum(1 << c.witness_ids.index(name) for name in self.interviews)
        self.key = (seat, self.slots, self.theme, self.colour, self.tokens, self.tally, self.met, self.matches)
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


class Preview:
    """What a card would do in a slot."""

    def __init__(self, option: str, number: int, moves: list[Change]) -> None:
        self.option = option
        self.number = number
        self.moves = moves
        self.gain = sum(move.after - move.before for move in moves)


class Doing:
    """What stands on the button of an option besides its label."""

    def __init__(self) -> None:
        self.face: Face | None = None
        self.matches = False  # the card has the player's theme
        self.best: Preview | None = None
        self.slot = 0
        self.moves: list[Change] | None = None
        self.leaf: list[Slot] = []
        self.city: Plaque | None = None
        self.distance = 0
        self.circles = 0
        self.sign = ""
        self.cost = 0


class Space:
    """A space of a device track with the cubes on it."""

    def __init__(self, label: str, seats: list[int]) -> None:
        self.label = label
        self.seats = seats
        self.top = False
        self.off = False


class Track:
    """A device track as far as it matters: one space past the foremost cube, two behind it, and others with cubes."""

    def __init__(self, c: Components, track: int, levels: list[int]) -> None:
        self.id = TRACK_IDS[track]
        self.device = TRACK_CLASSES[track]
        foremost = max(levels)
        first = c.chronology_min if self.id == "chronology" else 1
        top = max(foremost + 1, first + 2)
        low = max(first, top - 3)
        self.spaces = [Space("–", [seat for seat, level in enumerate(levels) if level == 0])]
        self.spaces[0].off = True
        below = sorted({level for level in levels if 0 < level < low})
        for level in [*below, *range(low, top + 1)]:
            space = Space(str(level), [seat for seat, own in enumerate(levels) if own == level])
            space.top = level == foremost
            self.spaces.append(space)
        self.points = [
            0 if level == 0 else c.levels[foremost - level] if foremost - level < len(c.levels) else c.beyond
            for level in levels
        ]
        self.levels = levels


def draw(c: Components, view: dict[str, object]) -> dict[str, object]:
    """Everything that the board, the seats, the own strip and the options show."""
    once = view["emphasis_once"] is True
    players = [table_of(player) for player in items(view["players"])]
    gospels = [Gospel(c, seat, player, once) for seat, player in enumerate(players)]
    cities = [Plaque(c, table_of(city)) for city in items(view["cities"])]
    viewer = view["viewer"] if isinstance(view["viewer"], int) and view["viewer"] >= 0 else None
    # a spectator looks at the gospel of who plays
    shown = gospels[viewer if viewer is not None else whole(view["turn"])]
    doing: dict[str, Doing] = {}
    if viewer is not None and "options" in view:
        doing = {word(o): what_it_does(c, view, gospels[viewer], cities, word(o), once) for o in items(view["options"])}
    known = {slot.face.number: slot.face for gospel in gospels for slot in gospel.cells if slot.face}
    known |= {tile.face.number: tile.face for city in cities for tile in city.box if tile.face}
    known |= {whole(number): faces(c)[c.numbers.index(whole(number))] for number in items(view["kept"])}
    start = c.track_start[whole(view["seats"])]
    return {
        "gospels": gospels,
        "mine": shown,
        "own": viewer is not None,
        "cities": cities,
        "spots": [(name, *AT[name], at < c.cities) for at, name in enumerate(c.place_ids)],
        "names": dict(zip(c.place_ids, c.place_names, strict=True)),
        "witnesses": named(c.witness_ids, c.witness_names),
        "themes": named(c.theme_ids, c.theme_names),
        "motifs": named(c.motif_ids, c.motif_names),
        "met": tuple(gospel.met for gospel in gospels),
        "homes": tuple(plaque.witness for plaque in cities),
        "circles": {name: tuple(gospel.circles(c, name) for gospel in gospels) for name in c.witness_ids},
        "where": {plaque.witness: plaque for plaque in cities},
        "lines": lines(c),
        "pawns": pawns(players),
        "boats": [(word(name), AT[word(name)][0] + 13, AT[word(name)][1] + 4) for name in items(view["boats"])],
        "tracks": [Track(c, track, [gospel.levels[track] for gospel in gospels]) for track in range(TRACKS)],
        "time": [(at, c.track_leaf[at]) for at in range(start + 1, c.track_end + 1)],
        "doing": doing,
        "known": [known[number] for number in sorted(known)],
        "here": None if viewer is None else gospels[viewer].pawn,
        "faces": faces(c),
        "holders": holders(c, gospels),
        "reach": reaches(c),
        "far": distances(c, None if viewer is None else gospels[viewer].pawn),
        "pays": pays(c, shown),
        "leaf_comes": leaf_comes(c, whole(view["marker"])),
        "roman": ("", "I", "II", "III", "IV", "V", "VI", "VII")[min(7, whole(view["round"]))],
    }


def holders(c: Components, gospels: list[Gospel]) -> tuple[tuple[int, ...], ...]:
    """For each tradition the seats that have it: one has the primary card, perhaps another its copy (AE-R17)."""
    return tuple(tuple(gospel.seat for gospel in gospels if card in gospel.slots) for card in range(len(c.numbers)))


def named(ids: list[str], names: list[Name]) -> dict[str, Name]:
    return dict(zip(ids, names, strict=True))


def pays(c: Components, gospel: Gospel) -> dict[str, tuple[int, int, int, int, int]]:
    """What each witness would pay this gospel: its circles, then weak and strong, alive and dead (AE-7.5, AE-7.6)."""
    found = {}
    for witness in c.witness_ids:
        n = gospel.circles(c, witness)
        found[witness] = (n, n * c.weak_alive, n * c.strong_alive, n * c.weak_dead, n * c.strong_dead)
    return found


def leaf_comes(c: Components, marker: int) -> bool:
    """AE-10.1  Whether the end of this round brings a leaf."""
    return marker + 1 < len(c.track_leaf) and c.track_leaf[marker + 1]


def placings(c: Components, gospel: Gospel, option: str, card: int, once: bool) -> list[Preview]:
    """A card tried in every empty slot; what it would do stands in the slot."""
    found: list[Preview] = []
    for cell in gospel.cells:
        if cell.face is None:
            slots = gospel.slots[: cell.nth] + (card,) + gospel.slots[cell.nth + 1 :]
            preview = Preview(option, c.numbers[card], changes(c, gospel.levels, slots, gospel.mask, once))
            cell.previews.append(preview)
            found.append(preview)
    return found


def what_it_does(
    c: Components, view: dict[str, object], gospel: Gospel, cities: list[Plaque], option: str, once: bool
) -> Doing:
    """An option of the viewer's, with what it would change."""
    does = Doing()
    verb, _, name = option.partition(" ")
    if verb in ("keep", "face", "copy"):
        card = -1
        if verb == "copy":
            card = c.numbers.index(int(name))
        else:
            here = next(city for city in cities if city.id == gospel.pawn)
            face = here.box[int(name)].face
            card = -1 if face is None else face.card
        if card >= 0:
            does.face = faces(c)[card]
            does.matches = gospel.theme in does.face.themes
            if verb != "face":
                tried = placings(c, gospel, option, card, once)
                does.best = max(tried, key=lambda preview: preview.gain, default=None)
                does.slot = next((cell.nth + 1 for cell in gospel.cells if does.best in cell.previews), 0)
    elif verb == "slot" and view["placing"] is not None:
        card = c.numbers.index(whole(view["placing"]))
        nth = int(name) - 1
        slots = gospel.slots[:nth] + (card,) + gospel.slots[nth + 1 :]
        does.moves = changes(c, gospel.levels, slots, gospel.mask, once)
        gospel.cells[nth].previews.append(Preview(option, c.numbers[card], does.moves))
    elif verb == "leaf":
        does.leaf = gospel.leaves[int(name) - 1]
    elif verb in ("flip", "position") and view["leaf"] is not None:
        slots = rearranged(c, gospel.slots, whole(view["leaf"]), -1 if verb == "flip" else int(name) - 1)
        does.moves = changes(c, gospel.levels, slots, gospel.mask, once)
    elif verb in ("start", "to", "sail", "displace"):
        does.city = next((city for city in cities if city.id == name), None)
        does.distance = distances(c, gospel.pawn).get(name, 0)
        does.circles = 0 if does.city is None else gospel.circles(c, does.city.witness)
    elif verb == "colour":
        does.sign = f"t-{name}"
    else:
        does.sign = SIGNS.get(verb, "")
        priced = verb in ("travel", "rearrange", "tradition", "interview")
        does.cost = 0 if not priced else c.cost_strong if name == "strong" else c.cost_weak
    return does


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


def rearranged(c: Components, slots: tuple[int, ...], leaf: int, position: int) -> tuple[int, ...]:
    """AE-8.1  The gospel with a leaf flipped (position -1) or moved."""
    size = c.slots_per_leaf
    first = leaf * size
    lifted = slots[first : first + size]
    if position < 0:
        return slots[:first] + lifted[::-1] + slots[first + size :]
    rest = slots[:first] + slots[first + size :]
    return rest[: position * size] + lifted + rest[position * size :]
