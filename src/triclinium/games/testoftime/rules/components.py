"""Components file as tables of integers, with derived tables and the notation of every option."""

from typing import Final

from mypy_extensions import i64

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, check
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.text import Name

KINDS: Final = ("tools", "art", "burial", "temple", "monument")
TOOLS: Final = 0
ART: Final = 1
BURIAL: Final = 2
TEMPLE: Final = 3
MONUMENT: Final = 4
KIND_COUNT: Final = 5
MAX_SEATS: Final = 5  # TT-1.1

# Moves.
CREATE: Final = 0
PRESERVE: Final = 1
SIRE: Final = 2
SIRE_SHAMAN: Final = 3
CONVERT: Final = 4
ATTACK: Final = 5
DEFEND: Final = 6
REVERSE: Final = 7
PASS: Final = 8
MOVES: Final = ("create", "preserve", "sire", "sire_shaman", "convert", "attack", "defend", "reverse", "pass")

# Options that complete a move.
ON: Final = 16  # one of the player's own spaces
BUILD: Final = 24  # kind of Testament
FROM: Final = 32  # rival
AT: Final = 40  # Testament: seat times spaces, plus space
SHAMANS: Final = 80  # number of shamans
FOLLOWERS: Final = 128
ROUNDS: Final = 232
KEEP: Final = 304  # leave a past round as it was
MEND: Final = 305
SPOIL: Final = 306


class Components:
    """The components of one file, with machine integers for numbers of frequent rules."""

    names: list[Name]  # names of Testaments, by kind
    start_followers: int
    max_followers: int
    max_shamans: int
    spaces: i64
    sire_zones: i64
    sire_shaman_zones: i64
    convert_zones: i64
    sire_cost: i64
    sire_shaman_cost: i64
    sire_shaman_deaths: int
    deaths_saved: i64
    power_gained: i64
    mercy_pieces: int
    players: list[int]
    rounds: list[int]  # the first is the default
    hostile_reverse: list[bool]
    mercy: list[bool]
    sections: list[tuple[int, ...]]  # gold dots from the top, by kind
    size: list[int]  # number of sections, by kind
    create: list[int]  # printed cost of creating, by kind
    deaths: list[int]
    preserve: list[int]
    dots: list[tuple[int, ...]]  # gold dots, by kind and number of visible sections
    create_cost: list[tuple[int, ...]]  # cost of creating, by kind and number of standing Art
    preserve_cost: list[tuple[int, ...]]  # upkeep, by kind and number of standing Tools
    convert_cost: list[int]  # cost of converting, by number of standing Temples; 0: not allowed
    cheapest_create_cost: list[int]  # cost of the cheapest kind, by standing Art
    notation: Notation

    def __init__(self, file: ComponentsFile) -> None:
        game = file.row("game")
        self.start_followers = game.integer("start_followers")
        self.max_followers = game.integer("max_followers")
        self.max_shamans = game.integer("max_shamans")
        self.spaces = game.integer("testament_spaces")
        self.sire_zones = game.integer("sire_zones")
        self.sire_shaman_zones = game.integer("sire_shaman_zones")
        self.convert_zones = game.integer("convert_zones")
        self.sire_cost = game.integer("sire_cost")
        self.sire_shaman_cost = game.integer("sire_shaman_cost")
        self.sire_shaman_deaths = game.integer("sire_shaman_deaths")
        effects = file.row("effects")
        self.deaths_saved = effects.integer("burial_deaths_saved")
        self.power_gained = effects.integer("monument_shaman_power")
        options = file.row("options")
        self.players = options.integers("players")
        self.rounds = options.integers("rounds")
        for key, numbers in (("players", self.players), ("rounds", self.rounds)):
            several = len(numbers) > 0 and len(set(numbers)) == len(numbers)
            check(several, "TT-14.1", options.path_to(key), "must be different numbers, one at least")
        self.hostile_reverse = _read_flags(options, "hostile_reverse")
        self.mercy = _read_flags(options, "mercy")
        self.mercy_pieces = options.integer("mercy_pieces")
        self._read_testaments(file.rows("testament"))
        self._compute_tables(game.integer("convert_cost"), effects)
        self.notation = Notation(self._build_verbs())

    def _read_testaments(self, rows: list[ComponentsTable]) -> None:
        check(
            [row.text("id") for row in rows] == list(KINDS),
            "TT-C1",
            "testament",
            "the kinds must be {0}, in this order",
            ", ".join(KINDS),
        )
        self.names = [row.name() for row in rows]
        self.create = [row.integer("create") for row in rows]
        self.deaths = [row.integer("deaths") for row in rows]
        self.preserve = [row.integer("preserve") for row in rows]
        self.sections = [tuple(row.integers("sections")) for row in rows]
        self.size = [len(sections) for sections in self.sections]

    def _compute_tables(self, convert_cost: int, effects: ComponentsTable) -> None:
        """Compute the tables that follow from the numbers (TT-4.2, TT-5.2, TT-8.2)."""
        tools = _read_share(effects, "tools_preserve_share")
        art = _read_share(effects, "art_create_share")
        temple = _read_share(effects, "temple_convert_share")
        counts = range(self.spaces + 1)
        self.dots = [_compute_prefix_sums(sections) for sections in self.sections]
        self.create_cost = [tuple([_compute_discounted_cost(cost, art, n) for n in counts]) for cost in self.create]
        self.preserve_cost = [
            tuple([_compute_discounted_cost(cost, tools, n) for n in counts]) for cost in self.preserve
        ]
        self.convert_cost = [0] + [_compute_discounted_cost(convert_cost, temple, n) for n in range(self.spaces)]
        self.cheapest_create_cost = [min([costs[n] for costs in self.create_cost]) for n in counts]

    def _build_verbs(self) -> list[Verb]:
        seats = [str(seat) for seat in range(MAX_SEATS)]
        spaces = [str(space + 1) for space in range(self.spaces)]
        verbs = [Verb(MOVES[move], move, 1, closes=move == PASS) for move in range(len(MOVES))]
        return [
            *verbs,
            Verb("on", ON, BUILD - ON, spaces),
            Verb("build", BUILD, FROM - BUILD, list(KINDS)),
            Verb("from", FROM, AT - FROM, seats, seat_axis=0),
            Verb("at", AT, SHAMANS - AT, seats, spaces, seat_axis=0),
            Verb("shamans", SHAMANS, FOLLOWERS - SHAMANS, [str(n) for n in range(self.max_shamans + 1)]),
            Verb("followers", FOLLOWERS, ROUNDS - FOLLOWERS, [str(n) for n in range(self.max_followers + 1)]),
            Verb("rounds", ROUNDS, KEEP - ROUNDS, [str(n) for n in range(max(self.rounds) + 1)]),
            Verb("keep", KEEP, 1, closes=True),
            Verb("mend", MEND, 1),
            Verb("spoil", SPOIL, 1),
        ]


