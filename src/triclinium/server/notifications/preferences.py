"""Notification preferences of a person: language, time zone, quiet hours, and the time of the daily digest."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select, update

from triclinium.i18n.catalog import list_languages
from triclinium.server.errors import RequestError
from triclinium.server.outbox.schedule import HOURS_PATTERN, ZONE_PATTERN
from triclinium.server.storage.schema import people
from triclinium.server.storage.store import Store

MINUTES_PER_DAY = 1440  # minutes in a day


@dataclass(frozen=True, slots=True)
class NotificationPreferences:
    """The notification preferences that a person has chosen. Invalid ones raise `RequestError`."""

    language: str = ""
    zone: str = ""  # "" means UTC
    quiet: str = ""  # such as 22:30-08:00; "": no quiet hours
    digest: int = 1080  # minutes after midnight

    def __post_init__(self) -> None:
        if self.language and self.language not in list_languages():
            raise RequestError("This language is not available on this server.")
        if self.quiet and not HOURS_PATTERN.fullmatch(self.quiet):
            raise RequestError("Enter quiet hours in this format: 22:30-08:00.")
        if self.zone and not ZONE_PATTERN.fullmatch(self.zone):
            raise RequestError("Enter a time zone such as Europe/Paris.")
        if not 0 <= self.digest < MINUTES_PER_DAY:
            raise RequestError("Enter the time of day as minutes after midnight.")


def load_preferences(connection: Connection, person: int) -> NotificationPreferences:
    row = connection.execute(select(people).where(people.c.id == person)).one()
    return NotificationPreferences(row.language, row.zone, row.quiet, row.digest)


async def store_preferences(store: Store, person: int, preferences: NotificationPreferences) -> None:
    await store.write(lambda connection: _store_values(connection, person, asdict(preferences)))


async def update_locale(store: Store, person: int, language: str, zone: str) -> None:
    """Store the language and time zone of a person. Empty or invalid values change nothing."""
    locale = {"language": language, "zone": zone if ZONE_PATTERN.fullmatch(zone) else ""}
    values = {name: value for name, value in locale.items() if value}
    if values:
        await store.write(lambda connection: _store_values(connection, person, values))


def _store_values(connection: Connection, person: int, values: Mapping[str, object]) -> None:
    connection.execute(update(people).where(people.c.id == person).values(**values))
