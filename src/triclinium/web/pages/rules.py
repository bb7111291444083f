"""The rules pages: each game's rules in our own words, searched, and one by one."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from triclinium.engine.game import Game
from triclinium.server.errors import NotFound
from triclinium.server.http.auth import server_of
from triclinium.server.rule_search import RULES, RULINGS, Entry, citing, rule, rules_source, search
from triclinium.server.tables.create import known_title
from triclinium.web import assets
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading, all_titles
from triclinium.web.pages.back_link import Back, back_to

router = APIRouter(include_in_schema=False)
HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hits:
    """What a question found in one part of a game: the part in words, and its entries."""

    part: str
    entries: list[Entry]


@router.get("/rules")
async def index(request: Request) -> Response:
    return await Reading(request).show("rules_index.html.jinja", titles=all_titles())


@router.get("/rules/{id}")
async def rules(request: Request, id: str, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    back = await back_to(request)
    return await server_of(request).in_thread(_rules, Reading(request), id, q, back)


def _rules(reading: Reading, id: str, asked: str, back: Back) -> Response:
    game = known_title(id)
    text, chapters, spoken = rendered(game, reading.language)
    return reading.page(
        "rules.html.jinja",
        game=game,
        text=text,
        chapters=chapters,
        spoken=spoken,
        asked=asked,
        hits=hits(game, reading.speech, asked),
        back=back,
    )


@router.get("/rules/{id}/rule/{number}")
async def get_rule(request: Request, id: str, number: str, part: str = "") -> Response:
    """One rule with its rulings: a part of a page where it matters, or a page with the way back."""
    back = await back_to(request)
    return await server_of(request).in_thread(_rule, Reading(request), id, number, part == "on", back)


@router.get("/rules/{id}/help")
async def get_help(request: Request, id: str) -> Response:
    """All keys and signs of a game, for paper, and for whoever has no script."""
    reading, game, back = Reading(request), known_title(id), await back_to(request)
    has_style = not reading.server.settings.plain_boards and assets.has(game, assets.STYLE)
    return await reading.show("help.html.jinja", game=game, back=back, has_style=has_style)


def _rule(reading: Reading, id: str, number: str, part: bool, back: Back) -> Response:
    game = known_title(id)
    found = rule(game, reading.language, number)
    if found is None:
        raise NotFound("there is no such rule")
    template = "rule_part.html.jinja" if part else "rule.html.jinja"
    cited = citing(game, reading.language, found.number)
    return reading.page(template, game=game, rule=found, citing=cited, back=back, part=part)


def hits(game: Game, speech: Speech, asked: str) -> list[Hits]:
    """What a question finds, part by part: first the rules, then the box."""
    labels = {RULES: speech("Rules"), RULINGS: speech("Rulings")}
    labels |= {kind: speech.name(label, game) for kind, label in game.gallery.items()}
    found = search(game, speech.language, asked)
    parts = [Hits(label, [entry for entry in found if entry.part == part]) for part, label in labels.items()]
    return [one for one in parts if one.entries]


@lru_cache(assets.TITLES)
def rendered(game: Game, language: str) -> tuple[Markup, list[tuple[str, str]], str]:
    """The rules as HTML, their chapters, and their language. The file is a game's own: its anchors are kept."""
    source, spoken = rules_source(game, language)
    chapters: list[tuple[str, str]] = []

    def anchored(found: re.Match[str]) -> str:
        id = f"ch-{len(chapters) + 1}"
        chapters.append((id, found[1]))
        return f'<a id="{id}"></a>\n\n## {found[1]}'

    source = HEADING.sub(anchored, source)
    return Markup(html_of(source)), chapters, spoken


def html_of(source: str) -> str:
    """Markdown as HTML. A column of numbers has a class: the pages' policy allows no style within a tag."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = reader.parse(source)
    for token in tokens:
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrs["class"] = "to-right"
    return str(reader.renderer.render(tokens, reader.options, {}))
