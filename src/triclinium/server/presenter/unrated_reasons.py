"""Reasons why a match is not rated, with the sentences that pages, the API and the log show."""

from sqlalchemy import Connection

from triclinium.engine.core.text import msgid
from triclinium.server.ratings import rating
from triclinium.server.ratings.stats import find_match
from triclinium.server.storage.store import Store
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.tables.table import Table

SENTENCES = {
    "origin": msgid("Not rated: the match did not start from a new shuffle."),
    "deal": msgid("Not rated: several tables play the same deal."),
    "playtest": msgid("Not rated: this is a playtest."),
    "practice": msgid(
        "Not rated: this is a practice match, because a player undid a move after seeing new information."
    ),
    "undo": msgid("Not rated: the players agreed to undo a move after new information was revealed."),
    "seat_opened": msgid("Not rated: the host opened a bot’s seat to a person after the first decision."),
    "reassigned": msgid("Not rated: the players agreed to give a vacated seat to a new player."),
    "ended_early": msgid("Not rated: the players agreed to end the match early."),
    "hot_seat": msgid("Not rated: the players shared one device."),
    "hints": msgid("Not rated: a player asked for a hint."),
    "components": msgid("Not rated: the components were edited."),
    "variants": msgid("Not rated: the chosen options change the game too much."),
    "abandoned": msgid("Not rated: the match was abandoned."),
    rating.OWN_PROGRAM: msgid("Not rated: a player played against their own bot account."),
    rating.UNREGISTERED: msgid(
        "Not rated: the seat was played with an API token but without a registered bot account."
    ),
    rating.UNMEASURED_BOTS: msgid("Not rated: the bots at this table have no rating yet."),
    rating.NO_RIVAL: msgid("Not rated: no opponent had a rating."),
    rating.BOTS_ONLY: msgid("Not rated: if you play only against bots, only your first ten matches of a game count."),
    rating.TOOK_OVER: msgid("Not rated for you: you took over the seat after the match had started."),
    rating.HELPED: msgid("Your rating stays the same: it cannot rise in a match in which you used a hint."),
    rating.SUBSTITUTED: msgid("Your rating stays the same: a substitute bot played for you."),
    rating.OPPONENT_SUBSTITUTED: msgid("Your rating stays the same: a substitute bot played for another player."),
    rating.OPPONENT_HELPED: msgid("Ratings stay the same: the winner used a hint."),
    rating.FAILED: msgid(
        "Not rated yet: the rating could not be computed. The server’s operator can rebuild the ratings."
    ),
}


def explain_unrated_match(store: Store, table: Table, person: int | None = None) -> list[str]:
    """Return the ids of the reasons why a match is not rated, or not rated for this person.

    This reads the database if the match is over.
    """
    if table.status != "over":
        return list_unrated_reasons(table)
    with store.read_connection() as connection:
        reason = _find_final_reason(connection, table, person)
    return [reason] if reason else []


def _find_final_reason(connection: Connection, table: Table, person: int | None) -> str:
    """Return the final reason after a match, or "". If no result was stored, use the reason noted at the table."""
    match = find_match(connection, (table.original or table).id)
    if match is None:
        return next(iter(list_unrated_reasons(table)), "")
    return rating.explain_unrated(connection, match.number, person)
