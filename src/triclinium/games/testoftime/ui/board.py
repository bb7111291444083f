"""What the board and the own strip show, computed from a view: lands, Testaments, people, rounds.

Every land is a drawing of its own (0 0 is its corner): style.css lays them beside and below each other by the room that
there is, one's own as the largest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triclinium.games.testoftime.rules.components import BUILD, KIND_COUNT, KINDS, Components
from triclinium.games.testoftime.ui.piece_drawing import FOLLOWER, SHAMAN, Home, People, Place, crowd_svg
from triclinium.games.testoftime.ui.reversal_scroll import Roll, outcomes
from triclinium.games.testoftime.ui.testament_columns import Cell, Column, Drawn, cells_svg, debt, strip
from triclinium.games.testoftime.ui.view import (
    Group,
    Makers,
    Player,
    Testament,
    TestamentSpace,
    TestOfTimeView,
    attacks_made,
)


class Measure:
    """Heights and sizes of a land: a rival's or one's own.

    From above: the band with the name, the sky with the Testaments, the ground, two lines of numbers, the records of
    the past, the home zone. style.css knows its name and size: what is read grows there as a land shrinks.
    """

    def __init__(self, name: str, wide: int, sky: int, scale: float) -> None:
        self.name = name
        self.wide = wide
        big = name == "large"
        self.big = big
        self.scale = scale  # of a Testament, whose sections are 10 high
        self.band = 30 if big else 25
        self.ground = self.band + sky
        self.name_y = self.ground + (26 if big else 21)
        self.points_y = self.ground + (44 if big else 36)
        self.cells_y = self.ground + (64 if big else 41)
        self.cell_high = 28 if big else 19
        self.widest = 26.0 if big else 15.0  # a cell of the past
        self.least = 9.0
        self.emblem = 18 if big else 13  # of an attacker, beside the Testament
        self.row = 21 if big else 15
        self.step = 8.5 if big else 6.2  # between people who stand together
        self.figure = 0.95 if big else 0.66
        self.home_y = self.ground + (101 if big else 62)
        self.home_high = 66 if big else 27
        self.high = self.home_y + self.home_high


class Hearth:
    """Where things are in a home zone, from its left: followers, shamans, force, zones."""

    def __init__(self, m: Measure, c: Components) -> None:
        """One's own has the numbers above the people, a rival's before them."""
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
        self.followers = Home(16 if m.big else 31, top, across, step, down, 0.98 if m.big else 0.66)
        step = (70 if m.big else 46 * far) / few
        self.shamans = Home(226 if m.big else self.shamans_text + 27, top, few, step, down, 0.86 if m.big else 0.58)


OWN: Final = Measure("large", 600, sky=206, scale=1.45)
ALONE: Final = Measure("alone", 440, sky=206, scale=1.45)  # the only rival
SOME: Final = Measure("some", 340, sky=162, scale=1.0)  # one of several


@dataclass(slots=True)
class Force:
    """What one seat has brought against a Testament."""

    seat: int
    strength: int


class Space:
    """A Testament space with everything on it."""

    def __init__(self, c: Components, view: TestOfTimeView, land: "Land", seen: TestamentSpace) -> None:
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
        self.column: Column | None = None
        self.cells: list[Cell] = []
        self.folded = 0
        self.forces: list[Force] = []
        self.visible = self.size = self.dots = self.age = self.points = self.prospect = 0
        self.strips = self.attack = self.defence = self.cost = self.debt = 0
        self.edge = 0  # points at the end that go with the lowest visible section
        self.preserved = self.decays = False
        self.after = 0  # visible sections if nothing changes this round
        self.forecast = 0  # points at the end if nothing changes this round and nothing is lost later
        if isinstance(seen, Testament):
            self._stand(c, view, seen)
        if making is not None:
            self.column = Column(c, making, 0, plan=True)
            self.forecast = self.prospect = c.dots[making][-1] * (view.rounds - view.round)
        self.standing = self.visible > 0
        self.falls = self.forecast != self.prospect and not view.over  # then there is no room for every word
        self.moves = self._moves()
        # All that the drawing of this space depends on.
        self.key = f"{land.key} {view.round} {view.rounds} {view.over} {self.forces} {seen}"

    def _stand(self, c: Components, view: TestOfTimeView, seen: Testament) -> None:
        """A card lies on the space."""
        self.visible = seen.visible
        self.size = c.size[seen.kind]
        self.dots = seen.dots
        self.age = seen.age
        self.points = seen.points
        self.prospect = seen.prospect
        self.cost = seen.preserve_cost
        self.preserved = seen.preserved is not None and seen.visible > 0  # TT-R19  what lies buried is not
        self.decays = seen.decays
        self.strips = seen.strips
        self.attack = seen.attack
        self.defence = seen.defence
        wear = 1 if seen.decays and not view.over and seen.strips < seen.visible else 0
        self.after = seen.visible if view.over else max(0, seen.visible - seen.strips - (1 if seen.decays else 0))
        self.forecast = c.dots[seen.kind][self.after] * (view.rounds - seen.since)
        if seen.visible > 0:
            self.edge = seen.sections[seen.visible - 1] * (view.rounds - seen.since)
        self.debt = debt(c, seen.kind, seen.past) if seen.visible == 0 else 0
        self.column = Column(c, seen.kind, seen.visible, wear, seen.strips)
        m = self.measure
        self.cells, self.folded = strip(seen.past, self.centre, self.w - 8, m.widest, m.least)
        if not view.over:
            last = self.cells[-1] if self.cells else None
            w = last.w if last else m.widest
            x = round(last.x + w, 1) if last else round(self.centre - w / 2, 1)
            self.cells.append(Cell(x, w, view.round, self.preserved, seen.strips, [], now=True))
        strengths: dict[int, int] = {}
        for force in seen.attackers:
            strength = force.followers + force.shamans * view.players[force.seat].power
            strengths[force.seat] = strengths.get(force.seat, 0) + strength
        self.forces = [Force(seat, strength) for seat, strength in strengths.items()]

    @property
    def history(self) -> Drawn:
        """The strip of records."""
        return cells_svg(self.cells, self.measure.cells_y, self.measure.cell_high, self.measure.big)

    def _moves(self) -> list[str]:
        """The moves that could be about this space, were it one's own."""
        if self.making is not None:
            return []
        found = [] if self.standing else ["create"]
        if self.standing and self.attack > self.defence:
            found.append("defend")
        if self.standing and not self.preserved:
            found.append("preserve")
        if self.age > 0:
            found.append("reverse")
        return found


