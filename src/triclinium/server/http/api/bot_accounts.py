"""The HTTP API, version 1: programs of one's own, registered to be rated."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from triclinium.server.http.api.players import JsonObject, PersonId, require_person
from triclinium.server.http.auth import check_rate_limit, get_services
from triclinium.server.personal_data import bot_accounts
from triclinium.server.presenter.api_json import ERROR_RESPONSES

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["players"])


class BotAccountBody(BaseModel):
    """A program of yours."""

    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field("", max_length=200)


@router.get("/me/bots")
async def get_bot_accounts(request: Request) -> JsonObject:
    """Your programs; one without a key has been retired."""
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


@router.post("/me/bots", status_code=201)
async def post_bot_account(request: Request, body: BotAccountBody) -> JsonObject:
    """Register a program: it has a rating of its own. `token` is shown once; the program sends it as its cookie."""
    check_rate_limit(request, "come")
    account, api_token = await bot_accounts.register_bot_account(
        get_services(request), require_person(request), body.name
    )
    return {"person": account.id, "name": account.name, "token": api_token}


@router.delete("/me/bots/{id}")
async def delete_bot_account(request: Request, id: PersonId) -> JsonObject:
    """Retire a program: its key works no more, its results stay."""
    check_rate_limit(request, "post")
    await bot_accounts.retire_bot_account(get_services(request), require_person(request), id)
    return {"person": id, "active": False}
