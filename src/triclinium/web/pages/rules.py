"""The pages of the rules: each game's rules in our own words, a search, and each rule on its own."""

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.engine.rule_positions import (
    EVENT,
    FORBIDS,
    MOVE,
    QUESTION,
    SET_UP,
    SHOWN,
    RulePosition,
    RulePositions,
    load_rule_positions,
)
from triclinium.server.errors import NotFound
from triclinium.server.http.auth import get_services
from triclinium.server.presenter.rule_position import TriedPosition, try_option
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
from triclinium.web.pages.sample_position import make_query_link, make_sample_view, render_sample_page

router = APIRouter(include_in_schema=False)
KIND_SENTENCES = {
    FORBIDS: msgid("{0} forbids the marked move."),
    EVENT: msgid("{0} allows the marked move and says what it does."),
    MOVE: msgid("{0} takes effect with the marked move."),
    QUESTION: msgid("{0} decides which moves are allowed here."),
    SET_UP: msgid("The match was set up by {0}. This is its first decision."),
    SHOWN: msgid("The table shows what {0} says."),
}
WITHOUT_SENTENCES = {
    "components": msgid("No position: this is about the printed components."),
    "never": msgid("No position: this says what never happens."),
    "players": msgid("No position: this is about the players, not about a move."),
    "rare": msgid("No position: no match between bots has shown this."),
    "server": msgid("No position: this is about how the server shows the match."),
    "together": msgid("No position: this only takes effect together with other rules."),
}
RULE_PARAGRAPH = re.compile(
    r'<a id="[^"]+"></a>\s*<strong>(?P<number>[A-Z]+-R?[\d.]+)</strong>.*?(?=</p>|</li>)', re.DOTALL
)
CHAPTER_HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SearchHits:
    """The results of a search in one part of a game: the name of the part, and its entries."""

    part: str
    entries: list[SearchEntry]


@dataclass(frozen=True, slots=True)
class ReadersEdition:
    """The edition whose rules a reader opens. If it is withheld, its differences from the printed game stay hidden."""

    game: Game
    is_withheld: bool = False

    def load_positions(self) -> RulePositions:
        return load_rule_positions(load_game(self.game.id) if self.is_withheld else self.game)


@dataclass(frozen=True)
class RulePositionVariables:
    """The variables of a rule's position in addition to those of the table."""

    rule: SearchEntry
    position: RulePosition
    n: int  # the number of the position among those of the rule, from 0
    count: int
    address: str  # the address of this position
    rule_path: str  # the address of the rule's first position
    attempt: TriedPosition  # the position with the option that the reader tries
    sentence: str  # the effect of the rule here


@router.get("/rules")
async def get_rules_index(request: Request) -> Response:
    return await PageContext(request).render_in_thread("rules_index.html.jinja", games=load_all_games())


