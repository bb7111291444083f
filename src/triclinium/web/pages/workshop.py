"""Pages of the workshop: the reader's editions, one edition with its numbers, and studies with bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from markupsafe import Markup

from triclinium.engine.core.errors import ComponentsFault
from triclinium.engine.core.text import Message
from triclinium.engine.game import Game
from triclinium.engine.numbers import list_numbers
from triclinium.engine.registry import load_game
from triclinium.server.errors import NotFound, RequestError
from triclinium.server.http.api import workshop as api
from triclinium.server.http.api.tables import load_own_edition
from triclinium.server.http.commands import Caller, JsonObject
from triclinium.server.tables.create import require_game
from triclinium.server.workshop import editions, playtests, studies
from triclinium.server.workshop.access import OFF, check_workshop, is_workshop_open
from triclinium.server.workshop.editions import StoredEdition, apply_numbers, find_edition_faults
from triclinium.server.workshop.number_fields import EditionNumbers, NumberField
from triclinium.server.workshop.playtest_results import FIGURES, FigureEstimate, estimate_figures
from triclinium.server.workshop.playtests import Playtest
from triclinium.server.workshop.studies import DETECT_CHOICES, QUESTIONS, STUDY_BOTS, EditionStudy
from triclinium.server.workshop.study_consent import load_study_figures
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.i18n import get_cached_reader
from triclinium.web.page_context import PageContext, PostedForm, load_all_games
from triclinium.web.pages.rules import mark_number

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)
PREFIX = "n:"  # prefix of the fields with numbers
MAX_SHOWN_RULES = 6  # changed rules next to the numbers
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


@dataclass(frozen=True, slots=True)
class EditionLine:
    """An edition in the list: its game, and how many numbers it changes."""

    edition: StoredEdition
    game: Game
    changes: int
    faults: int


class EditionPage:
    """The page of an edition: its numbers, the rules that read differently, and its studies."""

    def __init__(
        self,
        context: PageContext,
        edition: StoredEdition,
        typed: dict[str, str] | None = None,
        name: str = "",
        problem: RequestError | None = None,
    ) -> None:
        self.edition = edition
        self.game = load_game(edition.game_id)
        self.name = name or edition.name
        file, unread = apply_numbers(self.game, edition.load_file(), typed or {})
        self.numbers = EditionNumbers(self.game, file, find_edition_faults(self.game, file), unread)
        self.unsaved = bool(typed) and (file != edition.load_file() or bool(unread) or self.name != edition.name)
        self.reader = get_cached_reader(context.language, self.game.words).reader
        self.problem = "" if problem is None else self.reader.read(problem.message)
        mark = partial(mark_number, context.localize)
        self.rules = [(rule, Markup(rule.text)) for rule in self.numbers.list_changed_rules(context.language, mark)]

    @property
    def playable(self) -> bool:
        return not self.numbers.faults and not self.numbers.unread

    @property
    def shown_rules(self) -> list[object]:
        return list(self.rules[:MAX_SHOWN_RULES])

    def say(self, message: Message) -> str:
        """Return a text of the game in the reader's language."""
        return self.reader.read(message)

    def name_field(self, field: NumberField) -> str:
        return self.reader.read(field.number.name)

    def tell_fault(self, fault: ComponentsFault) -> str:
        """Return a fault as a sentence that begins after the name of its number."""
        text = self.reader.read(fault.sentence)
        return f"{text} ({fault.constraint})" if fault.constraint else text

    def tell_faults(self, field: NumberField) -> str:
        sentences: dict[str, list[str]] = {}
        for fault in field.faults:
            sentences.setdefault(fault.constraint, []).append(self.reader.read(fault.sentence))
        return "; ".join(
            f"{', '.join(texts)} ({constraint})" if constraint else ", ".join(texts)
            for constraint, texts in sentences.items()
        )


# -- shelf ------------------------------------------------------------------------------------------------------------


@router.get("/workshop")
async def get_workshop(request: Request) -> Response:
    context = PageContext(request)
    check_workshop(context.services.settings, request.scope)
    return await context.services.runtime.run_in_thread(_render_shelf, context)


