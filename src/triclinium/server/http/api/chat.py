"""HTTP API, version 1: the chat of a table."""

from typing import TypedDict

from fastapi import APIRouter, Request, Response
from pydantic import Field

from triclinium.engine.core.text import Message
from triclinium.server.http.api.tables import JsonObject, Language, build_json_response
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, get_current_visitor, get_services
from triclinium.server.http.commands import Api, Arguments, CommandList, Form
from triclinium.server.http.table_commands import VIEWER, TableArguments, TableCaller
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.sanitize import CHAT_LENGTH
from triclinium.server.services import Services
from triclinium.server.tables import chat
from triclinium.server.tables.chat import ChatMessage

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["chat"])
commands = CommandList(router)


class ChatMessageBody(Arguments):
    """The text of a chat message."""

    text: str = Field(min_length=1, max_length=CHAT_LENGTH)
    key: str = Field(
        "", max_length=64, description="idempotency key: a message sent twice with the same key appears once"
    )


class NewChatMessage(ChatMessageBody, TableArguments):
    """A new chat message at a table."""


class ChatSender(TypedDict):
    """The seat and the name under which a message appears."""

    seat: int | None
    name: str


class Unread(TypedDict):
    """The number of messages that the caller has not read."""

    unread: int


@router.get("/tables/{id}/chat", response_model=list[JsonObject])
async def get_chat(request: Request, id: str, language: Language = "en") -> Response:
    """List the last hundred chat messages, the oldest first. Players see no spectators' messages during the match."""
    services = get_services(request)
    async with services.tables.locked(id) as table:  # lock first, because the caller may take a seat meanwhile
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


@commands.add(
    "send-chat-message",
    VIEWER,
    api=Api("POST", "/tables/{id}/chat", status_code=201),
    form=Form("/tables/{id}/chat", "/tables/{id}", rates=["chat"]),
    rates=[],  # the handler counts requests of the API by seat
)
async def post_chat(caller: TableCaller, arguments: NewChatMessage) -> ChatSender:
    """Send a chat message from your seat or, with a cookie, as a spectator."""
    services, request = caller.services, caller.request
    async with services.tables.locked(caller.table) as table:  # seats may be shuffled before the lock is free
        viewer = get_current_visitor(request, table) if caller.is_form else get_current_viewer(request, table)
        if not caller.is_form:
            check_rate_limit(request, "chat", *((table.id, viewer.own_seats[0]) if viewer.token else ()))
        seat, name, person = chat.resolve_sender(table, viewer)
        await chat.post_message(services, table, seat, name, arguments.text, person, arguments.key)
    return {"seat": seat, "name": name}


@commands.add(
    "mark-chat-read",
    VIEWER,
    api=Api("POST", "/tables/{id}/chat/read"),
    form=Form("/tables/{id}/chat/read", "/tables/{id}"),
)
async def post_chat_read(caller: TableCaller, arguments: TableArguments) -> Unread:
    """Mark all messages at the table as read."""
    if caller.person is not None or not caller.is_form:
        await chat.mark_chat_read(caller.services.store, caller.table, caller.me.id)
    return {"unread": 0}
