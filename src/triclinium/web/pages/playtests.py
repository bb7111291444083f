"""Pages of playtests: the invitation for players, and the results for the owner."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from triclinium.engine.registry import load_game
from triclinium.server.http.api import playtests as api
from triclinium.server.http.commands import Caller, JsonObject
from triclinium.server.workshop.playtest_results import SCALE, count_places
from triclinium.server.workshop.playtests import FIRST, QUESTIONS, SECOND, find_playtest
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.page_context import PageContext
from triclinium.web.pages.workshop import build_figure_rows, refuse_on_edition
from triclinium.web.playtest_chart import NARROW, WIDE, draw_chart

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)
SHOWN_REMARKS = 20
SHADES = 5  # shades of the counts of answers


@dataclass(frozen=True, slots=True)
class CountRow:
    """The number of players of one edition who gave each answer, and a shade for each number."""

    edition: int
    counts: list[int]

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def cells(self) -> list[tuple[int, int]]:
        return [(count, round(SHADES * count / max(1, self.total))) for count in self.counts]


@router.get("/playtests/{id}")
async def get_invitation(request: Request, id: str) -> Response:
    """Return the page on which people open a table of a playtest and, after its end, check the random assignment."""
    return await PageContext(request).services.runtime.run_in_thread(_render_invitation, PageContext(request), id)


def _render_invitation(context: PageContext, id: str) -> Response:
    playtest = find_playtest(context.services, id)
    with context.services.store.read_connection() as connection:
        places = count_places(connection, playtest) if not playtest.is_open else 0
    names = [edition.name or context.localize("Printed game") for edition in playtest.editions]
    return context.render_page(
        "playtest_invitation.html.jinja",
        playtest=playtest,
        game=load_game(playtest.game_id),
        owner=context.services.people.load_name(playtest.person),
        is_owner=context.person is not None and context.person.id == playtest.person,
        lot=[names[playtest.draw_edition(place)] for place in range(places)],
    )


@router.get("/workshop/playtests/{id}")
async def get_results(request: Request, id: str) -> Response:
    """Return the results of a playtest for its owner."""
    return await PageContext(request).services.runtime.run_in_thread(_render_results, PageContext(request), id)


def _render_results(context: PageContext, id: str) -> Response:
    results = api.read_own_results(context.services, id, None if context.person is None else context.person.id)
    playtest, estimates, differences = results.playtest, results.estimates, results.differences
    people = [results.estimate_figures(edition) for edition in (FIRST, SECOND)]
    remarks = results.list_remarks()
    return context.render_page(
        "workshop/playtest.html.jinja",
        results=results,
        playtest=playtest,
        game=load_game(playtest.game_id),
        names=[edition.name or context.localize("Printed game") for edition in playtest.editions],
        question=context.localize(QUESTIONS[playtest.question]).removesuffix("."),
        estimate=estimates[-1] if estimates else None,
        scale=SCALE,
        charts=[chart for size in (WIDE, NARROW) if (chart := draw_chart(estimates, differences, size))],
        differences=differences,
        answers={
            text: [CountRow(edition, results.count_answers(question, edition)) for edition in (FIRST, SECOND)]
            for question, text in QUESTIONS.items()
            if question != playtest.question
        },
        figures=build_figure_rows([*people, *results.bots]),
        remarks=remarks[:SHOWN_REMARKS],
        remark_count=len(remarks),
        invitation_url=f"{context.origin}{playtest.invitation_path}",
    )


@forms.answer(api.create_playtest)
async def show_new_playtest(post: FormPost[Caller, api.NewPlaytest, JsonObject]) -> Response:
    return post.context.redirect(f"/workshop/playtests/{post.result['id']}")


forms.refuse(api.create_playtest)(refuse_on_edition)
