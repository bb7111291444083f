"""The result on the page of a finished match: winners, score sheet, departures, rating change and the share link."""

from dataclasses import dataclass

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Name
from triclinium.engine.visible_scores import VisibleScore, get_upper_bound
from triclinium.server.presenter.scores import ScoreLine, compute_points_behind
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables import share
from triclinium.server.tables.rematch import find_rematch
from triclinium.server.tables.share import MatchShare
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PageContext
from triclinium.web.pages.rating_change import describe_rating_change
from triclinium.web.pages.table_clocks import summarize_result

RANK_NAMES = (
    Name("second", "rank"),
    Name("third", "rank"),
    Name("fourth", "rank"),
    Name("fifth", "rank"),
    Name("sixth", "rank"),
)


@dataclass(frozen=True, slots=True)
class ShareSettings:
    """The link by which other people can read a finished match, as its players see it."""

    share: MatchShare | None  # None: nobody has made the link
    link: str
    has_public_names: bool  # anyone could watch the table, so no name is withheld


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The end of a match as its page shows it."""

    points: list[VisibleScore]  # the scores, with the ranks that count for ratings
    headline: str
    own_rank: str  # a sentence for a reader who has not won
    rating_change: str
    rematch: str  # the id of the rematch's table; empty: there is none
    seed_text: str
    final_lines: list[ScoreLine]
    contests: list[ScoreLine]
    points_behind: list[int]  # points behind the winner, by seat
    rank_reasons: list[str]  # reasons for ranks that do not follow from points, by seat
    departures: list[str]  # a sentence for each player who left before the end
    bot_seats: set[Seat]  # seats that bots have finished
    sharing: ShareSettings | None  # None: the reader did not play


def build_match_result(context: PageContext, table_view: TableView) -> MatchResult:
    """Return the result of a match that is over."""
    table, summary = table_view.table, summarize_result(context, table_view)
    return MatchResult(
        points=summary.points,
        headline=describe_winners(context, table, summary.points),
        own_rank=describe_own_rank(context, table_view, summary.points),
        rating_change=describe_rating_change(context, table),
        rematch=find_rematch(context.services.store, table),
        seed_text=table.make_opening_record().format_seed(),
        final_lines=table_view.final_lines(context.localize("Total")),
        contests=table_view.contests(),
        points_behind=compute_points_behind(summary.points),
        rank_reasons=table_view.reasons(),
        departures=summary.departures,
        bot_seats=summary.bot_seats,
        sharing=load_share_settings(context, table) if table_view.own_seats else None,
    )


def load_share_settings(context: PageContext, table: Table) -> ShareSettings:
    """Return the share link of a match, if a player has made one, and whose names it shows."""
    with context.services.store.read_connection() as connection:
        match_share = share.find_share(connection, table.id)
    link = "" if match_share is None else context.origin + match_share.path
    return ShareSettings(match_share, link, table.options.shown == "watched")


def describe_winners(context: PageContext, table: Table, points: list[VisibleScore]) -> str:
    """Return who won, in a short sentence."""
    winners = [score for score in points if score.rank == 1]
    if len(winners) == 1 and winners[0].total is not None:
        name, points_won = table.names()[winners[0].seat], get_upper_bound(winners[0].total)
        return context.localize("{0} wins with {1} {1:point|points}", name, points_won)
    if len(winners) == 1:
        return context.localize("{0} wins", table.names()[winners[0].seat])
    shared = ", ".join(table.names()[score.seat] for score in winners)
    return context.localize("{0} share the victory", shared)


def describe_own_rank(context: PageContext, table_view: TableView, points: list[VisibleScore]) -> str:
    """Return the rank of a reader who has not won, which a screen reader announces after the headline."""
    if table_view.seat is None or table_view.seat not in table_view.own_seats:
        return ""
    score = points[table_view.seat]
    if not isinstance(score.rank, int) or score.rank < 2:
        return ""
    place = context.localize.name(RANK_NAMES[score.rank - 2])
    if score.total is None:
        return context.localize("You are {0}.", place)
    return context.localize("You are {0} with {1} {1:point|points}.", place, get_upper_bound(score.total))
