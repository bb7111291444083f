"""Sentences on whether a match will be rated, or why not, for the pages before it starts."""

from triclinium.bots.levels import load_levels
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.ratings.rating import (
    BOTS_ONLY,
    MAX_BOT_ONLY_MATCHES,
    UNMEASURED_BOTS,
    count_bot_only_matches,
    load_anchor_ratings,
)
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PageContext

WILL_BE_RATED = msgid("This match will be rated.")
ALONE_RATED = msgid("Alone against bots this match is rated, unless you use a hint: match {0} of the {1} that count.")


def describe_rating_at_set_up(context: PageContext, game: Game) -> str:
    """Return whether a match against bots only would be rated for the reader."""
    if not any((game.id, level) in load_anchor_ratings() for level in load_levels(game).offered):
        return context.localize(SENTENCES[UNMEASURED_BOTS])
    return _describe_bot_only_match(context, game.id)


def describe_rating_of_table(context: PageContext, table: Table) -> str:
    """Return whether the match of a waiting table will be rated, or why not."""
    reasons = list_unrated_reasons(table)
    if reasons:
        return context.localize(SENTENCES[reasons[0]])
    if sum(occupant.kind != "bot" for occupant in table.occupants) > 1:
        return context.localize(WILL_BE_RATED)
    return _describe_bot_only_match(context, table.game_id)


def _describe_bot_only_match(context: PageContext, game_id: str) -> str:
    played = 0
    if context.person is not None:
        with context.services.store.read_connection() as connection:
            played = count_bot_only_matches(connection, context.person.id, game_id)
    if played >= MAX_BOT_ONLY_MATCHES:
        return context.localize(SENTENCES[BOTS_ONLY])
    return context.localize(ALONE_RATED, played + 1, MAX_BOT_ONLY_MATCHES)
