"""People's finished matches in studies. A match is used only if every person who played it has agreed."""

import json

from sqlalchemy import Connection, and_, exists, or_, select, update

from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_results import results
from triclinium.server.storage.schema_workshop import playtest_tables
from triclinium.server.tables.results import FINISHED
from triclinium.server.workshop.playtest_results import (
    FigureEstimate,
    PlayedMatch,
    load_match_figures,
    read_bot_figures,
)
from triclinium.server.workshop.studies import EditionStudy, load_study_file

MIN_MATCHES = 5  # fewer matches are not shown, because their players could be recognized


def has_agreed(connection: Connection, person: int) -> bool:
    """Return whether a person's finished matches may be used in studies. They may not by default."""
    return bool(connection.execute(select(people.c.studied).where(people.c.id == person)).scalar_one())


def set_agreed(connection: Connection, person: int, agreed: bool) -> None:
    """Store whether a person's finished matches may be used in studies."""
    connection.execute(update(people).where(people.c.id == person).values(studied=agreed))


def load_people_matches(connection: Connection, game_id: str, components: str) -> list[PlayedMatch]:
    """Return the matches with these components, by their hash, whose players all agree and played to the end.

    Bots may have played too. A guest at a shared device has no account, so such a match does not count. The matches of
    playtests belong to their owners.
    """
    of_table = results.c.table == tables.c.id
    missing = or_(results.c.person.is_(None), ~people.c.studied, results.c.how != FINISHED)
    refused = select(results.c.table).outerjoin(people, people.c.id == results.c.person)
    refused = refused.where(of_table, and_(results.c.kind != "bot", missing)).correlate(tables)
    played = exists().where(of_table, results.c.kind == "person")
    tested = exists().where(playtest_tables.c.entry == tables.c.id)
    here = (tables.c.game == game_id, tables.c.components == components, tables.c.status == "over")
    wanted = select(tables.c.id).where(*here, ~tables.c.ended_early, played, ~tested, ~refused.exists())
    ids = [str(id) for id in connection.execute(wanted).scalars()]
    return list(load_match_figures(connection, ids).values()) if len(ids) >= MIN_MATCHES else []


def load_study_figures(
    connection: Connection, study: EditionStudy
) -> tuple[list[list[PlayedMatch]], list[dict[str, FigureEstimate]]]:
    """Return people's matches and the figures of bots for the printed game and the edition of a finished study."""
    text = load_study_file(connection, study.id, "summary.json")
    if not text:
        return [[], []], []
    summary = json.loads(text)
    hashes = [str(edition["hash"]) for edition in summary["editions"]]
    matches = [load_people_matches(connection, study.game_id, hash) for hash in hashes[:2]]
    return matches, [read_bot_figures(summary, edition) for edition in range(len(matches))]
