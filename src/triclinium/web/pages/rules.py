"""The rules pages: each title's rules in our own words, and everything in its box."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from triclinium.boardkit.cards import new_card
from triclinium.boardkit.kinds import kinds_of
from triclinium.boardkit.parts import Card
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.server.auth import server_of
from triclinium.server.library import RULES, RULINGS, Entry, rules_source, search
from triclinium.server.tables.create import known_title
from triclinium.web import assets
from triclinium.web.i18n import Speech
from triclinium.web.render import Reading, all_titles

router = APIRouter(include_in_schema=False)
HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hits:
    """What a question found in one part of a game: the part in words, and its entries."""

    part: str
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class Shelf:
    """One kind of thing in the box: what people call it, and each thing with its id and name."""

    kind: str
    label: str
    cards: list[Card]
    names: list[tuple[str, str]]


@router.get("/rules")
async def index(request: Request) -> Response:
    return await Reading(request).show("rules_index.html.jinja", titles=all_titles())


@router.get("/rules/{id}")
async def rules(request: Request, id: str, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    return await server_of(request).in_thread(_rules, Reading(request), id, q)


def _rules(reading: Reading, id: str, asked: str) -> Response:
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
    )


@router.get("/rules/{id}/box")
async def box(request: Request, id: str) -> Response:
    """Everything in the box, as it lies on the table."""
    return await server_of(request).in_thread(_box, Reading(request), id)


def _box(reading: Reading, id: str) -> Response:
    game = known_title(id)
    reader = game.words.reader(reading.language)
    signed = {kind: {id for of, id, _ in assets.signs(game) if of == kind} for kind in game.gallery}
    return reading.page(
        "box.html.jinja", game=game, say=reader.say, shelves=shelves(game, reader), signed=signed, asked=""
    )


def hits(game: Game, speech: Speech, asked: str) -> list[Hits]:
    """What a question finds, part by part: first the rules, then the box."""
    labels = {RULES: speech("Rules"), RULINGS: speech("Rulings")}
    labels |= {kind: speech.name(label, game) for kind, label in game.gallery.items()}
    found = search(game, speech.language, asked)
    parts = [Hits(label, [entry for entry in found if entry.part == part]) for part, label in labels.items()]
    return [one for one in parts if one.entries]


def shelves(game: Game, reader: Reader) -> list[Shelf]:
    """The kinds of things that a game shows, cards with their faces."""
    found = []
    for name, label in game.gallery.items():
        kind = kinds_of(game)[name]
        cards = [new_card(kind, n, []) for n in range(len(kind.ids))] if kind.shape == "card" else []
        names = [(f"{name}-{id}", reader.say(kind.names[n])) for n, id in enumerate(kind.ids)]
        found.append(Shelf(name, reader.say(label), cards, names))
    return found


@lru_cache(assets.TITLES)
def rendered(game: Game, language: str) -> tuple[Markup, list[tuple[str, str]], str]:
    """The rules as HTML, their chapters, and their language. The file is a game's own: its anchors are kept."""
    source, spoken = rules_source(game, language)
    if not source:
        return Markup("<h1>{}</h1>").format(game.words.reader(language).say(game.name)), [], language
    chapters: list[tuple[str, str]] = []

    def anchored(found: re.Match[str]) -> str:
        id = f"ch-{len(chapters) + 1}"
        chapters.append((id, found[1]))
        return f'<a id="{id}"></a>\n\n## {found[1]}'

    source = HEADING.sub(anchored, source)
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(source)
    return Markup(html), chapters, spoken
