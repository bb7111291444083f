"""Update of the message catalogues: `make messages`, or for a game of your own

    python -m triclinium.testing.messages path/to/game

New messages are added without translation, or as fuzzy if they resemble an old one. Unused messages are removed. Spaces
before punctuation become the language's non-breaking spaces. With `--check` nothing is written: the command lists the
problems and fails if there are any.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from triclinium.engine.extras import name_extra
from triclinium.i18n.catalog import ENGINE, load_catalog
from triclinium.i18n.po import make_message_key
from triclinium.testing.extract import SourceText, extract_texts
from triclinium.testing.typography import fix_typography

with name_extra("web", "triclinium.testing.messages"):
    from babel.messages.catalog import Catalog as Babel
    from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parent.parent


class CatalogPart(NamedTuple):
    """A catalogue folder and the source folders whose messages it contains."""

    name: str
    folders: tuple[Path, ...]
    locale: Path


def make_game_part(folder: Path) -> CatalogPart:
    """Return the part of a game with this folder. Its catalogues are in `data/locale`."""
    return CatalogPart(folder.name, (folder,), folder / "data" / "locale")


def list_package_parts() -> list[CatalogPart]:
    """Return the parts of this package."""
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
    """Return a catalogue of these texts without translations."""
    catalogue = Babel(locale=language, fuzzy=False, charset="utf-8")
    for context, text in texts:
        catalogue.add(text, context=context or None)
    return catalogue


def read_catalogue(path: Path) -> Babel:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def format_catalogue(catalogue: Babel) -> str:
    """Return a catalogue as text, without headers that change with every write."""
    file = BytesIO()
    write_po(file, catalogue, width=120, ignore_obsolete=True, omit_header=True)
    headers = [
        f'"Language: {catalogue.locale_identifier}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Plural-Forms: {catalogue.plural_forms}\\n"',
    ]
    return "\n".join(['msgid ""', 'msgstr ""', *headers, "", file.getvalue().decode().strip(), ""])


def list_required_texts(part: CatalogPart, language: str, known: Babel | None) -> list[SourceText]:
    """Return the messages that the catalogue of a part needs.

    Messages of the engine's catalogue need not be repeated.
    """
    common = set() if part.locale == ENGINE.folder else set(load_catalog(language).messages)
    own = set() if known is None else {SourceText(message.context or "", str(message.id)) for message in known}
    return [
        text
        for text in extract_texts(part.folders)
        if text in own or make_message_key(text.text, text.context) not in common
    ]


def find_problems(part: CatalogPart, path: Path) -> list[str]:
    """Return the problems of a catalogue, one line each."""
    known = read_catalogue(path)
    texts = set(list_required_texts(part, path.stem, known))
    messages_by_text = {SourceText(message.context or "", str(message.id)): message for message in known if message.id}
    lacking = [text for text in texts if text not in messages_by_text or not messages_by_text[text].string]
    fuzzy = [text for text, message in messages_by_text.items() if text in texts and message.fuzzy]
    unused = [text for text in messages_by_text if text not in texts]
    translations = {text: str(message.string or "") for text, message in messages_by_text.items()}
    badly_set = [
        text for text, translation in translations.items() if translation != fix_typography(translation, path.stem)
    ]
    return [
        *(f"{part.name}: {path.name} has no translation of {text.text!r}" for text in sorted(lacking)),
        *(f"{part.name}: {path.name} is not sure of {text.text!r}" for text in sorted(fuzzy)),
        *(f"{part.name}: {path.name} translates {text.text!r}, which no source file has" for text in sorted(unused)),
        *(
            f"{part.name}: {path.name} has wrong spaces or apostrophes in the translation of {text.text!r}"
            for text in sorted(badly_set)
        ),
    ]


def update_catalogue(part: CatalogPart, path: Path) -> None:
    """Bring one catalogue up to date."""
    known = read_catalogue(path) if path.exists() else None
    current = build_template(list_required_texts(part, path.stem, known), path.stem)
    if known is not None:
        known.update(current)
        for message in known:
            if message.id and message.string:
                message.string = fix_typography(str(message.string), path.stem)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_catalogue(known or current), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m triclinium.testing.messages", description=__doc__)
    parser.add_argument("games", nargs="*", type=Path, help="folders of games (default: all parts of this package)")
    parser.add_argument("--language", help="language of a new catalogue")
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
