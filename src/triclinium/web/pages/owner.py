"""Pages for the owner of the server (`/server`): health, people, tables and backups.

Every page needs the owner's cookie. Other visitors read how the owner signs in.
"""

from dataclasses import dataclass
from urllib.parse import quote

from babel.numbers import format_decimal
from fastapi import APIRouter, Request, Response

from triclinium.engine.core.text import Name, msgid
from triclinium.server import server_time
from triclinium.server.accounts.owner import check_owner
from triclinium.server.admin import lists
from triclinium.server.admin.backup_folder import BackupFile, BackupFolder
from triclinium.server.admin.health import ServerHealth, measure_health
from triclinium.server.admin.lists import AdminPersonRow, AdminTableRow
from triclinium.server.errors import NotFound
from triclinium.server.http.api import owner as api
from triclinium.server.http.api.players import PersonId
from triclinium.server.http.auth import check_rate_limit
from triclinium.web.forms import FormRoutes
from triclinium.web.i18n import Localizer, load_babel_locale
from triclinium.web.page_context import PageContext, describe_duration, load_all_games

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)
OVERVIEW_ROWS = 6  # rows in the lists of people and tables on the first page
BACKUP_WARNING_DAYS = 7  # days after which the page warns that there is no backup
DAY_SECONDS = 86400
OPEN_STATES = ("waiting", "playing")
STATE_NAMES = {
    "waiting": Name("Waiting", "state of a table"),
    "playing": Name("Playing", "state of a table"),
    "over": Name("Over", "state of a table"),
    "closed": Name("Closed", "state of a table"),
}
DURATIONS = (3600, 86400, 3 * 86400, 7 * 86400, 28 * 86400, 365 * 86400)  # lengths of a ban or mute in seconds
BACKUP_STATES = {"unchecked": msgid("not checked"), "whole": msgid("checked"), "damaged": msgid("damaged")}


@dataclass(frozen=True, slots=True)
class Question:
    """The texts of the page that asks for confirmation before something is closed or deleted."""

    heading: str
    text: str
    button: str
    action: str  # the address to which the form is sent
    back: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem that the owner should know about, with a link to its section."""

    text: str
    link: str = ""
    link_text: str = ""


def _open_page(request: Request) -> PageContext:
    """Return the context of one of the owner's pages. Raise NotAllowed for everyone else."""
    check_rate_limit(request, "post")
    check_owner(request.scope)
    return PageContext(request)


# -- the first page -----------------------------------------------------------------------------------------------


@router.get("/server")
async def get_server_page(request: Request) -> Response:
    """Return the first page, with the health of the server, its last tables and people, and its backups."""
    context = _open_page(request)
    return await context.services.runtime.run_in_thread(_render_overview, context, api.get_backups(request))


def _render_overview(context: PageContext, backups: BackupFolder) -> Response:
    health = measure_health(context.services, backups.path)
    found = backups.list_backups()
    return context.render_page(
        "owner/server.html.jinja",
        health=health,
        uptime=describe_uptime(server_time.now() - health.opened_at, context.localize),
        size=SizeFormatter(context.localize),
        troubles=list_troubles(health, found, context.localize),
        tables=lists.list_tables(context.services.store, "", "", 0.0, OVERVIEW_ROWS, newest_first=True),
        people=lists.list_people(context.services.store, "", OVERVIEW_ROWS, erased=False),
        backups=found,
        folder=backups.path,
        is_running=backups.is_running,
        can_download=api.is_safe_to_download(context.request.scope, context.services.settings.https),
        backup_states=BACKUP_STATES,
        names=RowNames(context.localize),
    )


class RowNames:
    """The localized names of games and of table states, for the lists."""

    open_states = OPEN_STATES

    def __init__(self, localize: Localizer) -> None:
        self._localize = localize
        self._games = {game.id: game for game in load_all_games()}

    def game(self, id: str) -> str:
        game = self._games.get(id)
        return id if game is None else self._localize.name(game.name, game)

    def state(self, state: str) -> str:
        return self._localize.name(STATE_NAMES[state])


