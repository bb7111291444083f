"""The HTTP API, version 1: how the house is reached, its password, and the way to a table by its code."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from triclinium.server.accounts.owner import OWNER, check_owner
from triclinium.server.accounts.site_password import MOST
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.http.auth import count, server_of
from triclinium.server.http.password_gate import pass_of
from triclinium.server.presenter.api_json import PROBLEMS, summary
from triclinium.server.tables import join_codes
from triclinium.server.tables.lobby import table_by_code

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


class ReachWish(BaseModel):
    """What the owner may change."""

    model_config = ConfigDict(extra="forbid", strict=True)
    open: bool | None = Field(None, description="let the network in, or close the door again")
    address: str | None = Field(None, max_length=255, description="what stands in links; empty: the house chooses")


@router.get("/reach", tags=["house"])
async def get_reach(request: Request) -> dict[str, object]:
    """How others reach this house: `alone`, `nowhere`, `open`, `proven` or `public`, and how links begin."""
    return reach_facts(request)


@router.post("/reach", tags=["house"])
async def post_reach(request: Request, wish: ReachWish) -> dict[str, object]:
    """Let the network in, close the door, or choose the address in links: for the owner."""
    count(request, "post")
    check_owner(request.scope)
    reach = server_of(request).reach
    if wish.address is not None:
        reach.choose(wish.address)
    if wish.open is not None:
        await (reach.let_in() if wish.open else reach.shut())
    return reach_facts(request)


def reach_facts(request: Request) -> dict[str, object]:
    """Return how the server is reached; only the owner learns the addresses of the machine."""
    reach = server_of(request).reach
    origin = reach.origin(request.url.scheme, request.headers["host"])
    told = reach.addresses() if request.scope.get(OWNER) else []
    return {"reach": reach.extent, "origin": origin, "addresses": [each._asdict() for each in told]}


class Said(BaseModel):
    """The house password, as somebody says it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    password: str = Field(max_length=MOST)


@router.post("/door", tags=["house"])
async def post_door(request: Request, said: Said) -> dict[str, object]:
    """Say the house password; `door` is the value of the cookie of that name, which is asked from then on."""
    count(request, "door")
    server = server_of(request)
    if server.password.is_set and not await server.in_thread(server.password.fits, said.password):
        raise NotAllowed("that is not the password of this house")
    return {"door": pass_of(server)}


@router.put("/door", tags=["house"])
async def put_door(request: Request, said: Said) -> dict[str, object]:
    """Ask for this password from now on, the empty one for none: for the owner."""
    count(request, "post")
    check_owner(request.scope)
    server = server_of(request)
    await server.password.change(said.password)
    return {"door": pass_of(server)}


class OwnerLink(BaseModel):
    """The token of an owner's link."""

    model_config = ConfigDict(extra="forbid", strict=True)
    token: str = Field(max_length=200, description="what follows `/owner/` in the link")


@router.post("/owner", tags=["house"])
async def post_owner(request: Request, link: OwnerLink, response: Response) -> dict[str, object]:
    """Exchange a one-time owner's link for the owner's cookie, which is set; `owner` is its value."""
    count(request, "guess")
    return {"owner": await server_of(request).owners.accept(request, link.token, response)}


@router.get("/codes/{code}", tags=["tables"])
async def get_code(request: Request, code: str) -> dict[str, object]:
    """The table that a code leads to, and its free seats: sit down there with the same code."""
    count(request, "guess")
    server = server_of(request)
    id = await server.in_thread(table_by_code, server, join_codes.spelled(code))
    table = None if id is None else await server.table(id)
    if table is None or not join_codes.leads(table):
        raise NotFound("no table has this code")
    free = [one.seat for one in table.occupants if one.offered and one.person is None]
    return {"table": summary(server, table), "free": free}
