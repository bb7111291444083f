"""Page of the reader's bot accounts, which are rated. The API token of an account is shown once."""

from fastapi import APIRouter, Request, Response

from triclinium.server.errors import NoNickname
from triclinium.server.http.api import bot_accounts as api
from triclinium.server.http.auth import get_services
from triclinium.server.http.commands import Caller
from triclinium.server.personal_data import bot_accounts
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.page_context import PageContext

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)


@router.get("/me/bots")
async def get_bot_accounts(request: Request) -> Response:
    return await get_services(request).runtime.run_in_thread(_render_bot_accounts, PageContext(request))


def _render_bot_accounts(context: PageContext, token: str = "") -> Response:
    if context.person is None:
        raise NoNickname()
    with context.services.store.read_connection() as connection:
        accounts = bot_accounts.list_bot_accounts(connection, context.person.id)
    return context.render_page(
        "people/bot_accounts.html.jinja", programs=accounts, key=token, most=bot_accounts.MAX_BOT_ACCOUNTS
    )


@forms.answer(api.register_bot_account)
async def show_token(post: FormPost[Caller, api.NewBotAccount, api.BotAccountToken]) -> Response:
    """Show the API token of a new bot account, once."""
    return await post.context.services.runtime.run_in_thread(_render_bot_accounts, post.context, post.result["token"])
