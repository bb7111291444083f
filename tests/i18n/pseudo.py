"""A pseudo-language: English with strange letters, so that untranslated text is visible."""

import re
from collections.abc import Iterator, Set
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pytest

from triclinium.i18n.catalog import list_languages, load_catalog
from triclinium.testing.messages import CatalogPart, format_catalogue, read_catalogue
from triclinium.testing.text_checks import PLACEHOLDER
from triclinium.web import i18n

PSEUDO = "eo"  # a code that browsers and Babel know
LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒğĥíĵķłɱñóƥɋŕšţúṽŵẋýžÁƁÇĐÉƑĞĤÍĴĶŁⱮÑÓƤɊŔŠŢÚṼŴẊÝŽ",
)


def make_pseudo_text(text: str) -> str:
    """Return the text in strange letters. Placeholders stay, but the words of a plural change."""

    def kept(hole: re.Match[str]) -> str:
        kind = hole[2] or ""
        return "{" + hole[1] + ":" + kind.translate(LETTERS) + "}" if "|" in kind else hole[0]

    parts: list[str] = []
    end = 0
    for hole in PLACEHOLDER.finditer(text):
        parts += [text[end : hole.start()].translate(LETTERS), kept(hole)]
        end = hole.end()
    return "".join([*parts, text[end:].translate(LETTERS)])


def write_pseudo(parts: list[CatalogPart], folder: Path) -> None:
    """Write its catalogues like a translator, without code.

    They are made from the French ones, which another test keeps complete, because extracting messages takes longer.
    """
    for part in parts:
        catalogue = read_catalogue(part.locale / "fr.po")
        catalogue.locale = PSEUDO
        for message in catalogue:
            if message.id:
                message.string = make_pseudo_text(str(message.id))
        path = folder / part.name / f"{PSEUDO}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(format_catalogue(catalogue), encoding="utf-8")


def forget_languages() -> None:
    list_languages.cache_clear()
    load_catalog.cache_clear()
    i18n.list_languages_by_name.cache_clear()
    i18n._cached_readers.clear()


@contextmanager
def install_pseudo_language(parts: list[CatalogPart], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the language inside the block."""
    write_pseudo(parts, folder)
    monkeypatch.setenv("TRICLINIUM_LOCALES", str(folder))
    forget_languages()
    try:
        assert PSEUDO in list_languages()
        yield
    finally:
        monkeypatch.delenv("TRICLINIUM_LOCALES")
        forget_languages()


SAID = ("title", "aria-label", "placeholder", "alt", "data-tip", "data-label", "data-confirm", "content")
SILENT = {"script", "style", "code", "time", "kbd", "title"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "use"}


class Visible(HTMLParser):
    """The visible and read-aloud texts of a page, without those under excluded classes and tags."""

    def __init__(self, left_out: set[str]) -> None:
        super().__init__()
        self.left_out = left_out
        self.depth = 0
        self.hidden_at: int | None = None
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        classes = set(found.get("class", "").split())
        if self.hidden_at is None and (tag in SILENT or classes & self.left_out):
            self.hidden_at = self.depth
        elif self.hidden_at is None and tag not in ("meta", "html"):
            self.texts += [value for name, value in found.items() if name in SAID and value]
        if tag not in VOID:
            self.depth += 1
        elif self.hidden_at == self.depth:
            self.hidden_at = None

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        self.depth -= 1
        if self.hidden_at == self.depth:
            self.hidden_at = None

    def handle_data(self, data: str) -> None:
        if self.hidden_at is None and data.strip():
            self.texts.append(data.strip())


WORD = re.compile(r"(?<![\w-])[A-Za-z][a-z]+(?![\w-])")  # a word in plain letters is not translated


def find_english_texts(texts: list[str], allowed: Set[str]) -> list[str]:
    """Return the texts with a word that no catalogue has translated."""
    return sorted({text for text in texts if any(word not in allowed for word in WORD.findall(text))})


def find_english_on_page(html: str, allowed: Set[str], left_out: set[str]) -> list[str]:
    page = Visible(left_out)
    page.feed(html)
    return find_english_texts(page.texts, allowed)
