"""A person's page as facts: ratings, matches, style, duels, as one reader may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from triclinium.engine.registry import titles
from triclinium.server.accounts.visibility import Eyes, Known
from triclinium.server.errors import NotFound
from triclinium.server.ratings import stats
from triclinium.server.ratings.leaderboard import place_of, standings
from triclinium.server.ratings.rating import PROVISIONAL, Rating, anchors, why_unrated
from triclinium.server.ratings.stats import Duel, EndedMatch, Seated, Step, Style
from triclinium.server.storage.schema import devices

PAGE = 10


@dataclass(frozen=True, slots=True)
class Tile:
    """One game of a person: the rating and its course; no rating: it has not counted yet."""

    title: str
    rating: Rating | None
    matches: int  # rated ones
    played: int  # with people
    won: int
    ended: int  # all matches, rated or not
    place: tuple[int, int] | None  # among so many
    course: tuple[Rating, ...]

    @property
    def provisional(self) -> bool:
        return self.matches < PROVISIONAL


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match in somebody's list."""

    match: EndedMatch
    mine: Seated
    others: list[Seated]
    change: int | None  # of the rating; None: it did not count
    unrated: str  # why it did not count, by id; see `presenter/unrated.py`
    may_open: bool  # whether the reader is let in at its table


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything on somebody's page."""

    person: Known
    seen: bool  # whether the reader is shown more than that there is somebody
    own: bool
    last: float  # when one of their devices was here; 0: not known
    with_people: int
    won: int
    tiles: list[Tile]
    title: str  # the one that is looked at
    style: Style | None
    lines: list[MatchLine]
    total: int  # of lines
    duels: list[Duel]
    names: dict[int, Known]


def known(connection: Connection, eyes: Eyes, person: int) -> Known:
    """Somebody by number; raises NotFound."""
    found = eyes.known([person]).get(person)
    if found is None:
        raise NotFound("there is no such person")
    return found


def profile(connection: Connection, eyes: Eyes, person: int, title: str = "", page: int = 1) -> Profile:
    """What this reader may see of somebody; a reader who is not shown them learns nothing but that."""
    who = known(connection, eyes, person)
    own = eyes.reader == person
    if not own and not eyes.sees(who):
        return Profile(who, False, False, 0.0, 0, 0, [], "", None, [], 0, [], {})
    matches = stats.matches_of(connection, person)
    steps = stats.steps_of(connection, person)
    met = [match for match in matches if match.with_people]
    tiles = [_tile(connection, id, person, matches, steps) for id in _titles(matches)]
    looked_at = title or max(tiles, key=lambda one: (one.played, one.matches, one.ended)).title
    of_title = [match for match in matches if match.title == looked_at]
    listed = of_title if title else matches
    changes = {step.table: step.change for step in steps}
    shown = listed[(page - 1) * PAGE : page * PAGE]
    lines = [_line(connection, match, person, changes.get(match.table), eyes.reader) for match in shown]
    duels = stats.duels(matches, person)
    ids = {row.person for line in lines for row in line.others if row.person is not None}
    ids |= {duel.against for duel in duels if isinstance(duel.against, int)}
    return Profile(
        who,
        True,
        own,
        _last_here(connection, person),
        len(met),
        sum(match.won_by(person) for match in met),
        tiles,
        looked_at,
        stats.style(of_title, person),
        lines,
        len(listed),
        duels,
        eyes.known(ids),
    )


def _last_here(connection: Connection, person: int) -> float:
    return float(connection.execute(select(func.max(devices.c.seen)).where(devices.c.person == person)).scalar() or 0.0)


def _titles(matches: Sequence[EndedMatch]) -> list[str]:
    """Every installed game, and those that were played here before."""
    return list(dict.fromkeys([*titles(), *(match.title for match in matches)]))


def _tile(
    connection: Connection, title: str, person: int, matches: Sequence[EndedMatch], steps: Sequence[Step]
) -> Tile:
    ended = [match for match in matches if match.title == title]
    mine = [match for match in ended if match.with_people]
    course = [step for step in steps if step.title == title]
    place = place_of(standings(connection, title, bots=False), person) if len(course) >= PROVISIONAL else None
    return Tile(
        title,
        course[-1].after if course else None,
        len(course),
        len(mine),
        sum(match.won_by(person) for match in mine),
        len(ended),
        place,
        (course[0].before, *(step.after for step in course)) if course else (),
    )


def _line(connection: Connection, match: EndedMatch, person: int, change: int | None, reader: int | None) -> MatchLine:
    mine = reader is not None and any(row.person == reader for row in match.rows)
    may_open = match.kept and (match.shown == "watched" or mine)
    why = "" if change is not None else why_unrated(connection, match.number, person)
    return MatchLine(match, match.of(person), match.others(person), change, why, may_open)


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody whom a person has played with."""

    person: Known
    last: float
    matches: int


def companions(connection: Connection, eyes: Eyes, person: int) -> list[Companion]:
    """Everybody whom somebody has met and may see, the newest first."""
    last: dict[int, float] = {}
    times: dict[int, int] = {}
    for match in stats.matches_of(connection, person):
        for other in match.people - {person}:
            last.setdefault(other, match.ended)
            times[other] = times.get(other, 0) + 1
    found = eyes.known(last)
    ordered = sorted(last, key=lambda other: -last[other])
    return [Companion(found[other], last[other], times[other]) for other in ordered if found[other].name]


def reason(steps: dict[int, Step], rows: Sequence[Seated], person: int) -> tuple[Seated, bool] | None:
    """Why a rating moved: who ended behind though expected before (True), or before though expected behind (False)."""
    if person not in steps:
        return None
    mine = next(row for row in rows if row.person == person)
    me, up = steps[person].before, steps[person].change >= 0
    strength = {id(row): _strength(row, steps) for row in rows if row is not mine}
    telling = [
        (abs(other.mu - me.mu), row)
        for row in rows
        if row is not mine
        and (other := strength[id(row)]) is not None
        and ((other.mu > me.mu and row.rank > mine.rank) if up else (other.mu < me.mu and row.rank < mine.rank))
    ]
    return (max(telling, key=lambda one: one[0])[1], up) if telling else None


def _strength(row: Seated, steps: dict[int, Step]) -> Rating | None:
    if row.person is not None:
        return steps[row.person].before if row.person in steps else None
    return None if not row.bot else anchors().get((title_of(steps), row.bot))


def title_of(steps: dict[int, Step]) -> str:
    return next(iter(steps.values())).title
