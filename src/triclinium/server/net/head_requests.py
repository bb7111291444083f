"""HEAD requests, answered like GET without a body. Chat services send them to preview a link."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triclinium.server.net.middleware import is_stream

ORIGINAL_METHOD = "triclinium.method"  # key in the scope of a request: its method before HEAD was replaced by GET


class HeadMiddleware:
    """ASGI middleware that handles HEAD, so that the application only needs to handle GET."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        get_scope = {**scope, "method": "GET", ORIGINAL_METHOD: "HEAD"}
        if is_stream(get_scope):
            await self.app(scope, receive, send)  # an event stream as GET would never end
            return

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self.app(get_scope, receive, send_without_body)
