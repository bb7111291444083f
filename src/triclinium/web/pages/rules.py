"""The pages of the rules: each game's rules in our own words, a search, and each rule on its own."""

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from triclinium.engine.game import Game
from triclinium.server.errors import NotFound
from triclinium.server.http.auth import get_services
from triclinium.server.rule_search import (
    RULES,
    RULINGS,
    SearchEntry,
    find_citing_rulings,
    find_rule,
    load_rules_source,
    search_entries,
)
from triclinium.server.services import Services
from triclinium.server.storage.components import load_components_text, load_table_game
from triclinium.server.tables.create import require_game
from triclinium.web import assets
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext, load_all_games
from triclinium.web.pages.back_link import BackLink, find_back_link, load_started_table

router = APIRouter(include_in_schema=False)
CHAPTER_HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SearchHits:
    """The results of a search in one part of a game: the name of the part, and its entries."""

    part: str
    entries: list[SearchEntry]


@router.get("/rules")
async def get_rules_index(request: Request) -> Response:
    return await PageContext(request).render_in_thread("rules_index.html.jinja", games=load_all_games())


@router.get("/rules/{id}")
async def get_rules(request: Request, id: str, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    back = await find_back_link(request)
    game = await find_readers_edition(request, id, back)
    return await get_services(request).runtime.run_in_thread(_render_rules, PageContext(request), game, q, back)


def _render_rules(context: PageContext, game: Game, query: str, back: BackLink) -> Response:
    text, chapters, rules_language = render_rules(game, context.language)
    return context.render_page(
        "rules.html.jinja",
        game=game,
        text=text,
        chapters=chapters,
        spoken=rules_language,
        asked=query,
        hits=find_search_hits(game, context.localize, query),
        back=back,
    )


@router.get("/rules/{id}/rule/{number}")
async def get_rule(request: Request, id: str, number: str, part: str = "") -> Response:
    """Return one rule with its rulings, either as a part of another page or as a page with a link back."""
    back = await find_back_link(request)
    game = await find_readers_edition(request, id, back)
    return await get_services(request).runtime.run_in_thread(
        _render_rule, PageContext(request), game, number, part == "on", back
    )


@router.get("/rules/{id}/help")
async def get_help(request: Request, id: str) -> Response:
    """Return all keys and symbols of a game, for paper and for readers without script."""
    context, game, back = PageContext(request), require_game(id), await find_back_link(request)
    has_style = not context.services.settings.plain_boards and assets.has_file(game, assets.STYLE_FILE)
    return await context.render_in_thread("help_page.html.jinja", game=game, back=back, has_style=has_style)


async def find_readers_edition(request: Request, id: str, back: BackLink) -> Game:
    """Return a game with the components that the reader means: those of an edition, or of the table they came from.

    The address names an edition by the hash of its file. Raise `NotFound` for an unknown game.
    """
    game = require_game(id)
    services = get_services(request)
    hash = request.query_params.get("edition", "")
    if hash:
        return await services.runtime.run_in_thread(_load_edition, services, game, hash[:16])
    table = await load_started_table(request, back)
    return table.game if table is not None and table.game_id == id else game


def _load_edition(services: Services, game: Game, hash: str) -> Game:
    with services.store.read_connection() as connection:
        text = load_components_text(connection, hash)
    edition = load_table_game(game.id, hash, text) if text else None
    if edition is None:
        raise NotFound("There is no such edition.")
    return edition


def _render_rule(context: PageContext, game: Game, number: str, part: bool, back: BackLink) -> Response:
    entry = find_rule(game, context.language, number)
    if entry is None:
        raise NotFound("There is no such rule.")
    template = "rule_text.html.jinja" if part else "rule.html.jinja"
    citations = find_citing_rulings(game, context.language, entry.number)
    return context.render_page(template, game=game, rule=entry, citing=citations, back=back, part=part)


def find_search_hits(game: Game, localize: Localizer, query: str) -> list[SearchHits]:
    """Return the results of a search by parts: first the rules, then the components."""
    labels = {RULES: localize("Rules"), RULINGS: localize("Rulings")}
    labels |= {kind: localize.name(label, game) for kind, label in game.gallery.items()}
    entries = search_entries(game, localize.language, query)
    parts = [SearchHits(label, [entry for entry in entries if entry.part == part]) for part, label in labels.items()]
    return [group for group in parts if group.entries]


@lru_cache(assets.MAX_CACHED_GAMES)
def render_rules(game: Game, language: str) -> tuple[Markup, list[tuple[str, str]], str]:
    """Return the rules as HTML, their chapters, and their language.

    The file comes from the game, so its anchors are kept.
    """
    source, rules_language = load_rules_source(game, language, partial(mark_number, Localizer(language)))
    chapters: list[tuple[str, str]] = []

    def add_anchor(heading: re.Match[str]) -> str:
        id = f"ch-{len(chapters) + 1}"
        chapters.append((id, heading[1]))
        return f'<a id="{id}"></a>\n\n## {heading[1]}'

    source = CHAPTER_HEADING.sub(add_anchor, source)
    return Markup(render_markdown(source)), chapters, rules_language


def mark_number(localize: Localizer, text: str, printed: str) -> str:
    """Return a number that differs from the printed game, marked and followed by the printed one for screen readers."""
    said = localize("printed: {0}", printed)
    return str(Markup('<mark title="{0}">{1}<span class="sr"> ({0})</span></mark>').format(said, text))


def render_markdown(source: str) -> str:
    """Return Markdown as HTML. Columns of numbers get a class, because the content policy forbids inline styles."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = reader.parse(source)
    for token in tokens:
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrs["class"] = "to-right"
    return str(reader.renderer.render(tokens, reader.options, {}))
