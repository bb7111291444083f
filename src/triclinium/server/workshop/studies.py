"""Studies of editions with bots: what people ask, and what is stored about the answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select, update
from sqlalchemy.engine import Row

from triclinium.engine.core.text import msgid
from triclinium.engine.core.toml import to_toml
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import make_code
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.storage.schema_workshop import studies
from triclinium.server.storage.store import Store
from triclinium.server.workshop.editions import StoredEdition, collect_changes, load_playable_game

WAITING, RUNNING, DONE, STOPPED, FAILED = "waiting", "running", "done", "stopped", "failed"
ENDED = (DONE, STOPPED, FAILED)
MAX_WAITING = 10  # studies of one person that wait or run
STUDY_FILE, EDITION_FILE = "study.toml", "edition.toml"
ROW_COLUMNS = ("id", "person", "edition", "game", "name", "state", "made", "progress", "problem")
DETECT_CHOICES = (2, 3, 5, 10)  # differences in percentage points that a person can ask for
STUDY_BOTS = ("greedy", "steady")
CHECK_BOTS = ("greedy", "steady", "rollout")  # the second kind of bots, which checks the result
QUESTIONS = {  # the question of a study by the figure that answers it
    "first": msgid("Is the first player favoured?"),
    "decisions": msgid("How long is a match?"),
    "winner": msgid("How many points does the winner score?"),
    "changes": msgid("How often does the lead change?"),
    "decided": msgid("When is a match decided?"),
}
EXTRA_MODULES = ("polars", "numpy")  # installed with the extra `lab`


@dataclass(frozen=True, slots=True)
class QueuedStudyProgress:
    """Progress of a study. ``first`` has the first figures as a sentence, by language."""

    played: int = 0  # deals
    planned: int = 0
    seconds_left: float = 0.0  # 0: not known
    first: Mapping[str, str] = field(default_factory=dict)

    @property
    def percent(self) -> int:
        return 100 * self.played // self.planned if self.planned else 0


@dataclass(frozen=True, slots=True)
class EditionStudy:
    """A stored study, without its report."""

    id: str
    person: int
    edition: str
    game_id: str
    name: str
    state: str
    made_at: float
    progress: QueuedStudyProgress
    problem: str

    @property
    def path(self) -> str:
        return f"/workshop/studies/{self.id}"

    @property
    def is_open(self) -> bool:
        return self.state in (WAITING, RUNNING)


@dataclass(frozen=True, slots=True)
class StudyQuestion:
    """The question of a study: the number of players, both kinds of bots, and the smallest difference that matters."""

    seats: int
    bots: str = "steady"
    also: str = ""  # the second kind of bots; "": greedy, or steady for greedy
    points: int = 5
    main: str = "first"
    matches: int = 0  # deals for each edition; 0: as many as the difference needs


def has_lab() -> bool:
    """Return whether the extra package for studies is installed."""
    return all(find_spec(name) is not None for name in EXTRA_MODULES)


def build_study_files(edition: StoredEdition, question: StudyQuestion) -> dict[str, str]:
    """Return the files that the command `triclinium study` reads, by name.

    Raise `RequestError` for a wrong question.
    """
    edited = load_playable_game(edition)
    game = load_game(edition.game_id)
    if question.seats not in edited.seats:
        raise RequestError("This game cannot be played with this number of players.")
    if question.bots not in STUDY_BOTS:
        raise RequestError("There is no such bot: {0}.", question.bots[:40])
    if question.also and question.also not in CHECK_BOTS:
        raise RequestError("There is no such bot: {0}.", question.also[:40])
    if question.also == question.bots:
        raise RequestError("Choose another kind of bots to check the result.")
    if question.main not in QUESTIONS:
        raise RequestError("There is no such question.")
    files: dict[str, str] = {}
    requested: dict[str, object] = {"name": edition.name}
    changes = collect_changes(game, edited.file)
    if changes is None:
        requested["components"] = EDITION_FILE
        files[EDITION_FILE] = edition.text
    elif changes:
        requested["set"] = changes
    else:
        raise RequestError("This edition is the printed game. Change a number first.")
    study: dict[str, object] = {
        "game": edition.game_id,
        "question": f"{edition.name}: {QUESTIONS[question.main]}",
        "main": question.main,
        "seats": question.seats,
        "bots": [question.bots],
        "detect": question.points / 100,
        "edition": [requested],
    }
    if question.also:
        study["also"] = [question.also]
    if question.matches:
        study["matches"] = question.matches
    return {STUDY_FILE: to_toml(study), **files}


# -- reading ----------------------------------------------------------------------------------------------------------


def load_study(connection: Connection, id: str, person: int | None) -> EditionStudy:
    """Return a study of this person. Raise `NotFound` if they have no such study."""
    row = connection.execute(_select_studies().where(studies.c.id == id, studies.c.person == person)).one_or_none()
    if row is None:
        raise NotFound("There is no such study.")
    return _parse_row(row)


def list_studies(connection: Connection, person: int) -> list[EditionStudy]:
    """Return the studies of a person, the newest first."""
    wanted = _select_studies().where(studies.c.person == person).order_by(studies.c.made.desc())
    return [_parse_row(row) for row in connection.execute(wanted)]


def count_studies_before(connection: Connection, study: EditionStudy) -> int:
    """Return how many studies are played before a waiting one."""
    earlier = select(studies.c.id).where(studies.c.state.in_((WAITING, RUNNING)), studies.c.made < study.made_at)
    return len(connection.execute(earlier).all())


def load_study_file(connection: Connection, id: str, name: str) -> str:
    """Return a file of a study: its summary, its report, or a file that the command reads; "" if there is none."""
    row = connection.execute(
        select(studies.c.plan, studies.c.summary, studies.c.report).where(studies.c.id == id)
    ).one_or_none()
    if row is None:
        return ""
    files: dict[str, str] = {"summary.json": row.summary, "report.html": row.report, **json.loads(row.plan)}
    return files.get(name, "")


def _select_studies() -> Select[tuple[Any, ...]]:
    """Return a query for all but the long texts."""
    return select(*[studies.c[name] for name in ROW_COLUMNS])


def _parse_row(row: Row[tuple[object, ...]]) -> EditionStudy:
    progress = QueuedStudyProgress(**json.loads(row.progress)) if row.progress else QueuedStudyProgress()
    return EditionStudy(row.id, row.person, row.edition, row.game, row.name, row.state, row.made, progress, row.problem)


# -- changing ---------------------------------------------------------------------------------------------------------


async def start_study(store: Store, person: Person, edition: StoredEdition, files: Mapping[str, str]) -> EditionStudy:
    """Queue a study. Raise `RequestError` if the person has too many, or if the extra package is missing."""
    if not has_lab():
        raise Conflict("Studies need an extra package on this server: install triclinium[lab].")
    study = EditionStudy(
        make_code(10).lower(),
        person.id,
        edition.id,
        edition.game_id,
        edition.name,
        WAITING,
        server_time.now(),
        QueuedStudyProgress(),
        "",
    )

    def job(connection: Connection) -> None:
        own = select(studies.c.id).where(studies.c.person == person.id, studies.c.state.in_((WAITING, RUNNING)))
        if len(connection.execute(own).all()) >= MAX_WAITING:
            raise RequestError("You have {0} studies in the queue. Wait for one of them, or stop it.", MAX_WAITING)
        row = {
            "id": study.id,
            "person": study.person,
            "edition": study.edition,
            "game": study.game_id,
            "name": study.name,
            "plan": json.dumps(dict(files)),
            "state": study.state,
            "made": study.made_at,
            "progress": "",
            "problem": "",
            "summary": "",
            "report": "",
            "worker": "",
            "leased": 0.0,
        }
        connection.execute(insert(studies).values(**row))

    await store.write(job)
    return study


async def stop_study(store: Store, study: EditionStudy) -> EditionStudy:
    """Stop a study that waits or runs. The server that plays it notices within seconds."""

    def job(connection: Connection) -> None:
        this = (studies.c.id == study.id) & studies.c.state.in_((WAITING, RUNNING))
        connection.execute(update(studies).where(this).values(state=STOPPED, worker="", leased=0.0))

    await store.write(job)
    return replace(study, state=STOPPED if study.is_open else study.state)


async def retry_study(store: Store, study: EditionStudy) -> EditionStudy:
    """Queue a study that failed or was stopped again. It goes on from the parts that were played."""

    def job(connection: Connection) -> None:
        this = (studies.c.id == study.id) & studies.c.state.in_((FAILED, STOPPED))
        connection.execute(update(studies).where(this).values(state=WAITING, problem=""))

    await store.write(job)
    return replace(study, state=study.state if study.state == DONE else WAITING, problem="")


async def delete_study(store: Store, study: EditionStudy) -> None:
    """Delete a study and its report. A running study is stopped."""

    def job(connection: Connection) -> None:
        connection.execute(delete(studies).where(studies.c.id == study.id))

    await store.write(job)
