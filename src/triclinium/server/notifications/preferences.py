"""How a person wants to get messages: language, time zone, quiet hours, and the hour of the daily digest."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select, update

from triclinium.i18n.catalog import languages
from triclinium.server.errors import RequestError
from triclinium.server.notifications.schedule import HOURS, ZONE
from triclinium.server.server import Server
from triclinium.server.storage.schema import people

MINUTES = 1440  # of a day


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody has chosen."""

    language: str = ""
    zone: str = ""  # empty: UTC
    quiet: str = ""  # 22:30-08:00; empty: there are no quiet hours
    digest: int = 1080  # minutes after midnight

    def __post_init__(self) -> None:
        if self.language and self.language not in languages():
            raise RequestError("this house does not speak that language")
        if self.quiet and not HOURS.fullmatch(self.quiet):
            raise RequestError("quiet hours are given like 22:30-08:00")
        if self.zone and not ZONE.fullmatch(self.zone):
            raise RequestError("a time zone is given like Europe/Paris")
        if not 0 <= self.digest < MINUTES:
            raise RequestError("the hour of the day is given in minutes after midnight")


def wishes_of(connection: Connection, person: int) -> Wishes:
    row = connection.execute(select(people).where(people.c.id == person)).one()
    return Wishes(row.language, row.zone, row.quiet, row.digest)


async def wish(server: Server, person: int, wishes: Wishes) -> None:
    await server.store.write(lambda connection: _keep(connection, person, asdict(wishes)))


async def meet(server: Server, person: int, language: str, zone: str) -> None:
    """Where and in which language somebody reads; what they do not say stays as it is."""
    known = {"language": language, "zone": zone if ZONE.fullmatch(zone) else ""}
    said = {name: value for name, value in known.items() if value}
    if said:
        await server.store.write(lambda connection: _keep(connection, person, said))


def _keep(connection: Connection, person: int, values: Mapping[str, object]) -> None:
    connection.execute(update(people).where(people.c.id == person).values(**values))
