"""Map for one viewer: spaces, paths, pieces, positions of options, and costs of the next coup."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape

from triclinium.engine.component_kinds import CardFace
from triclinium.engine.core.text import Message, msgid
from triclinium.engine.match import split_options
from triclinium.games.missionnaires.rules.components import CONGREGATION, GREEN, KINDS, Components
from triclinium.games.missionnaires.ui.board_layout import (
    HEIGHT,
    WIDTH,
    MapMarkup,
    MapSpace,
    compute_road_distances,
    draw_shortest_paths,
    list_spaces_by_number,
    map_spaces_by_id,
)
from triclinium.games.missionnaires.ui.card_faces import build_card_faces
from triclinium.games.missionnaires.ui.coup_costs import CoupCosts, Fare
from triclinium.games.missionnaires.ui.map_names import draw_space_name, find_briefcase_offset, place_needed_names
from triclinium.games.missionnaires.ui.translations import get_reader
from triclinium.games.missionnaires.ui.view import MissionnairesView, Player

PORT_SIGN = '<g class="k"><use class="port" href="#lm-anchor" transform="translate(6 5.4) scale(.8)"/></g>'
WINDOW_MARGIN = 24.0  # margin around the contents of a map window
NO_VOUCHER = "done"  # option that declines to play a voucher before a step
SHARED_SPACE_OFFSETS = (
    (0.0, 0.0),
    (-20.0, 0.0),
    (-10.0, 18.0),
    (10.0, 18.0),
    (-30.0, 18.0),
    (0.0, -19.0),
)  # offsets of pieces that share a space


class MapPiece:
    """A pawn on the map.

    The `badge` is a gendarme's number, an overseer's letter, or the letter of a proclaimer's company.
    """

    def __init__(
        self, kind: str, id: str, space: MapSpace, index_on_space: int, seat: int = -1, badge: str = ""
    ) -> None:
        self.kind = kind
        self.id = id
        self.space = space
        self.x = round(space.x + SHARED_SPACE_OFFSETS[index_on_space][0], 1)
        self.y = round(space.y + SHARED_SPACE_OFFSETS[index_on_space][1], 1)
        self.seat = seat
        self.badge = badge
        self.key = (id, space.id, index_on_space, badge)  # cache key of the drawing


class OptionSpot:
    """The position of an option on the map: centre, radius, and the space to describe."""

    def __init__(
        self, at: MapSpace | MapPiece, radius: float = 11.0, space_number: int | None = None, shape: str = "round"
    ) -> None:
        self.x = at.x
        self.y = at.y
        self.radius = radius
        self.space_number = space_number
        self.shape = shape

    def shift_aside(self) -> "OptionSpot":
        """Move the spot to the corner of its space and shrink it, because another option occupies the space itself."""
        self.x, self.y, self.radius = self.x + 13.5, self.y - 10.5, 8.5
        return self


@dataclass(slots=True)
class OptionFace:
    """The appearance of an option apart from its words: a symbol, and the consequences of a step."""

    sign: str
    card: CardFace | None = None
    mine: bool = False
    green: bool = False
    card_on_pass: bool = False  # True if a green town gives its card also to a pawn that only passes through (LM-R4)
    guarded: bool = False
    joining_overseer: str = ""  # letter of an overseer who would join there
    staying_overseer: str = ""  # letter of the overseer who would stay behind (LM-4.3)
    fare: Fare | None = None
    second_steps: list[tuple[MapSpace, Fare]] = field(default_factory=list)


class MapDrawing:
    """The map as the viewer sees it now."""

    def __init__(self, c: Components, view: MissionnairesView) -> None:
        me = None if view.viewer is None else view.players[view.viewer]
        self.c = c
        self.colours = [player.colour for player in view.players]
        self.seat = -1 if me is None else me.seat
        self.here = -1 if me is None or me.at is None else me.at
        self.distances = view.distances or []  # empty for a seat without a pawn on the board
        self.own_tour = [] if me is None else list_known_congregations(me)
        self.own_congregations = set(self.own_tour)
        self.visited = [] if me is None else me.visited
        # True if the viewer is about to make a coup
        self.options = view.options or []
        self.begins_coup = view.asked == "Main" and view.options is not None
        # A bonus move may stay in its space, which does not count as an arrival (LM-4).
        self.is_bonus_move = view.asked == "Advance"
        self.gendarme_spaces = set(view.gendarmes)
        rivals = {other.at for other in view.players if other is not me}
        self.barred_spaces = set() if view.share_spaces else rivals - {c.bethel, None}
        self.cannot_pay_speed = me is not None and me.company is None and me.periodicals < c.speed_fee
        # True if a green town gives another card this turn (LM-8.8)
        self.takes_card = view.territories_this_turn < c.territories_a_turn
        self.card_on_pass = view.card_on_pass
        is_accompanied = me is not None and me.company is not None and not me.newly_joined and view.stays_behind
        self.staying_overseer = get_overseer_letter(c, me.company) if me is not None and is_accompanied else ""
        alone = me is not None and me.company is None
        overseer_spaces = [
            (overseer.at, x) for x, overseer in enumerate(view.overseers) if alone and overseer.at is not None
        ]
        self.lone_overseers = {at: get_overseer_letter(c, x) for at, x in overseer_spaces if at != c.bethel}
        self.pieces = place_pieces(c, view)
        self._pieces_by_id = {piece.id: piece for piece in self.pieces}
        self.fares: dict[int, Fare] = {}
        self.second_steps: dict[
            int, list[tuple[MapSpace, Fare]]
        ] = {}  # own congregations that a second step reaches, by first step
        if me is not None and me.at is not None:
            self._set_fares(CoupCosts(c, view, me))

    def _set_fares(self, costs: CoupCosts) -> None:
        sheet = list_spaces_by_number(self.c)
        self.fares = costs.ends
        for first, ends in costs.second_steps.items():
            own = [(sheet[end], fare) for end, fare in ends.items() if end in self.own_congregations]
            if own:
                self.second_steps[first] = own

    def describe_space(self, number: int, language: str) -> str:
        """Return the tooltip of a space: what is printed, the distance, and the cost of the next coup."""
        parts = [list_spaces_by_number(self.c)[number].text_in(language).description]
        if self.distances:
            land = compute_road_distances(self.c, self.here).get(number, 0) if number in self.own_congregations else 0
            parts.append(format_distance(self.distances[number], land, language))
            fare = self.fares.get(number)
            if fare is not None:
                parts.append(get_reader(language).read(Message("next coup: {0}", fare.describe(language))))
            elif number != self.here:
                parts.append(translate_sentence(language, *self._explain_unreachable(number)))
        return " · ".join(parts)

    def _explain_unreachable(self, number: int) -> tuple[str, int]:
        """Return a sentence with the rule that keeps the next coup from ending on a space, and its number."""
        distance, most = self.distances[number], self.c.move_paid
        if distance > most:
            return msgid("no coup goes farther than {0} spaces (LM-3.4)"), most
        if number in self.barred_spaces:
            return msgid("another proclaimer is there (LM-3.9)"), 0
        if number in self.gendarme_spaces:
            return msgid("the gendarme there cannot be pushed, or you cannot pay for it (LM-6.2)"), 0
        if distance > 1 and self.cannot_pay_speed:
            return msgid("you cannot pay for a second space (LM-3.3)"), 0
        return msgid("the way there is blocked, or you cannot pay for it (LM-5.2, LM-6.2)"), 0

    def place_briefcase(self, piece: MapPiece, language: str) -> tuple[float, float]:
        """Return the offset of an overseer's briefcase from the pawn that he accompanies."""
        return find_briefcase_offset(self.c, language, piece.x, piece.y)

    def draw_places(self, language: str) -> MapMarkup:
        """Return the SVG of all spaces with symbols and names, by kind, the viewer's own tour last and on top.

        The SVG is built here instead of in a template, because there are 143 spaces. Only spaces with something to do
        are in the tab order; the others have tooltips.
        """
        needed = place_needed_names(self.c, language, tuple(self.list_needed_names()))
        yours, done = (get_reader(language).translate(text) for text in (msgid("yours to visit"), msgid("visited")))
        layers: dict[str, list[str]] = {kind: [] for kind in KINDS}
        own: list[str] = []
        for space in list_spaces_by_number(self.c):
            tip = escape(self.describe_space(space.number, language))
            sign = f'<use class="k" href="#lm-{space.kind}"/>'
            if self.c.port[space.number]:
                sign += PORT_SIGN
            leader, name = draw_space_name(self.c, space.number, language)
            if space.number in needed:
                further_leader, further_name = needed[space.number].draw()
                leader, name = leader + further_leader, name + further_name
            stop = ' tabindex="0"'
            if space.number in self.own_congregations:
                tip += f" · {yours}"
                own.append(
                    f'<g class="lm-place {space.kind} mine s{self.seat}" {space.transform}{stop} '
                    f'data-shown="{space.id}"'
                    f' data-shows="{space.id}" {build_tooltip_attributes(tip)}>{leader}'
                    f'<circle class="k pulse" r="9.5"/>{sign}{name}</g>'
                )
                continue
            ticked = space.number in self.visited
            if ticked:
                tip += f" · {done}"
                stop += f' data-shown="{space.id}"'
                sign += '<g class="k"><use href="#lm-tick" transform="translate(6 -5)"/></g>'
            elif not self.distances or self.distances[space.number] != 1:
                stop = ""
            shows = f' data-shows="{space.id}"' if self.distances else ""
            layers[space.kind].append(
                f'<g class="lm-place" {space.transform}{stop}{shows} {build_tooltip_attributes(tip)}>{leader}{sign}'
                f"{name}</g>"
            )
        return MapMarkup(
            "".join(draw_layer(kind, drawn) for kind, drawn in [*layers.items(), (KINDS[CONGREGATION], own)])
        )

    def list_needed_names(self) -> list[int]:
        """Return the spaces whose names a small map shows: the viewer's, those of the options, then the tour."""
        spots = [self.find_spot(option) for option in self.options]
        offered = [spot.space_number for spot in spots if spot is not None and spot.space_number is not None]
        named = [self.here] if self.here >= 0 else []
        return list(dict.fromkeys([*named, *offered, *self.own_tour, self.c.bethel]))

    def draw_paths(self) -> MapMarkup:
        """Return the shortest paths to all spaces; a row of the tour or the space itself highlights its sections."""
        if self.here < 0:
            return MapMarkup("")
        return draw_shortest_paths(self.c, self.here)

    def find_spot(self, option: str) -> OptionSpot | None:
        """Return the spot of an option, or None if it has no place on the map.

        The last part of a combined option decides.
        """
        verb, *rest = find_last_effective_option(option).split()
        target = rest[-1] if rest else ""
        all_spaces = map_spaces_by_id(self.c)
        own = self._pieces_by_id.get(f"pawn-{self.seat}")
        if verb in ("go", "to", "show", "leap") and target in all_spaces:
            number = all_spaces[target].number
            spot = OptionSpot(all_spaces[target], space_number=number)
            neighbour = verb == "leap" and number in self.c.near[self.here]
            return spot.shift_aside() if neighbour else spot
        if verb == "move":
            return self._find_rival_spot(target)
        if verb == "guard":
            return OptionSpot(self._pieces_by_id[f"gendarme-{target}"], 12.0)
        if verb == "swap":
            return OptionSpot(list_spaces_by_number(self.c)[self.own_tour[int(target) - 1]])
        if verb == "join" and f"overseer-{target}" in self._pieces_by_id:
            return OptionSpot(self._pieces_by_id[f"overseer-{target}"])
        if verb == "stop" and own is not None:
            return OptionSpot(own, 13.0, shape="round here")
        return None

    def _find_rival_spot(self, colour: str) -> OptionSpot | None:
        """Return the spot of the pawn with this colour."""
        seats = [seat for seat, own in enumerate(self.colours) if self.c.colours[own] == colour]
        pawn = self._pieces_by_id.get(f"pawn-{seats[0]}") if seats else None
        return None if pawn is None else OptionSpot(pawn, 13.0)

    def build_face(self, option: str) -> OptionFace | None:
        """Return the appearance of an option, or of the last part of a combined one; None for plain text."""
        verb, *rest = find_last_effective_option(option).split()
        target = rest[-1] if rest else ""
        if verb in ("play", "use", "burn"):
            card = build_card_faces(self.c)[self.c.card_ids.index(target)]
            return OptionFace(card.corner_sign, card)
        if verb == "stop" and self.here >= 0:
            return self._build_stop_face(list_spaces_by_number(self.c)[self.here])
        space = map_spaces_by_id(self.c).get(target)
        if verb not in ("go", "leap", "to") or space is None:
            return None
        face = OptionFace(space.kind)
        if verb != "to":
            face.mine = space.number in self.own_congregations
            face.green = self.c.kind[space.number] == GREEN and self.takes_card
            face.card_on_pass = self.card_on_pass
            face.guarded = space.number in self.gendarme_spaces
            face.joining_overseer = self.lone_overseers.get(space.number, "")
            face.staying_overseer = self.staying_overseer if face.mine else ""
        if verb == "go" and (self.begins_coup or option.startswith(NO_VOUCHER)):
            fare = self.fares.get(space.number)
            face.fare = fare if fare is not None and not fare.two_steps else None
            face.second_steps = self.second_steps.get(space.number, [])
        return face

    def _build_stop_face(self, here: MapSpace) -> OptionFace:
        """Return the appearance of stopping: a visit, a territory card, an overseer who stays behind."""
        if self.is_bonus_move:
            return OptionFace(here.kind)
        mine = here.number in self.own_congregations
        green = self.c.kind[here.number] == GREEN and self.takes_card and not self.card_on_pass
        return OptionFace(here.kind, mine=mine, green=green, staying_overseer=self.staying_overseer if mine else "")


