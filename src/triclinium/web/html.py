"""Small pictures that a page shows by the hundred: made by plain functions, and once."""

from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup

from triclinium.server.tables.table import LogLine, Table
from triclinium.web.files import Files
from triclinium.web.i18n import Speech

KEPT = 5_000  # then all is made anew


class Pictures:
    """Signs, seats, and whatever a template makes of the same arguments again and again."""

    def __init__(self, files: Files) -> None:
        self._url = files.url
        self._made: dict[tuple[object, ...], str] = {}
        self.icon = lru_cache(KEPT)(self._icon)
        self.seat = lru_cache(KEPT)(self._seat)
        self.sign = lru_cache(KEPT)(self._sign)
        self.rule = lru_cache(KEPT)(self._rule)

    def _icon(self, name: str, size: int = 18) -> Markup:
        """A sign of the server."""
        return Markup(
            '<svg class="i" width="{0}" height="{0}" viewBox="0 0 24 24" aria-hidden="true">'
            '<use href="{1}#i-{2}"/></svg>'
        ).format(size, self._url("sprite.svg"), name)

    def _seat(self, number: int, name: str, size: int = 20, state: str = "") -> Markup:
        """A seat: colour, shape and letter."""
        low = Markup('y="24.6" font-size="12.5"') if number == 2 else Markup('y="20.8" font-size="14"')
        return Markup(
            '<svg class="seat s{0} {1}" width="{2}" height="{2}" viewBox="0 0 32 32" aria-hidden="true">'
            '<use href="{3}#seat-{0}"/><text x="16" {4}>{5}</text></svg>'
        ).format(number, state, size, self._url("sprite.svg"), low, "+" if state == "is-free" else name[:1].upper())

    def _sign(self, file: str, id: str, size: float = 16, style: str = "") -> Markup:
        """A sign from a file of symbols, in the text of a page."""
        return Markup(
            '<svg class="sg {0}" width="{1}" height="{1}" aria-hidden="true"><use href="{2}#{3}"/></svg>'
        ).format(style, size, self._url(file), id)

    def _rule(self, title: str, number: str) -> Markup:
        """A rule's number, leading to the rule."""
        return Markup('<a class="r" href="/rules/{0}#{1}">{2}</a>').format(title, number.lower(), number)

    def log(
        self, lines: list[LogLine], table: Table, query: str, names: tuple[str, ...], read_until: int, speech: Speech
    ) -> Markup:
        """The items of the log; what is new since the reader's last turn is marked."""
        parts: list[str] = []
        for line in lines:
            made = self._line(line, table, query, "" if line.seat is None else names[line.seat], speech)
            parts += ('<li class="new">' if line.n > read_until else "<li>", made, "</li>")
        return Markup("".join(parts))  # each part is safe already

    def _line(self, line: LogLine, table: Table, query: str, name: str, speech: Speech) -> Markup:
        """A line of the log: who, what, and the ways to its position and its rule."""
        made = line.drawn.get((query, name))
        if made is None:
            made = line.drawn[query, name] = Markup(
                '{0}<span>{1}</span><span class="tail">'
                '<a class="n" href="/t/{2}/at/{3}{4}" aria-label="{5}">{3}</a>{6}</span>'
            ).format(
                Markup("<span></span>") if line.seat is None else self.seat(line.seat, name, 18),
                line.text,
                table.id,
                line.n,
                query,
                speech("the table after move {0}", line.n),
                self.rule(table.title_id, line.rule) if line.rule else "",
            )
        return Markup(made)

    def once(self, key: tuple[object, ...], make: Callable[..., str], *args: object) -> str:
        """What a macro makes. The key holds all that this depends on: its own name, and the language if it speaks."""
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= KEPT:
                self._made.clear()
            made = self._made[key] = make(*args)
        return made
