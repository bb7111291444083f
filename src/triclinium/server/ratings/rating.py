"""Ratings of players, one for each game, computed from the results in the order in which the matches ended.

The Plackett-Luce model uses all ranks; equal ranks are ties. The ratings of bots are fixed: the arena has measured them
(`anchors.toml`). docs/ratings.md explains which matches are rated.

Each player has a stake in a match. ``full``: the rating can rise or fall. ``lose``: it can only fall, because the
player was helped; finishing behind such a player costs no rating. ``none``: a substitute bot played for an absent
player, whose rating does not change; the others are rated among themselves. If only one other player is left, that
rating can only fall. So a player who is losing cannot make the match unrated.
"""

import math
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from openskill.models import PlackettLuce
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.storage.schema_shares import programs

MODEL = PlackettLuce()
INITIAL_MU, DISPLAY_CENTER, DISPLAY_SCALE = 25.0, 1500, 24
PROVISIONAL_MATCHES = 10  # rated matches until a rating is established
MAX_BOT_ONLY_MATCHES = 10  # matches against bots only that are rated
# Matches against bots raise a rating at most so far above that of the strongest bot at the table.
MAX_MU_ABOVE_BOTS = 100 / DISPLAY_SCALE
FULL_WEIGHT_MATCHES = 2  # matches of the same people in a day that count fully; later ones count half
DAY = 86400.0
FULL, LOSE, NONE = "full", "lose", "none"  # stakes of a player in a match

