"""The command ``triclinium serve``: run the server."""

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
from triclinium.engine.extras import describe_missing_extra
from triclinium.engine.registry import list_games
from triclinium.server import log_format
from triclinium.server.app import render_openapi
from triclinium.server.bots.compiled_packages import choose_packages
from triclinium.server.net.http_protocol import make_protocol, raise_file_limit
from triclinium.server.net.interfaces import is_loopback
from triclinium.server.services import Services
from triclinium.server.settings import Settings, normalize_url, resolve_database
from triclinium.server.workshop.access import MEMBERS, OWNER_ONLY
from triclinium.web import startup_banner
from triclinium.web.app import create_app
from triclinium.web.graceful_server import RESPONSE_TIMEOUT, GracefulHttpServer, exit_process, open_listening_sockets
from triclinium.web.lan_listener import LanListener
from triclinium.web.prefork import MAX_PROCESSES, ServerProcesses

LAN = "lan"  # value of --host for all addresses, with the owner's consent
ALL_INTERFACES = "0.0.0.0"
MAX_HINT_SECONDS = 30.0  # the longest search for a hint that can be configured


def serve_command(args: argparse.Namespace) -> int:
    """Serve until interrupted, and return the exit code."""
    port = _parse_integer(args.port, "port", 65535)
    settings = _read_settings(args)
    settings.bot_packages, args.build_line = choose_packages(args.compiled)
    host = ALL_INTERFACES if args.host == LAN else args.host
    log_format.configure_logging(args.log or log_format.TEXT, requests=bool(args.log))
    raise_file_limit()
    if settings.processes == 1:
        return _serve_process(args, settings, host, port)
    first = Services(settings)
    if not first.peers.shared:
        raise BadSetup("several processes need a shared database: --database postgresql://HOST/NAME")
    list_games()  # load the games once, before the processes are forked
    render_openapi()
    # report a problem here in one sentence, instead of processes that fail to start again and again
    first.open_database()
    try:
        sockets = open_listening_sockets(host, port)
        first.reachability.set_listening(host, sockets[0].getsockname()[1], None)
        _print_welcome(args, first)
    finally:
        first.store.close()
    quiet = argparse.Namespace(**{**vars(args), "no_browser": True})
    return ServerProcesses(settings.processes, lambda n: _serve_process(quiet, settings, host, port, sockets, n)).run()


def _serve_process(
    args: argparse.Namespace,
    settings: Settings,
    host: str,
    port: int,
    sockets: list[socket.socket] | None = None,
    number: int = 0,
) -> int:
    """Run one server process. ``sockets`` are the sockets that it shares with other processes."""
    app = create_app(settings)
    services: Services = app.state.services
    http_class = make_protocol(settings)  # one for all listeners, so that they count the same clients

    def make_config(lifespan: Literal["on", "off"] = "off") -> uvicorn.Config:
        return uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan=lifespan,
            timeout_graceful_shutdown=RESPONSE_TIMEOUT,
            server_header=False,
            http=http_class,
            proxy_headers=bool(settings.proxy),
            forwarded_allow_ips=settings.proxy,
        )

    if args.metrics:
        _start_metrics(app, services, args.metrics, number)
    http = GracefulHttpServer(make_config("on"), services)
    services.open_database()  # report a problem here in one sentence, instead of a server that fails to start
    try:
        if args.host == LAN and sockets is None and not startup_banner.confirm_network_access(services):
            return 0
        with http.catch_signals():
            alone = sockets is None
            listening = sockets or open_listening_sockets(host, port)
            services.reachability.set_listening(
                host, listening[0].getsockname()[1], LanListener(make_config) if alone else None
            )
            if alone:
                _print_welcome(args, services)
            http.run(listening)
    finally:
        if services.runtime.opened_at:  # the application did not start, so nothing else closes the server
            services.store.close()
    if services.store.is_open:
        exit_process()  # a normal exit would wait for the database
    return 0


