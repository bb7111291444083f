"""Editions of games that people make in the workshop: a name and a components file.

A draft may break constraints. A table and a study keep their own copy of an edition, so the owner can change or delete
it at any time.
"""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.engine import Row

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents, ComponentsFault, TricliniumError
from triclinium.engine.core.text import Message, msgid
from triclinium.engine.game import Game
from triclinium.engine.numbers import find_changed_numbers, list_numbers, read_number
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import make_code
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.sanitize import clean_title
from triclinium.server.storage.schema_workshop import editions
from triclinium.server.storage.store import Store

MAX_FILE_BYTES = 64 * 1024
MAX_EDITIONS = 100  # editions of one person
LINK_LENGTH = 20
DEFAULT_NAME = msgid("My edition")  # pages translate it before they create an edition
FILE_NAME = "components.toml"  # name of the file of an edition in messages


@dataclass(frozen=True, slots=True)
class StoredEdition:
    """A stored edition."""

    id: str
    person: int
    game_id: str
    name: str
    text: str
    link: str
    revision: int
    changed_at: float

    @property
    def path(self) -> str:
        return f"/workshop/{self.game_id}/{self.id}"

    @property
    def shared_path(self) -> str:
        return f"/workshop/shared/{self.link}" if self.link else ""

    def load_file(self) -> ComponentsFile:
        """Return the components of the edition, which may break constraints."""
        return ComponentsFile(self.text, FILE_NAME)


# -- reading ----------------------------------------------------------------------------------------------------------


def load_edition(connection: Connection, id: str, person: int | None) -> StoredEdition:
    """Return an edition of this person. Raise `NotFound` if they have no such edition."""
    row = connection.execute(select(editions).where(editions.c.id == id, editions.c.person == person)).one_or_none()
    if row is None:
        raise NotFound("There is no such edition. It may have been deleted.")
    return _parse_row(row)


def load_shared_edition(connection: Connection, link: str) -> StoredEdition:
    """Return the edition of a read-only link. Raise `NotFound` if there is none."""
    row = connection.execute(select(editions).where(editions.c.link == link)).one_or_none() if link else None
    if row is None:
        raise NotFound("There is no edition at this link. The link may have been revoked.")
    return _parse_row(row)


def list_editions(connection: Connection, person: int) -> list[StoredEdition]:
    """Return the editions of a person, the last changed first."""
    rows = connection.execute(select(editions).where(editions.c.person == person).order_by(editions.c.changed.desc()))
    return [_parse_row(row) for row in rows]


def _parse_row(row: Row[tuple[object, ...]]) -> StoredEdition:
    return StoredEdition(row.id, row.person, row.game, row.name, row.text, row.link, row.revision, row.changed)


# -- components -------------------------------------------------------------------------------------------------------


def find_edition_faults(game: Game, file: ComponentsFile) -> list[ComponentsFault]:
    """Return every constraint that an edition breaks."""
    try:
        return game.find_faults(file)
    except BadComponents as error:
        return error.faults
    except TricliniumError as error:  # a structure that no constraint has foreseen
        return [ComponentsFault("", "", Message("{0}", str(error)))]


def describe_fault(fault: ComponentsFault) -> Message:
    """Return a fault as one message: its constraint, the path of the value and the reason."""
    place = " ".join(part for part in (fault.constraint, fault.path) if part)
    return Message("{0}: {1}", place, fault.sentence) if place else fault.sentence


def read_uploaded_file(game: Game, text: str) -> ComponentsFile:
    """Return an uploaded components file.

    Raise RequestError, in one sentence, if it is too large, cannot be read or has other keys than the game's file.
    Numbers out of range and broken constraints are allowed in a draft.
    """
    if len(text.encode()) > MAX_FILE_BYTES:
        raise RequestError("The file is larger than 64 KB.")
    try:
        file = ComponentsFile(text, FILE_NAME)
    except BadComponents as error:
        raise RequestError("The file cannot be read: {0}.", str(error).removesuffix(".")) from None
    schema = game.components_schema
    structural = [] if schema is None else [fault for fault in schema.find_faults(file) if not fault.constraint]
    if structural:
        raise RequestError("The file does not fit this game: {0}.", describe_fault(structural[0]))
    missing = next((path for path in game.file.data if path not in file.data), None)
    if missing is not None:
        raise RequestError("The file does not fit this game: {0} is missing.", missing)
    return file


def load_playable_game(edition: StoredEdition) -> Game:
    """Return the game on an edition. Raise `Conflict`, with the first fault, if it cannot be played."""
    game = load_game(edition.game_id)
    file = edition.load_file()
    faults = find_edition_faults(game, file)
    if faults:
        raise Conflict("This edition cannot be played yet: {0}.", describe_fault(faults[0]))
    return game.with_components(file)


