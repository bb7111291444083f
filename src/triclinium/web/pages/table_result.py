"""The result on the page of a finished match: a sentence, score sheet, departures, rating change and the share link."""

from dataclasses import dataclass

from triclinium.boardkit.parts import RankedSeat, ScoreSheet
from triclinium.engine.core.text import Name
from triclinium.engine.visible_scores import VisibleScore, describe_number, get_upper_bound
from triclinium.server.presenter.scores import compute_points_behind
from triclinium.server.presenter.table_view import TableView
from triclinium.server.ratings.recommended_level import RecommendedLevel
from triclinium.server.tables import share
from triclinium.server.tables.rematch import find_rematch
from triclinium.server.tables.seat_owners import is_solo
from triclinium.server.tables.share import MatchShare
from triclinium.server.tables.table import Table
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.rating_change import describe_rating_change
from triclinium.web.pages.table_clocks import ResultSummary, summarize_result

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
    headline: str  # a sentence about the reader if they have played, otherwise about the winner
    is_celebrated: bool  # the reader has won, or watches the match
    rating_change: str
    rematch: str  # the id of the rematch's table; empty: there is none
    seed_text: str
    ranking: list[RankedSeat]
    sheet: ScoreSheet
    contests: ScoreSheet
    departures: list[str]  # a sentence for each player who left before the end
    sharing: ShareSettings | None  # None: the reader did not play
    next_level: RecommendedLevel | None  # the next level, if the reader has just beaten the one below often enough


def build_match_result(context: PageContext, table_view: TableView) -> MatchResult:
    """Return the result of a match that is over."""
    table, summary = table_view.table, summarize_result(context, table_view)
    own_score, has_points = find_own_score(table_view, summary.points), table.game.has_points
    return MatchResult(
        points=summary.points,
        headline=describe_result(context.localize, table, summary.points, own_score),
        is_celebrated=own_score is None or own_score.rank == 1,
        rating_change=describe_rating_change(context, table),
        rematch=find_rematch(context.services.store, table),
        seed_text=table.make_opening_record().format_seed(),
        ranking=build_ranking(context.localize, table_view, summary),
        sheet=ScoreSheet(
            context.localize("Score by category") if has_points else context.localize("Result by category"),
            table_view.final_lines(context.localize("Total")),
            has_total=has_points,
            has_leads=has_points,
        ),
        contests=ScoreSheet(context.localize("Winners by category"), table_view.contests(), has_leads=has_points),
        departures=summary.departures,
        sharing=load_share_settings(context, table) if table_view.own_seats else None,
        next_level=find_next_level(context, table) if own_score is not None and own_score.rank == 1 else None,
    )


def build_ranking(localize: Localizer, table_view: TableView, summary: ResultSummary) -> list[RankedSeat]:
    """Return the seats by rank, each with its points behind the winner or the reason for its rank."""
    behind, rank_reasons = compute_points_behind(summary.points), table_view.reasons()
    ranking = []
    for score in sorted(summary.points, key=lambda score: score.rank or 0):
        reasons = [localize("{0} behind", behind[score.seat])] if behind[score.seat] else []
        reasons += [rank_reasons[score.seat]] if rank_reasons and rank_reasons[score.seat] else []
        total = describe_number(score.total) if table_view.table.game.has_points else ""
        is_faint = score.seat in summary.bot_seats
        ranking.append(RankedSeat(score.seat, score.rank or 0, total, tuple(reasons), is_faint))
    return ranking


def find_next_level(context: PageContext, table: Table) -> RecommendedLevel | None:
    """Return the level that the reader is ready for after this match against bots, or None."""
    if not is_solo(table) or not any(occupant.kind == "bot" for occupant in table.occupants):
        return None
    recommended = context.recommend_levels([table.game])[table.game_id]
    return recommended if recommended.beaten else None


def load_share_settings(context: PageContext, table: Table) -> ShareSettings:
    """Return the share link of a match, if a player has made one, and whose names it shows."""
    with context.services.store.read_connection() as connection:
        match_share = share.find_share(connection, table.id)
    link = "" if match_share is None else context.origin + match_share.path
    return ShareSettings(match_share, link, table.options.shown == "watched")


def find_own_score(table_view: TableView, points: list[VisibleScore]) -> VisibleScore | None:
    """Return the score of a reader with one ranked seat. People at a shared device have none of their own."""
    if len(table_view.own_seats) != 1:
        return None
    score = points[table_view.own_seats[0]]
    return score if isinstance(score.rank, int) else None


def describe_result(
    localize: Localizer, table: Table, points: list[VisibleScore], own_score: VisibleScore | None
) -> str:
    """Return the result in a sentence: about the reader, or without an own score about the winner."""
    winners = [score for score in points if score.rank == 1]
    if own_score is not None and own_score.rank != 1:
        return _describe_defeat(localize, table, own_score, winners)
    if len(winners) != 1:
        others = [score for score in winners if score is not own_score]
        names = _join_names(localize, table, others)
        return (
            localize("{0} share the victory.", names)
            if own_score is None
            else localize("You share the victory with {0}.", names)
        )
    winner = winners[0]
    seconds = [score for score in points if score.rank == 2]
    name, rivals = table.names()[winner.seat], _join_names(localize, table, seconds)
    if winner.total is None:
        return localize("{0} wins.", name) if own_score is None else localize("You win.")
    total = get_upper_bound(winner.total)
    lead = 0 if not seconds or seconds[0].total is None else total - get_upper_bound(seconds[0].total)
    if lead < 1:
        return (
            localize("{0} wins with {1} {1:point|points}.", name, total)
            if own_score is None
            else localize("You win with {0} {0:point|points}.", total)
        )
    if own_score is None:
        return localize("{0} wins with {1} {1:point|points}, {2} ahead of {3}.", name, total, lead, rivals)
    return localize("You win with {0} {0:point|points}, {1} ahead of {2}.", total, lead, rivals)


def _describe_defeat(localize: Localizer, table: Table, own_score: VisibleScore, winners: list[VisibleScore]) -> str:
    """Return the reader's rank, and how far they are behind the winners."""
    assert isinstance(own_score.rank, int)
    place, names = localize.name(RANK_NAMES[own_score.rank - 2]), _join_names(localize, table, winners)
    if own_score.total is None:
        return (
            localize("You are {0}. {1} wins.", place, names)
            if len(winners) == 1
            else localize("You are {0}. {1} share the victory.", place, names)
        )
    total = get_upper_bound(own_score.total)
    behind = 0 if not winners or winners[0].total is None else get_upper_bound(winners[0].total) - total
    if behind < 1:
        return localize("You are {0} with {1} {1:point|points}, behind {2}.", place, total, names)
    return localize("You are {0} with {1} {1:point|points}, {2} behind {3}.", place, total, behind, names)


def _join_names(localize: Localizer, table: Table, scores: list[VisibleScore]) -> str:
    names = [table.names()[score.seat] for score in scores]
    return names[0] if len(names) == 1 else localize("{0} and {1}", ", ".join(names[:-1]), names[-1]) if names else ""