@router.get("/rules/{id}")
async def get_rules(request: Request, id: str, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    back = await find_back_link(request)
    edition = await find_readers_edition(request, id, back)
    return await get_services(request).runtime.run_in_thread(_render_rules, PageContext(request), edition, q, back)


def _render_rules(context: PageContext, edition: ReadersEdition, query: str, back: BackLink) -> Response:
    game = edition.game
    text, chapters, rules_language = render_rules(game, context.language, edition.is_withheld)
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
    edition = await find_readers_edition(request, id, back)
    return await get_services(request).runtime.run_in_thread(
        _render_rule, PageContext(request), edition, number, part == "on", back
    )


@router.get("/rules/{id}/rule/{number}/position")
async def get_rule_position(request: Request, id: str, number: str, n: int = 0, option: str = "") -> Response:
    """Return a position of a real match that shows a rule, or the position after an option that the reader tries."""
    return await get_services(request).runtime.run_in_thread(
        _render_rule_position, PageContext(request), id, number, n, option
    )


@router.get("/rules/{id}/help")
async def get_help(request: Request, id: str) -> Response:
    """Return all keys and symbols of a game, for paper and for readers without script."""
    context, game, back = PageContext(request), require_game(id), await find_back_link(request)
    has_style = not context.services.settings.plain_boards and assets.has_file(game, assets.STYLE_FILE)
    return await context.render_in_thread("help_page.html.jinja", game=game, back=back, has_style=has_style)


async def find_readers_edition(request: Request, id: str, back: BackLink) -> ReadersEdition:
    """Return a game with the components that the reader means: those of an edition, or of the table they came from.

    The address names an edition by the hash of its file. Raise `NotFound` for an unknown game.
    """
    game = require_game(id)
    services = get_services(request)
    hash = request.query_params.get("edition", "")
    if hash:
        return ReadersEdition(await services.runtime.run_in_thread(_load_edition, services, game, hash[:16]))
    table = await load_started_table(request, back)
    is_played = table is not None and table.game_id == id
    return ReadersEdition(table.game, table.is_withheld) if table is not None and is_played else ReadersEdition(game)


def _load_edition(services: Services, game: Game, hash: str) -> Game:
    with services.store.read_connection() as connection:
        text = load_components_text(connection, hash)
    edition = load_table_game(game.id, hash, text) if text else None
    if edition is None:
        raise NotFound("There is no such edition.")
    return edition


def _render_rule(context: PageContext, edition: ReadersEdition, number: str, part: bool, back: BackLink) -> Response:
    game = edition.game
    entry = find_rule(game, context.language, number)
    if entry is None:
        raise NotFound("There is no such rule.")
    template = "rule_text.html.jinja" if part else "rule.html.jinja"
    citations = find_citing_rulings(game, context.language, entry.number)
    has_position = entry.number in edition.load_positions().by_rule
    return context.render_page(
        template, game=game, rule=entry, citing=citations, back=back, part=part, has_position=has_position
    )


def _render_rule_position(context: PageContext, id: str, number: str, n: int, option: str) -> Response:
    game = require_game(id)
    entry = find_rule(game, context.language, number)
    positions = () if entry is None else load_rule_positions(game).by_rule.get(entry.number, ())
    if entry is None or not 0 <= n < len(positions):
        raise NotFound("There is no position for this rule.")
    position, path = positions[n], f"/rules/{id}/rule/{number}/position"
    tried = try_option(game, position, option, game.words.reader(context.language))
    title = context.localize("{0} in a match", entry.number)
    variables = RulePositionVariables(
        rule=entry,
        position=position,
        n=n,
        count=len(positions),
        address=f"{path}?n={n}" if n else path,
        rule_path=path,
        attempt=tried,
        sentence=context.localize(KIND_SENTENCES[position.kind], entry.number),
    )
    return render_sample_page(
        context,
        make_sample_view(context, game, tried.record, tried.seat, title),
        "rule_position.html.jinja",
        make_query_link(variables.address, "option"),
        "" if tried.is_played else position.option,
        variables.sentence,
        **vars(variables),
    )


def find_search_hits(game: Game, localize: Localizer, query: str) -> list[SearchHits]:
    """Return the results of a search by parts: first the rules, then the components."""
    labels = {RULES: localize("Rules"), RULINGS: localize("Rulings")}
    labels |= {kind: localize.name(label, game) for kind, label in game.gallery.items()}
    entries = search_entries(game, localize.language, query)
    parts = [SearchHits(label, [entry for entry in entries if entry.part == part]) for part, label in labels.items()]
    return [group for group in parts if group.entries]


@lru_cache(assets.MAX_CACHED_GAMES)
def render_rules(game: Game, language: str, withheld: bool = False) -> tuple[Markup, list[tuple[str, str]], str]:
    """Return the rules as HTML, their chapters, and their language.

    The rules file belongs to the game, so its anchors are trusted. If the edition is withheld, no number is marked.
    """
    mark = None if withheld else partial(mark_number, Localizer(language))
    source, rules_language = load_rules_source(game, language, mark)
    chapters: list[tuple[str, str]] = []

    def add_anchor(heading: re.Match[str]) -> str:
        id = f"ch-{len(chapters) + 1}"
        chapters.append((id, heading[1]))
        return f'<a id="{id}"></a>\n\n## {heading[1]}'

    source = CHAPTER_HEADING.sub(add_anchor, source)
    html = add_positions(ReadersEdition(game, withheld), render_markdown(source), Localizer(language))
    return Markup(html), chapters, rules_language


def add_positions(edition: ReadersEdition, html: str, localize: Localizer) -> str:
    """Return the rules with a link from every rule to a position that shows it, or the reason why there is none."""
    game, positions = edition.game, edition.load_positions()
    show, language = localize("Show me"), localize.language

    def add_link(rule: re.Match[str]) -> str:
        number = rule["number"]
        addition = ""
        if number in positions.by_rule:
            path = f"/rules/{game.id}/rule/{number}/position"
            named = f'{show}<span class="sr"> {number}</span>'
            addition = f' <a class="btn tiny showme" lang="{language}" href="{path}">{named}</a>'
        elif number in positions.without:
            reason = localize(WITHOUT_SENTENCES[positions.without[number]])
            addition = f' <small class="soft" lang="{language}">{escape(reason)}</small>'
        return rule[0] + addition

    return RULE_PARAGRAPH.sub(add_link, html)


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
