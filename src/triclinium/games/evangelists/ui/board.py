"""What the templates draw, computed from a view alone.

The parts have modules of their own: the map in `chart`, gospels and tracks in `gospels`, why a device counts in
`reasons`, what an option would do in `preview`. Here they are put together under the names that the templates use.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from triclinium.engine.core.components import FILES_KEPT
from triclinium.engine.core.text import Name
from triclinium.games.evangelists.rules.components import TRACKS, Components
from triclinium.games.evangelists.ui import board_layout
from triclinium.games.evangelists.ui.board_layout import Face, Plaque
from triclinium.games.evangelists.ui.gospels import Gospel, Track
from triclinium.games.evangelists.ui.preview import what_it_does
from triclinium.games.evangelists.ui.view import EvangelistsView

ROMAN: Final = ("", "I", "II", "III", "IV", "V", "VI", "VII")


class Pay(NamedTuple):
    """What a witness would pay: how many cards show it, and the marks for each answer (AE-7.5, AE-7.6)."""

    circles: int
    weak_alive: int
    strong_alive: int
    weak_dead: int
    strong_dead: int


class Round(NamedTuple):
    """A space of the time track (AE-R2)."""

    nth: int
    state: str  # past, now, or nothing
    leaf: bool  # its end brings everybody a leaf


class Time:
    """The time track and the bag."""

    def __init__(self, c: Components, view: EvangelistsView) -> None:
        marker = view.marker
        now = -1 if view.over else marker + 1
        spaces = range(c.track_start[view.seats] + 1, c.track_end + 1)
        self.round = view.round
        self.rounds = view.rounds
        self.roman = ROMAN[min(7, self.round)]
        self.track = tuple(
            Round(nth, "past" if at <= marker else "now" if at == now else "", c.track_leaf[at])
            for nth, at in enumerate(spaces, start=1)
        )
        self.leaf_comes = marker + 1 < len(c.track_leaf) and c.track_leaf[marker + 1]  # AE-10.1
        self.white = view.bag.white
        self.black = view.bag.black
        self.supply = view.bag.supply
        inside = self.white + self.black
        self.chance = round(100 * self.white / inside) if inside else None  # in percent, that a witness is alive
        self.key = (self.round, self.track, self.white, self.black, self.supply)


def draw(c: Components, view: EvangelistsView) -> dict[str, object]:
    """Everything that the board, the seats, the own strip and the options show."""
    gospels = [Gospel(c, seat, player, view.emphasis_once) for seat, player in enumerate(view.players)]
    cities = [Plaque(c, city) for city in view.cities]
    viewer = view.viewer
    shown = gospels[view.turn if viewer is None else viewer]  # a spectator looks at the gospel of the seat that plays
    pawn = None if viewer is None else view.players[viewer].pawn
    here = None if pawn is None else c.place_ids[pawn]
    moored = [c.place_ids[city] for city in view.boats]
    doing = {option: what_it_does(c, view, shown, cities, option) for option in view.options or ()}
    if pawn is not None and pawn < c.cities:
        rivals = [(one, one.following(c, cities[pawn].witness)) for one in gospels if one.seat != viewer]
        for option, price in (("interview", 0), ("weak", c.follow_weak), ("strong", c.follow_strong)):
            if option in doing:  # AE-R12: asked are those who gain and can pay
                doing[option].follows = [(one.seat, gain) for one, gain in rivals if gain and one.tokens >= price]
    if "tradition" in doing and pawn is not None:
        doing["tradition"].backs = [tile.back for tile in cities[pawn].box if not tile.gone]
    return {
        **constants(c),
        # the map
        "cities": cities,
        "pawns": board_layout.pawns(c, view.players, moored),
        "boats": board_layout.boats(moored),
        "cubes": board_layout.cubes(cities),
        "here": here,  # where the viewer's pawn stands
        "far": board_layout.distances(c, pawn),
        "near": "" if view.over else board_layout.near(here),
        "time": Time(c, view),
        # the witnesses
        "where": {plaque.witness: plaque for plaque in cities},
        "homes": tuple(plaque.witness for plaque in cities),
        "met": tuple(gospel.interviews for gospel in gospels),
        "pays": pays(c, shown),
        "circles": {name: tuple(gospel.circles[name] for gospel in gospels) for name in c.witness_ids},
        # the gospels
        "gospels": gospels,
        "mine": shown,
        "own": viewer is not None,
        "tracks": [Track(c, track, [gospel.levels[track] for gospel in gospels]) for track in range(TRACKS)],
        "holders": holders(c, gospels),
        "known": known(c, view, gospels, cities),
        "doing": doing,
    }


@lru_cache(FILES_KEPT)
def constants(c: Components) -> dict[str, object]:
    """What is printed and never changes."""
    return {
        "spots": board_layout.spots(c),
        "lines": board_layout.lines(c),
        "leaders": [(board_layout.AT[place][:2], spot) for place, spot in board_layout.TRUE.items()],
        "reach": board_layout.reaches(c),
        "faces": board_layout.faces(c),
        "names": named(c.place_ids, c.place_names),
        "witnesses": named(c.witness_ids, c.witness_names),
        "themes": named(c.theme_ids, c.theme_names),
        "motifs": named(c.motif_ids, c.motif_names),
    }


gallery = constants  # what the box shows


def named(ids: list[str], names: list[Name]) -> dict[str, Name]:
    return dict(zip(ids, names, strict=True))


def pays(c: Components, gospel: Gospel) -> dict[str, Pay]:
    """What each witness would pay this gospel now."""
    found: dict[str, Pay] = {}
    for witness in c.witness_ids:
        n = gospel.circles[witness]
        found[witness] = Pay(n, n * c.weak_alive, n * c.strong_alive, n * c.weak_dead, n * c.strong_dead)
    return found


def holders(c: Components, gospels: list[Gospel]) -> tuple[tuple[int, ...], ...]:
    """For each tradition the seats that have it: one has the primary card, perhaps another its copy (AE-R17)."""
    return tuple(tuple(gospel.seat for gospel in gospels if card in gospel.slots) for card in range(len(c.numbers)))


def known(c: Components, view: EvangelistsView, gospels: list[Gospel], cities: list[Plaque]) -> list[Face]:
    """The faces that this viewer sees somewhere, each once: those that can be shown large."""
    found = {slot.face.number: slot.face for gospel in gospels for slot in gospel.cells if slot.face}
    found |= {tile.face.number: tile.face for city in cities for tile in city.box if tile.face}
    found |= {c.numbers[card]: board_layout.faces(c)[card] for card in view.kept}
    return [found[number] for number in sorted(found)]
