"""Everything in a game's box: each kind of thing with its faces, sorted by what the game says, and each thing large."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from triclinium.boardkit.cards import new_card
from triclinium.boardkit.kind_lookup import kinds_of
from triclinium.boardkit.parts import Card
from triclinium.engine.component_kinds import Kind
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.server import plugin_errors
from triclinium.server.errors import NotFound
from triclinium.server.http.auth import server_of, viewer_of
from triclinium.server.presenter.locations import places_at_end, places_seen
from triclinium.server.presenter.table_view import viewing_seat
from triclinium.server.rule_search import Entry, entries, naming
from triclinium.server.tables.create import known_title
from triclinium.server.tables.table import Table
from triclinium.web import assets
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading
from triclinium.web.pages.back_link import Back, back_to, ended_table, table_of

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of a kind: its number there, its id, its name, and its card where it has one."""

    number: int
    id: str
    name: str
    card: Card | None


@dataclass(frozen=True, slots=True)
class Shelf:
    """One kind of thing in the box: what people call it, and each of its things that are shown."""

    kind: str
    label: str
    items: list[Item]
    whole: int  # how many there are


@dataclass(frozen=True, slots=True)
class Choice:
    """A value by which things are sorted: in words, how many have it, and whether only such are shown."""

    id: str
    name: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Sorting:
    """One way to sort the things of a kind."""

    id: str
    label: str
    choices: list[Choice]


@router.get("/rules/{id}/box")
async def box(request: Request, id: str) -> Response:
    """Everything in the box, as it lies on the table."""
    back = await back_to(request)
    table = await table_of(request, back)
    if table is None or table.game.id != id:
        return await server_of(request).in_thread(_box, Reading(request), id, back, {})
    async with table.lock:
        mine = viewer_of(request, table).mine
        seat = viewing_seat(table, mine, None, None)
        now = await server_of(request).in_thread(places_seen, table, seat, Reading(request).language)
    return await server_of(request).in_thread(_box, Reading(request), id, back, now)


def _box(reading: Reading, id: str, back: Back, now: Mapping[tuple[str, str], str]) -> Response:
    """``now``: where the cards lie at the table that the reader came from."""
    game = known_title(id)
    reader = game.words.reader(reading.language)
    sorted_by = next((kind for kind in game.gallery if kinds_of(game)[kind].facets), "")
    wished = reading.request.query_params.get("kind", "")
    kind = wished if wished in game.gallery else ""
    wanted = chosen(kinds_of(game).get(kind or sorted_by), reading.request)
    kind = kind or (sorted_by if wanted else "")
    return drawn(
        reading,
        game,
        "box.html.jinja",
        back=back,
        asked="",
        now=now,
        kind=kind,
        sorted_kind=kind or sorted_by,
        filtered=bool(wanted),
        sortings=sortings(kinds_of(game).get(kind or sorted_by), wanted, reader),
        shelves=[shelf(game, one, reader, wanted if one == kind else {}) for one in ([kind] if kind else game.gallery)],
        tabs=[(one, reader.say(label), len(kinds_of(game)[one].ids)) for one, label in game.gallery.items()],
    )


def drawn(reading: Reading, game: Game, template: str, **facts: object) -> Response:
    """The page with faces as the game's own table has them; should they fail, as the board kit draws them."""
    own = not reading.server.settings.plain_boards and assets.has(game, assets.GALLERY)
    common = {
        "_": Speech(reading.language, game.words),
        "game": game,
        "say": game.words.reader(reading.language).say,
        "c": assets.components(game),
        "signed": {kind: {id for of, id, _ in assets.signs(game) if of == kind} for kind in game.gallery},
        "has_style": own and assets.has(game, assets.STYLE),
        **facts,
    }
    if own:
        try:
            return reading.page(template, 200, **common, own=True, drawing=assets.gallery_drawing(game))
        except Exception as error:
            plugin_errors.note(game.id, "gallery", error)
    return reading.page(template, 200, **{**common, "has_style": False}, own=False, drawing={})


def chosen(kind: Kind | None, request: Request) -> dict[str, set[str]]:
    """The values in the address, of those that the kind has."""
    found: dict[str, set[str]] = {}
    for facet in () if kind is None else kind.facets:
        known = {id for id, _ in facet.values} & set(request.query_params.getlist(facet.id))
        if known:
            found[facet.id] = known
    return found


def fits(kind: Kind, n: int, wanted: Mapping[str, set[str]]) -> bool:
    """Whether a thing has, of each sorting that is asked for, one of the values."""
    return all(wanted[facet.id] & set(facet.of(n)) for facet in kind.facets if facet.id in wanted)


def sortings(kind: Kind | None, wanted: Mapping[str, set[str]], reader: Reader) -> list[Sorting]:
    """How the things of a kind may be sorted, with how many have each value."""
    if kind is None:
        return []
    made = []
    for facet in kind.facets:
        counts = Counter(value for n in range(len(kind.ids)) for value in facet.of(n))
        chosen_here = wanted.get(facet.id, set())
        choices = [
            Choice(id, reader.say(name), counts[id], id in chosen_here) for id, name in facet.values if counts[id]
        ]
        made.append(Sorting(facet.id, reader.say(facet.label), choices))
    return made


def shelf(game: Game, name: str, reader: Reader, wanted: Mapping[str, set[str]]) -> Shelf:
    """The things of one kind that fit."""
    kind = kinds_of(game)[name]
    items = [item(kind, n, reader) for n in range(len(kind.ids)) if fits(kind, n, wanted)]
    return Shelf(name, reader.say(game.gallery[name]), items, len(kind.ids))


def item(kind: Kind, n: int, reader: Reader) -> Item:
    card = new_card(kind, n, []) if kind.shape == "card" else None
    named = kind.names[n] if card is None or card.face is None else card.face.title
    return Item(n, str(kind.ids[n]), reader.say(named), card)


# -- one thing, large -------------------------------------------------------------------------------------------------


@router.get("/rules/{id}/box/{kind}/{thing}")
async def get_thing(request: Request, id: str, kind: str, thing: str) -> Response:
    """One thing of the box: large, in words, with the rules and rulings that name it."""
    back = await back_to(request)
    table = await ended_table(request, back)
    if table is None or table.game.id != id:
        return await server_of(request).in_thread(_thing, Reading(request), id, kind, thing, back, None)
    async with table.lock:
        return await server_of(request).in_thread(_thing, Reading(request), id, kind, thing, back, table)


def _thing(reading: Reading, id: str, name: str, thing: str, back: Back, table: Table | None) -> Response:
    game = known_title(id)
    kind = kinds_of(game).get(name) if name in game.gallery else None
    ids = [] if kind is None else [str(one) for one in kind.ids]
    if kind is None or thing not in ids:
        raise NotFound("this is not in the box")
    n = ids.index(thing)
    reader = game.words.reader(reading.language)
    entry = _entry(entries(game, reading.language), name, thing)
    return drawn(
        reading,
        game,
        "thing.html.jinja",
        back=back,
        kind=name,
        label=reader.say(game.gallery[name]),
        item=item(kind, n, reader),
        about=entry.text,
        naming=naming(game, reading.language, entry),
        lay=[] if table is None else places_at_end(table, name, thing, reading.language),
        before=ids[n - 1] if n else "",
        after=ids[n + 1] if n + 1 < len(ids) else "",
        sorts=[
            (reader.say(facet.label), [reader.say(name) for id, name in facet.values if id in facet.of(n)])
            for facet in kind.facets
        ],
    )


def _entry(found: Sequence[Entry], kind: str, thing: str) -> Entry:
    return next(one for one in found if one.part == kind and one.number == thing)
