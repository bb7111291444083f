"""Keeps catalogues in step with what the code says: `make messages`, or, for a game of your own,

    python -m triclinium.testing.messages path/to/game

New sentences are added untranslated, or fuzzy where an old one is much like them, those that nobody says any more are
dropped, and plain spaces before signs become those of the language, at which no line breaks. With `--check` nothing is
written: it says what is missing, and fails if anything is.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog as Babel
from babel.messages.pofile import read_po, write_po

from triclinium.i18n.catalog import ENGINE, load_catalog
from triclinium.i18n.po import make_message_key
from triclinium.testing.extract import SourceText, extract_texts
from triclinium.testing.typography import fix_spaces

PACKAGE = Path(__file__).parent.parent


class CatalogPart(NamedTuple):
    """The folders whose sentences stand in the catalogues of one folder."""

    name: str
    folders: tuple[Path, ...]
    locale: Path


def make_game_part(folder: Path) -> CatalogPart:
    """Of a game: its folder, and in it `data/locale`."""
    return CatalogPart(folder.name, (folder,), folder / "data" / "locale")


def list_package_parts() -> list[CatalogPart]:
    """Of everything in this package."""
    engine = tuple(PACKAGE / name for name in ("engine", "bots", "boardkit") if (PACKAGE / name).is_dir())
    games = sorted(path.parent for path in (PACKAGE / "games").glob("*/game.py"))
    return [
        CatalogPart("engine", engine, PACKAGE / "i18n" / "locale"),
        CatalogPart("web", (PACKAGE / "server", PACKAGE / "web"), PACKAGE / "web" / "locale"),
        CatalogPart("lab", (PACKAGE / "lab",), PACKAGE / "lab" / "locale"),
        CatalogPart("cli", (PACKAGE / "cli",), PACKAGE / "cli" / "locale"),
        *(make_game_part(game) for game in games),
    ]


def build_template(texts: Iterable[SourceText], language: str) -> Babel:
    """A catalogue without translations."""
    catalogue = Babel(locale=language, fuzzy=False, charset="utf-8")
    for context, text in texts:
        catalogue.add(text, context=context or None)
    return catalogue


def read_catalogue(path: Path) -> Babel:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def format_catalogue(catalogue: Babel) -> str:
    """A catalogue as text, without what changes every time it is written."""
    file = BytesIO()
    write_po(file, catalogue, width=120, ignore_obsolete=True, omit_header=True)
    headers = [
        f'"Language: {catalogue.locale_identifier}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Plural-Forms: {catalogue.plural_forms}\\n"',
    ]
    return "\n".join(['msgid ""', 'msgstr ""', *headers, "", file.getvalue().decode().strip(), ""])


def list_required_texts(part: CatalogPart, language: str, known: Babel | None) -> list[SourceText]:
    """What the catalogue of a part must say: all but what the engine says for everybody, unless it does so already."""
    common = set() if part.locale == ENGINE.folder else set(load_catalog(language).messages)
    own = set() if known is None else {SourceText(message.context or "", str(message.id)) for message in known}
    return [
        text
        for text in extract_texts(part.folders)
        if text in own or make_message_key(text.text, text.context) not in common
    ]


def find_problems(part: CatalogPart, path: Path) -> list[str]:
    """What a catalogue lacks or has too much, each in a line."""
    known = read_catalogue(path)
    texts = set(list_required_texts(part, path.stem, known))
    messages_by_text = {SourceText(message.context or "", str(message.id)): message for message in known if message.id}
    lacking = [text for text in texts if text not in messages_by_text or not messages_by_text[text].string]
    fuzzy = [text for text, message in messages_by_text.items() if text in texts and message.fuzzy]
    unused = [text for text in messages_by_text if text not in texts]
    translations = {text: str(message.string or "") for text, message in messages_by_text.items()}
    badly_spaced = [
        text for text, translation in translations.items() if translation != fix_spaces(translation, path.stem)
    ]
    return [
        *(f"{part.name}: {path.name} has no translation of {text.text!r}" for text in sorted(lacking)),
        *(f"{part.name}: {path.name} is not sure of {text.text!r}" for text in sorted(fuzzy)),
        *(f"{part.name}: {path.name} translates {text.text!r}, which nobody says" for text in sorted(unused)),
        *(f"{part.name}: {path.name} breaks a line before a sign of {text.text!r}" for text in sorted(badly_spaced)),
    ]


def update_catalogue(part: CatalogPart, path: Path) -> None:
    """Bring one catalogue up to date."""
    known = read_catalogue(path) if path.exists() else None
    current = build_template(list_required_texts(part, path.stem, known), path.stem)
    if known is not None:
        known.update(current)
        for message in known:
            if message.id and message.string:
                message.string = fix_spaces(str(message.string), path.stem)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_catalogue(known or current), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m triclinium.testing.messages", description=__doc__)
    parser.add_argument("games", nargs="*", type=Path, help="folders of games (all of this package)")
    parser.add_argument("--language", help="begin a catalogue of this language")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a catalogue is not up to date")
    chosen = parser.parse_args(arguments)
    parts = [make_game_part(path) for path in chosen.games] or list_package_parts()
    faults: list[str] = []
    for part in parts:
        paths = sorted(part.locale.glob("*.po"))
        if chosen.language and part.locale / f"{chosen.language}.po" not in paths:
            paths.append(part.locale / f"{chosen.language}.po")
        for path in paths:
            if chosen.check:
                faults += find_problems(part, path)
            else:
                update_catalogue(part, path)
                sys.stdout.write(f"{part.name}: {path.name}\n")
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
