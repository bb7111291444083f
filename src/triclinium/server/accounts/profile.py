"""Profile of a person: ratings, matches, style of play and duels, as far as a reader may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from triclinium.engine.registry import list_games
from triclinium.server.accounts.visibility import PersonSummary, ReaderVisibility
from triclinium.server.errors import NotFound
from triclinium.server.ratings import stats
from triclinium.server.ratings.leaderboard import find_place, load_leaderboard
from triclinium.server.ratings.rating import PROVISIONAL_MATCHES, Rating, explain_unrated, load_anchor_ratings
from triclinium.server.ratings.stats import Duel, EndedMatch, PlayStyle, RatingStep, ResultRow
from triclinium.server.storage.schema import devices

PAGE_SIZE = 10


@dataclass(frozen=True, slots=True)
class ProfileTile:
    """The results of a person in one game. ``rating`` is None until a rated match has been played."""

    game_id: str
    rating: Rating | None
    matches: int  # number of rated matches
    played: int  # number of matches with other people
    won: int
    finished: int  # number of all matches, rated or not
    place: tuple[int, int] | None  # place among the people with an established rating, and their number
    rating_history: tuple[Rating, ...]

    @property
    def provisional(self) -> bool:
        return self.matches < PROVISIONAL_MATCHES


@dataclass(frozen=True, slots=True)
class MatchHistoryRow:
    """A row of a person's match history."""

    match: EndedMatch
    mine: ResultRow
    others: list[ResultRow]
    change: int | None  # change of the rating; None: the match was not rated
    unrated: str  # id of the reason why the match was not rated; see `presenter/unrated_reasons.py`
    may_open: bool  # whether the reader may open the table


@dataclass(frozen=True, slots=True)
class Profile:
    """Facts for a person's profile page."""

    person: PersonSummary
    is_visible: bool  # whether the reader may see the profile
    own: bool
    last_seen_at: float  # when one of the person's devices last connected; 0: unknown
    with_people: int
    won: int
    tiles: list[ProfileTile]
    game_id: str  # game whose style and matches are shown
    style: PlayStyle | None
    lines: list[MatchHistoryRow]
    total: int  # number of matches on all pages
    duels: list[Duel]
    names: dict[int, PersonSummary]


def load_person(connection: Connection, visibility: ReaderVisibility, person: int) -> PersonSummary:
    """Return a person by number. Raise `NotFound` if there is none."""
    summary = visibility.load_people([person]).get(person)
    if summary is None:
        raise NotFound("There is no such player.")
    return summary


