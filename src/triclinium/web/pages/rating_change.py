"""The effect of a finished match on its reader's rating, in a sentence; and the last result for the home page."""

from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.accounts.profile import explain_rating_change
from triclinium.server.accounts.visibility import get_visibility
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.ratings.rating import explain_unrated
from triclinium.server.ratings.stats import find_match, list_matches, load_match_steps
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PageContext
from triclinium.web.pages.players import VisibleNames, format_ordinal

RECENT_SECONDS = 7 * 86400.0


def describe_rating_change(context: PageContext, table: Table) -> str:
    """Return the new rating, such as ``Your rating: 1,742, up 18.``, or why the match did not count."""
    person = context.person
    if person is None or not (table.list_seats_of(person.id) or person.id in table.departed):
        return ""
    localize = context.localize
    with context.services.store.read_connection() as connection:
        match = find_match(connection, table.id)
        if match is None or all(row.person != person.id for row in match.rows):
            return ""
        steps = load_match_steps(connection, table.id)
        if person.id not in steps:
            return localize(SENTENCES[explain_unrated(connection, match.number, person.id)])
        why = explain_rating_change(steps, match.rows, person.id)
        people = get_visibility(context.services.settings, connection, person).load_people(match.people)
    step = steps[person.id]
    sentences = [_describe_new_rating(context, step.after.display_value, step.change)]
    if why is not None:
        row, before = why
        name = (
            table.occupants[row.seat].name
            if row.person is not None
            else VisibleNames(people, localize).seat_name(row, True)
        )
        text = msgid("{0} was the favourite against you.") if before else msgid("You were the favourite against {0}.")
        sentences.append(localize(text, name))
    return " ".join(sentences)


def _describe_new_rating(context: PageContext, new_rating: int, change: int) -> str:
    rating = context.localize.number(new_rating)
    if change == 0:
        return context.localize("Your rating: {0} (unchanged).", rating)
    if change > 0:
        return context.localize("Your rating: {0} (+{1}).", rating, change)
    return context.localize("Your rating: {0} (−{1}).", rating, -change)


def describe_last_result(context: PageContext) -> str:
    """Return the last result, such as ``Yesterday: you won Antioch supper (127).``; empty if there is no recent one."""
    if context.person is None:
        return ""
    me = context.person.id
    with context.services.store.read_connection() as connection:
        matches = list_matches(connection, me, 1)
    if (
        not matches
        or server_time.now() - matches[0].ended > RECENT_SECONDS
        or matches[0].find_result(me).how != "finished"
    ):
        return ""
    match, mine, localize = matches[0], matches[0].find_result(me), context.localize
    time_ago = localize.time_ago(match.ended, server_time.now())
    name = match.name if mine.total is None else f"{match.name} ({localize.points(mine.total)})"
    if mine.rank == 1:
        return localize("{0}: you won at {1}.", time_ago[:1].upper() + time_ago[1:], name)
    return localize(
        "{0}: you finished {1} of {2} at {3}.",
        time_ago[:1].upper() + time_ago[1:],
        format_ordinal(mine.rank, localize),
        match.seats,
        name,
    )
