"""What a finished match did to its reader's rating, in a sentence; and the last result, for the first page."""

from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.accounts.profile import reason
from triclinium.server.http.api.players import eyes_of
from triclinium.server.presenter.unrated import SENTENCES
from triclinium.server.ratings.rating import why_unrated
from triclinium.server.ratings.stats import match_at, matches_of, steps_at
from triclinium.server.tables.table import Table
from triclinium.web.page_context import Reading
from triclinium.web.pages.players import Naming, nth

RECENT = 7 * 86400.0


def rating_told(reading: Reading, table: Table) -> str:
    """``Your rating: 1,742, up 18. Noa was expected before you.``; or why it did not count."""
    person = reading.person
    if person is None or not (table.seats_of(person.id) or person.id in table.departed):
        return ""
    speech = reading.speech
    with reading.server.store.reading() as connection:
        match = match_at(connection, table.id)
        if match is None or all(row.person != person.id for row in match.rows):
            return ""
        steps = steps_at(connection, table.id)
        if person.id not in steps:
            return speech(SENTENCES[why_unrated(connection, match.number, person.id)])
        why = reason(steps, match.rows, person.id)
        known = eyes_of(reading.server, connection, person).known(match.people)
    step = steps[person.id]
    told = [_moved(reading, step.after.shown, step.change)]
    if why is not None:
        row, before = why
        name = table.occupants[row.seat].name if row.person is not None else Naming(known, speech).row(row, True)
        said = msgid("{0} was expected before you.") if before else msgid("{0} was expected behind you.")
        told.append(speech(said, name))
    return " ".join(told)


def _moved(reading: Reading, now: int, change: int) -> str:
    shown = reading.speech.number(now)
    if change == 0:
        return reading.speech("Your rating: {0}, as before.", shown)
    if change > 0:
        return reading.speech("Your rating: {0}, up {1}.", shown, change)
    return reading.speech("Your rating: {0}, down {1}.", shown, -change)


def last_result(reading: Reading) -> str:
    """``Yesterday: you won Antioch supper (127).``; empty: nothing has ended lately."""
    if reading.person is None:
        return ""
    me = reading.person.id
    with reading.server.store.reading() as connection:
        found = matches_of(connection, me, 1)
    if not found or server_time.now() - found[0].ended > RECENT or found[0].of(me).how != "finished":
        return ""
    match, mine, speech = found[0], found[0].of(me), reading.speech
    when = speech.ago(match.ended, server_time.now())
    name = match.name if mine.total is None else f"{match.name} ({speech.points(mine.total)})"
    if mine.rank == 1:
        return speech("{0}: you won {1}.", when[:1].upper() + when[1:], name)
    return speech(
        "{0}: you came {1} of {2} at {3}.", when[:1].upper() + when[1:], nth(mine.rank, speech), match.seats, name
    )
