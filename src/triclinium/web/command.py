"""``triclinium serve``: open the house."""

import argparse
import sys
import threading
import webbrowser

import uvicorn

from triclinium.bots import Budget
from triclinium.kernel.errors import BadSetup
from triclinium.server.settings import Settings
from triclinium.server.wire import protocol, raise_file_limit
from triclinium.web.app import create

LONGEST_HINT = 30.0  # seconds


def serve(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    port = _whole(args.port, "port", 65535)
    workers = _whole(args.workers, "workers", 64)
    settings = Settings(
        args.database,
        limits=not args.no_limits,
        https=args.https,
        bot_workers=max(1, workers),
        bot_pause=_seconds(args.bot_pause),
        advice=_budget(args.hint_budget),
        proxy=args.proxy,
        warm=True,
    )
    app = create(settings)
    shown = "localhost" if args.host in ("127.0.0.1", "0.0.0.0", "::") else args.host
    address = f"http://{shown}:{port}/"
    sys.stdout.write(f"Triclinium is open at {address} (Ctrl-C closes it)\nIts database is {settings.database}\n")
    sys.stdout.flush()
    if not args.no_browser:
        threading.Timer(1.0, _open_browser, [address]).start()
    config = uvicorn.Config(
        app,
        host=args.host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=2,
        server_header=False,
        http=protocol(settings),
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy,
    )
    raise_file_limit()
    server = uvicorn.Server(config)
    server.run()
    return 0 if server.started else 1


def _open_browser(address: str) -> None:
    """Where there is one."""
    try:
        webbrowser.get()
    except webbrowser.Error:
        return
    webbrowser.open(address)


def _whole(text: str, what: str, most: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:9]) > most:
        raise BadSetup(f"{what} is a whole number up to {most}, not {text!r}")
    return int(text)


def _budget(text: str) -> Budget:
    found = Budget.read(text)
    if found.seconds > LONGEST_HINT and not found.iterations:
        raise BadSetup(f"a hint is thought about for {LONGEST_HINT:.0f} seconds at most, not {text}")
    return found


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0.0 <= found <= 60.0:
        raise BadSetup(f"a pause is 0 to 60 seconds, not {text!r}")
    return found
