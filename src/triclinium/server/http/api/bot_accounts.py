"""The HTTP API, version 1: programs of one's own, registered to be rated."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from triclinium.server.accounts import bot_accounts
from triclinium.server.http.api.players import Facts, PersonId, somebody
from triclinium.server.http.auth import count, server_of
from triclinium.server.presenter.api_json import PROBLEMS

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["people"])


class ProgramWish(BaseModel):
    """A program of yours."""

    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field("", max_length=200)


@router.get("/me/programs")
async def get_programs(request: Request) -> Facts:
    """Your programs; one without a key has been retired."""
    server, person = server_of(request), somebody(request)

    def facts() -> Facts:
        with server.store.reading() as connection:
            found = bot_accounts.of(connection, person.id)
        return {"programs": [{"person": one.person, "name": one.name, "active": one.active} for one in found]}

    return await server.in_thread(facts)


@router.post("/me/programs", status_code=201)
async def post_program(request: Request, wish: ProgramWish) -> Facts:
    """Register a program: it has a rating of its own. `key` is told once; the program sends it as its cookie."""
    count(request, "come")
    made, key = await bot_accounts.register(server_of(request), somebody(request), wish.name)
    return {"person": made.id, "name": made.name, "key": key}


@router.delete("/me/programs/{id}")
async def delete_program(request: Request, id: PersonId) -> Facts:
    """Retire a program: its key works no more, its results stay."""
    count(request, "post")
    await bot_accounts.retire(server_of(request), somebody(request), id)
    return {"person": id, "active": False}