def _render_shelf(context: PageContext, problem: str = "", status: int = 200) -> Response:
    lines: list[EditionLine] = []
    own_studies: list[EditionStudy] = []
    own_playtests: list[Playtest] = []
    if context.person is not None:
        with context.services.store.read_connection() as connection:
            own = editions.list_editions(connection, context.person.id)
            own_studies = studies.list_studies(connection, context.person.id)
            own_playtests = playtests.list_playtests(connection, context.person.id)
        lines = [_make_line(edition) for edition in own]
    return context.render_page(
        "workshop/shelf.html.jinja",
        status,
        lines=lines,
        studies=own_studies,
        playtests=own_playtests,
        games=[game for game in load_all_games() if game.components_schema is not None],
        games_by_id={game.id: game for game in load_all_games()},
        problem=problem,
    )


def _make_line(edition: StoredEdition) -> EditionLine:
    game = load_game(edition.game_id)
    faults = find_edition_faults(game, edition.load_file())
    return EditionLine(edition, game, editions.count_changes(edition), len(faults))


@forms.read(api.create_edition)
def read_new_edition(context: PageContext, form: PostedForm) -> dict[str, object]:
    name = form.text("name") or context.localize(editions.DEFAULT_NAME)
    return {"game": form.text("game"), "name": name, "file": form.text("file")}


@forms.answer(api.create_edition)
async def show_new_edition(post: FormPost[Caller, api.NewEdition, JsonObject]) -> Response:
    return post.context.redirect(f"/workshop/{post.arguments.game}/{post.result['id']}")


@forms.refuse(api.create_edition)
async def refuse_new_edition(context: PageContext, form: PostedForm, error: RequestError) -> Response:
    words = require_game(form.text("game")).words
    problem = get_cached_reader(context.language, words).reader.read(error.message)
    return await context.services.runtime.run_in_thread(_render_shelf, context, problem, error.status)


# -- edition ----------------------------------------------------------------------------------------------------------


@router.get("/workshop/{game}/{id}")
async def get_edition_page(request: Request, game: str, id: str) -> Response:
    context = PageContext(request)
    if game == "shared":
        return await context.services.runtime.run_in_thread(_render_shared, context, id)
    check_workshop(context.services.settings, request.scope)
    if game == "studies":
        return await context.services.runtime.run_in_thread(_render_study, context, id)
    edition = await _load_edition(context, game, id)
    return await context.services.runtime.run_in_thread(_render_edition, context, edition)


async def _load_edition(context: PageContext, game: str, id: str) -> StoredEdition:
    """Return an edition of the reader. Raise `NotFound` if they have none with this id and game."""
    person = None if context.person is None else context.person.id
    if person is None:
        raise NotFound("There is no such edition. It may have been deleted.")
    edition = await context.services.runtime.run_in_thread(api.read_edition, context.services, id, person)
    if edition.game_id != game:
        raise NotFound("There is no such edition. It may have been deleted.")
    return edition


def _render_edition(
    context: PageContext,
    edition: StoredEdition,
    typed: dict[str, str] | None = None,
    name: str = "",
    problem: RequestError | None = None,
) -> Response:
    page = EditionPage(context, edition, typed, name, problem)
    own_studies: list[EditionStudy] = []
    others: list[StoredEdition] = []
    if context.person is not None:
        with context.services.store.read_connection() as connection:
            own = studies.list_studies(connection, context.person.id)
            own_editions = editions.list_editions(connection, context.person.id)
        own_studies = [study for study in own if study.edition == edition.id]
        others = [other for other in own_editions if other.game_id == edition.game_id and other.id != edition.id]
    return context.render_page(
        "workshop/edition.html.jinja",
        200 if problem is None else problem.status,
        page=page,
        game=page.game,
        edition=edition,
        studies=own_studies,
        readonly=False,
        bots=STUDY_BOTS,
        differences=DETECT_CHOICES,
        questions=QUESTIONS,
        others=others,
        playtest_questions=playtests.QUESTIONS,
        has_lab=studies.has_lab(),
        shared_url=f"{context.origin}{edition.shared_path}" if edition.link else "",
    )