# Reasons not to rate a finished match that follow from its results. Reasons that follow from the table are stored with
# the results.
OWN_PROGRAM = "own_program"
UNREGISTERED = "unregistered"
UNMEASURED_BOTS = "unmeasured_bots"
NO_RIVAL = "no_rival"
BOTS_ONLY = "bots_only"
TOOK_OVER = "took_over"
HELPED = "helped"
SUBSTITUTED = "substituted"
OPPONENT_SUBSTITUTED = "opponent_substituted"
OPPONENT_HELPED = "opponent_helped"
FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: the mean and the standard deviation of the estimated strength."""

    mu: float = INITIAL_MU
    sigma: float = INITIAL_MU / 3

    @property
    def display_value(self) -> int:
        return to_display_value(self.mu)

    @property
    def error(self) -> int:
        """Return the standard deviation on the displayed scale."""
        return round(DISPLAY_SCALE * self.sigma)

    @property
    def lower_bound(self) -> float:
        """Return the mean minus the standard deviation, by which the leaderboard is sorted."""
        return self.mu - self.sigma


def to_display_value(mu: float) -> int:
    """Return a mean on the displayed scale."""
    return round(DISPLAY_CENTER + DISPLAY_SCALE * (mu - INITIAL_MU))


NEW_RATING = Rating()


@dataclass(frozen=True, slots=True)
class Rival:
    """A ranked player of a match: a person, or a bot of fixed strength."""

    rank: int
    person: int | None
    before: Rating
    stake: str = FULL


def rate_rivals(rivals: Sequence[Rival], weight: float = 1.0) -> dict[int, Rating]:
    """Return the new ratings of the people in a match. The order of the seats makes no difference."""
    ordered = sorted(rivals, key=lambda rival: (rival.rank, rival.person is None, rival.person or 0, rival.before.mu))
    teams = [[MODEL.rating(mu=rival.before.mu, sigma=rival.before.sigma)] for rival in ordered]
    after = MODEL.rate(teams, ranks=[float(rival.rank) for rival in ordered])
    new_ratings: dict[int, Rating] = {}
    for rival, (now,) in zip(ordered, after, strict=True):
        if rival.person is not None:
            mu = rival.before.mu + weight * (now.mu - rival.before.mu)
            new_ratings[rival.person] = Rating(mu, now.sigma if weight == 1.0 else rival.before.sigma)
    return new_ratings


def apply_stakes(rivals: Sequence[Rival], weight: float = 1.0) -> dict[int, Rating]:
    """Return the ratings that a match changes, considering the stakes of its players."""
    if all(rival.stake == FULL for rival in rivals):
        return rate_rivals(rivals, weight)
    before = {rival.person: rival.before for rival in rivals if rival.person is not None}

    def rate_among(some: Sequence[Rival]) -> dict[int, Rating]:
        return before | (rate_rivals(some, weight) if len(some) > 1 else {})

    playing = [rival for rival in rivals if rival.stake != NONE]
    unaided = [rival for rival in playing if rival.stake == FULL]
    people = {rival.person: rival.stake for rival in playing if rival.person is not None}
    after = rate_among(playing)
    if len(people) < 2:  # the only other player must not gain from the absence
        least = {who: min(after[who], rate_among(rivals)[who], key=_get_mu) for who in people}
        return {who: now for who, now in least.items() if now.mu < before[who].mu}
    best = {
        who: max(after[who], rate_among(unaided)[who], key=_get_mu) for who, stake in people.items() if stake == FULL
    }
    fallen = {who: after[who] for who, stake in people.items() if stake == LOSE and after[who].mu < before[who].mu}
    return fallen | {who: now for who, now in best.items() if now != before[who]}


def _get_mu(rating: Rating) -> float:
    return rating.mu


def cap_by_bots(rivals: Sequence[Rival], after: Mapping[int, Rating]) -> dict[int, Rating]:
    """Limit the new ratings after a match against bots only, and return them.

    Such matches cannot raise a rating far above the strongest bot.
    """
    best = max(rival.before.mu for rival in rivals if rival.person is None) + MAX_MU_ABOVE_BOTS
    before = {rival.person: rival.before.mu for rival in rivals if rival.person is not None}
    return {who: Rating(min(now.mu, max(best, before[who])), now.sigma) for who, now in after.items()}


def compute_win_probability(rating: Rating, other: Rating) -> float:
    """Return the probability that the first player finishes ahead of the second."""
    spread = math.sqrt(2 * MODEL.beta**2 + rating.sigma**2 + other.sigma**2)
    return 0.5 * (1 + math.erf((rating.mu - other.mu) / (spread * math.sqrt(2))))


@cache
def load_anchor_ratings() -> dict[tuple[str, str], Rating]:
    """Return the ratings of bots that the arena has measured, by game and bot."""
    data = tomllib.loads((Path(__file__).parent / "anchors.toml").read_text(encoding="utf-8"))
    return {(anchor["game"], anchor["bot"]): Rating(anchor["mu"], anchor["sigma"]) for anchor in data["anchor"]}


# -- rating of matches --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RatableMatch:
    """A finished match, as the rating model sees it."""

    rows: list[dict[str, object]]
    game_id: str
    ended: float
    # For each person: the rating, the number of rated matches, and the number of those against bots only.
    prior_ratings: dict[int, tuple[Rating, int, int]]
    owners: dict[int, int]
    rivals: list[Rival]

    @property
    def person_ids(self) -> list[int]:
        return [rival.person for rival in self.rivals if rival.person is not None]

    @property
    def is_bots_only(self) -> bool:
        """Return whether the match had only one person, and otherwise bots."""
        return len(self.person_ids) == 1

    def find_unrated_reason(self) -> str:
        """Return the id of the reason why the match changes no rating, or "".

        `server/presenter/unrated_reasons.py` has the sentences.
        """
        marked = next((str(row["unrated"]) for row in self.rows if row["unrated"]), "")
        if marked:
            return marked
        if set(self.owners.values()) & {row["person"] for row in self.rows}:
            return OWN_PROGRAM
        if not self.person_ids:
            return UNREGISTERED
        if len(self.rivals) < 2:
            bots = [row for row in self.rows if row["kind"] == "bot"]
            return UNMEASURED_BOTS if bots else NO_RIVAL
        return (
            BOTS_ONLY if self.is_bots_only and self.prior_ratings[self.person_ids[0]][2] >= MAX_BOT_ONLY_MATCHES else ""
        )


def _load_match(connection: Connection, number: int) -> RatableMatch | None:
    """Return a finished match by its number, or None if there is none."""
    stored_rows = connection.execute(
        select(results).where(results.c.number == number).order_by(results.c.seat)
    ).mappings()
    rows = [dict(row) for row in stored_rows]
    if not rows:
        return None
    game_id, sat = str(rows[0]["game"]), [int(row["person"]) for row in rows if row["person"] is not None]
    prior_ratings, owners = _load_prior_ratings(connection, game_id, sat), load_bot_owners(connection, sat)
    seated = [{str(key): value for key, value in row.items()} for row in rows]
    return RatableMatch(
        seated,
        game_id,
        float(rows[0]["ended"]),
        prior_ratings,
        owners,
        _list_rivals(seated, game_id, prior_ratings, owners),
    )


def explain_unrated(connection: Connection, number: int, person: int | None = None) -> str:
    """Return the id of the reason why a match did not change ratings, or "" if it did.

    With a person, return the reason why it did not change the rating of that person.
    """
    match = _load_match(connection, number)
    moved = set(connection.execute(select(rating_steps.c.person).where(rating_steps.c.number == number)).scalars())
    if match is None or (moved if person is None else person in moved):
        return ""
    return ("" if moved else match.find_unrated_reason()) or _find_personal_reason(match, person, bool(moved))


def _find_personal_reason(match: RatableMatch, person: int | None, moved: bool) -> str:
    """Return why a match did not change a person's rating. ``moved`` says whether it changed that of others."""
    own = [row for row in match.rows if row["person"] == person]
    stakes = {row["stake"] for row in own}
    if NONE in stakes:
        return SUBSTITUTED
    if LOSE in stakes:
        return HELPED
    if moved:
        return TOOK_OVER if any(row["how"] == "joined" for row in own) else UNREGISTERED
    others = {row["stake"] for row in match.rows if row["person"] is not None and row["person"] != person}
    return OPPONENT_SUBSTITUTED if NONE in others else OPPONENT_HELPED if LOSE in others else FAILED


