"""The components file as tables of ints, its constraints TT-C1 to TT-C7, and the notation of every option."""

from typing import Final

from triclinium.engine.core.components import ComponentsFile, Table, check
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.text import Name

KINDS: Final = ("tools", "art", "burial", "temple", "monument")
TOOLS: Final = 0
ART: Final = 1
BURIAL: Final = 2
TEMPLE: Final = 3
MONUMENT: Final = 4
KIND_COUNT: Final = 5

# The moves.
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

# What fills them in.
ON: Final = 16  # a space of one's own
BUILD: Final = 24  # a kind
FROM: Final = 32  # a rival
AT: Final = 40  # a Testament: seat by space
SHAMANS: Final = 80  # how many
FOLLOWERS: Final = 128
ROUNDS: Final = 232
KEEP: Final = 304  # a past round as it was
MEND: Final = 305
SPOIL: Final = 306


class Components:
    """Every number of one components file."""

    names: list[Name]  # by kind
    start_followers: int
    max_followers: int
    max_shamans: int
    spaces: int
    sire_zones: int
    sire_shaman_zones: int
    convert_zones: int
    sire_cost: int
    sire_shaman_cost: int
    sire_shaman_deaths: int
    deaths_saved: int
    power_gained: int
    mercy_pieces: int
    players: list[int]
    rounds: list[int]  # the first is the default
    hostile_reverse: list[bool]
    mercy: list[bool]
    sections: list[tuple[int, ...]]  # by kind: gold dots from the top
    size: list[int]  # by kind: number of sections
    create: list[int]  # by kind
    deaths: list[int]
    preserve: list[int]
    dots: list[tuple[int, ...]]  # by kind, then visible sections
    create_cost: list[tuple[int, ...]]  # by kind, then standing Art
    preserve_cost: list[tuple[int, ...]]  # by kind, then standing Tools
    convert_cost: list[int]  # by standing Temples; 0: not allowed
    cheapest: list[int]  # by standing Art: what the cheapest kind costs
    notation: Notation

    def __init__(self, sheet: ComponentsFile) -> None:
        game = sheet.row("game")
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
        effects = sheet.row("effects")
        self.deaths_saved = effects.integer("burial_deaths_saved")
        self.power_gained = effects.integer("monument_shaman_power")
        options = sheet.row("options")
        self.players = options.integers("players")
        self.rounds = options.integers("rounds")
        self.hostile_reverse = _flags(options, "hostile_reverse")
        self.mercy = _flags(options, "mercy")
        self.mercy_pieces = options.integer("mercy_pieces")
        self._check_frame(game)
        self._read_testaments(sheet.rows("testament"))
        self._derive(game.integer("convert_cost"), effects)
        self._check_testaments(sheet)
        self._check_tables(sheet)
        self.notation = Notation(self._verbs())

    def _check_frame(self, game: Table) -> None:
        """What numbers that each keep their range must keep together."""
        check(
            game.integer("cards_per_kind") >= self.spaces,
            "TT-R8",
            "game",
            "cards_per_kind must be at least testament_spaces, so that the stock never runs out",
        )
        fits = self.start_followers <= self.max_followers
        check(fits, "TT-1.3", "game", "start_followers must be max_followers at most")
        players = self.players
        several = len(players) > 0 and players == sorted(set(players))
        check(several, "TT-14.1", "options", "players must be different numbers, the smallest first")
        rounds = self.rounds
        several = len(rounds) > 0 and len(set(rounds)) == len(rounds)
        check(several, "TT-14.1", "options", "rounds must be different numbers")
        check(self.mercy_pieces <= self.max_followers, "TT-14.3", "options", "mercy_pieces must fit into the supply")

    def _read_testaments(self, rows: list[Table]) -> None:
        check(
            [row.text("id") for row in rows] == list(KINDS),
            "TT-C1",
            "testament",
            f"the kinds must be {', '.join(KINDS)}, in this order",
        )
        self.names = [row.name() for row in rows]
        self.create = [row.integer("create") for row in rows]
        self.deaths = [row.integer("deaths") for row in rows]
        self.preserve = [row.integer("preserve") for row in rows]
        self.sections = [tuple(row.integers("sections")) for row in rows]
        self.size = [len(sections) for sections in self.sections]

    def _derive(self, convert_cost: int, effects: Table) -> None:
        """The tables that follow from the figures: prefix sums, TT-4.2, TT-5.2, TT-8.2."""
        tools = _share(effects, "tools_preserve_share")
        art = _share(effects, "art_create_share")
        temple = _share(effects, "temple_convert_share")
        counts = range(self.spaces + 1)
        self.dots = [_sums(sections) for sections in self.sections]
        self.create_cost = [tuple([_cheaper(cost, art, n) for n in counts]) for cost in self.create]
        self.preserve_cost = [tuple([_cheaper(cost, tools, n) for n in counts]) for cost in self.preserve]
        self.convert_cost = [0] + [_cheaper(convert_cost, temple, n) for n in range(self.spaces)]
        self.cheapest = [min([costs[n] for costs in self.create_cost]) for n in counts]

    def _check_testaments(self, sheet: ComponentsFile) -> None:
        """TT-C1 to TT-C6, in the form that a designer's own figures can satisfy too.

        The rulebook's own progressions (4k, k, 2k, sections 2k + 2) hold for the file as it comes and are tested
        there; of any file is asked what they express: dearer kinds kill more, cost more upkeep and last longer.
        """
        rows = sheet.rows("testament")
        for kind in range(KIND_COUNT):
            row = rows[kind]
            entry = row.where
            sections = self.sections[kind]
            if row.has("shows"):
                shown = row.integer("shows")
                check(
                    shown in self.dots[kind],
                    "TT-C2",
                    entry,
                    f"no number of visible sections shows exactly {shown} gold dots; correct the dots or 'shows'",
                )
            check(1 <= len(sections) <= 60, "TT-C3", entry, "a card has from 1 to 60 sections")
            for dots in sections:
                most = row.integer("most_dots")
                check(dots <= most, "TT-C4", entry, f"a section holds from 0 to {most} gold dots, not {dots}")
            check(sections[0] >= 1, "TT-C5", entry, "the top section needs a gold dot, or it stands for nothing")
            least = min(self.create_cost[kind])
            check(
                self.deaths[kind] <= least,
                "TT-C6",
                entry,
                f"{self.deaths[kind]} die, but with Art creating it takes only {least}",
            )
            if kind > 0:
                before = kind - 1
                for name, figures in (("create", self.create), ("deaths", self.deaths), ("preserve", self.preserve)):
                    check(
                        figures[kind] >= figures[before],
                        "TT-C1",
                        entry,
                        f"{name} falls from {figures[before]} to {figures[kind]}; the kinds go from cheap to dear",
                    )
                check(
                    self.size[kind] >= self.size[before],
                    "TT-C3",
                    entry,
                    f"it has {self.size[kind]} sections, the cheaper kind before it {self.size[before]}",
                )
                check(
                    self.dots[kind][-1] > self.dots[before][-1],
                    "TT-C4",
                    entry,
                    f"its {self.dots[kind][-1]} gold dots must be more than the {self.dots[before][-1]} before it",
                )

    def _check_tables(self, sheet: ComponentsFile) -> None:
        """TT-C7  Derived tables that stand in the file agree with the figures."""
        for table, right in (
            ("visible_dots", self.dots),
            ("create_cost", self.create_cost),
            ("preserve_cost", self.preserve_cost),
        ):
            if sheet.has(table):
                for kind in range(KIND_COUNT):
                    _compare(sheet.row(table), KINDS[kind], list(right[kind]))
        if sheet.has("convert_cost_by_temples"):
            _compare(sheet.row("convert_cost_by_temples"), "cost", self.convert_cost)

    def _verbs(self) -> list[Verb]:
        seats = [str(seat) for seat in range(5)]
        spaces = [str(space + 1) for space in range(self.spaces)]
        verbs = [Verb(MOVES[move], move, 1, closes=move == PASS) for move in range(len(MOVES))]
        return [
            *verbs,
            Verb("on", ON, BUILD - ON, spaces),
            Verb("build", BUILD, FROM - BUILD, list(KINDS)),
            Verb("from", FROM, AT - FROM, seats),
            Verb("at", AT, SHAMANS - AT, seats, spaces),
            Verb("shamans", SHAMANS, FOLLOWERS - SHAMANS, [str(n) for n in range(self.max_shamans + 1)]),
            Verb("followers", FOLLOWERS, ROUNDS - FOLLOWERS, [str(n) for n in range(self.max_followers + 1)]),
            Verb("rounds", ROUNDS, KEEP - ROUNDS, [str(n) for n in range(max(self.rounds) + 1)]),
            Verb("keep", KEEP, 1, closes=True),
            Verb("mend", MEND, 1),
            Verb("spoil", SPOIL, 1),
        ]