class Zone:
    """A Sire, Sire Shaman or Convert zone."""

    def __init__(self, move: str, price: int, x: float, y: float, w: float, high: float, used: bool) -> None:
        self.move = move
        self.price = price
        self.x = round(x, 1)
        self.y = y
        self.w = round(w, 1)
        self.h = high
        self.middle = round(x + w / 2, 1)
        self.used = used
        self.shut = price == 0  # TT-8.1  nobody converts without a Temple


class Land:
    """The land of one people."""

    def __init__(self, c: Components, view: TestOfTimeView, seat: int, measure: Measure) -> None:
        player = view.players[seat]
        self.seat = seat
        self.player = player
        self.measure = measure
        self.big = measure.big
        self.key = f"{seat} {measure.wide} {measure.high} {cards(c)}"
        self.spaces = [Space(c, view, self, seen) for seen in player.testaments]
        self.score = player.score
        self.prospect = sum([space.prospect for space in self.spaces])  # with what is being created
        self.forecast = sum([space.forecast for space in self.spaces])
        self.unpaid = sum([space.cost for space in self.spaces if space.decays])
        self.most_attacks = view.attacks_per_round  # TT-14.5; 0: unlimited
        self.attacks = attacks_made(view, seat)
        self.strike = 0 if 0 < self.most_attacks <= self.attacks else player.worth  # the strongest attack left
        self.starts = view.starter == seat and not view.over
        self.passed = seat in view.passed
        self.hearth = Hearth(measure, c)
        self.zones = self._zones(c, player)
        # All that the home zone, and all that the band above the land depends on.
        self.people = (
            f"{self.key} {player.waiting} {player.in_play} {player.power} {player.worth} {player.saved}"
            f" {player.convert_cost} {player.preserve_cost} {player.create_cost}"
            f" {player.sire} {player.sire_shaman} {player.convert} {self.attacks}/{self.most_attacks}"
        )
        self.standing = f"{self.score} {self.prospect} {self.forecast} {self.starts} {self.passed} {view.over}"
        self.figures = Drawn("")  # who is on it, once everybody has gone to their place
        self.home = People(seat, player, self.hearth.followers, self.hearth.shamans)

    def _zones(self, c: Components, player: Player) -> list[Zone]:
        """Tiles in the home zone: in a row for oneself, three by two for a rival."""
        prices = {"sire": c.sire_cost, "sire_shaman": c.sire_shaman_cost, "convert": player.convert_cost}
        kinds = ["sire"] * c.sire_zones + ["sire_shaman"] * c.sire_shaman_zones + ["convert"] * c.convert_zones
        used = {move: len(groups) for move, groups in at_work(player).items()}
        m = self.measure
        across = len(kinds) if m.big else (len(kinds) + 1) // 2
        gap, high = (3, 57) if m.big else (2, 11)
        w = (m.wide - 6 - self.hearth.zones_x) / across
        found: list[Zone] = []
        for i, move in enumerate(kinds):
            row, column = divmod(i, across)
            x = self.hearth.zones_x + column * w
            y = m.home_y + (4 if m.big else 2) + row * (high + gap)
            taken = kinds[:i].count(move) < used[move]
            found.append(Zone(move, prices[move], x, y, w - gap, high, taken))
        return found