def rate_match(connection: Connection, number: int) -> None:
    """Rate one match. All earlier matches must be rated already."""
    match = _load_match(connection, number)
    if match is None or match.find_unrated_reason():
        return
    alone, people, prior_ratings = match.is_bots_only, set(match.person_ids), match.prior_ratings
    weight = (
        1.0
        if alone or _count_recent_matches(connection, match.game_id, people, match.ended) < FULL_WEIGHT_MATCHES
        else 0.5
    )
    after = apply_stakes(match.rivals, weight)
    if alone:
        after = cap_by_bots(match.rivals, after)
    if not after:
        return
    steps = []
    for who, now in after.items():
        before = prior_ratings[who][0]
        step = {"mu_before": before.mu, "sigma_before": before.sigma, "mu": now.mu, "sigma": now.sigma}
        match_columns = {"table": match.rows[0]["table"], "person": who, "number": number, "game": match.game_id}
        steps.append({**match_columns, "at": match.ended, **step})
    connection.execute(insert(rating_steps), steps)
    _store_ratings(connection, match.game_id, after, prior_ratings, alone)


def rebuild_ratings(connection: Connection, game_id: str = "") -> int:
    """Compute all ratings again from the results, or those of one game. Return the number of matches."""
    for table in (rating_steps, ratings):
        connection.execute(delete(table).where(table.c.game == game_id) if game_id else delete(table))
    wanted = select(results.c.number).distinct().order_by(results.c.number)
    numbers = connection.execute(wanted.where(results.c.game == game_id) if game_id else wanted).scalars().all()
    for number in numbers:
        rate_match(connection, number)
    return len(numbers)


def _load_prior_ratings(
    connection: Connection, game_id: str, people: Sequence[int]
) -> dict[int, tuple[Rating, int, int]]:
    """Return each person's rating before the match and their numbers of rated matches.

    The second number counts only matches against bots.
    """
    defaults = dict.fromkeys(people, (NEW_RATING, 0, 0))
    rows = connection.execute(select(ratings).where(ratings.c.game == game_id, ratings.c.person.in_(people)))
    return defaults | {row.person: (Rating(row.mu, row.sigma), row.matches, row.alone) for row in rows}


def count_bot_only_matches(connection: Connection, person: int, game_id: str) -> int:
    """Return the number of rated matches of a game that a person has played against bots only."""
    own = select(ratings.c.alone).where(ratings.c.person == person, ratings.c.game == game_id)
    return connection.execute(own).scalar_one_or_none() or 0


def load_bot_owners(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    """Return the owner of each bot account among these people. The keys are the bot accounts."""
    rows = connection.execute(select(programs.c.person, programs.c.owner).where(programs.c.person.in_(ids)))
    return {row.person: row.owner for row in rows}


def _list_rivals(
    seated: Iterable[Mapping[str, object]],
    game_id: str,
    prior_ratings: Mapping[int, tuple[Rating, int, int]],
    owners: Mapping[int, int],
) -> list[Rival]:
    """Return the ranked players of a match.

    These are people and registered bot accounts who played from the start, and bots of known strength.
    """
    rivals: list[Rival] = []
    for row in seated:
        rank, who, bot = row["rank"], row["person"], str(row["bot"])
        assert isinstance(rank, int)
        counts = row["kind"] == "person" or (row["kind"] == "program" and who in owners)
        if counts and row["how"] != "joined" and isinstance(who, int):
            rivals.append(Rival(rank, who, prior_ratings[who][0], str(row["stake"])))
        elif row["kind"] == "bot" and (game_id, bot) in load_anchor_ratings():
            rivals.append(Rival(rank, None, load_anchor_ratings()[game_id, bot]))
    return rivals


def _count_recent_matches(connection: Connection, game_id: str, people: set[int], ended: float) -> int:
    """Return the number of rated matches of a game that the same people ended in the last day."""
    rows = connection.execute(
        select(rating_steps.c.table, rating_steps.c.person).where(
            rating_steps.c.game == game_id, rating_steps.c.at > ended - DAY, rating_steps.c.at <= ended
        )
    )
    met: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        met[row.table].add(row.person)
    return sum(players == people for players in met.values())


def _store_ratings(
    connection: Connection,
    game_id: str,
    after: Mapping[int, Rating],
    prior_ratings: Mapping[int, tuple[Rating, int, int]],
    alone: bool,
) -> None:
    """Store the new ratings: one statement inserts first ratings, another updates the rest."""
    new, others = [], []
    for who, now in after.items():
        _, matches, solo = prior_ratings[who]
        values = {"mu": now.mu, "sigma": now.sigma, "matches": matches + 1, "alone": solo + alone}
        if matches == 0:
            new.append({"person": who, "game": game_id, **values})
        else:
            others.append({"who": who, "of": game_id, **values})
    if new:
        connection.execute(insert(ratings), new)
    if others:
        here = (ratings.c.person == bindparam("who")) & (ratings.c.game == bindparam("of"))
        connection.execute(update(ratings).where(here), others)