def find_last_effective_option(option: str) -> str:
    """Return the last part of a combined option that has an effect; declining a voucher has none."""
    return next((part for part in reversed(split_options(option)) if part != NO_VOUCHER), NO_VOUCHER)


@lru_cache(100)
def translate_sentence(language: str, text: str, number: int) -> str:
    """Return a translated sentence; cached, because most spaces share it."""
    return get_reader(language).read(Message(text, number))


@lru_cache(1_000)
def format_distance(distance: int, road_distance: int, language: str) -> str:
    """Return the distance of a space; ``road_distance`` is added if it is longer."""
    if road_distance > distance:
        return get_reader(language).read(
            Message("{0} {0:space|spaces} away ({1} by road alone)", distance, road_distance)
        )
    return get_reader(language).read(Message("{0} {0:space|spaces} away", distance))


def build_tooltip_attributes(tip: str) -> str:
    """Return the HTML attributes of a place: its tooltip, which is also its name for screen readers."""
    return f'role="img" aria-label="{tip}" data-tip="{tip}"'


def draw_layer(kind: str, drawn: list[str]) -> str:
    """Return the group of spaces of one kind, which share the same enlarged description."""
    return f'<g class="{kind}" data-enlarge="lm-about-{kind}">{"".join(drawn)}</g>'