def list_troubles(health: ServerHealth, backups: list[BackupFile], localize: Localizer) -> list[Trouble]:
    """Return the problems that the owner should know about."""
    troubles = []
    if not health.database_readable:
        troubles.append(Trouble(localize("The database cannot be read. The server log gives the reason.")))
    if health.is_disk_low:
        size = SizeFormatter(localize)
        troubles.append(Trouble(localize("The disk is nearly full: {0} are free.", size(health.disk_free))))
    if health.are_bots_busy:
        troubles.append(Trouble(localize("The bots are always busy. Start the server with more processes.")))
    if any(each.is_damaged for each in backups):
        troubles.append(Trouble(localize("A backup is damaged. Delete it and create a new one."), "#backups"))
    newest = max((each.made for each in backups), default=0.0)
    if newest < server_time.now() - BACKUP_WARNING_DAYS * DAY_SECONDS:
        text = localize("No backup was made in the last {0} {0:day|days}.", BACKUP_WARNING_DAYS)
        troubles.append(Trouble(text, "#backups"))
    return troubles


def describe_uptime(seconds: float, localize: Localizer) -> str:
    """Return the uptime of a server in words."""
    if seconds >= 2 * DAY_SECONDS:
        return localize("{0} {0:day|days}", int(seconds // DAY_SECONDS))
    whole = int(seconds // 3600 * 3600 if seconds >= 3600 else max(60, seconds // 60 * 60))
    return describe_duration(whole, localize)


class SizeFormatter:
    """A formatter for the size of a file or a disk in the reader's language."""

    def __init__(self, localize: Localizer) -> None:
        self._localize = localize

    def __call__(self, size: int) -> str:
        locale = load_babel_locale(self._localize.language)
        if size >= 1_000_000_000:
            return self._localize(msgid("{0} GB"), format_decimal(round(size / 1e9, 1), locale=locale))
        return self._localize(msgid("{0} MB"), format_decimal(round(size / 1e6, 1), locale=locale))


# -- people -------------------------------------------------------------------------------------------------------


@router.get("/server/people")
async def get_people(request: Request, name: str = "", page: int = 1) -> Response:
    """List the people of the server, or search for them by name."""
    context = _open_page(request)
    if not 1 <= page <= 10_000:
        raise NotFound("There is no such list.")
    return await context.services.runtime.run_in_thread(_render_people, context, name[:80], page)


def _render_people(context: PageContext, name: str, page: int) -> Response:
    offset = (page - 1) * api.PAGE_SIZE
    rows = lists.list_people(context.services.store, name, api.PAGE_SIZE + 1, offset=offset, erased=False)
    return context.render_page(
        "owner/people.html.jinja",
        people=rows[: api.PAGE_SIZE],
        name=name,
        page=page,
        more=len(rows) > api.PAGE_SIZE,
        names=RowNames(context.localize),
    )


@router.get("/server/people/{id}")
async def get_person(request: Request, id: PersonId) -> Response:
    """Return the page of a person, with the actions that the owner can take."""
    context = _open_page(request)
    return await context.services.runtime.run_in_thread(_render_person, context, id)


def _render_person(context: PageContext, id: int) -> Response:
    durations = [(seconds, describe_span(seconds, context.localize)) for seconds in DURATIONS]
    return context.render_page("owner/person.html.jinja", one=_load_person(context, id), durations=durations)


def describe_span(seconds: int, localize: Localizer) -> str:
    """Return the length of a ban in words."""
    if seconds % DAY_SECONDS:
        return describe_duration(seconds, localize)
    return localize("{0} {0:day|days}", seconds // DAY_SECONDS)


def _load_person(context: PageContext, id: int) -> AdminPersonRow:
    """Return a person from the database. Raise NotFound if there is none or the account was deleted."""
    found = lists.list_people(context.services.store, "", 1, id=id, erased=False)
    if not found:
        raise NotFound("No account has the number {0}.", id)
    return found[0]


@router.get("/server/people/{id}/delete")
async def ask_to_delete_person(request: Request, id: PersonId) -> Response:
    """Return the page that asks for confirmation before an account is deleted."""
    context = _open_page(request)
    localize = context.localize
    person = await context.services.runtime.run_in_thread(_load_person, context, id)
    return await _ask(
        context,
        Question(
            localize("Delete the account of {0}?", person.name),
            localize(
                "Bots take over this person’s seats, and the name no longer appears anywhere. This cannot be undone."
            ),
            localize("Delete the account"),
            f"/server/people/{id}/delete",
            f"/server/people/{id}",
        ),
    )


async def _ask(context: PageContext, question: Question) -> Response:
    return await context.render_in_thread("owner/confirmation.html.jinja", question=question)


# -- tables -------------------------------------------------------------------------------------------------------


@router.get("/server/tables")
async def get_tables(request: Request, state: str = "", page: int = 1) -> Response:
    """List the tables of the server."""
    context = _open_page(request)
    if state not in ("", *STATE_NAMES) or not 1 <= page <= 10_000:
        raise NotFound("There is no such list.")
    return await context.services.runtime.run_in_thread(_render_tables, context, state, page)


def _render_tables(context: PageContext, state: str, page: int) -> Response:
    offset = (page - 1) * api.PAGE_SIZE
    rows = lists.list_tables(
        context.services.store, "", state, 0.0, api.PAGE_SIZE + 1, offset=offset, newest_first=True
    )
    return context.render_page(
        "owner/tables.html.jinja",
        tables=rows[: api.PAGE_SIZE],
        state=state,
        states=list(STATE_NAMES),
        page=page,
        more=len(rows) > api.PAGE_SIZE,
        names=RowNames(context.localize),
    )


def _load_table(context: PageContext, id: str) -> AdminTableRow:
    """Return a table from the database. Raise NotFound if there is none."""
    found = lists.list_tables(context.services.store, "", "", 0.0, 1, id=id)
    if not found:
        raise NotFound("There is no such table.")
    return found[0]


@router.get("/server/tables/{id}/close")
async def ask_to_close_table(request: Request, id: str) -> Response:
    """Return the page that asks for confirmation before a table is closed."""
    context = _open_page(request)
    localize = context.localize
    table = await context.services.runtime.run_in_thread(_load_table, context, id[:12])
    text = (
        localize("The match is abandoned and does not count. Its players can still look at it.")
        if table.is_playing
        else localize("The players see that the table was closed. The match does not start.")
    )
    question = Question(
        localize("Close the table {0}?", table.name),
        text,
        localize("Close table"),
        f"/server/tables/{table.id}/close",
        "/server/tables",
    )
    return await _ask(context, question)


@router.get("/server/tables/{id}/delete")
async def ask_to_delete_table(request: Request, id: str) -> Response:
    """Return the page that asks for confirmation before a table is deleted."""
    context = _open_page(request)
    localize = context.localize
    table = await context.services.runtime.run_in_thread(_load_table, context, id[:12])
    question = Question(
        localize("Delete the table {0}?", table.name),
        localize("Its moves and its chat are permanently deleted. Results and ratings are kept."),
        localize("Delete the table"),
        f"/server/tables/{table.id}/delete",
        "/server/tables",
    )
    return await _ask(context, question)


# -- backups ------------------------------------------------------------------------------------------------------


@router.get("/server/backups/{name}")
async def download_backup(request: Request, name: str) -> Response:
    return await api.download_backup(request, name)


@router.get("/server/backups/{name}/delete")
async def ask_to_delete_backup(request: Request, name: str) -> Response:
    """Return the page that asks for confirmation before a backup is deleted."""
    context = _open_page(request)
    localize = context.localize
    await context.services.runtime.run_in_thread(api.get_backups(request).find_backup, name)
    question = Question(
        localize("Delete the backup {0}?", name),
        localize("The file is permanently deleted. Other backups are kept."),
        localize("Delete the backup"),
        f"/server/backups/{quote(name)}/delete",
        "/server#backups",
    )
    return await _ask(context, question)
