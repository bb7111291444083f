"""``triclinium serve``: open the server."""

import argparse
import importlib
import importlib.util
import os
import socket
import sys
import threading
import webbrowser
from typing import Literal

import uvicorn
from fastapi import FastAPI

from triclinium.bots import Budget
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.registry import titles
from triclinium.server import log_format
from triclinium.server.app import described
from triclinium.server.bots.compiled import chosen
from triclinium.server.net.http_protocol import protocol, raise_file_limit
from triclinium.server.net.interfaces import is_loopback
from triclinium.server.server import Server
from triclinium.server.settings import Settings, checked_url, named_database
from triclinium.web import startup_banner
from triclinium.web.app import create
from triclinium.web.graceful_server import PATIENT, HttpServer, leave, listen
from triclinium.web.lan_listener import NetworkDoor
from triclinium.web.prefork import MOST, Processes

LAN = "lan"  # a word for everywhere, with consent
EVERYWHERE = "0.0.0.0"
LONGEST_HINT = 30.0  # seconds


def serve(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    port = _whole(args.port, "port", 65535)
    settings = _settings(args)
    settings.bot_packages, args.offer = chosen(args.compiled)
    host = EVERYWHERE if args.host == LAN else args.host
    log_format.keep(args.log or log_format.TEXT, requests=bool(args.log))
    raise_file_limit()
    if settings.processes == 1:
        return _serve(args, settings, host, port)
    first = Server(settings)
    if not first.peers.shared:
        raise BadSetup("several processes need a database that they can share: --database postgresql://HOST/NAME")
    titles()  # the games are read once, before the servers are forked
    described()
    first.prepare()  # here what is wrong becomes a sentence, not servers that fail to start again and again
    try:
        sockets = listen(host, port)
        first.reach.listening(host, sockets[0].getsockname()[1], None)
        _welcome(args, first)
    finally:
        first.store.close()
    quiet = argparse.Namespace(**{**vars(args), "no_browser": True})
    return Processes(settings.processes, lambda n: _serve(quiet, settings, host, port, sockets, n)).run()


def _serve(
    args: argparse.Namespace,
    settings: Settings,
    host: str,
    port: int,
    sockets: list[socket.socket] | None = None,
    number: int = 0,
) -> int:
    """One server. ``sockets``: where it listens together with others, of which it is this one."""
    app = create(settings)
    server: Server = app.state.server
    http_class = protocol(settings)  # one for all listeners: they count the same visitors

    def config(lifespan: Literal["on", "off"] = "off") -> uvicorn.Config:
        return uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan=lifespan,
            timeout_graceful_shutdown=PATIENT,
            server_header=False,
            http=http_class,
            proxy_headers=bool(settings.proxy),
            forwarded_allow_ips=settings.proxy,
        )

    if args.metrics:
        _measure(app, server, args.metrics, number)
    http = HttpServer(config("on"), server)
    server.prepare()  # here what is wrong becomes a sentence, not a server that failed to start
    try:
        if args.host == LAN and sockets is None and not startup_banner.consents(server):
            return 0
        with http.listening_to_signals():
            alone = sockets is None
            listening = sockets or listen(host, port)
            server.reach.listening(host, listening[0].getsockname()[1], NetworkDoor(config) if alone else None)
            if alone:
                _welcome(args, server)
            http.run(listening)
    finally:
        if server.opened:  # the server has not come so far as to close it
            server.store.close()
    if server.store.is_open:
        leave()  # the interpreter would wait for the database
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    return Settings(
        named_database(args.database),
        limits=not args.no_limits,
        https=args.https,
        url=args.url or os.environ.get("TRICLINIUM_URL", ""),
        password_file=args.password_file,
        mail=os.environ.get("TRICLINIUM_MAIL", ""),
        telegram=os.environ.get("TRICLINIUM_TELEGRAM", ""),
        ntfy=checked_url(os.environ.get("TRICLINIUM_NTFY", "https://ntfy.sh")),
        services=args.services,
        local_hooks=args.local_hooks,
        processes=max(1, _whole(args.processes, "processes", MOST)),
        bot_workers=max(1, _whole(args.workers, "workers", 64)),
        keep_finished=_whole(args.keep_finished, "the number of days", 36500),
        keep_waiting=_whole(args.keep_waiting, "the number of days", 36500),
        mails_per_sender=_whole(args.mails_per_sender, "the number of mails", 1_000_000),
        mails_per_hour=_whole(args.mails_per_hour, "the number of mails", 1_000_000),
        mails_per_day=_whole(args.mails_per_day, "the number of mails", 1_000_000),
        upload_per_day=1_000_000 * _whole(args.upload_per_day, "the number of megabytes", 1_000_000),
        bot_pause=_seconds(args.bot_pause),
        advice=_budget(args.hint_budget),
        proxy=args.proxy,
        plain_boards=args.plain_boards,
        warm=True,
    )


def _measure(app: FastAPI, server: Server, where: str, number: int) -> None:
    """Tell what is counted at an address of its own; each of several servers has the next port."""
    host, _, port = where.rpartition(":")
    at = _whole(port, "the port of --metrics", 65535 - number) + number
    if importlib.util.find_spec("prometheus_client") is None:
        raise BadSetup("metrics need a package more: install triclinium[metrics]")
    metrics = importlib.import_module("triclinium.server.metrics")
    counted = metrics.Metrics(server)
    counted.tell_at(host.strip("[]") or "127.0.0.1", at)
    app.add_middleware(metrics.Measured, metrics=counted)


def _welcome(args: argparse.Namespace, server: Server) -> None:
    """Say where the server is, and show it."""
    reach = server.reach
    shown = "localhost" if reach.listens == EVERYWHERE or is_loopback(reach.listens) else reach.listens
    address = reach.url or f"http://{shown}:{reach.port}"
    link = server.owners.make_link(address)
    sys.stdout.write(f"Triclinium is open at {address}/ (Ctrl-C closes it)\n")
    sys.stdout.write(f"The owner's link, for one browser and one hour: {link}\n")
    shared = server.peers.shared  # then the address may hold a password
    sys.stdout.write(f"Its database is {server.store.database.name if shared else server.settings.database}\n")
    if server.password.is_set:
        sys.stdout.write("It asks for a password at the door.\n")
    if args.offer:
        sys.stdout.write(f"{args.offer}\n")
    startup_banner.show_addresses(reach, sys.stdout)
    sys.stdout.flush()
    if not args.no_browser:
        opening = threading.Timer(1.0, _open_browser, [link])
        opening.daemon = True
        opening.start()


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
