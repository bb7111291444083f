"""The component gallery of a game: each kind with its faces and filters, and each component on a page of its own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Request, Response

from triclinium.boardkit.cards import make_card
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.parts import Card
from triclinium.engine.component_kinds import ComponentKind, Sign
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.server import plugin_errors
from triclinium.server.errors import NotFound
from triclinium.server.http.auth import get_current_viewer, get_services
from triclinium.server.presenter.locations import list_places_at_end, map_visible_places
from triclinium.server.presenter.table_view import choose_viewing_seat
from triclinium.server.rule_search import SearchEntry, find_component_rules, list_entries
from triclinium.server.tables.create import require_game
from triclinium.server.tables.table import Table
from triclinium.web import assets
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.back_link import BackLink, find_back_link, load_finished_table, load_started_table

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class BoxItem:
    """One component of a kind: its number, id and name, its face if it is a card, and a remark."""

    number: int
    id: str
    name: str
    card: Card | None
    note: str


@dataclass(frozen=True, slots=True)
class BoxSection:
    """One kind of component in the gallery: its label, and the components that are shown."""

    kind: str
    label: str
    items: list[BoxItem]
    total: int  # number of components of the kind
    millimetres: tuple[float, float]  # the size of its cards on paper


@dataclass(frozen=True, slots=True)
class FilterValue:
    """A value of a filter: its name, how many components have it, and whether the reader has selected it."""

    id: str
    name: str
    count: int
    is_selected: bool


@dataclass(frozen=True, slots=True)
class BoxFilter:
    """A property by which the components of a kind can be filtered."""

    id: str
    label: str
    choices: list[FilterValue]


@router.get("/rules/{id}/components")
async def get_box(request: Request, id: str) -> Response:
    """Return the page with all components of a game."""
    back = await find_back_link(request)
    table = await load_started_table(request, back)
    if table is None or table.game.id != id:
        return await get_services(request).runtime.run_in_thread(_render_box, PageContext(request), id, back, {})
    async with get_services(request).tables.locked(table) as table:
        mine = get_current_viewer(request, table).own_seats
        seat = choose_viewing_seat(table, mine, None, None)
        card_places = await get_services(request).runtime.run_in_thread(
            map_visible_places, table, seat, PageContext(request).language
        )
    return await get_services(request).runtime.run_in_thread(_render_box, PageContext(request), id, back, card_places)


def _render_box(context: PageContext, id: str, back: BackLink, card_places: Mapping[tuple[str, str], str]) -> Response:
    """Render the gallery. ``card_places`` says where the cards are at the table from which the reader came."""
    game = require_game(id)
    reader = game.words.reader(context.language)
    filtered_kind = next((kind for kind in game.gallery if map_kinds_by_name(game)[kind].facets), "")
    requested_kind = context.request.query_params.get("kind", "")
    kind = requested_kind if requested_kind in game.gallery else ""
    filters = read_filters(map_kinds_by_name(game).get(kind or filtered_kind), context.request)
    kind = kind or (filtered_kind if filters else "")
    return render_gallery_page(
        context,
        game,
        "component_gallery.html.jinja",
        back=back,
        asked="",
        hits=[],
        now=card_places,
        kind=kind,
        sorted_kind=kind or filtered_kind,
        filtered=bool(filters),
        sortings=list_filters(map_kinds_by_name(game).get(kind or filtered_kind), filters, reader),
        shelves=[
            build_section(game, kind_name, reader, filters if kind_name == kind else {})
            for kind_name in ([kind] if kind else game.gallery)
        ],
        tabs=[
            (kind_name, reader.format_arg(label), len(map_kinds_by_name(game)[kind_name].ids))
            for kind_name, label in game.gallery.items()
        ],
    )


def render_gallery_page(context: PageContext, game: Game, template: str, **variables: object) -> Response:
    """Return a page with the faces that the game draws. If the game's drawing fails, the board kit draws them."""
    own = not context.services.settings.plain_boards and assets.has_file(game, assets.GALLERY_TEMPLATE)
    common = {
        "_": Localizer(context.language, game.words),
        "game": game,
        "say": game.words.reader(context.language).format_arg,
        "c": assets.build_printed_components(game),
        "signed": {
            kind: {id for symbol_kind, id, _ in assets.list_symbols(game) if symbol_kind == kind}
            for kind in game.gallery
        },
        "find_sign": partial(find_sign, game),
        "has_style": not context.services.settings.plain_boards and assets.has_file(game, assets.STYLE_FILE),
        **variables,
    }
    if own:
        try:
            return context.render_page(template, 200, **common, own=True, drawing=assets.draw_gallery(game))
        except Exception as error:
            plugin_errors.log_once(game.id, "gallery", error)
            common["has_style"] = False
    return context.render_page(template, 200, **common, own=False, drawing={})