def count_changes(edition: StoredEdition) -> int:
    """Return how many numbers of an edition differ from the printed game."""
    return len(find_changed_numbers(load_game(edition.game_id), edition.load_file()))


def collect_changes(game: Game, file: ComponentsFile) -> dict[str, int | float] | None:
    """Return the changed numbers by path, or None if the file differs from the printed one in anything else."""
    changes = {number.path: read_number(file, number) for number in find_changed_numbers(game, file)}
    return changes if game.file.with_changes(changes) == file else None


def apply_numbers(game: Game, file: ComponentsFile, typed: dict[str, str]) -> tuple[ComponentsFile, dict[str, str]]:
    """Return the file with typed numbers, and the typed texts that are no numbers, by path.

    Paths that no field of the workshop has are ignored.
    """
    numbers = {number.path: number for number in list_numbers(game) if not number.hidden}
    changes: dict[str, object] = {}
    unread: dict[str, str] = {}
    for path, text in typed.items():
        if path in numbers:
            try:
                value = file.read(path, text.replace("\N{MINUS SIGN}", "-").replace(",", "."))
                if value != file.value_at(path):
                    changes[path] = value
            except BadComponents:
                unread[path] = text
    return (file.with_changes(changes) if changes else file), unread


def make_unread_error(path: str, text: str) -> RequestError:
    """Return the error for a typed text that is no number."""
    return RequestError("{0} must be a number, not {1}.", path, repr(text[:40]))


def replace_text(edition: StoredEdition, text: str) -> StoredEdition:
    """Return the edition with another components file."""
    return replace(edition, text=text)


# -- changing ---------------------------------------------------------------------------------------------------------


async def create_edition(store: Store, person: Person, game: Game, name: str, text: str = "") -> StoredEdition:
    """Store a new edition, by default of the printed components. Raise `RequestError` if the person has too many.

    Without a name it is called `DEFAULT_NAME`, never like its game, so that nobody takes it for the printed edition.
    """
    now = server_time.now()
    edition = StoredEdition(make_code(10).lower(), person.id, game.id, "", text or game.file.to_toml_text(), "", 0, now)

    def job(connection: Connection) -> str:
        own = select(editions.c.name).where(editions.c.person == person.id)
        names = list(connection.execute(own).scalars())
        if len(names) >= MAX_EDITIONS:
            raise RequestError("You have {0} editions. Delete one of them first.", MAX_EDITIONS)
        chosen = _choose_free_name(clean_title(name, DEFAULT_NAME), names)
        connection.execute(
            insert(editions).values(
                id=edition.id,
                person=person.id,
                game=game.id,
                name=chosen,
                text=edition.text,
                link="",
                revision=0,
                made=now,
                changed=now,
            )
        )
        return chosen

    chosen = await store.write(job)
    return StoredEdition(edition.id, person.id, game.id, chosen, edition.text, "", 0, now)


def _choose_free_name(wanted: str, names: list[str]) -> str:
    """Return the name, or the name with the next free number."""
    if wanted not in names:
        return wanted
    number = next(n for n in range(2, len(names) + 3) if f"{wanted} {n}" not in names)
    return f"{wanted} {number}"


async def save_edition(store: Store, edition: StoredEdition, name: str, text: str, revision: int) -> StoredEdition:
    """Store the name and the text of an edition.

    Raise `Conflict` if it has been changed since this revision, and `NotFound` if it has been deleted.
    """
    now, called = server_time.now(), clean_title(name, edition.name)

    def job(connection: Connection) -> None:
        this = (editions.c.id == edition.id) & (editions.c.person == edition.person)
        stored = connection.execute(select(editions.c.revision).where(this)).scalar_one_or_none()
        if stored is None:
            raise NotFound("There is no such edition. It may have been deleted.")
        if stored != revision:
            raise Conflict("This edition was changed in another tab. Your fields are kept: save again to replace it.")
        connection.execute(
            update(editions).where(this).values(name=called, text=text, revision=revision + 1, changed=now)
        )

    await store.write(job)
    return StoredEdition(edition.id, edition.person, edition.game_id, called, text, edition.link, revision + 1, now)


async def set_shared(store: Store, edition: StoredEdition, shared: bool) -> str:
    """Create or revoke the read-only link of an edition, and return its token."""
    link = (edition.link or make_code(LINK_LENGTH).lower()) if shared else ""

    def job(connection: Connection) -> None:
        connection.execute(update(editions).where(editions.c.id == edition.id).values(link=link))

    await store.write(job)
    return link


async def delete_edition(store: Store, edition: StoredEdition) -> None:
    """Delete an edition. Tables and studies that use it have their own copies."""

    def job(connection: Connection) -> None:
        connection.execute(delete(editions).where(editions.c.id == edition.id))

    await store.write(job)


def count_editions(connection: Connection) -> int:
    """Return the number of editions on this server."""
    return connection.execute(select(func.count()).select_from(editions)).scalar_one()