def _read_settings(args: argparse.Namespace) -> Settings:
    return Settings(
        resolve_database(args.database),
        limits=not args.no_limits,
        https=args.https,
        url=args.url or os.environ.get("TRICLINIUM_URL", ""),
        password_file=args.password_file,
        backups=args.backups,
        mail=os.environ.get("TRICLINIUM_MAIL", ""),
        telegram=os.environ.get("TRICLINIUM_TELEGRAM", ""),
        ntfy=normalize_url(os.environ.get("TRICLINIUM_NTFY", "https://ntfy.sh")),
        services=args.services,
        allow_local_hooks=args.local_hooks,
        processes=max(1, _parse_integer(args.processes, "processes", MAX_PROCESSES)),
        bot_workers=max(1, _parse_integer(args.workers, "workers", 64)),
        keep_finished=_parse_integer(args.keep_finished, "the number of days", 36500),
        keep_waiting=_parse_integer(args.keep_waiting, "the number of days", 36500),
        mails_per_sender=_parse_integer(args.mails_per_sender, "the number of mails", 1_000_000),
        mails_per_hour=_parse_integer(args.mails_per_hour, "the number of mails", 1_000_000),
        mails_per_day=_parse_integer(args.mails_per_day, "the number of mails", 1_000_000),
        upload_per_day=1_000_000 * _parse_integer(args.upload_per_day, "the number of megabytes", 1_000_000),
        bot_pause=_parse_pause(args.bot_pause),
        hint_budget=_parse_budget(args.hint_budget),
        practice=not args.no_practice,
        proxy=args.proxy,
        plain_boards=args.plain_boards,
        workshop=args.workshop or (MEMBERS if is_loopback(args.host) else OWNER_ONLY),
        printing=not args.no_printing,
        warm_up=True,
    )


def _start_metrics(app: FastAPI, services: Services, address: str, number: int) -> None:
    """Serve metrics at an address of their own; each of several processes uses the next port."""
    host, _, port = address.rpartition(":")
    port_number = _parse_integer(port, "the port of --metrics", 65535 - number) + number
    if importlib.util.find_spec("prometheus_client") is None:
        raise BadSetup(describe_missing_extra("--metrics", "metrics"))
    metrics = importlib.import_module("triclinium.server.metrics")
    collector = metrics.Metrics(services)
    collector.serve_at(host.strip("[]") or "127.0.0.1", port_number)
    app.add_middleware(metrics.MetricsMiddleware, metrics=collector)


def _print_welcome(args: argparse.Namespace, services: Services) -> None:
    """Print the addresses of the server, and open a browser if the settings ask for it."""
    reach = services.reachability
    host = "localhost" if reach.listen_host == ALL_INTERFACES or is_loopback(reach.listen_host) else reach.listen_host
    address = reach.url or f"http://{host}:{reach.port}"
    link = services.owners.make_link(address)
    sys.stdout.write(f"Triclinium is open at {address}/ (Ctrl-C closes it)\n")
    sys.stdout.write(f"The owner's link, for one browser and one hour: {link}\n")
    is_shared = services.peers.shared  # a shared database: its address can contain a password
    sys.stdout.write(f"The database is {services.store.database.name if is_shared else services.settings.database}\n")
    if services.password.is_set:
        sys.stdout.write("Visitors must enter the site password.\n")
    if args.build_line:
        sys.stdout.write(f"{args.build_line}\n")
    startup_banner.print_addresses(reach, sys.stdout)
    sys.stdout.flush()
    if not args.no_browser:
        browser_timer = threading.Timer(1.0, _open_browser, [link])
        browser_timer.daemon = True
        browser_timer.start()


def _open_browser(address: str) -> None:
    """Open the page in a browser, if there is one."""
    try:
        webbrowser.get()
    except webbrowser.Error:
        return
    webbrowser.open(address)


def _parse_integer(text: str, label: str, maximum: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text[:9]) > maximum:
        raise BadSetup(f"{label} must be a whole number up to {maximum}, not {text!r}")
    return int(text)


def _parse_budget(text: str) -> Budget:
    budget = Budget.read(text)
    if budget.seconds > MAX_HINT_SECONDS and not budget.iterations:
        raise BadSetup(f"a hint may take at most {MAX_HINT_SECONDS:.0f} seconds, not {text}")
    return budget


def _parse_pause(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= 60.0:
        raise BadSetup(f"a pause must be 0 to 60 seconds, not {text!r}")
    return seconds