def _render_shared(context: PageContext, link: str) -> Response:
    """Return the page behind the read-only link of an edition, for everyone."""
    edition = _load_shared(context, link)
    page = EditionPage(context, edition)
    return context.render_page(
        "workshop/edition.html.jinja",
        page=page,
        game=page.game,
        edition=edition,
        studies=[],
        readonly=True,
        may_copy=is_workshop_open(context.services.settings, context.request.scope),
        shared_url="",
    )


@router.get("/workshop/{game}/{id}/file")
async def get_edition_file(request: Request, game: str, id: str) -> Response:
    """Return the components file of an edition for download, also behind its read-only link."""
    edition = await load_readable_edition(PageContext(request), game, id)
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in edition.name).strip("-")
    headers = {"Content-Disposition": f'attachment; filename="{name or edition.game_id}.toml"'}
    return PlainTextResponse(edition.text, headers=headers)


async def load_readable_edition(context: PageContext, game: str, id: str) -> StoredEdition:
    """Return an edition of the reader, or the one behind a read-only link if the game is "shared"."""
    if game == "shared":
        return await context.services.runtime.run_in_thread(_load_shared, context, id)
    check_workshop(context.services.settings, context.request.scope)
    return await _load_edition(context, game, id)


def _load_shared(context: PageContext, link: str) -> StoredEdition:
    if context.services.settings.workshop == OFF:
        raise NotFound("This server has no workshop.")
    with context.services.store.read_connection() as connection:
        return editions.load_shared_edition(connection, link)


@forms.read(api.save_edition)
def read_numbers(context: PageContext, form: PostedForm) -> dict[str, object]:
    """Return the numbers of the form; a button with the name `reset` puts one of them back."""
    numbers = form.fields_with_prefix(PREFIX)
    reset = form.text("reset")
    if reset:
        game = require_game(str(context.request.path_params["game"]))
        printed = {number.path: f"{number.value:g}" for number in list_numbers(game)}
        numbers |= {path: printed[path] for path in numbers if path in printed and reset in (path, "all")}
    return {"name": form.text("name"), "numbers": numbers, "revision": form.integer("revision", -1)}


forms.read(api.check_edition)(read_numbers)


@forms.answer(api.save_edition)
async def show_saved_edition(post: FormPost[Caller, api.EditionChanges, JsonObject]) -> Response:
    """Redirect to the edition or the study form, or, if it can be played, to a new table or the print page."""
    path = f"/workshop/{post.context.request.path_params['game']}/{post.arguments.id}"
    if post.form.text("then") == "play" and not post.result["faults"]:
        return post.context.redirect(f"/new?game={post.result['game']}&edition={post.arguments.id}")
    if post.form.text("then") == "print" and not post.result["faults"]:
        return post.context.redirect(path.replace("/workshop/", "/print/"))
    return post.context.redirect(f"{path}#study" if post.form.text("then") == "study" else path)


@forms.refuse(api.save_edition)
async def refuse_saved_edition(context: PageContext, form: PostedForm, error: RequestError) -> Response:
    """Show the form again with everything that was typed, so that nothing is lost."""
    params = context.request.path_params
    edition = await _load_edition(context, str(params["game"]), str(params["id"]))
    typed, name = form.fields_with_prefix(PREFIX), form.text("name")
    return await context.services.runtime.run_in_thread(_render_edition, context, edition, typed, name, error)


@forms.answer(api.check_edition)
async def show_check(post: FormPost[Caller, api.EditionChanges, JsonObject]) -> Response:
    """Return as JSON whether the edition can be played with the typed numbers, and the parts of the page that differ.

    The form names the rows that are marked on the page, because they may lose their marks.
    """
    edition = await _load_edition(post.context, str(post.context.request.path_params["game"]), post.arguments.id)
    return await post.context.services.runtime.run_in_thread(_render_check, post.context, edition, post.form)


