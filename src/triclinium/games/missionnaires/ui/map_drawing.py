"""The map as one viewer sees it now: places, ways, pieces, what an option points at, what the next coup costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape

from triclinium.engine.core.text import Message, msgid
from triclinium.engine.match import TOGETHER, several
from triclinium.games.missionnaires.rules.components import CONGREGATION, GREEN, KINDS, Components
from triclinium.games.missionnaires.ui.board_layout import (
    HEIGHT,
    ORDER,
    WIDTH,
    Art,
    Card,
    Space,
    atlas,
    by_road,
    cards,
    levels,
    sections,
    spaces,
    yields,
)
from triclinium.games.missionnaires.ui.coup_costs import Fare, Reach
from triclinium.games.missionnaires.ui.translations import reader
from triclinium.games.missionnaires.ui.view import MissionnairesView, Player

AROUND = 24.0  # room around what a window of the sheet is to show
NO_VOUCHER = "done"  # what is said before a step where a voucher might be played
BESIDE = ((0.0, 0.0), (-20.0, 0.0), (-10.0, 18.0), (10.0, 18.0), (-30.0, 18.0), (0.0, -19.0))  # who shares a space


class Piece:
    """A pawn on the sheet; `badge` is a gendarme's number, an overseer's letter, or that of a proclaimer's company."""

    def __init__(self, kind: str, id: str, space: Space, beside: int, seat: int = -1, badge: str = "") -> None:
        self.kind = kind
        self.id = id
        self.space = space
        self.x = round(space.x + BESIDE[beside][0], 1)
        self.y = round(space.y + BESIDE[beside][1], 1)
        self.seat = seat
        self.badge = badge
        self.key = (id, space.id, beside, badge)  # all that its drawing depends on


class Spot:
    """A place of the sheet that an option points at: its middle, half its width, and the space that is told there."""

    def __init__(self, at: Space | Piece, radius: float = 11.0, told: int | None = None, shape: str = "round") -> None:
        self.x = at.x
        self.y = at.y
        self.radius = radius
        self.told = told
        self.shape = shape

    def above(self) -> "Spot":
        """The same on the space's shoulder, small, where another option has the space itself."""
        self.x, self.y, self.radius = self.x + 13.5, self.y - 10.5, 8.5
        return self


@dataclass(slots=True)
class Face:
    """What an option shows besides its words: a sign, and what follows from a step."""

    sign: str
    card: Card | None = None
    mine: bool = False
    green: bool = False
    at_once: bool = False  # a green town gives its card also to a pawn that only passes through (LM-R4)
    guarded: bool = False
    joins: str = ""  # the letter of an overseer who would join there
    stays: str = ""  # and of the one who would stay behind (LM-4.3)
    fare: Fare | None = None
    onward: list[tuple[Space, Fare]] = field(default_factory=list)


class Tag:
    """A fare beside its space: figures with their signs in a row, or `free`."""

    def __init__(self, space: Space, fare: Fare, above: bool) -> None:
        counts = ((fare.periodicals, "per"), (fare.cards, "seac"), (int(fare.territory), "terr"))
        shown = [(count, sign) for count, sign in counts if count]
        self.x = space.x
        self.side = -15.0 if above else 15.0  # of the space, away from where the coup begins
        self.y = space.y + self.side
        self.fare = fare
        self.far = fare.far
        self.bon = bool(fare.bons)
        self.free = fare.free and not shown
        words = 44 if self.free else 28 if self.bon else 0
        self.width = words + 22 * len(shown) + 6
        self.words_x = 3 - self.width / 2 + words / 2
        self.parts = [(count, sign, 8 - self.width / 2 + words + 22 * i) for i, (count, sign) in enumerate(shown)]


class Sight:
    """The map as the viewer sees it now."""

    def __init__(self, c: Components, view: MissionnairesView) -> None:
        me = None if view.viewer is None else view.players[view.viewer]
        self.c = c
        self.colours = [player.colour for player in view.players]
        self.seat = -1 if me is None else me.seat
        self.here = -1 if me is None or me.at is None else me.at
        self.distances = view.distances or []  # empty for a seat without a pawn on the board
        self.slots = [] if me is None else tour_of(me)
        self.mine = set(self.slots)
        self.visited = [] if me is None else me.visited
        self.main = view.asked == "Main" and view.options is not None  # the viewer is about to make a coup
        self.declines = view.asked == "Advance"  # who stops here stays, and arrives nowhere (LM-4)
        self.guarded = set(view.gendarmes)
        rivals = {other.at for other in view.players if other is not me}
        self.taken = set() if view.share_spaces else rivals - {c.bethel, None}
        self.slow = me is not None and me.company is None and me.periodicals < c.speed_fee
        self.takes_card = view.territories_this_turn < c.territories_a_turn  # a green town gives one more (LM-8.8)
        self.on_pass = view.card_on_pass
        helped = me is not None and me.company is not None and not me.newly_joined and view.stays_behind
        self.company = letter(c, me.company) if me is not None and helped else ""
        alone = me is not None and me.company is None
        found = [(one.at, x) for x, one in enumerate(view.overseers) if alone and one.at is not None]
        self.lone = {at: letter(c, x) for at, x in found if at != c.bethel}
        self.pieces = all_pieces(c, view)
        self._pieces = {piece.id: piece for piece in self.pieces}
        self.fares: dict[int, Fare] = {}
        self.onward: dict[int, list[tuple[Space, Fare]]] = {}  # by first step: own congregations that the second makes
        if me is not None and me.at is not None:
            self._reach(Reach(c, view, me))

    def _reach(self, reach: Reach) -> None:
        sheet = atlas(self.c)
        self.fares = reach.ends
        for first, ends in reach.onward.items():
            own = [(sheet[end], fare) for end, fare in ends.items() if end in self.mine]
            if own:
                self.onward[first] = own

    def tip(self, number: int, language: str) -> str:
        """What hover and focus tell of a space: what is printed, how far it is, what the next coup would cost to it."""
        parts = [atlas(self.c)[number].words(language).about]
        if self.distances:
            land = by_road(self.c, self.here).get(number, 0) if number in self.mine else 0
            parts.append(distance_said(self.distances[number], land, language))
            fare = self.fares.get(number)
            if fare is not None:
                parts.append(reader(language).read(Message("next coup: {0}", fare.said(language))))
            elif number != self.here:
                parts.append(said(language, *self._why_not(number)))
        return " · ".join(parts)

    def _why_not(self, number: int) -> tuple[str, int]:
        """Why the next coup cannot end on a space, by the rule that forbids it, and what fills the sentence."""
        away, most = self.distances[number], self.c.move_paid
        if away > most:
            return msgid("no coup goes farther than {0} spaces (LM-3.4)"), most
        if number in self.taken:
            return msgid("somebody stands there (LM-3.9)"), 0
        if number in self.guarded:
            return msgid("the gendarme there cannot be pushed, or not be paid for (LM-6.2)"), 0
        if away > 1 and self.slow:
            return msgid("a second space cannot be paid for (LM-3.3)"), 0
        return msgid("the way there is barred or cannot be paid for (LM-5.2, LM-6.2)"), 0

    def places(self, language: str) -> Art:
        """All spaces with sign and name, kind by kind, those of the viewer's tour last and so on top. Made here, for
        there are 143. The keyboard stops where there is something to do; elsewhere the pointer tells."""
        near = levels(self.c, language)[:]
        for number in self.c.near[self.here] if self.here >= 0 else ():  # where a step may lead is always named
            near[number] = min(near[number], "v1", key=ORDER.index)
        for number in self.slots:
            for other, level in yields(self.c, language, number).items():
                near[other] = max(near[other], level, key=ORDER.index)
        yours, done = (reader(language).translate(text) for text in (msgid("yours to visit"), msgid("visited")))
        layers: dict[str, list[str]] = {kind: [] for kind in KINDS}
        own: list[str] = []
        for space in atlas(self.c):
            tip = escape(self.tip(space.number, language))
            sign = f'<use class="k" href="#lm-{space.sign}"/>'
            stop = ' tabindex="0"'
            if space.number in self.mine:
                tip += f" · {yours}"
                away = str(self.distances[space.number]) if self.distances else ""
                own.append(
                    f'<g class="lm-place {space.kind} mine s{self.seat}" {space.where}{stop} data-shown="{space.id}"'
                    f' data-shows="{space.id}" {named(tip)}><circle class="k pulse" r="9.5"/>'
                    f"{sign}{space.words(language).plate.art('v0', away)}</g>"
                )
                continue
            ticked = space.number in self.visited
            if ticked:
                tip += f" · {done}"
                stop += f' data-shown="{space.id}"'
                sign += '<g class="k"><use href="#lm-tick" transform="translate(6 -5)"/></g>'
            elif not self.distances or self.distances[space.number] != 1:
                stop = ""
            name = printed_name(self.c, space.number, language, near[space.number])
            shows = f' data-shows="{space.id}"' if self.distances else ""
            layers[space.kind].append(f'<g class="lm-place" {space.where}{stop}{shows} {named(tip)}>{sign}{name}</g>')
        return Art("".join(layer(kind, drawn) for kind, drawn in [*layers.items(), (KINDS[CONGREGATION], own)]))

    def ways(self) -> Art:
        """The shortest way to every space: a row of the tour, or the space itself, lights its sections up."""
        if self.here < 0:
            return Art("")
        return sections(self.c, self.here)

    def spot(self, option: str) -> Spot | None:
        """Where on the sheet an option, or the last one of several, is chosen, if it has a place there."""
        verb, *rest = meant(option).split()
        target = rest[-1] if rest else ""
        all_spaces = spaces(self.c)
        own = self._pieces.get(f"pawn-{self.seat}")
        if verb in ("go", "to", "show", "leap") and target in all_spaces:
            number = all_spaces[target].number
            spot = Spot(all_spaces[target], told=number)
            neighbour = verb == "leap" and number in self.c.near[self.here]
            return spot.above() if neighbour else spot
        if verb == "move":
            return self._rival(target)
        if verb == "guard":
            return Spot(self._pieces[f"gendarme-{target}"], 12.0)
        if verb == "swap":
            return Spot(atlas(self.c)[self.slots[int(target) - 1]])
        if verb == "join" and f"overseer-{target}" in self._pieces:
            return Spot(self._pieces[f"overseer-{target}"])
        if verb == "stop" and own is not None:
            return Spot(own, 13.0, shape="round here")
        return None

    def _rival(self, colour: str) -> Spot | None:
        """The pawn of this colour."""
        seats = [seat for seat, own in enumerate(self.colours) if self.c.colours[own] == colour]
        pawn = self._pieces.get(f"pawn-{seats[0]}") if seats else None
        return None if pawn is None else Spot(pawn, 13.0)

    def face(self, option: str) -> Face | None:
        """How an option, or the last one of several, looks in the decision; most have no more than their words."""
        verb, *rest = meant(option).split()
        target = rest[-1] if rest else ""
        if verb in ("play", "use", "burn"):
            card = cards(self.c)[target]
            return Face(card.sign, card)
        if verb == "stop" and self.here >= 0:
            return self._stop(atlas(self.c)[self.here])
        space = spaces(self.c).get(target)
        if verb not in ("go", "leap", "to") or space is None:
            return None
        face = Face(space.sign)
        if verb != "to":
            face.mine = space.number in self.mine
            face.green = self.c.kind[space.number] == GREEN and self.takes_card
            face.at_once = self.on_pass
            face.guarded = space.number in self.guarded
            face.joins = self.lone.get(space.number, "")
            face.stays = self.company if face.mine else ""
        if verb == "go" and (self.main or option.startswith(NO_VOUCHER)):
            fare = self.fares.get(space.number)
            face.fare = fare if fare is not None and not fare.far else None
            face.onward = self.onward.get(space.number, [])
        return face

    def _stop(self, here: Space) -> Face:
        """What follows from stopping: a visit, a territory card, an overseer who stays behind."""
        if self.declines:
            return Face(here.sign)
        mine = here.number in self.mine
        green = self.c.kind[here.number] == GREEN and self.takes_card and not self.on_pass
        return Face(here.sign, mine=mine, green=green, stays=self.company if mine else "")

    def tags(self, beside: Iterable[str]) -> list[Tag]:
        """What the next coup would cost, beside every space where it may end; also beside the vouchers."""
        if not self.main and not any(option.startswith(f"{NO_VOUCHER}{TOGETHER}go ") for option in beside):
            return []
        sheet = atlas(self.c)
        here = sheet[self.here]
        return [Tag(sheet[number], fare, sheet[number].y < here.y) for number, fare in self.fares.items()]


def meant(option: str) -> str:
    """Of several options the last that does something: to play no voucher is nothing."""
    return next((said for said in reversed(several(option)) if said != NO_VOUCHER), NO_VOUCHER)


@lru_cache(100)
def said(language: str, text: str, number: int) -> str:
    """A sentence that most spaces have in common."""
    return reader(language).read(Message(text, number))


@lru_cache(1_000)
def distance_said(away: int, land: int, language: str) -> str:
    """How far a space is; ``land``: by road alone, told where that is farther."""
    if land > away:
        return reader(language).read(Message("{0} {0:space|spaces} away ({1} by road alone)", away, land))
    return reader(language).read(Message("{0} {0:space|spaces} away", away))


def named(tip: str) -> str:
    """Return the attributes of a place with this tip, which is its name as well."""
    return f'role="img" aria-label="{tip}" data-tip="{tip}"'


def layer(kind: str, drawn: list[str]) -> str:
    """Spaces of one kind; what is told of it large is the same for all of them."""
    return f'<g class="{kind}" data-enlarge="lm-about-{kind}">{"".join(drawn)}</g>'


@lru_cache(20_000)
def printed_name(c: Components, number: int, language: str, level: str) -> str:
    """A space's name as everybody sees it."""
    return atlas(c)[number].words(language).label.art(level)


class Window:
    """A part of the sheet around a space and, as far as they fit, around what the decision offers."""

    def __init__(self, centre: Space, spots: Sequence[Spot], width: float, height: float, *, grows: bool) -> None:
        """``grows``: rather show more of the sheet than leave out an option."""
        xs = [centre.x, *(spot.x for spot in spots)]
        ys = [centre.y, *(spot.y for spot in spots)]
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        need = max((max(xs) - min(xs) + 2 * AROUND) / width, (max(ys) - min(ys) + 2 * AROUND) / height, 1.0)
        if not grows:  # towards the options, as far as the space itself stays in sight
            x = min(max(x, centre.x - width / 2 + AROUND), centre.x + width / 2 - AROUND)
            y = min(max(y, centre.y - height / 2 + AROUND), centre.y + height / 2 - AROUND)
        elif need > 1.0:
            need = min(need, WIDTH / width, HEIGHT / height)
            width, height = width * need, height * need
        self.x = min(max(x - width / 2, 0.0), WIDTH - width)
        self.y = min(max(y - height / 2, 0.0), HEIGHT - height)
        self.width = width
        self.height = height
        self.box = f"{self.x:.1f} {self.y:.1f} {width:.1f} {height:.1f}"  # a viewBox

    def has(self, spot: Spot) -> bool:
        """Whether a place is in sight, so that nobody tabs to what is not shown."""
        return 0 < spot.x - self.x < self.width and 0 < spot.y - self.y < self.height


def all_pieces(c: Components, view: MissionnairesView) -> list[Piece]:
    """Gendarmes, proclaimers, overseers on their own; those who share a space stand side by side."""
    sheet = atlas(c)
    crowd = [0] * c.spaces
    pieces: list[Piece] = []

    def put(kind: str, id: str, at: int, badge: str, seat: int = -1) -> None:
        pieces.append(Piece(kind, f"{kind}-{id}", sheet[at], crowd[at], seat, badge))
        crowd[at] += 1

    for id, at in zip(c.gendarmes, view.gendarmes, strict=True):
        put("gendarme", id, at, id.upper())
    for player in view.players:
        if player.at is not None:
            put("pawn", str(player.seat), player.at, letter(c, player.company), player.seat)
    for id, overseer in zip(c.overseers, view.overseers, strict=True):
        if overseer.at is not None:
            put("overseer", id, overseer.at, id.upper())
    return pieces


def letter(c: Components, overseer: int | None) -> str:
    """What stands on an overseer's case; the empty text for nobody."""
    return "" if overseer is None else c.overseers[overseer].upper()


def tour_of(player: Player) -> list[int]:
    """The unvisited congregations that the viewer knows."""
    return [slot.card for slot in player.unvisited if slot.card is not None]
