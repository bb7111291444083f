"""Account recovery: a phrase of six words, stored as a keyed hash, and the list of signed-in devices."""

import re
import secrets
import unicodedata
from dataclasses import dataclass
from functools import cache

from mnemonic import Mnemonic
from sqlalchemy import Connection, delete, insert, select

from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotFound
from triclinium.server.services import Services
from triclinium.server.storage.schema import devices, people, phrases

PHRASE_PURPOSE = "phrase"
PHRASE_LENGTH = 6  # words out of 2,048, which gives 66 bits
WORD_LISTS = {"en": "english", "fr": "french"}
OFFER_AFTER_MATCHES = 3  # matches after which a page offers a phrase
BROWSERS = (("Firefox", "Firefox"), ("Edg", "Edge"), ("OPR", "Opera"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@cache
def _load_word_list(name: str) -> tuple[str, ...]:
    """Load a word list. The cache key is the list's name, because a caller may invent any number of languages."""
    return tuple(Mnemonic(name).wordlist)


def generate_phrase(language: str) -> str:
    """Return a random recovery phrase in the reader's language, or in English."""
    words = _load_word_list(WORD_LISTS.get(language, "english"))
    return " ".join(secrets.choice(words) for _ in range(PHRASE_LENGTH))


def normalize_phrase(text: str) -> str:
    """Return a phrase in lower case, without accents, and with single spaces instead of punctuation."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text[:200]) if not unicodedata.combining(letter))
    return " ".join(re.findall(r"[a-z]+", bare.lower()))


def hash_phrase(key: ServerKey, words: str) -> str:
    """Return the hash under which a phrase is stored. Without the server's key, phrases cannot be tested against it."""
    return key.sign(PHRASE_PURPOSE, normalize_phrase(words))


async def replace_phrase(services: Services, person: Person, language: str) -> str:
    """Store a new recovery phrase and return it. The old one stops working, and the new one is shown only once."""
    words = generate_phrase(language)
    mark = hash_phrase(services.key, words)

    def job(connection: Connection) -> None:
        connection.execute(delete(phrases).where(phrases.c.person == person.id))
        connection.execute(insert(phrases).values(person=person.id, mark=mark, made=server_time.now()))

    await services.store.write(job)
    return words


def has_phrase(connection: Connection, person: int) -> bool:
    rows = connection.execute(select(phrases.c.person).where(phrases.c.person == person))
    return rows.one_or_none() is not None


def find_person_by_phrase(services: Services, words: str) -> int:
    """Return the person with this recovery phrase. Raise `NotFound` if there is none."""
    with services.store.read_connection() as connection:
        person_id = connection.execute(
            select(phrases.c.person).where(
                phrases.c.mark.in_(services.key.sign_with_all_keys(PHRASE_PURPOSE, normalize_phrase(words)))
            )
        ).scalar_one_or_none()
    if person_id is None:
        raise NotFound("This recovery phrase is not valid. Check the spelling, and use your newest phrase.")
    return int(person_id)


# -- devices ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Device:
    """A device that is signed in as a person."""

    number: str  # first letters of its hash, enough to identify the device but not to sign in
    name: str
    created_at: float
    last_seen_at: float
    is_current: bool


def detect_browser(agent: str) -> str:
    """Return the browser and system of a user agent, such as ``Firefox, Linux``, or "" if both are unknown."""
    parts = [next((name for sign, name in signatures if sign in agent), "") for signatures in (BROWSERS, SYSTEMS)]
    return ", ".join(name for name in parts if name)


def list_devices(connection: Connection, person: Person) -> list[Device]:
    """Return the devices of a person, the last seen first."""
    rows = connection.execute(
        select(devices).where(devices.c.person == person.id).order_by(devices.c.seen.desc(), devices.c.made.desc())
    )
    return [
        Device(row.hash[:12], row.called, row.made, max(row.seen, row.made), row.hash == person.device) for row in rows
    ]


async def sign_out_device(services: Services, person: Person, number: str) -> None:
    """Sign a device of a person out. Raise `NotFound` if there is no such device."""

    def find() -> list[str]:
        with services.store.read_connection() as connection:
            rows = connection.execute(select(devices.c.hash).where(devices.c.person == person.id)).scalars()
            return [hash for hash in rows if len(number) == 12 and hash.startswith(number)]

    hashes = await services.runtime.run_in_thread(find)
    if not hashes:
        raise NotFound("There is no such device.")
    await services.remove_device(Person(person.id, person.name, hashes[0]))


def load_name(connection: Connection, person: int) -> str:
    return str(connection.execute(select(people.c.name).where(people.c.id == person)).scalar_one())
