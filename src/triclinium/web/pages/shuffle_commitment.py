"""The page that explains a table's shuffle commitment and checks it step by step."""

from fastapi import APIRouter, Request, Response

from triclinium.engine import commitment
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.text import Message, msgid
from triclinium.server.errors import NotFound
from triclinium.server.http.auth import get_current_viewer
from triclinium.server.presenter.log import build_public_record
from triclinium.server.tables.table import Table
from triclinium.web.page_context import PageContext

router = APIRouter(include_in_schema=False)

BEFORE_END_TEXT = msgid(
    "Copy the seal or download the record now. After the last move you can check the shuffle here or on any computer."
)


@router.get("/tables/{id}/shuffle")
async def get_seal(request: Request, id: str) -> Response:
    """Return the page. Before the end it shows the value to keep, and after the end the steps of the check."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    get_current_viewer(request, table)
    return await render_seal_page(context, table)


async def render_seal_page(context: PageContext, table: Table) -> Response:
    """Return the page for a reader who can see the table."""
    noted_seal = context.request.query_params.get("seal", "")[:80]
    async with context.services.tables.locked(table) as locked:
        if not locked.has_shuffle_commitment:
            raise NotFound("The shuffle of this table has no seal.")
        match_record = (
            build_public_record(locked) if locked.match is not None else locked.make_opening_record().without_seed()
        )
    problem = ""
    try:
        checks = await context.services.runtime.run_in_thread(
            commitment.check_seal, match_record, noted_seal, table.game
        )
    except TricliniumError:
        problem = context.localize(
            "A seal has {0} to 64 characters: digits and the letters a to f.", commitment.MIN_SEAL_DIGITS
        )
        checks = await context.services.runtime.run_in_thread(commitment.check_seal, match_record, "", table.game)
    read = context.localize.reader.read
    return context.render_page(
        "shuffle_commitment.html.jinja",
        table=table,
        kept=noted_seal,
        wrong=problem,
        over=table.is_revealed,
        steps=[(read(check.what), check.holds, check.detail) for check in checks],
        verdict=read(commitment.summarize_checks(checks)) if table.is_revealed else read(Message(BEFORE_END_TEXT)),
        holds=all(check.holds for check in checks),
        seed_text=match_record.format_seed(),
        salt=match_record.salt,
    )
