"""HEAD: what GET would answer, without its body. Chat services look at a link so before they show it."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triclinium.server.net.middleware import is_stream

ORIGINAL_METHOD = "triclinium.method"  # in the scope of a request: what it was, if it is answered as another


class HeadMiddleware:
    """An ASGI layer: what is behind it need not know of HEAD."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        get_scope = {**scope, "method": "GET", ORIGINAL_METHOD: "HEAD"}
        if is_stream(get_scope):
            await self.app(scope, receive, send)  # it would never end
            return

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app(get_scope, receive, send_without_body)
