"""Profiles and leaderboards as JSON, for the API and for the export of a person's data."""

from typing import Any, TypeAlias

from triclinium.server import server_time
from triclinium.server.accounts.profile import MatchHistoryRow, Profile
from triclinium.server.accounts.visibility import PersonSummary
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.ratings.rating import Rating
from triclinium.server.ratings.stats import ResultRow

JsonObject: TypeAlias = dict[str, Any]


def build_profile_json(player_profile: Profile) -> JsonObject:
    """Return a person's profile as JSON."""
    result: JsonObject = {
        "person": player_profile.person.id,
        "name": player_profile.person.name,
        "visible": player_profile.is_visible,
    }
    if not player_profile.is_visible:
        return result
    style = player_profile.style
    return result | {
        "since": player_profile.person.created_at,
        "with_people": player_profile.with_people,
        "won": player_profile.won,
        "game": player_profile.game_id,
        "games": [
            {
                "game": tile.game_id,
                **(build_rating_json(tile.rating) if tile.rating else {"rating": None, "rating_error": None}),
                "provisional": tile.provisional,
                "rated_matches": tile.matches,
                "played": tile.played,
                "won": tile.won,
                "matches": tile.finished,
                "place": None if tile.place is None else tile.place[0],
                "rating_history": [entry.display_value for entry in tile.rating_history],
            }
            for tile in player_profile.tiles
        ],
        "matches": [_build_match_json(line, player_profile.names) for line in player_profile.lines],
        "total": player_profile.total,
        "style": None
        if style is None
        else {
            "matches": style.matches,
            "won": style.won,
            "fair_share": style.fair_share,
            **({} if style.points is None else {"points": style.points}),
            "best": style.best_points if style.best else None,
            "seconds": style.seconds,
            "by_seat": [
                {"seat": int(entry.label) - 1, "won": entry.count, "matches": entry.total} for entry in style.by_seat
            ],
            "openings": [
                {"opening": entry.label, "count": entry.count, "matches": entry.total} for entry in style.openings
            ],
        },
        "opponents": [
            {
                **build_player_json(
                    duel.against if isinstance(duel.against, int) else None,
                    duel.against if isinstance(duel.against, str) else "",
                    player_profile.names,
                ),
                "ahead": duel.before,
                "behind": duel.behind,
                "matches": duel.together,
            }
            for duel in player_profile.duels
        ],
        "now": server_time.now(),
    }


def build_rating_json(rating: Rating) -> JsonObject:
    return {"rating": rating.display_value, "rating_error": rating.error}


def build_player_json(person: int | None, bot: str, visible_people: dict[int, PersonSummary]) -> JsonObject:
    """Return a person with number and name, or a bot. Hidden people have neither."""
    name = visible_people[person].name if person is not None else bot
    return {"person": person if name else None, "name": name, "bot": bot}


def _build_match_json(match_row: MatchHistoryRow, visible_people: dict[int, PersonSummary]) -> JsonObject:
    match, mine = match_row.match, match_row.mine
    return {
        "table": match.table if match_row.may_open else None,
        "name": match.name,
        "game": match.game_id,
        "ended": match.ended,
        "rank": mine.rank,
        "total": mine.total,
        "ended_by": mine.how,
        "change": match_row.change,
        "unrated": match_row.unrated,
        "unrated_message": SENTENCES[match_row.unrated] if match_row.unrated else "",
        "others": [_build_opponent_json(opponent, visible_people, match_row.may_open) for opponent in match_row.others],
    }


def _build_opponent_json(row: ResultRow, visible_people: dict[int, PersonSummary], shows_guests: bool) -> JsonObject:
    """Return an opponent. Names of guests at a shared device are shown only to people who may open the table."""
    player_json = build_player_json(row.person, row.bot, visible_people)
    guest = row.name if shows_guests or row.kind == "bot" else ""
    return {
        **player_json,
        "name": player_json["name"] if row.person is not None else guest,
        "rank": row.rank,
        "ended_by": row.how,
    }
