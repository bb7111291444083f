"""The reader's bot accounts: registered programs that are rated, each with an API token that is shown once."""

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.http.auth import check_rate_limit, get_services
from triclinium.server.personal_data import bot_accounts
from triclinium.web.page_context import PageContext

router = APIRouter(include_in_schema=False)


@router.get("/me/bots")
async def get_bot_accounts(request: Request) -> Response:
    return await get_services(request).runtime.run_in_thread(_render_bot_accounts, PageContext(request))


def _render_bot_accounts(context: PageContext, token: str = "") -> Response:
    owner = _require_person(context)
    with context.services.store.read_connection() as connection:
        accounts = bot_accounts.list_bot_accounts(connection, owner.id)
    return context.render_page(
        "people/bot_accounts.html.jinja", programs=accounts, key=token, most=bot_accounts.MAX_BOT_ACCOUNTS
    )


@router.post("/me/bots")
async def post_bot_account(request: Request) -> Response:
    """Register one, or retire one."""
    check_rate_limit(request, "come")
    context = PageContext(request)
    form = await context.read_form()
    owner = _require_person(context)
    if form.text("retire"):
        await bot_accounts.retire_bot_account(context.services, owner, form.integer("retire", 0))
        return context.redirect("/me/bots")
    _, token = await bot_accounts.register_bot_account(context.services, owner, form.text("name"))
    return await context.services.runtime.run_in_thread(_render_bot_accounts, context, token)


def _require_person(context: PageContext) -> Person:
    if context.person is None:
        raise NoNickname()
    return context.person