def _read_flags(row: ComponentsTable, key: str) -> list[bool]:
    """Return the two values of a variant, the default first."""
    values = row.data.get(key)
    flags = [value for value in values if isinstance(value, bool)] if isinstance(values, list) else []
    check(sorted(flags) == [False, True], "TT-14.1", row.path_to(key), "must list true and false, the default first")
    return flags


def _read_share(row: ComponentsTable, key: str) -> tuple[int, int]:
    """Return a fraction as numerator and denominator."""
    parts = row.integers(key)
    check(
        len(parts) == 2 and parts[0] <= parts[1],
        "TT-3.5",
        row.path_to(key),
        "must be a fraction [numerator, denominator] of at most 1",
    )
    return (parts[0], parts[1])


def _compute_discounted_cost(cost: int, share: tuple[int, int], times: int) -> int:
    """TT-3.5, TT-R7  Return a cost times the share for each card.

    The exact result is rounded up once and is never below 1.
    """
    top = cost
    bottom = 1
    for _ in range(times):
        top *= share[0]
        bottom *= share[1]
    return max(1, (top + bottom - 1) // bottom)


def _compute_prefix_sums(sections: tuple[int, ...]) -> tuple[int, ...]:
    """Return the gold dots on the first 0, 1, 2 ... sections."""
    sums = [0]
    for dots in sections:
        sums.append(sums[-1] + dots)
    return tuple(sums)