def cards(c: Components) -> int:
    """Tells one edition's cards and figures from another's: a house may have tables of both, and keeps its drawings."""
    figures = (
        c.create,
        c.deaths,
        c.preserve,
        c.sections,
        [c.max_followers, c.max_shamans, c.sire_cost, c.sire_shaman_cost],
    )
    return hash(tuple([tuple(row) for row in figures]))


def at_work(player: Player) -> dict[str, Sequence[Group]]:
    """Who is in the used zones, by the move that uses them."""
    return {"sire": player.sire.used, "sire_shaman": player.sire_shaman.used, "convert": player.convert.used}


def settle(lands: list[Land]) -> None:
    """Send everybody who is at work to their place, in the order in which people usually leave home."""
    people = {land.seat: land.home for land in lands}
    for land in lands:
        fill_zones(land)
    for land in lands:
        for space, seen in zip(land.spaces, land.player.testaments, strict=True):
            fill_space(land, space, seen, people)
    for land in lands:
        bring_home(land)
    placed = [figure for land in lands for figure in land.home.all()]
    for land in lands:
        land.figures = crowd_svg([figure for figure in placed if figure.land == land.seat])


def fill_zones(land: Land) -> None:
    """Parents with their child, and who converts with the convert."""
    step, scale = (10.5, 0.8) if land.big else (5.2, 0.5)
    for move, groups in at_work(land.player).items():
        tiles = [zone for zone in land.zones if zone.move == move]
        for zone, group in zip(tiles, groups, strict=False):
            left = zone.x + 2
            place = Place(land.seat, left, left + zone.w - 4, zone.y + zone.h - 2, step, scale)
            state = "dies" if move == "sire_shaman" else "works"
            land.home.place(place.stand(land.seat, *pieces(group), state=state))
            born = (0, 1) if move == "sire_shaman" else (1, 0)
            land.home.place(place.stand(land.seat, *born, state="new"))


