"""The HTTP API, version 1: what is said at a table."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from triclinium.engine.core.text import Message
from triclinium.server.http.api.tables import Facts, Language, made
from triclinium.server.http.auth import count, server_of, viewer_of
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.sanitize import CHAT_LENGTH
from triclinium.server.server import Server
from triclinium.server.tables import chat
from triclinium.server.tables.chat import ChatMessage

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["chat"])


class Said(BaseModel):
    """Something to say."""

    model_config = ConfigDict(extra="forbid", strict=True)
    text: str = Field(min_length=1, max_length=CHAT_LENGTH)
    key: str = Field("", max_length=64, description="your own mark: the same message sent twice appears once")


@router.get("/tables/{id}/chat", response_model=list[Facts])
async def get_chat(request: Request, id: str, language: Language = "en") -> Response:
    """The last hundred things said at the table, the oldest first. Who plays does not hear who watches meanwhile."""
    server = server_of(request)
    table = await server.table(id)
    async with table.lock:  # first: while somebody waits for it, they may sit down
        mine = viewer_of(request, table).mine
        return await made(
            server, lambda: [_facts(server, one, language) for one in chat.said(server, table, seated=bool(mine))]
        )


def _facts(server: Server, one: ChatMessage, language: str) -> Facts:
    text = server.reader(language).read(Message(one.text, *one.names)) if one.by_server else one.text
    name = "" if one.by_server else one.name
    return {"id": one.id, "seat": one.seat, "name": name, "text": text, "at": one.at, "by_server": one.by_server}


@router.post("/tables/{id}/chat", status_code=201)
async def post_chat(request: Request, id: str, wish: Said) -> Facts:
    """Say something, from your seat or, with a cookie, as a spectator."""
    server = server_of(request)
    table = await server.table(id)
    async with table.lock:  # first: while somebody waits for it, seats may be drawn
        at = viewer_of(request, table)
        count(request, "chat", *((table.id, at.mine[0]) if at.token else ()))
        seat, name, person = chat.voice(table, at)
        await chat.say(server, table, seat, name, wish.text, person, wish.key)
    return {"seat": seat, "name": name}
