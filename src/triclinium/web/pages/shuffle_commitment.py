"""The page that checks a table's seal for a person, step by step."""

from fastapi import APIRouter, Request, Response

from triclinium.engine import commitment
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.text import Message, msgid
from triclinium.server.errors import NotFound
from triclinium.server.http.auth import viewer_of
from triclinium.server.presenter.log import record
from triclinium.server.tables.table import Table
from triclinium.web.page_context import Reading

router = APIRouter(include_in_schema=False)

BEFORE = msgid(
    "Write the seal down, or keep the record as it is now: after the last move you can check it here or anywhere."
)


@router.get("/t/{id}/seal")
async def get_seal(request: Request, id: str) -> Response:
    """Before the end: what to keep. After it: what was promised, what came, and how to compute it again."""
    reading = Reading(request)
    table = await reading.server.table(id)
    viewer_of(request, table)
    return await seal_page(reading, table)


async def seal_page(reading: Reading, table: Table) -> Response:
    """The page, for whoever may read the table."""
    kept = reading.request.query_params.get("kept", "")[:80]
    async with table.lock:
        await reading.server.load_match(table)
        if not table.sealed:
            raise NotFound("the shuffle of this table is not sealed")
        written = record(table) if table.match is not None else table.opening().without_seed()
    wrong = ""
    try:
        made = await reading.server.in_thread(commitment.checks, written, kept, table.game)
    except TricliniumError:
        wrong = reading.speech("a seal is {0} to 64 digits and letters from a to f", commitment.FEWEST_DIGITS)
        made = await reading.server.in_thread(commitment.checks, written, "", table.game)
    read = reading.speech.reader.read
    return reading.page(
        "seal.html.jinja",
        table=table,
        kept=kept,
        wrong=wrong,
        over=table.status == "over",
        steps=[(read(check.what), check.holds, check.detail) for check in made],
        verdict=read(commitment.verdict(made)) if table.status == "over" else read(Message(BEFORE)),
        holds=all(check.holds for check in made),
        seed_text=written.seed_text(),
        salt=written.salt,
    )