def build_profile(
    connection: Connection, visibility: ReaderVisibility, person: int, game_id: str = "", page: int = 1
) -> Profile:
    """Return the profile of a person as the reader may see it.

    The profile is empty if the person is hidden from the reader. Raise `NotFound` if there is no such person.
    """
    who = load_person(connection, visibility, person)
    own = visibility.reader == person
    if not own and not visibility.can_see(who):
        return Profile(who, False, False, 0.0, 0, 0, [], "", None, [], 0, [], {})
    matches = stats.list_matches(connection, person)
    steps = stats.list_rating_steps(connection, person)
    met = [match for match in matches if match.has_several_people]
    tiles = [_build_tile(connection, id, person, matches, steps) for id in _list_game_ids(matches)]
    selected_game_id = game_id or max(tiles, key=lambda tile: (tile.played, tile.matches, tile.finished)).game_id
    game_matches = [match for match in matches if match.game_id == selected_game_id]
    selected_matches = game_matches if game_id else matches
    changes = {step.table: step.change for step in steps}
    page_matches = selected_matches[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    lines = [
        _build_match_row(connection, match, person, changes.get(match.table), visibility.reader)
        for match in page_matches
    ]
    duels = stats.count_duels(matches, person)
    ids = {row.person for line in lines for row in line.others if row.person is not None}
    ids |= {duel.against for duel in duels if isinstance(duel.against, int)}
    return Profile(
        who,
        True,
        own,
        _load_last_seen(connection, person),
        len(met),
        sum(match.is_won_by(person) for match in met),
        tiles,
        selected_game_id,
        stats.summarize_style(game_matches, person),
        lines,
        len(selected_matches),
        duels,
        visibility.load_people(ids),
    )


def _load_last_seen(connection: Connection, person: int) -> float:
    return float(connection.execute(select(func.max(devices.c.seen)).where(devices.c.person == person)).scalar() or 0.0)


def _list_game_ids(matches: Sequence[EndedMatch]) -> list[str]:
    """Return the ids of all installed games and of other games that the person has played."""
    return list(dict.fromkeys([*list_games(), *(match.game_id for match in matches)]))


def _build_tile(
    connection: Connection, game_id: str, person: int, matches: Sequence[EndedMatch], steps: Sequence[RatingStep]
) -> ProfileTile:
    ended = [match for match in matches if match.game_id == game_id]
    mine = [match for match in ended if match.has_several_people]
    course = [step for step in steps if step.game_id == game_id]
    place = (
        find_place(load_leaderboard(connection, game_id, bots=False), person)
        if len(course) >= PROVISIONAL_MATCHES
        else None
    )
    return ProfileTile(
        game_id,
        course[-1].after if course else None,
        len(course),
        len(mine),
        sum(match.is_won_by(person) for match in mine),
        len(ended),
        place,
        (course[0].before, *(step.after for step in course)) if course else (),
    )


def _build_match_row(
    connection: Connection, match: EndedMatch, person: int, change: int | None, reader: int | None
) -> MatchHistoryRow:
    mine = reader is not None and any(row.person == reader for row in match.rows)
    may_open = match.has_table and (match.shown == "watched" or mine)
    why = "" if change is not None else explain_unrated(connection, match.number, person)
    return MatchHistoryRow(match, match.find_result(person), match.list_other_results(person), change, why, may_open)


@dataclass(frozen=True, slots=True)
class Companion:
    """A person with whom someone has played."""

    person: PersonSummary
    last: float
    matches: int


def list_companions(connection: Connection, visibility: ReaderVisibility, person: int) -> list[Companion]:
    """Return the visible people with whom a person has played, the most recent first."""
    last: dict[int, float] = {}
    times: dict[int, int] = {}
    for match in stats.list_matches(connection, person):
        for other in match.people - {person}:
            last.setdefault(other, match.ended)
            times[other] = times.get(other, 0) + 1
    people_by_id = visibility.load_people(last)
    ordered = sorted(last, key=lambda other: -last[other])
    return [Companion(people_by_id[other], last[other], times[other]) for other in ordered if people_by_id[other].name]


def explain_rating_change(
    steps: dict[int, RatingStep], rows: Sequence[ResultRow], person: int
) -> tuple[ResultRow, bool] | None:
    """Return the result of the opponent whose rank surprised most, as a reason for a rating change, or None.

    The second value is True if the person finished ahead of a stronger opponent, and False if behind a weaker one.
    """
    if person not in steps:
        return None
    mine = next(row for row in rows if row.person == person)
    me, up = steps[person].before, steps[person].change >= 0
    strength = {id(row): _find_rating_before(row, steps) for row in rows if row is not mine}
    surprises = [
        (abs(other.mu - me.mu), row)
        for row in rows
        if row is not mine
        and (other := strength[id(row)]) is not None
        and ((other.mu > me.mu and row.rank > mine.rank) if up else (other.mu < me.mu and row.rank < mine.rank))
    ]
    return (max(surprises, key=lambda surprise: surprise[0])[1], up) if surprises else None


def _find_rating_before(row: ResultRow, steps: dict[int, RatingStep]) -> Rating | None:
    if row.person is not None:
        return steps[row.person].before if row.person in steps else None
    return None if not row.bot else load_anchor_ratings().get((get_game_id(steps), row.bot))


def get_game_id(steps: dict[int, RatingStep]) -> str:
    return next(iter(steps.values())).game_id
