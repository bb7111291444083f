"""The rules pages: each title's rules in our own words, and everything in its box."""

import re
from dataclasses import dataclass
from functools import lru_cache

from fastapi import APIRouter, Request, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from triclinium.engine.contents import ComponentList, lists_of
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.i18n.catalog import Domain
from triclinium.server.auth import server_of
from triclinium.server.tables.create import known_title
from triclinium.web import assets
from triclinium.web.i18n import Speech
from triclinium.web.render import Reading, all_titles

router = APIRouter(include_in_schema=False)
HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """One table of the components file."""

    name: str
    source: str
    columns: list[str]
    rows: list[list[str]]

    def source_in(self, speech: Speech) -> str:
        """Where its data come from, in words; what a game says otherwise stands as it is."""
        known = {
            "rulebook": speech("rulebook"),
            "public": speech("public"),
            "reconstructed": speech("reconstructed"),
        }
        return ", ".join(known.get(one, one) for one in self.source.split(", "))


@router.get("/rules")
async def index(request: Request) -> Response:
    return await Reading(request).show("rules_index.html.jinja", titles=all_titles())


@router.get("/rules/{id}")
async def rules(request: Request, id: str) -> Response:
    return await server_of(request).in_thread(_rules, Reading(request), id)


def _rules(reading: Reading, id: str) -> Response:
    game = known_title(id)
    text, chapters, spoken = rendered(game, reading.language)
    return reading.page(
        "rules.html.jinja",
        game=game,
        text=text,
        chapters=chapters,
        spoken=spoken,
        gallery=gallery(game, reading.language),
    )


@lru_cache(assets.TITLES)
def rendered(game: Game, language: str) -> tuple[Markup, list[tuple[str, str]], str]:
    """The rules as HTML, their chapters, and their language. The file is a game's own: its anchors are kept."""
    domain = Domain(game.id, assets.folder(game, "data"))
    path = domain.file(f"rules.{language}.md") or domain.file("rules.en.md")
    if path is None:
        return Markup("<h1>{}</h1>").format(game.words.reader(language).say(game.name)), [], language
    source = path.read_text(encoding="utf-8")
    chapters: list[tuple[str, str]] = []

    def anchored(found: re.Match[str]) -> str:
        id = f"ch-{len(chapters) + 1}"
        chapters.append((id, found[1]))
        return f'<a id="{id}"></a>\n\n## {found[1]}'

    source = HEADING.sub(anchored, source)
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(source)
    return Markup(html), chapters, path.suffixes[-2][1:]


@lru_cache(assets.TITLES)
def gallery(game: Game, language: str) -> list[Part]:
    """Every list of the components file: cards, places, tokens, each with its source."""
    reader = game.words.reader(language)
    return [_part(one, reader) for one in lists_of(game.file.data)]


def _part(one: ComponentList, reader: Reader) -> Part:
    rows = [[_cell(entry.get(column, ""), one, column, reader) for column in one.columns] for entry in one.entries]
    return Part(
        reader.say(one.heading), one.source, [reader.say(one.column_name(column)) for column in one.columns], rows
    )


def _cell(value: object, one: ComponentList, column: str, reader: Reader) -> str:
    if isinstance(value, bool):
        return "✓" if value else ""
    if isinstance(value, list):
        return ", ".join(_cell(item, one, column, reader) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_cell(item, one, column, reader)}" for key, item in value.items())
    return reader.say(one.word(column, value)) if isinstance(value, str) else str(value)
