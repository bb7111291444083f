"""Data for the templates, computed from a view alone.

`board_layout` has the map, `gospels` the gospels and tracks, `device_reasons` the reasons for levels, and `preview` the
effects of options. This module collects them under the names that the templates use.
"""

from functools import lru_cache, partial
from typing import Final, NamedTuple

from triclinium.boardkit.cards import find_cards_of
from triclinium.boardkit.parts import Space, TokenStack, Track
from triclinium.engine.component_kinds import Sign
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Message, Name
from triclinium.games.evangelists.rules.components import TRACKS, Components
from triclinium.games.evangelists.ui import board_layout
from triclinium.games.evangelists.ui.board_layout import CityPlaque
from triclinium.games.evangelists.ui.card_faces import CARD_RULES, TraditionFace, list_tradition_faces
from triclinium.games.evangelists.ui.gospels import DeviceTrack, Gospel
from triclinium.games.evangelists.ui.preview import compute_option_effect
from triclinium.games.evangelists.ui.print_list import print_list
from triclinium.games.evangelists.ui.seat_panels import build_panel, list_possessions
from triclinium.games.evangelists.ui.view import EvangelistsView

__all__ = ["draw", "print_list"]

ROMAN: Final = ("", *"I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split())  # noqa: SIM905


class InterviewPay(NamedTuple):
    """The payments for an Interview: the number of matching cards, and the marks for each outcome (AE-7.5, AE-7.6)."""

    circles: int
    weak_alive: int
    strong_alive: int
    weak_dead: int
    strong_dead: int


class TimeTrack:
    """The time track and bag of status cubes."""

    def __init__(self, c: Components, view: EvangelistsView) -> None:
        marker = view.marker
        now = -1 if view.over else marker + 1
        spaces = range(c.track_start[view.seats] + 1, c.track_end + 1)
        self.round = view.round
        self.rounds = view.rounds
        self.roman = ROMAN[self.round]
        # AE-R2: all players get a leaf at the end of a round with its sign.
        self.track = Track(
            Message("Time track"),
            [
                Space(
                    "",
                    str(nth),
                    at=at == now,
                    signs=(Sign("leaf"),) if c.track_leaf[at] else (),
                    style="tm past" if at <= marker else "tm",
                )
                for nth, at in enumerate(spaces, start=1)
            ],
            style="rounds",
        )
        # AE-10.1: this round ends with a new leaf.
        self.leaf_comes = marker + 1 < len(c.track_leaf) and c.track_leaf[marker + 1]
        self.white = view.bag.white
        self.black = view.bag.black
        self.supply = view.bag.supply
        inside = self.white + self.black
        # the probability in percent that a witness is alive
        self.chance = round(100 * self.white / inside) if inside else None
        self.cubes = [
            TokenStack("", self.white, style="cubelets alive"),
            TokenStack("", self.black, style="cubelets dead"),
        ]
        self.key = (self.round, marker, now, len(self.track.spaces), self.white, self.black, self.supply)


def draw(c: Components, view: EvangelistsView) -> dict[str, object]:
    """Return the template variables for the board, the seats, the viewer's area and the options."""
    gospels = [Gospel(c, seat, player, view.emphasis_once) for seat, player in enumerate(view.players)]
    cities = [CityPlaque(c, city) for city in view.cities]
    viewer = view.viewer
    shown_gospel = gospels[view.turn if viewer is None else viewer]  # Spectators see the gospel of the active seat.
    pawn = None if viewer is None else view.players[viewer].pawn
    here = None if pawn is None else c.place_ids[pawn]
    moored = [c.place_ids[city] for city in view.boats]
    known = list_visible_faces(c, view, gospels, cities)
    doing = {option: compute_option_effect(c, view, shown_gospel, cities, option) for option in view.options or ()}
    if pawn is not None and pawn < c.cities:
        rivals = [(rival, rival.follow_gain(c, cities[pawn].witness)) for rival in gospels if rival.seat != viewer]
        for option, price in (("interview", 0), ("weak", c.follow_weak), ("strong", c.follow_strong)):
            if option in doing:  # AE-R12: only opponents who would gain something and can pay are asked.
                doing[option].follows = [(rival.seat, gain) for rival, gain in rivals if gain and rival.tokens >= price]
    if "tradition" in doing and pawn is not None:
        doing["tradition"].backs = [tile.back for tile in cities[pawn].box if not tile.is_empty]
    return {
        **printed_data(c),
        # The map
        "cities": cities,
        "pawns": board_layout.place_pawns(c, view.players, moored),
        "boats": board_layout.place_boats(moored),
        "cubes": board_layout.place_cubes(cities),
        "here": here,  # the place of the viewer's pawn
        "far": board_layout.measure_distances(c, pawn),
        "near": "" if view.over else board_layout.choose_phone_window(here),
        "time": TimeTrack(c, view),
        # The witnesses
        "where": {plaque.witness: plaque for plaque in cities},
        "homes": tuple(plaque.witness for plaque in cities),
        "met": tuple(gospel.interviews for gospel in gospels),
        "pays": list_pay_by_witness(c, shown_gospel),
        "circles": {name: tuple(gospel.circles[name] for gospel in gospels) for name in c.witness_ids},
        # The gospels
        "gospels": gospels,
        "seat_panels": [build_panel(c, view, gospel) for gospel in gospels],
        "possessions": list_possessions(c, shown_gospel),
        "mine": shown_gospel,
        "octagons": TokenStack(
            Message("{0} {0:octagon|octagons} left", view.octagons), view.octagons, c.octagons, "oct", "octs"
        ),
        "own": viewer is not None,
        "tracks": [DeviceTrack(c, track, [gospel.levels[track] for gospel in gospels]) for track in range(TRACKS)],
        "holders": list_seats_by_card(c, gospels),
        "known": known,
        "shown": {face.drawn.id for face in known},
        "mentioned": find_cards_of("card", lambda card: list_tradition_faces(c)[card].drawn),
        "doing": doing,
    }


@lru_cache(FILE_CACHE_SIZE)
def printed_data(c: Components) -> dict[str, object]:
    """Return the data that are printed and never change."""
    return {
        "spots": board_layout.list_map_places(c),
        "waypoint_names": partial(board_layout.place_waypoint_names, c),
        "lines": board_layout.list_map_lines(c),
        "leaders": [(board_layout.POSITIONS[place], spot) for place, spot in board_layout.TRUE_POSITIONS.items()],
        "reach": board_layout.list_travel_facts(c),
        "faces": list_tradition_faces(c),
        "card_rules": CARD_RULES,
        "names": map_names_by_id(c.place_ids, c.place_names),
        "witnesses": map_names_by_id(c.witness_ids, c.witness_names),
        "themes": map_names_by_id(c.theme_ids, c.theme_names),
        "motifs": map_names_by_id(c.motif_ids, c.motif_names),
    }


def map_names_by_id(ids: list[str], names: list[Name]) -> dict[str, Name]:
    return dict(zip(ids, names, strict=True))


def list_pay_by_witness(c: Components, gospel: Gospel) -> dict[str, InterviewPay]:
    """Return what an Interview of each witness would pay this gospel now."""
    pay: dict[str, InterviewPay] = {}
    for witness in c.witness_ids:
        n = gospel.circles[witness]
        pay[witness] = InterviewPay(n, n * c.weak_alive, n * c.strong_alive, n * c.weak_dead, n * c.strong_dead)
    return pay


def list_seats_by_card(c: Components, gospels: list[Gospel]) -> tuple[tuple[int, ...], ...]:
    """Return for each tradition the seats that have it.

    At most one seat has the primary card and one a copy (AE-R17).
    """
    return tuple(tuple(gospel.seat for gospel in gospels if card in gospel.slots) for card in range(len(c.numbers)))


def list_visible_faces(
    c: Components, view: EvangelistsView, gospels: list[Gospel], cities: list[CityPlaque]
) -> list[TraditionFace]:
    """Return the faces that this viewer sees on the table, each once. The page can enlarge all of them."""
    faces_by_number = {slot.face.number: slot.face for gospel in gospels for slot in gospel.cells if slot.face}
    faces_by_number |= {tile.face.number: tile.face for city in cities for tile in city.box if tile.face}
    faces_by_number |= {c.numbers[card]: list_tradition_faces(c)[card] for card in view.kept}
    return [faces_by_number[number] for number in sorted(faces_by_number)]