def _render_check(context: PageContext, edition: StoredEdition, form: PostedForm) -> Response:
    page = EditionPage(context, edition, form.fields_with_prefix(PREFIX), form.text("name"))
    marked = set(form.text("marked").split())
    parts = context.render_text(
        "workshop/check.html.jinja",
        page=page,
        game=page.game,
        edition=edition,
        readonly=False,
        fields=[field for field in page.numbers.fields if field.is_marked or field.id in marked],
    )
    return context.set_cookies(JSONResponse({"playable": page.playable, "parts": parts}))


@forms.answer(api.replace_edition_file)
async def show_replaced_edition(post: FormPost[Caller, api.EditionFile, JsonObject]) -> Response:
    return _redirect_to_edition(post.context)


@forms.answer(api.share_edition)
async def show_shared_edition(post: FormPost[Caller, api.EditionSharing, JsonObject]) -> Response:
    return _redirect_to_edition(post.context, "#share")


def _redirect_to_edition(context: PageContext, part: str = "") -> Response:
    params = context.request.path_params
    return context.redirect(f"/workshop/{params['game']}/{params['id']}{part}")


async def refuse_on_edition(context: PageContext, form: PostedForm, error: RequestError) -> Response:
    params = context.request.path_params
    edition = await _load_edition(context, str(params["game"]), str(params["id"]))
    return await context.services.runtime.run_in_thread(_render_edition, context, edition, None, "", error)


forms.refuse(api.replace_edition_file)(refuse_on_edition)
forms.refuse(api.start_study)(refuse_on_edition)
forms.refuse(api.share_edition)(refuse_on_edition)


def load_edition_for_table(context: PageContext, id: str, game_id: str) -> tuple[Game, StoredEdition]:
    """Return the game on an edition of the reader, for a new table. Raise `Conflict` if it cannot be played."""
    edition = load_own_edition(context.request, id, game_id)
    return editions.load_playable_game(edition), edition


# -- studies ----------------------------------------------------------------------------------------------------------


@forms.answer(api.start_study)
async def show_started_study(post: FormPost[Caller, api.NewStudy, JsonObject]) -> Response:
    return post.context.redirect(f"/workshop/studies/{post.result['id']}")


def _render_study(context: PageContext, id: str) -> Response:
    study = api.read_study(context.services, id, -1 if context.person is None else context.person.id)
    with context.services.store.read_connection() as connection:
        before = studies.count_studies_before(connection, study)
        has_report = bool(studies.load_study_file(connection, study.id, "report.html"))
        people, bots = load_study_figures(connection, study)
    return context.render_page(
        "workshop/study.html.jinja",
        study=study,
        game=load_game(study.game_id),
        before=before,
        has_report=has_report,
        first=study.progress.first.get(context.language, ""),
        paused=context.services.studies.paused,
        figures=build_figure_rows([*map(estimate_figures, people), *bots]) if any(people) else [],
        match_counts=[len(matches) for matches in people],
        names=[context.localize("Printed game"), study.name],
        has_bots=bool(bots),
    )


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of the matches: with people and with bots, for both editions."""

    name: str
    cells: list[FigureEstimate | None]


def build_figure_rows(columns: Sequence[Mapping[str, FigureEstimate]]) -> list[FigureRow]:
    """Return a row for each figure that at least one match has."""
    rows = [FigureRow(label, [column.get(name) for column in columns]) for name, label in FIGURES.items()]
    return [row for row in rows if any(cell is not None for cell in row.cells)]


@router.get("/workshop/studies/{id}/{file}")
async def get_study_file(request: Request, id: str, file: str) -> Response:
    """Return a file of a study. The report is a page of its own, without scripts."""
    context = PageContext(request)
    check_workshop(context.services.settings, request.scope)
    person = -1 if context.person is None else context.person.id
    response = await context.services.runtime.run_in_thread(
        api.make_study_file_response, context.services, id, file, person
    )
    if file.endswith(".html"):
        response.headers["content-type"] = "text/html; charset=utf-8"
        response.headers["content-security-policy"] = REPORT_POLICY
    else:
        response.headers["content-disposition"] = f'attachment; filename="{file}"'
    return response
