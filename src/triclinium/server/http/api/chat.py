"""The HTTP API, version 1: what is said at a table."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from triclinium.engine.core.text import Message
from triclinium.server.http.api.tables import JsonObject, Language, build_json_response
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, get_services
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.sanitize import CHAT_LENGTH
from triclinium.server.services import Services
from triclinium.server.tables import chat
from triclinium.server.tables.chat import ChatMessage

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["chat"])


class ChatMessageBody(BaseModel):
    """Something to say."""

    model_config = ConfigDict(extra="forbid", strict=True)
    text: str = Field(min_length=1, max_length=CHAT_LENGTH)
    key: str = Field("", max_length=64, description="your own mark: the same message sent twice appears once")


@router.get("/tables/{id}/chat", response_model=list[JsonObject])
async def get_chat(request: Request, id: str, language: Language = "en") -> Response:
    """The last hundred things said at the table, the oldest first. Who plays does not hear who watches meanwhile."""
    services = get_services(request)
    async with services.tables.locked(id) as table:  # first: while somebody waits for it, they may sit down
        mine = get_current_viewer(request, table).own_seats
        return await build_json_response(
            services.runtime,
            lambda: [
                _build_message_json(services, message, language)
                for message in chat.load_messages(services.store, table, seated=bool(mine))
            ],
        )


def _build_message_json(services: Services, message: ChatMessage, language: str) -> JsonObject:
    text = services.reader(language).read(Message(message.text, *message.names)) if message.by_server else message.text
    name = "" if message.by_server else message.name
    return {
        "id": message.id,
        "seat": message.seat,
        "name": name,
        "text": text,
        "sent_at": message.at,
        "by_server": message.by_server,
    }


@router.post("/tables/{id}/chat", status_code=201)
async def post_chat(request: Request, id: str, body: ChatMessageBody) -> JsonObject:
    """Say something, from your seat or, with a cookie, as a spectator."""
    services = get_services(request)
    async with services.tables.locked(id) as table:  # first: while somebody waits for it, seats may be drawn
        viewer = get_current_viewer(request, table)
        check_rate_limit(request, "chat", *((table.id, viewer.own_seats[0]) if viewer.token else ()))
        seat, name, person = chat.resolve_sender(table, viewer)
        await chat.post_message(services, table, seat, name, body.text, person, body.key)
    return {"seat": seat, "name": name}
