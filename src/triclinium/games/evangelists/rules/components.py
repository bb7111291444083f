"""The components file as tables of ints."""

from typing import Final

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, check
from triclinium.engine.core.text import Name

INCLUSIO: Final = 0
EMPHASIS: Final = 1
CHIASM: Final = 2
CHRONOLOGY: Final = 3
TRACKS: Final = 4
TRACK_IDS: Final = ("inclusio", "emphasis", "chiasm", "chronology")


class Components:
    """The printed components as tables.

    Places are numbered from 0, cities first. Sets of witnesses, motifs or themes are bitmasks.
    """

    # Places and lines
    place_ids: list[str]
    place_names: list[Name]
    cities: int  # Places 0 to cities - 1 are cities.
    lines: list[list[int]]  # the neighbours of each place
    distance: list[list[int]]
    travel_weak: list[list[int]]  # for each place, the places within reach of a weak Travel
    travel_follow: list[list[int]]
    sail_targets: list[list[int]]  # for each city, the cities that a boat can sail to
    boats_start: int  # bitmask of the cities with a boat at the start

    # People, themes and motifs
    witness_ids: list[str]
    witness_names: list[Name]
    witness_marks: list[str]  # two letters for each witness, so that nothing depends on colour alone
    theme_ids: list[str]
    theme_names: list[Name]
    theme_marks: list[str]
    theme_colours: list[Name]
    witness_cards: list[int]  # the number of traditions with each witness, as the file states it
    motif_cards: list[int]
    motif_ids: list[str]
    motif_names: list[Name]

    # Traditions 0 to 35; card i has the number numbers[i].
    numbers: list[int]
    titles: list[Name]
    references: list[Name]
    motifs: list[int]
    circles: list[int]  # for each card, a bitmask of the witnesses whose circle it carries
    themes: list[int]
    back: list[int]  # for each card, the leading theme, whose colour the back shows
    cards_by_back: list[list[int]]  # for each theme, the cards with its back
    motif_tally: list[int]  # six bits for each motif, so that a sum over cards counts all motifs of a gospel at once

    # Amounts
    octagons: int
    cost_weak: int
    cost_strong: int
    box_size: int
    slots_per_leaf: int
    leaves_start: int
    rearrange_most: int
    reach_weak: int
    reach_follow: int
    reach_boat: int
    follow_weak: int
    follow_strong: int
    leaves_most: int
    flip_order: list[
        list[list[int]]
    ]  # for each number of leaves and leaf to flip, the old slot of the card in each new slot
    move_order: list[
        list[list[list[int]]]
    ]  # for each number of leaves, leaf to move and new position, the old slot of the card in each new slot
    slots_most: int
    interview_cards: int
    track_start: dict[int, int]  # the first space of the time track, by number of players
    track_leaf: list[bool]
    track_end: int
    white_in_bag: int
    black_in_bag: int
    black_in_supply: int
    black_target: int
    white_removed: int
    tokens_stenographer: int
    tokens_other: int
    tokens_last: int
    weak_alive: int
    weak_dead: int
    strong_alive: int
    strong_dead: int
    follow_holding: int
    follow_card: int
    levels: list[int]
    points_beyond: int
    theme_bonus: int
    inclusio_run: int
    emphasis_set: int
    chronology_min: int

    def __init__(self, file: ComponentsFile) -> None:
        self._read_places(file)
        self._read_people(file)
        self._read_traditions(file)
        self._read_figures(file)

    def _read_places(self, file: ComponentsFile) -> None:
        rows = file.rows("place")
        ordered = [row for row in rows if row.text("kind") == "city"]
        self.cities = len(ordered)
        ordered += [row for row in rows if row.text("kind") != "city"]
        self.place_ids = [row.text("id") for row in ordered]
        self.place_names = [row.name() for row in ordered]
        for row in ordered:
            check(row.text("kind") in ("city", "waypoint"), "AE-C11", row.path, "is neither a city nor a waypoint")
            check(self.place_ids.count(row.text("id")) == 1, "AE-C11", row.path, "occurs twice")
        self.lines = [[] for _ in ordered]
        for row in file.rows("edge", "a"):
            a = row.index("a", self.place_ids)
            b = row.index("b", self.place_ids)
            ends = (row.text("a"), row.text("b"))
            single = a != b and b not in self.lines[a]
            check(single, "AE-C11", row.path, "is listed twice or leads nowhere: {0} to {1}", ends[0], ends[1])
            self.lines[a].append(b)
            self.lines[b].append(a)
        for neighbours in self.lines:
            neighbours.sort()
        self.distance = [self._compute_distances(place) for place in range(len(ordered))]
        reach = file.row("reach")
        self.reach_weak = reach.integer("travel_weak")
        self.reach_follow = reach.integer("travel_follow")
        self.reach_boat = reach.integer("boat")
        places = len(ordered)
        self.travel_weak = [self._list_places_within(place, self.reach_weak, places) for place in range(places)]
        self.travel_follow = [self._list_places_within(place, self.reach_follow, places) for place in range(places)]
        self.sail_targets = [
            self._list_places_within(city, self.reach_boat, self.cities) for city in range(self.cities)
        ]
        self.boats_start = 0
        for city in file.row("game").indexes("boats_start", self.place_ids):
            path = f"place.{self.place_ids[city]}"
            check(city < self.cities, "AE-C14", path, "has a boat at the start but is not a city")
            self.boats_start |= 1 << city

    def _compute_distances(self, start: int) -> list[int]:
        far = len(self.lines)
        distances = [far] * len(self.lines)
        distances[start] = 0
        queue = [start]
        for place in queue:
            for neighbour in self.lines[place]:
                if distances[neighbour] == far:
                    distances[neighbour] = distances[place] + 1
                    queue.append(neighbour)
        return distances

    def _list_places_within(self, start: int, reach: int, among: int) -> list[int]:
        """Return the places before `among` that are at most `reach` away from `start`, without `start`."""
        return [place for place in range(among) if 1 <= self.distance[start][place] <= reach]

    def _read_people(self, file: ComponentsFile) -> None:
        witnesses = file.rows("witness")
        self.witness_ids = [row.text("id") for row in witnesses]
        self.witness_names = [row.name() for row in witnesses]
        self.witness_marks = [row.text("mark") for row in witnesses]
        self.witness_cards = [row.integer("cards") for row in witnesses]
        themes = file.rows("theme")
        self.theme_ids = [row.text("id") for row in themes]
        self.theme_names = [row.name() for row in themes]
        self.theme_marks = [row.text("mark") for row in themes]
        self.theme_colours = [row.name("colour") for row in themes]
        motifs = file.rows("motif")
        self.motif_ids = [row.text("id") for row in motifs]
        self.motif_names = [row.name() for row in motifs]
        self.motif_cards = [row.integer("cards") for row in motifs]

    def _read_traditions(self, file: ComponentsFile) -> None:
        colours = [row.text("colour") for row in file.rows("theme")]
        self.numbers = []
        self.titles = []
        self.references = []
        self.motifs = []
        self.circles = []
        self.themes = []
        self.back = []
        self.motif_tally = []
        for row in file.rows("tradition", "num"):
            motifs = row.indexes("motifs", self.motif_ids)
            lead = row.index("theme_lead", self.theme_ids)
            themes = [lead]
            if row.text("theme_second"):  # AE-R3: some cards match their leading theme alone.
                themes.append(row.index("theme_second", self.theme_ids))
            check(themes[0] != themes[-1] or len(themes) == 1, "AE-C6", row.path, "has one theme twice")
            check(row.text("back") == colours[lead], "AE-C6", row.path, "does not have the colour of its first theme")
            self.numbers.append(row.integer("num"))
            self.titles.append(row.name("title"))
            self.references.append(row.name("ref"))
            self.motifs.append(make_mask(motifs))
            self.circles.append(make_mask(row.indexes("witnesses", self.witness_ids)))
            self.themes.append(make_mask(themes))
            self.back.append(lead)
            self.motif_tally.append(sum([1 << (6 * motif) for motif in motifs]))
        cards = range(len(self.back))
        self.cards_by_back = [[card for card in cards if self.back[card] == theme] for theme in range(len(colours))]

    def _read_figures(self, file: ComponentsFile) -> None:
        game = file.row("game")
        self.octagons = game.integer("octagons_per_turn")
        self.cost_weak = game.integer("cost_weak")
        self.cost_strong = game.integer("cost_strong")
        self.box_size = game.integer("cards_per_city_box")
        self.slots_per_leaf = game.integer("slots_per_leaf")
        self.leaves_start = game.integer("leaves_start")
        self.rearrange_most = game.integer("rearrange_steps_most")
        self.interview_cards = game.integer("interview_cards_per_witness")
        self._read_track(file.row("time_track"), game.row("rounds"))
        cubes = file.row("status_cubes")
        self.white_in_bag = cubes.integer("white_in_bag")
        self.black_in_bag = cubes.integer("black_in_bag")
        self.black_in_supply = cubes.integer("black_in_supply")
        self.black_target = cubes.integer("black_target_in_bag")
        self.white_removed = cubes.integer("white_removed_per_round")
        tokens = file.row("follow_tokens")
        self.tokens_stenographer = tokens.integer("stenographer")
        self.tokens_other = tokens.integer("each_other_player")
        self.tokens_last = tokens.integer("extra_for_player_right_of_stenographer")
        self.follow_weak = tokens.integer("cost_of_following_weak")
        self.follow_strong = tokens.integer("cost_of_following_strong")
        tally = file.row("tally")
        self.weak_alive = tally.integer("weak_alive_per_card")
        self.weak_dead = tally.integer("weak_dead_per_card")
        self.strong_alive = tally.integer("strong_alive_per_card")
        self.strong_dead = tally.integer("strong_dead_per_card")
        self.follow_holding = tally.integer("follow_if_holding_card")
        self.follow_card = tally.integer("follow_per_card")
        scoring = file.row("scoring")
        self.levels = scoring.integers("levels_by_distance_behind_leader")
        self.points_beyond = scoring.integer("beyond")
        self.theme_bonus = scoring.integer("theme_bonus")
        self.inclusio_run = scoring.integer("inclusio_min_run")
        self.emphasis_set = scoring.integer("emphasis_set")
        self.chronology_min = scoring.integer("chronology_min")

    def _read_track(self, track: ComponentsTable, rounds: ComponentsTable) -> None:
        """AE-2.1  Read the time track. For more rounds than it has, further spaces come before the printed ones."""
        spaces = track.rows("space", "pos")
        for position, row in enumerate(spaces):
            check(row.integer("pos") == position, "AE-C18", row.path, "must be at position {0} of the list", position)
        rounds_by_seats = {seats: rounds.integer(str(seats)) for seats in (2, 3, 4, 5)}
        further = max(rounds_by_seats.values()) + 1 - len(spaces)
        self.track_leaf = [False] * further + [row.flag("leaf") for row in spaces]
        self.track_end = len(self.track_leaf) - 1
        self.track_start = {seats: self.track_end - rounds_by_seats[seats] for seats in (2, 3, 4, 5)}
        most = 0
        for seats in (2, 3, 4, 5):
            most = max(most, sum([1 for leaf in self.track_leaf[self.track_start[seats] + 1 :] if leaf]))
        self.leaves_most = self.leaves_start + most
        self.slots_most = self.leaves_most * self.slots_per_leaf
        rows = range(self.leaves_most + 1)
        self.flip_order = [[self._flip_leaf(leaves, leaf) for leaf in range(leaves)] for leaves in rows]
        self.move_order = [
            [[self._move_leaf(leaves, leaf, position) for position in range(leaves)] for leaf in range(leaves)]
            for leaves in rows
        ]

    def _flip_leaf(self, leaves: int, leaf: int) -> list[int]:
        size = self.slots_per_leaf
        slots = list(range(leaves * size))
        slots[leaf * size : (leaf + 1) * size] = range((leaf + 1) * size - 1, leaf * size - 1, -1)
        return slots

    def _move_leaf(self, leaves: int, leaf: int, position: int) -> list[int]:
        size = self.slots_per_leaf
        row = [other for other in range(leaves) if other != leaf]
        row.insert(position, leaf)
        return [other * size + i for other in row for i in range(size)]

    def find_nearest_free(self, city: int, boats: int) -> list[int]:
        """AE-5.3  Return the cities without a boat that are nearest to a city."""
        row = self.distance[city]
        best = len(row)
        nearest: list[int] = []
        for other in range(self.cities):
            if not (boats >> other) & 1:
                if row[other] < best:
                    best = row[other]
                    nearest = [other]
                elif row[other] == best:
                    nearest.append(other)
        return nearest


def make_mask(members: list[int]) -> int:
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask
