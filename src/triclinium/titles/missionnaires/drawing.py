"""What the templates draw: the sheet of the atlas, the pieces on it, and the viewer's tour, from a view alone."""

import tomllib
from functools import cache
from html import escape
from pathlib import Path

from triclinium.kernel.frame import items, table_of, whole, word
from triclinium.kernel.message import Name
from triclinium.titles.missionnaires.components import KINDS, LAISSEZ_PASSER, SEA, Components
from triclinium.titles.missionnaires.evaluate import move_over, put_in, turn_round

WIDTH, HEIGHT = 850.0, 564.0
INSET = (171.0, 112.0)  # how much of the sheet the inset shows
PHONE = 215.0  # how wide a part of it a phone shows first: so that a space is as large as a finger
LINE = 11.5  # from one line of a name to the next
BESIDE = ((0.0, 0.0), (-20.0, 0.0), (-10.0, 18.0), (10.0, 18.0), (-30.0, 18.0), (0.0, -19.0))  # who shares a space

KIND_NAMES = (
    Name("Bethel", "Béthel"),
    Name("congregation", "congrégation"),
    Name("gendarmerie", "gendarmerie"),
    Name("green town", "ville verte"),
    Name("sea point", "point de mer"),
)
SIGNS = ("bethel", "hall", "barracks", "green", "sea")


class Art(str):
    """Markup made once, of what is printed: the templates do not escape it again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def label_art(entry: dict[str, object]) -> Art:
    """A name beside its space, in one language, with its anchor; offsets are from the space."""
    x = real(entry["x"])
    y = real(entry["y"])
    parts: list[str] = []
    if "leader" in entry:
        a, b, d, e = (real(value) for value in items(entry["leader"]))
        parts.append(f'<path class="leader" d="M{a} {b}L{d} {e}"/>')
    if "port" in entry:
        a, b = (real(value) for value in items(entry["port"]))
        parts.append(f'<use href="#lm-anchor" transform="translate({a} {b})"/>')
    lines = [
        f'<tspan x="{x}" y="{y + LINE * i:.1f}">{escape(word(text))}</tspan>'
        for i, text in enumerate(items(entry["lines"]))
    ]
    parts.append(f'<text text-anchor="{word(entry["at"])}">{"".join(lines)}</text>')
    return Art("".join(parts))


class Space:
    """A space as it is printed."""

    def __init__(self, c: Components, number: int, entry: dict[str, object]) -> None:
        self.number = number
        self.id: str = Art(c.ids[number])
        self.x = real(entry["x"])
        self.y = real(entry["y"])
        self.kind: str = Art(KINDS[c.kind[number]])
        self.sign = SIGNS[c.kind[number]]
        self.art = Art(f'<circle class="hit" r="9"/><use href="#lm-{self.sign}"/>')
        self.name = c.space_names[number]
        self.short = Name(self.name.en.split(" (")[0], self.name.fr.split(" (")[0])
        self.grid = c.grids[number]
        self.where = Art(f'transform="translate({self.x} {self.y})"')
        self.label = {language: label_art(table_of(entry[language])) for language in ("en", "fr")}
        self.far = {language: bool(table_of(entry[language]).get("far")) for language in ("en", "fr")}
        self.about = Name(about(c, number, "en"), about(c, number, "fr"))


def about(c: Components, number: int, language: str) -> str:
    """``Nice · Nice, France · congregation, port · B3``: the name in both languages, then everything printed."""
    name = c.space_names[number]
    other = name.fr if language == "en" else name.en
    kind = KIND_NAMES[c.kind[number]].inn(language)
    parts = [name.inn(language)]
    if other != parts[0]:
        parts.append(other)
    if c.kind[number] != SEA:
        parts.append(c.countries[number].inn(language))
    return " · ".join([*parts, f"{kind}, port" if c.port[number] else kind, c.grids[number]])


@cache
def atlas(c: Components) -> list[Space]:
    """Every space where the sheet has it."""
    data = tomllib.loads((Path(__file__).parent / "atlas.toml").read_text(encoding="utf-8"))
    entries = {word(table_of(entry)["id"]): table_of(entry) for entry in items(data["spaces"])}
    return [Space(c, number, entries[c.ids[number]]) for number in range(c.spaces)]


@cache
def names(c: Components, language: str) -> Art:
    """All names of the sheet in one language."""
    drawn = [
        f'<g class="nm {space.kind}{" far" if space.far[language] else ""}" {space.where}>'
        f'<g class="k">{space.label[language]}</g></g>'
        for space in atlas(c)
    ]
    return Art("".join(drawn))


# -- the sheet ----------------------------------------------------------------------------------------------------


class Place:
    """A space as the viewer sees it now."""

    def __init__(self, space: Space, seat: int, mine: bool, visited: bool, tip: Name, near: bool) -> None:
        self.space = space
        self.mine = mine
        self.visited = visited
        self.tip = tip
        mark = f" mine s{seat}" if mine else " done" if visited else ""
        stop = 0 if mine or near else -1  # the keyboard stops where there is something to do
        self.head = Art(
            f'class="lm-place {space.kind}{mark}" {space.where} tabindex="{stop}" role="img"'
            f' data-enlarge="lm-about-{space.kind}" data-shown="{space.id}"'
        )
        if mine:
            self.art = Art(f'<circle class="pulse" r="9.5"/>{space.art}')
        elif visited:
            self.art = Art(f'{space.art}<use href="#lm-tick" transform="translate(6 -5)"/>')
        else:
            self.art = space.art


class Piece:
    """A pawn on the sheet."""

    def __init__(self, kind: str, id: str, space: Space, x: float, y: float, seat: int = -1, badge: str = "") -> None:
        self.kind = kind
        self.id = id
        self.space = space
        self.x = round(x, 1)
        self.y = round(y, 1)
        self.seat = seat
        self.badge = badge


def draw(c: Components, view: dict[str, object]) -> dict[str, object]:
    """Everything that board.svg.jinja, table.html.jinja and seat.html.jinja need besides the view."""
    sheet = atlas(c)
    spaces = {space.id: space for space in sheet}
    players = [table_of(player) for player in items(view["players"])]
    viewer = view["viewer"]
    seat = viewer if isinstance(viewer, int) and viewer >= 0 else -1
    mine = tour_of(players[seat]) if seat >= 0 else []
    visited = [word(id) for id in items(players[seat]["visited"])] if seat >= 0 else []
    watched = players[seat if seat >= 0 and players[seat]["at"] is not None else whole(view["turn"])]
    centre = spaces[word(watched["at"])] if watched["at"] is not None else sheet[c.bethel]
    distances = table_of(view["distances"]) if "distances" in view else {}
    prices = reach(c, view, players, seat) if distances else {}
    pieces = all_pieces(c, view, players, spaces)
    tips = {space.id: told(space, distances, prices) for space in sheet}
    return {
        "spaces": spaces,
        "names": {language: names(c, language) for language in ("en", "fr")},
        "tips": tips,
        "places": [
            Place(space, seat, space.id in mine, space.id in visited, tips[space.id], distances.get(space.id) == 1)
            for space in sheet
        ],
        "pieces": pieces,
        "own": next((piece for piece in pieces if piece.seat == seat and seat >= 0), None),
        "lone": {id: next((piece for piece in pieces if piece.id == f"overseer-{id}"), None) for id in c.overseers},
        "slots": mine,
        "near": window(centre, *INSET),
        "phone": window(centre, PHONE, PHONE * HEIGHT / WIDTH),
        "prices": {c.ids[number]: price for number, price in prices.items()},
        "index": sorted(mine, key=lambda id: (whole(distances.get(id, 0)), id)),
        "visited": visited,
        "distances": distances,
        "way_home": way_home(c, players[seat], mine) if seat >= 0 else None,
        "decks": [pile(c, view, players, "sea"), pile(c, view, players, "territories")],
        "cards": {id: number for number, id in enumerate(c.card_ids)},
        "overseers": {id.upper(): name for id, name in zip(c.overseers, c.overseer_names, strict=True)},
    }


def tour_of(player: dict[str, object]) -> list[str]:
    """The unvisited congregations that the viewer knows."""
    slots = [table_of(slot) for slot in items(player["unvisited"])]
    return [word(slot["card"]) for slot in slots if slot["card"] is not None]


def window(centre: Space, width: float, height: float) -> str:
    """A part of the sheet around a space, as a viewBox."""
    x = min(max(centre.x - width / 2, 0.0), WIDTH - width)
    y = min(max(centre.y - height / 2, 0.0), HEIGHT - height)
    return f"{x:.1f} {y:.1f} {width:.1f} {height:.1f}"


def all_pieces(
    c: Components, view: dict[str, object], players: list[dict[str, object]], spaces: dict[str, Space]
) -> list[Piece]:
    """Gendarmes, overseers on their own, proclaimers; those who share a space stand side by side."""
    found: list[tuple[str, str, str, int, str]] = []
    for gendarme, at in table_of(view["gendarmes"]).items():
        found.append(("gendarme", f"gendarme-{gendarme}", word(at), -1, gendarme.upper()))
    for player in players:
        if player["at"] is not None:
            badge = "" if player["company"] is None else word(player["company"]).upper()
            found.append(("pawn", f"pawn-{player['seat']}", word(player["at"]), whole(player["seat"]), badge))
    for overseer, facts in table_of(view["overseers"]).items():
        where = table_of(facts)
        if where["with"] is None and where["at"] is not None:
            found.append(("overseer", f"overseer-{overseer}", word(where["at"]), -1, overseer.upper()))
    crowd: dict[str, int] = {}
    pieces: list[Piece] = []
    for kind, id, at, seat, badge in found:
        dx, dy = BESIDE[crowd.get(at, 0)]
        crowd[at] = crowd.get(at, 0) + 1
        space = spaces[at]
        pieces.append(Piece(kind, id, space, space.x + dx, space.y + dy, seat, badge))
    return pieces


# -- what a space is to the viewer --------------------------------------------------------------------------------


class Price:
    """What the next coup would cost to a space: periodicals, vouchers, sea cards, and whether it takes two steps."""

    def __init__(self, periodicals: int, bons: int, cards: int, far: bool) -> None:
        self.periodicals = periodicals
        self.bons = bons
        self.cards = cards
        self.far = far

    def inn(self, language: str) -> str:
        words = (
            (("periodical", "periodicals"), ("BON", "BONS"), ("sea card", "sea cards"), "free")
            if language == "en"
            else (("périodique", "périodiques"), ("BON", "BONS"), ("carte mer", "cartes mer"), "gratuit")
        )
        parts = [
            f"{count} {names[count > 1]}"
            for count, names in ((self.periodicals, words[0]), (self.bons, words[1]), (self.cards, words[2]))
            if count
        ]
        return ", ".join(parts) or words[3]

    def worth(self) -> tuple[int, int, int]:
        """What is dear comes first."""
        return (self.bons, self.periodicals, self.cards)


def told(space: Space, distances: dict[str, object], prices: dict[int, Price]) -> Name:
    """What hover and focus tell of a space: what is printed, how far it is, what the next coup would cost to it."""
    if not distances:
        return space.about
    far = whole(distances[space.id])
    en = f"{space.about.en} · {far} {'space' if far == 1 else 'spaces'} away"
    fr = f"{space.about.fr} · à {far} {'case' if far < 2 else 'cases'}"
    price = prices.get(space.number)
    if price is not None:
        en += f" · next coup: {price.inn('en')}"
        fr += f" · au prochain coup : {price.inn('fr')}"
    return Name(en, fr)


def reach(c: Components, view: dict[str, object], players: list[dict[str, object]], seat: int) -> dict[int, Price]:
    """Where one coup of the viewer could end, and the least it would cost there (LM-3, LM-5, LM-6)."""
    me = players[seat]
    here = c.ids.index(word(me["at"]))
    held = whole(me["periodicals"])
    passes = sum(c.effect[c.card_ids.index(word(card))] == LAISSEZ_PASSER for card in items(me["bons"]))
    helped = me["company"] is not None and not me["newly_joined"]
    exempt = helped and c.exempt[c.overseers.index(word(me["company"]))]
    others = {c.ids.index(word(other["at"])) for other in players if other is not me and other["at"] is not None}
    barred = set() if view["share_spaces"] else others - {c.bethel}
    guards = {c.ids.index(word(at)) for at in table_of(view["gendarmes"]).values()}
    alone = [table_of(facts)["at"] for facts in table_of(view["overseers"]).values()]
    lone = {c.ids.index(word(at)) for at in alone if at is not None}
    met = lone - barred - {c.bethel}
    found: dict[int, Price] = {}

    def rooms(space: int, leaving: int) -> set[int]:
        """Where a gendarme who stands there could be pushed (LM-6.3)."""
        free = {town for town in c.roads[space] if town not in others | {c.bethel}}
        taken = guards | lone
        return {town for town in free if town not in taken or town == leaving != here}  # who was passed is gone

    def pushes(space: int, stops: bool) -> int:
        """How many fees are due there (LM-6.2, LM-6.6)."""
        joins = stops and me["company"] is None
        return int(not helped and (space in guards or (space in met and not joins)))

    def end(space: int, speed: int, fees: int, cards: int, far: bool) -> None:
        price = speed + fees * c.push_fee
        bons = max(price - held, 0)  # a voucher pays the fee of a push, never speed (LM-8.4)
        if bons <= min(fees, passes):
            new = Price(price - bons, bons, 0 if exempt else cards, far)
            old = found.get(space)
            if old is None or new.worth() < old.worth():
                found[space] = new

    for first in c.near[here]:
        sails = c.is_lane(here, first)
        leaps = first in barred
        pushed = rooms(first, here) if first in guards else set()
        if first in guards and not pushed:
            continue
        if not leaps:
            end(first, 0, pushes(first, True), int(sails), False)
        for second in c.near[first]:
            again = c.is_lane(first, second)
            if second == here or second in barred or (again and c.kind[first] != SEA):
                continue  # from a port one sails only if the coup began there (LM-5.2, LM-5.3)
            if second in guards and not rooms(second, here if leaps else first):
                continue
            speed = 0 if helped else c.speed_fee
            ahead = int(not helped and pushed == {second})  # he could only be pushed ahead
            fees = pushes(second, True) + ahead + (0 if leaps else pushes(first, False))
            one_card = leaps or view["card_per_coup"]
            cards = int(sails or again) if one_card else int(sails) + int(again)
            end(second, speed, fees, cards, True)
    return found


def way_home(c: Components, player: dict[str, object], mine: list[str]) -> int | None:
    """About how many spaces are left: through all that is still to be visited and home, by a fair tour."""
    if player["at"] is None or len(mine) < len(items(player["unvisited"])):
        return None
    way = [c.ids.index(word(player["at"])), c.bethel]
    for id in mine:
        put_in(c, way, c.ids.index(id))
    while turn_round(c, way) or move_over(c, way):
        pass
    return sum(c.distance[way[i - 1]][way[i]] for i in range(1, len(way)))


# -- decks --------------------------------------------------------------------------------------------------------


class Pile:
    """A deck with its discards, and what may still come: public arithmetic."""

    def __init__(self, id: str, size: int, discards: list[int], unseen: list[tuple[Name, int, bool]]) -> None:
        self.id = id
        self.size = size
        self.discards = discards
        self.unseen = unseen  # what a card says, how many such cards, whether it is a voucher


def pile(c: Components, view: dict[str, object], players: list[dict[str, object]], id: str) -> Pile:
    """What is known of a deck: its cards are those that lie neither on its discards nor before a player."""
    facts = table_of(table_of(view["decks"])[id])
    discards = [c.card_ids.index(word(card)) for card in items(facts["discards"])]
    seen = set(discards)
    for player in players:
        seen.update(c.card_ids.index(word(card)) for card in items(player["bons"]))
    span = range(c.territories) if id == "territories" else range(c.territories, len(c.card_ids))
    count: dict[str, int] = {}
    shown: dict[str, int] = {}
    for card in span:
        if card not in seen:
            key = f"{int(c.bon[card])}{c.card_texts[card].en}"
            count[key] = count.get(key, 0) + 1
            shown.setdefault(key, card)
    unseen = [(c.card_texts[card], count[key], c.bon[card]) for key, card in shown.items()]
    return Pile(id, whole(facts["size"]), discards, unseen)


def real(value: object) -> float:
    assert isinstance(value, (int, float))
    return float(value)
