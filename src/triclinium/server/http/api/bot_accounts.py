"""HTTP API, version 1: the caller's bot accounts, which have ratings of their own."""

from typing import TypedDict

from fastapi import APIRouter, Request
from pydantic import Field

from triclinium.server.http.api.players import PersonNumber, require_person
from triclinium.server.http.auth import get_services
from triclinium.server.http.commands import PERSON, Api, Arguments, Caller, CommandList, Form, JsonObject
from triclinium.server.personal_data import bot_accounts
from triclinium.server.presenter.api_json import ERROR_RESPONSES

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["players"])
commands = CommandList(router)


class NewBotAccount(Arguments):
    """The name of a new bot account."""

    name: str = Field("", max_length=200)


class BotAccountId(Arguments):
    """One of your bot accounts."""

    id: PersonNumber


class BotAccountToken(TypedDict):
    """A bot account and its API token."""

    person: int
    name: str
    token: str


class RetiredBotAccount(TypedDict):
    """A bot account that no longer has an API token."""

    person: int
    active: bool


@router.get("/me/bots")
async def get_bot_accounts(request: Request) -> JsonObject:
    """List your bot accounts. A retired account is not `active`."""
    services, person = get_services(request), require_person(request)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            accounts = bot_accounts.list_bot_accounts(connection, person.id)
        return {
            "bot_accounts": [
                {"person": account.person, "name": account.name, "active": account.active} for account in accounts
            ]
        }

    return await services.runtime.run_in_thread(build)


@commands.add(
    "retire-bot-account",
    PERSON,
    api=Api("DELETE", "/me/bots/{id}"),
    form=Form("/me/bots", "/me/bots", fields={"id": "retire"}, when=["retire"]),
)
async def retire_bot_account(caller: Caller, arguments: BotAccountId) -> RetiredBotAccount:
    """Retire a bot account: its API token is revoked, and its results stay."""
    await bot_accounts.retire_bot_account(caller.services, caller.me, arguments.id)
    return {"person": arguments.id, "active": False}


@commands.add(
    "register-bot-account",
    PERSON,
    api=Api("POST", "/me/bots", status_code=201),
    form=Form("/me/bots"),
    rates=["come"],
)
async def register_bot_account(caller: Caller, arguments: NewBotAccount) -> BotAccountToken:
    """Register a bot account with its own rating. `token` is shown once; the bot sends it as its session cookie."""
    account, api_token = await bot_accounts.register_bot_account(caller.services, caller.me, arguments.name)
    return {"person": account.id, "name": account.name, "token": api_token}
