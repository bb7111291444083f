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

from triclinium.i18n.catalog import ENGINE, catalog
from triclinium.i18n.po import key
from triclinium.testing.extract import Text, extract
from triclinium.testing.typography import spaced

PACKAGE = Path(__file__).parent.parent


class Part(NamedTuple):
    """The folders whose sentences stand in the catalogues of one folder."""

    name: str
    folders: tuple[Path, ...]
    locale: Path


def game_part(folder: Path) -> Part:
    """Of a game: its folder, and in it `data/locale`."""
    return Part(folder.name, (folder,), folder / "data" / "locale")


def our_parts() -> list[Part]:
    """Of everything in this package."""
    engine = tuple(PACKAGE / name for name in ("engine", "bots", "boardkit") if (PACKAGE / name).is_dir())
    games = sorted(path.parent for path in (PACKAGE / "games").glob("*/game.py"))
    return [
        Part("engine", engine, PACKAGE / "i18n" / "locale"),
        Part("web", (PACKAGE / "server", PACKAGE / "web"), PACKAGE / "web" / "locale"),
        Part("lab", (PACKAGE / "lab",), PACKAGE / "lab" / "locale"),
        Part("cli", (PACKAGE / "cli",), PACKAGE / "cli" / "locale"),
        *(game_part(game) for game in games),
    ]


def template(texts: Iterable[Text], language: str) -> Babel:
    """A catalogue without translations."""
    found = Babel(locale=language, fuzzy=False, charset="utf-8")
    for context, text in texts:
        found.add(text, context=context or None)
    return found


def opened(path: Path) -> Babel:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def written(catalogue: Babel) -> str:
    """A catalogue as text, without what changes every time it is written."""
    file = BytesIO()
    write_po(file, catalogue, width=120, ignore_obsolete=True, omit_header=True)
    headers = [
        f'"Language: {catalogue.locale_identifier}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Plural-Forms: {catalogue.plural_forms}\\n"',
    ]
    return "\n".join(['msgid ""', 'msgstr ""', *headers, "", file.getvalue().decode().strip(), ""])


def sentences(part: Part, language: str, known: Babel | None) -> list[Text]:
    """What the catalogue of a part must say: all but what the engine says for everybody, unless it does so already."""
    common = set() if part.locale == ENGINE.folder else set(catalog(language).messages)
    own = set() if known is None else {Text(message.context or "", str(message.id)) for message in known}
    return [text for text in extract(part.folders) if text in own or key(text.text, text.context) not in common]


def missing(part: Part, path: Path) -> list[str]:
    """What a catalogue lacks or has too much, each in a line."""
    known = opened(path)
    texts = set(sentences(part, path.stem, known))
    found = {Text(message.context or "", str(message.id)): message for message in known if message.id}
    lacking = [text for text in texts if text not in found or not found[text].string]
    fuzzy = [text for text, message in found.items() if text in texts and message.fuzzy]
    idle = [text for text in found if text not in texts]
    said = {text: str(message.string or "") for text, message in found.items()}
    plain = [text for text, told in said.items() if told != spaced(told, path.stem)]
    return [
        *(f"{part.name}: {path.name} has no translation of {text.text!r}" for text in sorted(lacking)),
        *(f"{part.name}: {path.name} is not sure of {text.text!r}" for text in sorted(fuzzy)),
        *(f"{part.name}: {path.name} translates {text.text!r}, which nobody says" for text in sorted(idle)),
        *(f"{part.name}: {path.name} breaks a line before a sign of {text.text!r}" for text in sorted(plain)),
    ]


def update(part: Part, path: Path) -> None:
    """Bring one catalogue up to date."""
    known = opened(path) if path.exists() else None
    current = template(sentences(part, path.stem, known), path.stem)
    if known is not None:
        known.update(current)
        for message in known:
            if message.id and message.string:
                message.string = spaced(str(message.string), path.stem)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written(known or current), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m triclinium.testing.messages", description=__doc__)
    parser.add_argument("games", nargs="*", type=Path, help="folders of games (all of this package)")
    parser.add_argument("--language", help="begin a catalogue of this language")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a catalogue is not up to date")
    chosen = parser.parse_args(arguments)
    parts = [game_part(path) for path in chosen.games] or our_parts()
    faults: list[str] = []
    for part in parts:
        paths = sorted(part.locale.glob("*.po"))
        if chosen.language and part.locale / f"{chosen.language}.po" not in paths:
            paths.append(part.locale / f"{chosen.language}.po")
        for path in paths:
            if chosen.check:
                faults += missing(part, path)
            else:
                update(part, path)
                sys.stdout.write(f"{part.name}: {path.name}\n")
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