def _flags(row: Table, key: str) -> list[bool]:
    """The two values of a table option, the default first."""
    values = row.data.get(key)
    found = [value for value in values if isinstance(value, bool)] if isinstance(values, list) else []
    check(sorted(found) == [False, True], "TT-14.1", row.where, f"{key} must list true and false, the default first")
    return found


def _share(row: Table, key: str) -> tuple[int, int]:
    """A fraction of the effects, as numerator and denominator."""
    parts = row.integers(key)
    check(
        len(parts) == 2 and parts[0] <= parts[1],
        "TT-3.5",
        row.where,
        f"{key} must be a fraction [numerator, denominator] of at most 1",
    )
    return (parts[0], parts[1])


def _cheaper(cost: int, share: tuple[int, int], times: int) -> int:
    """TT-3.5, TT-R7  The cost times the share for each card; the exact result is rounded up once, never below 1."""
    top = cost
    bottom = 1
    for _ in range(times):
        top *= share[0]
        bottom *= share[1]
    return max(1, (top + bottom - 1) // bottom)


def _sums(sections: tuple[int, ...]) -> tuple[int, ...]:
    """The gold dots on the first 0, 1, 2 ... sections."""
    sums = [0]
    for dots in sections:
        sums.append(sums[-1] + dots)
    return tuple(sums)


def _compare(table: Table, key: str, right: list[int]) -> None:
    """A row of a derived table may be shorter than the computed one (with three Art no space is free), not other."""
    given = table.integers(key)
    check(
        0 < len(given) <= len(right) and given == right[: len(given)],
        "TT-C7",
        f"{table.where}.{key}",
        f"the figures give {right}, the table says {given}; correct the table or leave it out",
    )
