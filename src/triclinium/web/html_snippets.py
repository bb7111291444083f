"""Small pieces of HTML that pages contain by the hundred, made by plain functions and cached."""

import re
from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup

from triclinium.server.tables.table import LogLine, Table
from triclinium.web.i18n import Localizer
from triclinium.web.static_files import StaticFiles

RULE_CITATION = re.compile(r"(?<=\()([A-Z]{2,}-R?\d+(?:\.\d+)?)(?=\))")
MAX_CACHED = 5_000  # maximum number of cached pieces; a full cache is cleared
BOT_COLOUR = "#6b6455"
MINUS = "\N{MINUS SIGN}"
# White text is readable on each of these colours.
AVATAR_COLOURS = ("#0b5a8f", "#8a3a1c", "#6d5a14", "#9a5a12", "#7a1f3d", "#1f6f78", "#3d6b2a")
AVATAR_PATTERNS = (
    "M5 20a15 15 0 1 0 30 0a15 15 0 1 0 -30 0M2 20a18 18 0 1 0 36 0a18 18 0 1 0 -36 0",
    "M20 2 38 20 20 38 2 20Z",
    "M-4 12q6-6 12 0t12 0 12 0 12 0M-4 30q6-6 12 0t12 0 12 0 12 0",
    "M0 0 40 40M40 0 0 40M20 0v40M0 20h40",
    "M6 6h28v28H6ZM2 2h36v36H2Z",
)


class HtmlSnippets:
    """Icons, seat badges, avatars, links to rules, and cached results of macros."""

    def __init__(self, files: StaticFiles) -> None:
        self._url = files.url
        self._cache: dict[tuple[object, ...], str] = {}
        self.icon = lru_cache(MAX_CACHED)(self._render_icon)
        self.seat_badge = lru_cache(MAX_CACHED)(self._render_seat_badge)
        self.symbol = lru_cache(MAX_CACHED)(self._render_symbol)
        self.avatar = lru_cache(MAX_CACHED)(self._render_avatar)
        self.rule_link = lru_cache(MAX_CACHED)(self._render_rule_link)

    def _render_icon(self, name: str, size: int = 18) -> Markup:
        """Return an icon from the server's sprite."""
        return Markup(
            '<svg class="i" width="{0}" height="{0}" viewBox="0 0 24 24" aria-hidden="true">'
            '<use href="{1}#i-{2}"/></svg>'
        ).format(size, self._url("sprite.svg"), name)

    def _render_seat_badge(self, number: int, name: str, size: int = 20, state: str = "") -> Markup:
        """Return the badge of a seat: its colour, shape and letter."""
        low = Markup('y="24.6" font-size="12.5"') if number == 2 else Markup('y="20.8" font-size="14"')
        return Markup(
            '<svg class="seat s{0} {1}" width="{2}" height="{2}" viewBox="0 0 32 32" aria-hidden="true">'
            '<use href="{3}#seat-{0}"/><text x="16" {4}>{5}</text></svg>'
        ).format(number, state, size, self._url("sprite.svg"), low, "+" if state == "is-free" else name[:1].upper())

    def _render_avatar(self, name: str, size: int = 32, bot: bool = False) -> Markup:
        """Return a person's avatar, drawn from the name: a colour, one of five patterns and a letter."""
        number = sum((n + 1) * ord(letter) for n, letter in enumerate(name))
        inner = (
            Markup('<use href="{0}#i-bot" x="8" y="8" width="24" height="24" class="i"/>').format(
                self._url("sprite.svg")
            )
            if bot
            else Markup('<text x="20" y="26.6" font-size="19">{0}</text>').format(name[:1].upper())
        )
        return Markup(
            '<svg class="pic" width="{0}" height="{0}" viewBox="0 0 40 40" aria-hidden="true">'
            '<rect width="40" height="40" fill="{1}"/>'
            '<path fill="none" stroke="#fff6df" stroke-opacity=".28" stroke-width="1.6" d="{2}"/>{3}</svg>'
        ).format(
            size,
            BOT_COLOUR if bot else AVATAR_COLOURS[number % len(AVATAR_COLOURS)],
            AVATAR_PATTERNS[number % len(AVATAR_PATTERNS)],
            inner,
        )

    def _render_symbol(self, file: str, id: str, size: float = 16, style: str = "", number: str = "") -> Markup:
        """Return a symbol from a file of symbols, for use in text. A number is written on it."""
        if not number:
            return Markup(
                '<svg class="sg {0}" width="{1}" height="{1}" aria-hidden="true"><use href="{2}#{3}"/></svg>'
            ).format(style, size, self._url(file), id)
        return Markup(
            '<svg class="sg num n-{3}{5} {0}" width="{1}" height="{1}" viewBox="0 0 24 24" aria-hidden="true">'
            '<use href="{2}#{3}" width="24" height="24"/><text x="12" y="12">{4}</text></svg>'
        ).format(style, size, self._url(file), id, number.replace("-", MINUS), " long" if len(number) > 2 else "")

    def _render_rule_link(self, game_id: str, number: str) -> Markup:
        """Return the number of a rule as a link to the rule."""
        return Markup('<a class="r" href="/rules/{0}#{1}">{2}</a>').format(game_id, number.lower(), number)

    def link_rules(self, game_id: str, text: str) -> Markup:
        """Return a sentence whose citations, such as ``(AE-2.7)``, are links to the rules."""
        parts = RULE_CITATION.split(text)  # The numbers of rules are at the odd indexes.
        return Markup("").join(self.rule_link(game_id, part) if n % 2 else part for n, part in enumerate(parts))

    def render_log(
        self,
        lines: list[LogLine],
        table: Table,
        query: str,
        names: tuple[str, ...],
        read_until: int,
        localize: Localizer,
    ) -> Markup:
        """Return the items of the log. Items after the reader's last turn are marked as new."""
        parts: list[str] = []
        for line in lines:
            item = self._render_log_line(line, table, query, "" if line.seat is None else names[line.seat], localize)
            parts += ('<li class="new">' if line.n > read_until else "<li>", item, "</li>")
        return Markup("".join(parts))  # every part is already escaped

    def _render_log_line(self, line: LogLine, table: Table, query: str, name: str, localize: Localizer) -> Markup:
        """Return a line of the log: the seat, the text, and links to the position and the rule."""
        html = line.html_cache.get((query, name))
        if html is None:
            html = line.html_cache[query, name] = Markup(
                '{0}<span>{1}</span><span class="tail">'
                '<a class="n" href="{2}/positions/{3}{4}" aria-label="{5}">{3}</a>{6}</span>'
            ).format(
                Markup("<span></span>") if line.seat is None else self.seat_badge(line.seat, name, 18),
                line.text,
                table.path,
                line.n,
                query,
                localize("The table after move {0}", line.n),
                self.rule_link(table.game_id, line.rule) if line.rule else "",
            )
        return Markup(html)

    def render_cached(self, key: tuple[object, ...], make: Callable[..., str], *args: object) -> str:
        """Return the result of a macro, from the cache if possible.

        The key contains everything that the result depends on: the name of the macro and, if the result has text, the
        language.
        """
        html = self._cache.get(key)
        if html is None:
            if len(self._cache) >= MAX_CACHED:
                self._cache.clear()
            html = self._cache[key] = make(*args)
        return html
