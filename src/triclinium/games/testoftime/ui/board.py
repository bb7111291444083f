"""Data for the board and the player's own strip, made from a view: lands, Testaments, people and rounds.

Every land is a drawing with its corner at 0 0. The style sheet arranges the lands by the available room, with the
viewer's own as the largest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triclinium.boardkit.parts import ScoreGroup, SeatScoreSheet
from triclinium.engine.core.text import Arg, Message
from triclinium.games.testoftime.rules.components import BUILD, KIND_COUNT, KINDS, Components
from triclinium.games.testoftime.ui.piece_drawing import (
    FOLLOWER,
    SHAMAN,
    GroundStretch,
    HomeGrid,
    PeopleFigures,
    draw_figures,
)
from triclinium.games.testoftime.ui.print_list import print_list
from triclinium.games.testoftime.ui.reversal_scroll import ReversalScroll, list_outcomes
from triclinium.games.testoftime.ui.seat_panels import SeatStanding, build_panel
from triclinium.games.testoftime.ui.testament_columns import (
    LandMarkup,
    RecordCell,
    TestamentColumn,
    compute_burial_depth,
    draw_cells,
    lay_out_records,
)
from triclinium.games.testoftime.ui.view import (
    Makers,
    PieceGroup,
    Player,
    Testament,
    TestamentSpace,
    TestOfTimeView,
    count_attacks,
)

__all__ = ["draw", "gallery", "print_list"]


class LandMeasure:
    """The heights and sizes of a land, a rival's or the viewer's own.

    The parts from top to bottom are the band with the name, the sky with the Testaments, the ground, lines of numbers,
    the records, and the home zone. style.css uses the name and size, so that text grows relative to a shrinking land.
    """

    def __init__(self, name: str, wide: int, sky: int, scale: float) -> None:
        self.name = name
        self.wide = wide
        big = name == "large"
        self.big = big
        self.scale = scale  # scale of a Testament, whose sections are 10 high
        self.band = 30 if big else 25
        self.ground = self.band + sky
        self.name_y = self.ground + (26 if big else 21)
        self.points_y = self.ground + (44 if big else 36)
        self.kept_y = self.ground + 62  # the y of the third line of numbers, which only the viewer's own land has
        self.cells_y = self.ground + (82 if big else 44)
        self.cell_high = 28 if big else 19
        self.max_cell_width = 26.0 if big else 15.0  # maximum width of a cell of the past
        self.min_cell_width = 9.0
        self.emblem = 18 if big else 13  # size of the emblem of an attacker, next to the Testament
        self.row = 21 if big else 15
        self.step = 8.5 if big else 6.2  # distance between people who stand together
        self.figure = 0.95 if big else 0.66
        self.home_y = self.ground + (119 if big else 65)
        self.home_high = 66 if big else 27
        self.high = self.home_y + self.home_high


class HomeZoneLayout:
    """The layout of a home zone, from left to right: followers, shamans, force, zones."""

    def __init__(self, m: LandMeasure, c: Components) -> None:
        """Create a layout; the viewer's own land has the numbers above the people, a rival's in front of them."""
        far = m.wide / 340
        self.text_y = m.home_y + (16 if m.big else 18)
        self.followers_text = 12 if m.big else 6
        self.shamans_text = 218.0 if m.big else round(136 * far, 1)
        self.force_x = 208.0 if m.big else round(223 * far, 1)
        self.zones_x = 310.0 if m.big else round(264 * far, 1)
        top = m.home_y + (38 if m.big else 13)
        down = 22 if m.big else 11
        across = (c.max_followers + 1) // 2
        few = max(1, (c.max_shamans + 1) // 2)
        step = (172 if m.big else 88 * far) / across
        self.followers = HomeGrid(16 if m.big else 31, top, across, step, down, 0.98 if m.big else 0.66)
        step = (70 if m.big else 46 * far) / few
        self.shamans = HomeGrid(226 if m.big else self.shamans_text + 27, top, few, step, down, 0.86 if m.big else 0.58)


OWN_MEASURE: Final = LandMeasure("large", 600, sky=206, scale=1.45)
ONLY_RIVAL_MEASURE: Final = LandMeasure("alone", 440, sky=206, scale=1.45)  # the only rival's land
RIVAL_MEASURE: Final = LandMeasure("some", 340, sky=162, scale=1.0)  # the land of one of several rivals


@dataclass(slots=True)
class AttackForce:
    """The total strength that one seat has brought against a Testament."""

    seat: int
    strength: int


class LandSpace:
    """A Testament space with everything on it."""

    def __init__(self, c: Components, view: TestOfTimeView, land: "PlayerLand", seen: TestamentSpace) -> None:
        making = None if seen.creating is None else seen.creating.kind
        self.measure = land.measure
        self.seat = land.seat
        self.space = seen.space
        self.w = round(land.measure.wide / c.spaces, 1)
        self.x = round((self.space - 1) * self.w, 1)
        self.centre = round(self.w / 2, 1)
        self.id = f"{self.seat}-{self.space}"
        self.on = f"on {self.space}"
        self.at = f"at {self.seat} {self.space}"
        self.kind = None if seen.kind is None else KINDS[seen.kind]
        self.making = None if making is None else KINDS[making]
        self.name = None if seen.kind is None else c.names[seen.kind]
        self.making_name = None if making is None else c.names[making]
        self.column: TestamentColumn | None = None
        self.cells: list[RecordCell] = []
        self.folded = 0
        self.forces: list[AttackForce] = []
        self.visible = self.size = self.dots = self.age = self.points = self.prospect = 0
        self.strips = self.attack = self.defence = self.cost = self.debt = 0
        self.edge = 0  # final points of the lowest visible section
        self.preserved = self.decays = False
        self.after = 0  # visible sections if nothing changes this round
        self.forecast = 0  # final points if nothing changes this round and nothing is lost later
        if isinstance(seen, Testament):
            self._read_testament(c, view, seen)
        if making is not None:
            self.column = TestamentColumn(c, making, 0, plan=True)
            self.forecast = self.prospect = c.dots[making][-1] * (view.rounds - view.round)
        self.standing = self.visible > 0
        self.falls = self.forecast != self.prospect and not view.over  # a forecast leaves less room for words
        self.moves = self._list_moves()
        # Cache key: everything that the drawing of this space depends on
        self.key = f"{land.key} {view.round} {view.rounds} {view.over} {self.forces} {seen}"

    def _read_testament(self, c: Components, view: TestOfTimeView, seen: Testament) -> None:
        """Read the Testament that is on the space."""
        self.visible = seen.visible
        self.size = c.size[seen.kind]
        self.dots = seen.dots
        self.age = seen.age
        self.points = seen.points
        self.prospect = seen.prospect
        self.cost = seen.preserve_cost
        self.preserved = seen.preserved is not None and seen.visible > 0  # TT-R19: a buried Testament is not preserved.
        self.decays = seen.decays
        self.strips = seen.strips
        self.attack = seen.attack
        self.defence = seen.defence
        wear = 1 if seen.decays and not view.over and seen.strips < seen.visible else 0
        self.after = seen.visible if view.over else max(0, seen.visible - seen.strips - (1 if seen.decays else 0))
        self.forecast = c.dots[seen.kind][self.after] * (view.rounds - seen.since)
        if seen.visible > 0:
            self.edge = seen.sections[seen.visible - 1] * (view.rounds - seen.since)
        self.debt = compute_burial_depth(c, seen.kind, seen.past) if seen.visible == 0 else 0
        self.column = TestamentColumn(c, seen.kind, seen.visible, wear, seen.strips)
        m = self.measure
        self.cells, self.folded = lay_out_records(
            seen.past, self.centre, self.w - 8, m.max_cell_width, m.min_cell_width
        )
        if not view.over:
            last = self.cells[-1] if self.cells else None
            w = last.w if last else m.max_cell_width
            x = round(last.x + w, 1) if last else round(self.centre - w / 2, 1)
            self.cells.append(RecordCell(x, w, view.round, self.preserved, seen.strips, [], now=True))
        strengths: dict[int, int] = {}
        for force in seen.attackers:
            strength = force.followers + force.shamans * view.players[force.seat].power
            strengths[force.seat] = strengths.get(force.seat, 0) + strength
        self.forces = [AttackForce(seat, strength) for seat, strength in strengths.items()]

    @property
    def record_strip(self) -> LandMarkup:
        """The SVG of the strip of records."""
        return draw_cells(self.cells, self.measure.cells_y, self.measure.cell_high, self.measure.big)

    def _list_moves(self) -> list[str]:
        """Return the moves that could concern this space if it belonged to the viewer."""
        if self.making is not None:
            return []
        moves = [] if self.standing else ["create"]
        if self.standing and self.attack > self.defence:
            moves.append("defend")
        if self.standing and not self.preserved:
            moves.append("preserve")
        if self.age > 0:
            moves.append("reverse")
        return moves


class HomeZone:
    """Sire, Sire Shaman or Convert zone."""

    def __init__(self, move: str, price: int, x: float, y: float, w: float, high: float, used: bool) -> None:
        self.move = move
        self.price = price
        self.x = round(x, 1)
        self.y = y
        self.w = round(w, 1)
        self.h = high
        self.middle = round(x + w / 2, 1)
        self.used = used
        self.is_closed = price == 0  # TT-8.1: a player without a Temple cannot convert anyone.


class PlayerLand:
    """The land of one people."""

    def __init__(self, c: Components, view: TestOfTimeView, seat: int, measure: LandMeasure) -> None:
        player = view.players[seat]
        self.seat = seat
        self.player = player
        self.measure = measure
        self.big = measure.big
        self.key = f"{seat} {measure.wide} {measure.high} {hash_edition(c)}"
        self.spaces = [LandSpace(c, view, self, seen) for seen in player.testaments]
        self.score = player.score
        self.prospect = sum([space.prospect for space in self.spaces])  # includes points of Testaments being created
        self.forecast = sum([space.forecast for space in self.spaces])
        self.unpaid = sum([space.cost for space in self.spaces if space.decays])
        self.most_attacks = view.attacks_per_round  # TT-14.5: the maximum number of attacks in a round; 0: unlimited
        self.attacks = count_attacks(view, seat)
        self.strongest_attack = (
            0 if 0 < self.most_attacks <= self.attacks else player.worth
        )  # strength of the strongest attack left
        self.is_starter = view.starter == seat and not view.over
        self.has_passed = seat in view.passed
        self.home_layout = HomeZoneLayout(measure, c)
        self.zones = self._build_zones(c, player)
        # Cache keys: everything that the home zone, and the band above the land, depend on
        self.people_key = (
            f"{self.key} {player.waiting} {player.in_play} {player.power} {player.worth} {player.saved}"
            f" {player.convert_cost} {player.preserve_cost} {player.create_cost}"
            f" {player.sire} {player.sire_shaman} {player.convert} {self.attacks}/{self.most_attacks}"
        )
        self.standing_key = (
            f"{self.score} {self.prospect} {self.forecast} {self.is_starter} {self.has_passed} {view.over}"
        )
        self.standing = SeatStanding(
            self.prospect, self.forecast, self.attacks, self.most_attacks, self.is_starter, self.has_passed
        )
        self.figures = LandMarkup("")  # figures on the land, set after all people are placed
        self.home = PeopleFigures(seat, player, self.home_layout.followers, self.home_layout.shamans)

    def _build_zones(self, c: Components, player: Player) -> list[HomeZone]:
        """Return the tiles of the home zone: one row for the viewer, two rows for a rival."""
        prices = {"sire": c.sire_cost, "sire_shaman": c.sire_shaman_cost, "convert": player.convert_cost}
        kinds = ["sire"] * c.sire_zones + ["sire_shaman"] * c.sire_shaman_zones + ["convert"] * c.convert_zones
        used = {move: len(groups) for move, groups in map_used_zones(player).items()}
        m = self.measure
        across = len(kinds) if m.big else (len(kinds) + 1) // 2
        gap, high = (3, 57) if m.big else (2, 11)
        w = (m.wide - 6 - self.home_layout.zones_x) / across
        zones: list[HomeZone] = []
        for i, move in enumerate(kinds):
            row, column = divmod(i, across)
            x = self.home_layout.zones_x + column * w
            y = m.home_y + (4 if m.big else 2) + row * (high + gap)
            taken = kinds[:i].count(move) < used[move]
            zones.append(HomeZone(move, prices[move], x, y, w - gap, high, taken))
        return zones


def hash_edition(c: Components) -> int:
    """Return a hash of an edition, because a server may have tables of several and caches their drawings."""
    figures = (
        c.create,
        c.deaths,
        c.preserve,
        c.sections,
        [c.max_followers, c.max_shamans, c.sire_cost, c.sire_shaman_cost],
    )
    return hash(tuple([tuple(row) for row in figures]))


def map_used_zones(player: Player) -> dict[str, Sequence[PieceGroup]]:
    """Return the pieces in the used zones, by move."""
    return {"sire": player.sire.used, "sire_shaman": player.sire_shaman.used, "convert": player.convert.used}


def place_people(lands: list[PlayerLand]) -> None:
    """Place all people who work, in the order in which people usually leave home."""
    people = {land.seat: land.home for land in lands}
    for land in lands:
        fill_zones(land)
    for land in lands:
        for space, seen in zip(land.spaces, land.player.testaments, strict=True):
            fill_space(land, space, seen, people)
    for land in lands:
        return_figures_home(land)
    placed = [figure for land in lands for figure in land.home.arrange_figures()]
    for land in lands:
        land.figures = draw_figures([figure for figure in placed if figure.land == land.seat])


def fill_zones(land: PlayerLand) -> None:
    """Place parents with their child, and converters with the convert."""
    step, scale = (10.5, 0.8) if land.big else (5.2, 0.5)
    for move, groups in map_used_zones(land.player).items():
        tiles = [zone for zone in land.zones if zone.move == move]
        for zone, group in zip(tiles, groups, strict=False):
            left = zone.x + 2
            place = GroundStretch(land.seat, left, left + zone.w - 4, zone.y + zone.h - 2, step, scale)
            state = "dies" if move == "sire_shaman" else "works"
            land.home.add_figures(place.place_figures(land.seat, *count_pieces(group), state=state))
            born = (0, 1) if move == "sire_shaman" else (1, 0)
            land.home.add_figures(place.place_figures(land.seat, *born, state="new"))


def fill_space(land: PlayerLand, space: LandSpace, seen: TestamentSpace, people: dict[int, PeopleFigures]) -> None:
    """Place attackers on the left of a Testament, keepers and defenders on the right, and makers everywhere."""
    m = land.measure
    y = m.ground + 6
    start, middle = space.x + 4, space.x + space.centre
    end = space.x + space.w - 4
    if seen.creating is not None:
        makers = GroundStretch(land.seat, start + 2, end - 2, y, m.step, m.figure)
        land.home.add_figures(makers.place_figures(land.seat, *count_pieces(seen.creating)))
    if not isinstance(seen, Testament):
        return
    left_side = GroundStretch(land.seat, start, middle - 2, y, m.step, m.figure)
    right_side = GroundStretch(land.seat, middle + 2, end, y, m.step, m.figure, from_right=True)
    if seen.preserved is not None:
        land.home.add_figures(right_side.place_figures(land.seat, *count_pieces(seen.preserved)))
    for force in seen.attackers:
        people[force.seat].add_figures(left_side.place_figures(force.seat, *count_pieces(force), symbol="warrior"))
    land.home.add_figures(right_side.place_figures(land.seat, *count_pieces(seen.defenders), symbol="guard"))


def return_figures_home(land: PlayerLand) -> None:
    """Place the people who worked in the past at home, done for this round."""
    followers, shamans = count_pieces(land.player.reversers)
    for piece, count, born in ((FOLLOWER, followers, (1, 0)), (SHAMAN, shamans, (0, 1))):
        present = land.home.in_play[piece]
        home = land.home.homes[piece]
        for i in range(present - count, present):
            x, y = home.locate_spot(i)
            ground = GroundStretch(land.seat, x - 5, x + 5, y, 10, home.scale)
            land.home.add_figures(ground.place_figures(land.seat, *born, state="done"))


def count_pieces(group: PieceGroup | Makers) -> tuple[int, int]:
    """Return the numbers of followers and shamans in a group."""
    return group.followers, group.shamans


@dataclass(slots=True)
class FriezeRound:
    """A round in the frieze above the lands."""

    number: int
    state: str  # "gone" (past), "cur" (current round) or "come" (future)
    starter: int | None  # the seat that begins; known for the present and the next round only


def list_rounds(view: TestOfTimeView) -> list[FriezeRound]:
    """Return all rounds in order."""
    now = view.round
    starters = {} if view.over else {now: view.starter, now + 1: (view.starter + 1) % view.seats}
    states = ["cur" if i == now else "gone" if i < now else "come" for i in range(1, view.rounds + 1)]
    return [FriezeRound(i, state, starters.get(i)) for i, state in enumerate(states, 1)]


def list_passes(view: TestOfTimeView) -> list[int | None]:
    """Return an ostrakon for each pass in a row, and None for each pass still needed to end the round (TT-2.3)."""
    return [*view.passed, *[None] * (view.seats - len(view.passed))]


def choose_rival_measure(lands: int) -> LandMeasure:
    """Return the measure of a land next to this many other lands."""
    return ONLY_RIVAL_MEASURE if lands == 1 else RIVAL_MEASURE


def gallery(c: Components) -> dict[str, object]:
    """Return data for the gallery of components: every Testament with all its sections."""
    return {"columns": [TestamentColumn(c, kind, len(c.sections[kind])) for kind in range(KIND_COUNT)], "kinds": KINDS}


def build_score_sheet(lands: list[PlayerLand]) -> SeatScoreSheet:
    """TT-13.2  Return the result, Testament by Testament: gold dots × age = points. The winner comes first."""
    groups = []
    for land in sorted(lands, key=lambda land: (-land.score, land.seat)):
        lines: list[tuple[Arg, list[Arg]]] = [
            (space.name, [f"{space.dots} × {space.age}", space.points if space.standing else Message("buried")])
            for space in land.spaces
            if space.name is not None
        ]
        groups.append(ScoreGroup(land.seat, land.score, lines))
    columns: list[Arg] = [Message("gold dots × age"), Message("points")]
    return SeatScoreSheet(Message("Testament by Testament"), columns, groups, Message("no Testament"))


def draw(c: Components, view: TestOfTimeView) -> dict[str, object]:
    """Return everything for the templates. A spectator has no own land and sees all lands alike."""
    seats = view.seats
    me = view.viewer
    own = None if me is None else PlayerLand(c, view, me, OWN_MEASURE)
    others = list(range(seats)) if me is None else [(me + i) % seats for i in range(1, seats)]
    lands = [PlayerLand(c, view, seat, choose_rival_measure(len(others))) for seat in others]
    everybody = lands if own is None else [own, *lands]
    place_people(everybody)
    shows_scroll = view.reversal is not None or view.asked == "ChooseRounds"
    return {
        "own": own,
        "lands": lands,
        "roll": ReversalScroll(c, view, view.focus) if shows_scroll and view.focus is not None else None,
        "outcomes": list_outcomes(view),
        "frieze": list_rounds(view),
        "shards": list_passes(view),
        "seat_panels": [
            build_panel(c, view, land.seat, land.standing, (land.people_key, land.standing_key))
            for land in sorted(everybody, key=lambda land: land.seat)
        ],
        **({"score_sheets": [build_score_sheet(everybody)]} if view.over else {}),
        "kinds": KINDS,
        "builds": {c.notation.format_option(BUILD + kind): kind for kind in range(KIND_COUNT)},
    }
