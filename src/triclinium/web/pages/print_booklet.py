"""The rules as pages of half a sheet. Page breaks are computed here, because the layout needs the number of pages."""

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from html import unescape
from math import ceil

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from triclinium.engine.game import Game
from triclinium.server.rule_search import load_rules_source
from triclinium.web.assets import MAX_CACHED_GAMES
from triclinium.web.i18n import Localizer
from triclinium.web.pages.rules import mark_number
from triclinium.web.print_layout import PAPERS

# The measures of print.css in millimetres: 8 pt text, with letters as wide as those of the widest usual fonts.
PAGE_MARGIN = 10.0
LINE, LETTER = 3.67, 1.62
FILLED = 0.98  # the share of a page that is filled, so that a wider font is not cut off
BLOCK_SPACE = {"p": 1.4, "h2": 5.5, "h3": 4.5, "li": 0.8, "tr": 1.2}
HEADING_SCALE = {"h2": 2.0, "h3": 1.2}
LIST_INDENT = 6.0
TABLE_SPREAD = 1.4  # extra height of tables, because cells of a row have different lengths
BLOCK = re.compile(r"<(p|h[23]|li|tr)\b.*?(?=<(?:p|h[23]|li|tr)\b|\Z)", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
ANCHOR = re.compile(r'<a id="[^"]*"></a>\s*')
LINK = re.compile(r"</?a\b[^>]*>")  # links of the rules lead nowhere on paper


@lru_cache(4 * MAX_CACHED_GAMES)
def break_rules(game: Game, language: str, paper: str) -> tuple[tuple[Markup, ...], str]:
    """Return the pages of the rules, with the numbers of the game's components, and their language."""
    source, spoken = load_rules_source(game, language, partial(mark_number, Localizer(language)))
    width, height = PAPERS[paper][1] / 2 - 2 * PAGE_MARGIN, PAPERS[paper][0] - 2 * PAGE_MARGIN
    pages: list[list[str]] = [[]]
    room = height * FILLED
    blocks = _split_blocks(ANCHOR.sub("", source))
    for nth, block in enumerate(blocks):
        needed = _estimate_height(block, width)
        if block.startswith("<h") and nth + 1 < len(blocks):  # a heading stays with the text below it
            needed += _estimate_height(blocks[nth + 1], width)
        if needed > room and pages[-1]:
            pages.append([])
            room = height * FILLED
        pages[-1].append(block)
        room -= _estimate_height(block, width)
    return tuple(Markup("".join(page)) for page in pages), spoken


def _split_blocks(source: str) -> list[str]:
    """Return the rules as HTML, block by block; the items of a list are separate blocks, each in a list of its own."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    blocks: list[str] = []

    def render(tokens: list[Token]) -> str:
        html = LINK.sub("", str(markdown.renderer.render(tokens, markdown.options, {})))
        return html.replace("<h1>", '<h2 class="title">').replace("</h1>", "</h2>")  # the page has a heading of its own

    for group in _group_tokens(markdown.parse(source)):
        tag = group[0].tag
        if tag in ("ul", "ol"):
            first = int(group[0].attrGet("start") or 1)
            for number, item in enumerate(_group_tokens(group[1:-1]), first):
                start = f' start="{number}"' if tag == "ol" else ""
                blocks.append(f"<{tag}{start}>{render(item)}</{tag}>")
        else:
            blocks.append(render(group))
    return blocks


def _group_tokens(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each outermost element."""
    group: list[Token] = []
    depth = 0
    for token in tokens:
        token.attrs.pop("style", "")  # the content policy forbids inline styles
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []


def _estimate_height(block: str, width: float) -> float:
    """Return the height that a block needs at most."""
    height = 0.0
    for part in BLOCK.finditer(block):
        tag, text = part[1], unescape(TAG.sub("", part[0])).strip()
        scale = HEADING_SCALE.get(tag, 1.0)
        letters = len(text) * (TABLE_SPREAD if tag == "tr" else 1.0)
        line = width - LIST_INDENT if tag == "li" else width
        height += ceil(letters * LETTER * scale / line) * LINE * scale + BLOCK_SPACE[tag]
    return height