def fill_space(land: Land, space: Space, seen: TestamentSpace, people: dict[int, People]) -> None:
    """Attackers to the left of a Testament, who keeps and defends it to its right, its makers all along."""
    m = land.measure
    y = m.ground + 6
    start, middle = space.x + 4, space.x + space.centre
    end = space.x + space.w - 4
    if seen.creating is not None:
        makers = Place(land.seat, start + 2, end - 2, y, m.step, m.figure)
        land.home.place(makers.stand(land.seat, *pieces(seen.creating)))
    if not isinstance(seen, Testament):
        return
    left_side = Place(land.seat, start, middle - 2, y, m.step, m.figure)
    right_side = Place(land.seat, middle + 2, end, y, m.step, m.figure, ends=True)
    if seen.preserved is not None:
        land.home.place(right_side.stand(land.seat, *pieces(seen.preserved)))
    for force in seen.attackers:
        people[force.seat].place(left_side.stand(force.seat, *pieces(force), look="warrior"))
    land.home.place(right_side.stand(land.seat, *pieces(seen.defenders), look="guard"))


def bring_home(land: Land) -> None:
    """Who has worked in the past is back at home, and done for this round."""
    followers, shamans = pieces(land.player.reversers)
    for piece, count, born in ((FOLLOWER, followers, (1, 0)), (SHAMAN, shamans, (0, 1))):
        present = land.home.in_play[piece]
        home = land.home.homes[piece]
        for i in range(present - count, present):
            x, y = home.at(i)
            one = Place(land.seat, x - 5, x + 5, y, 10, home.scale)
            land.home.place(one.stand(land.seat, *born, state="done"))


def pieces(group: Group | Makers) -> tuple[int, int]:
    """Followers and shamans of a group."""
    return group.followers, group.shamans


@dataclass(slots=True)
class Round:
    """One round of the frieze above the lands."""

    number: int
    state: str  # gone, cur, come
    starter: int | None  # of the present and of the next round


def frieze(view: TestOfTimeView) -> list[Round]:
    """All rounds in their order."""
    now = view.round
    starters = {} if view.over else {now: view.starter, now + 1: (view.starter + 1) % view.seats}
    states = ["cur" if i == now else "gone" if i < now else "come" for i in range(1, view.rounds + 1)]
    return [Round(i, state, starters.get(i)) for i, state in enumerate(states, 1)]


def shards(view: TestOfTimeView) -> list[int | None]:
    """An ostrakon for each pass in a row: whose are laid, and those still wanting to end the round (TT-2.3)."""
    return [*view.passed, *[None] * (view.seats - len(view.passed))]


def measure_of(lands: int) -> Measure:
    """How a land is drawn beside so many others."""
    return ALONE if lands == 1 else SOME


def gallery(c: Components) -> dict[str, object]:
    """What the box shows: every Testament in all its sections."""
    return {"columns": [Column(c, kind, len(c.sections[kind])) for kind in range(KIND_COUNT)], "kinds": KINDS}


def draw(c: Components, view: TestOfTimeView) -> dict[str, object]:
    """Everything for the templates. A seated viewer has an own land; a spectator sees all lands alike."""
    seats = view.seats
    me = view.viewer
    own = None if me is None else Land(c, view, me, OWN)
    others = list(range(seats)) if me is None else [(me + i) % seats for i in range(1, seats)]
    lands = [Land(c, view, seat, measure_of(len(others))) for seat in others]
    everybody = lands if own is None else [own, *lands]
    settle(everybody)
    rolling = view.reversal is not None or view.asked == "ChooseRounds"
    return {
        "own": own,
        "lands": lands,
        "roll": Roll(c, view, view.focus) if rolling and view.focus is not None else None,
        "outcomes": outcomes(view),
        "frieze": frieze(view),
        "shards": shards(view),
        "by_seat": {land.seat: land for land in everybody},
        "kinds": KINDS,
        "builds": {c.notation.say(BUILD + kind): kind for kind in range(KIND_COUNT)},
    }