def find_sign(game: Game, name: str, id: str) -> Sign | None:
    """Return the sign of a component, or of a value of a filter."""
    kinds = map_kinds_by_name(game)
    facets = [facet for kind in kinds.values() for facet in kind.facets if facet.id == name]
    for source in [kinds[name]] if name in kinds else facets:
        if source.sign is not None:
            return source.sign(id)
    return None


def read_filters(kind: ComponentKind | None, request: Request) -> dict[str, set[str]]:
    """Return the filter values in the address that the kind has."""
    filters: dict[str, set[str]] = {}
    for facet in () if kind is None else kind.facets:
        selected = {id for id, _ in facet.values} & set(request.query_params.getlist(facet.id))
        if selected:
            filters[facet.id] = selected
    return filters


def matches_filters(kind: ComponentKind, n: int, filters: Mapping[str, set[str]]) -> bool:
    """Return whether a component has one of the selected values of each filter."""
    return all(filters[facet.id] & set(facet.values_of(n)) for facet in kind.facets if facet.id in filters)


def list_filters(kind: ComponentKind | None, filters: Mapping[str, set[str]], reader: Reader) -> list[BoxFilter]:
    """Return the filters of a kind, with the number of components for each value."""
    if kind is None:
        return []
    box_filters = []
    for facet in kind.facets:
        counts = Counter(value for n in range(len(kind.ids)) for value in facet.values_of(n))
        selected = filters.get(facet.id, set())
        choices = [
            FilterValue(id, reader.format_arg(name), counts[id], id in selected)
            for id, name in facet.values
            if counts[id]
        ]
        box_filters.append(BoxFilter(facet.id, reader.format_arg(facet.label), choices))
    return box_filters


def build_section(game: Game, name: str, reader: Reader, filters: Mapping[str, set[str]]) -> BoxSection:
    """Return the components of one kind that match the filters."""
    kind = map_kinds_by_name(game)[name]
    items = [build_item(kind, n, reader) for n in range(len(kind.ids)) if matches_filters(kind, n, filters)]
    return BoxSection(name, reader.format_arg(game.gallery[name]), items, len(kind.ids), kind.millimetres)


def build_item(kind: ComponentKind, n: int, reader: Reader) -> BoxItem:
    card = make_card(kind, n, []) if kind.shape == "card" else None
    name = kind.names[n] if card is None or card.face is None else card.face.title
    return BoxItem(n, str(kind.ids[n]), reader.format_arg(name), card, reader.format_arg(kind.note(n)))


# -- one component -----------------------------------------------------------------------------------------------------


@router.get("/rules/{id}/components/{kind}/{thing}")
async def get_component(request: Request, id: str, kind: str, thing: str) -> Response:
    """Return the page of one component: large, described, with the rules and rulings that name it."""
    back = await find_back_link(request)
    table = await load_finished_table(request, back)
    if table is None or table.game.id != id:
        return await get_services(request).runtime.run_in_thread(
            _render_component, PageContext(request), id, kind, thing, back, None
        )
    async with get_services(request).tables.locked(table) as table:
        return await get_services(request).runtime.run_in_thread(
            _render_component, PageContext(request), id, kind, thing, back, table
        )


def _render_component(
    context: PageContext, id: str, name: str, component: str, back: BackLink, table: Table | None
) -> Response:
    game = require_game(id)
    kind = map_kinds_by_name(game).get(name) if name in game.gallery else None
    ids = [] if kind is None else [str(component_id) for component_id in kind.ids]
    if kind is None or component not in ids:
        raise NotFound("This game has no such component.")
    n = ids.index(component)
    reader = game.words.reader(context.language)
    entry = _find_entry(list_entries(game, context.language), name, component)
    return render_gallery_page(
        context,
        game,
        "box_item.html.jinja",
        back=back,
        kind=name,
        label=reader.format_arg(game.gallery[name]),
        item=build_item(kind, n, reader),
        about=entry.text,
        naming=find_component_rules(game, context.language, entry),
        lay=[] if table is None else list_places_at_end(table, name, component, context.language),
        before=ids[n - 1] if n else "",
        after=ids[n + 1] if n + 1 < len(ids) else "",
        sorts=[
            (
                reader.format_arg(facet.label),
                [reader.format_arg(name) for id, name in facet.values if id in facet.values_of(n)],
            )
            for facet in kind.facets
        ],
    )


def _find_entry(candidates: Sequence[SearchEntry], kind: str, component: str) -> SearchEntry:
    return next(entry for entry in candidates if entry.part == kind and entry.number == component)
