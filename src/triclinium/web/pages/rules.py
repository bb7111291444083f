"""The pages of the rules: each game's rules in our own words, a search, and each rule on its own."""

import re
from dataclasses import dataclass
from functools import lru_cache
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
from triclinium.server.tables.create import require_game
from triclinium.web import assets
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext, load_all_games
from triclinium.web.pages.back_link import BackLink, find_back_link

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
    return await get_services(request).runtime.run_in_thread(_render_rules, PageContext(request), id, q, back)


def _render_rules(context: PageContext, id: str, query: str, back: BackLink) -> Response:
    game = require_game(id)
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
    return await get_services(request).runtime.run_in_thread(
        _render_rule, PageContext(request), id, number, part == "on", back
    )


@router.get("/rules/{id}/help")
async def get_help(request: Request, id: str) -> Response:
    """Return all keys and symbols of a game, for paper and for readers without script."""
    context, game, back = PageContext(request), require_game(id), await find_back_link(request)
    has_style = not context.services.settings.plain_boards and assets.has_file(game, assets.STYLE_FILE)
    return await context.render_in_thread("help_page.html.jinja", game=game, back=back, has_style=has_style)


def _render_rule(context: PageContext, id: str, number: str, part: bool, back: BackLink) -> Response:
    game = require_game(id)
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
    source, rules_language = load_rules_source(game, language)
    chapters: list[tuple[str, str]] = []

    def add_anchor(heading: re.Match[str]) -> str:
        id = f"ch-{len(chapters) + 1}"
        chapters.append((id, heading[1]))
        return f'<a id="{id}"></a>\n\n## {heading[1]}'

    source = CHAPTER_HEADING.sub(add_anchor, source)
    return Markup(render_markdown(source)), chapters, rules_language


def render_markdown(source: str) -> str:
    """Return Markdown as HTML. Columns of numbers get a class, because the content policy forbids inline styles."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = reader.parse(source)
    for token in tokens:
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrs["class"] = "to-right"
    return str(reader.renderer.render(tokens, reader.options, {}))