class MapWindow:
    """A part of the map around a space and the spots of the current options; it grows until it contains all of them."""

    def __init__(self, centre: MapSpace, spots: Sequence[OptionSpot], width: float, height: float) -> None:
        xs = [centre.x, *(spot.x for spot in spots)]
        ys = [centre.y, *(spot.y for spot in spots)]
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        need = max(
            (max(xs) - min(xs) + 2 * WINDOW_MARGIN) / width, (max(ys) - min(ys) + 2 * WINDOW_MARGIN) / height, 1.0
        )
        need = min(need, WIDTH / width, HEIGHT / height)
        width, height = width * need, height * need
        self.x = min(max(x - width / 2, 0.0), WIDTH - width)
        self.y = min(max(y - height / 2, 0.0), HEIGHT - height)
        self.width = width
        self.height = height
        self.view_box = f"{self.x:.1f} {self.y:.1f} {width:.1f} {height:.1f}"  # value of the SVG attribute viewBox

    def contains(self, spot: OptionSpot) -> bool:
        """Return whether a spot is visible."""
        return 0 < spot.x - self.x < self.width and 0 < spot.y - self.y < self.height


def place_pieces(c: Components, view: MissionnairesView) -> list[MapPiece]:
    """Return gendarmes, proclaimers and unattached overseers; pieces on the same space are placed side by side."""
    sheet = list_spaces_by_number(c)
    crowd = [0] * c.spaces
    pieces: list[MapPiece] = []

    def add_piece(kind: str, id: str, at: int, badge: str, seat: int = -1) -> None:
        pieces.append(MapPiece(kind, f"{kind}-{id}", sheet[at], crowd[at], seat, badge))
        crowd[at] += 1

    for id, at in zip(c.gendarmes, view.gendarmes, strict=True):
        add_piece("gendarme", id, at, id.upper())
    for player in view.players:
        if player.at is not None:
            add_piece("pawn", str(player.seat), player.at, get_overseer_letter(c, player.company), player.seat)
    for id, overseer in zip(c.overseers, view.overseers, strict=True):
        if overseer.at is not None:
            add_piece("overseer", id, overseer.at, id.upper())
    return pieces


def get_overseer_letter(c: Components, overseer: int | None) -> str:
    """Return the letter on an overseer's pawn, or "" for none."""
    return "" if overseer is None else c.overseers[overseer].upper()


def list_known_congregations(player: Player) -> list[int]:
    """Return the unvisited congregations that the viewer knows."""
    return [slot.card for slot in player.unvisited if slot.card is not None]
