"""Load test of a running server over loopback: moves per CPU-second, latency, idle viewers and a cold table.

    python -m bench.load --matches 10 --seconds 8            closed loop: move when both seats have the last event
    python -m bench.load --matches 50 --rate 100             100 moves per second
    python -m bench.load --matches 50 --rate 100 --strong 20 the same while strong bots think at twenty other tables
    python -m bench.load --viewers 1000                      idle event streams
    python -m bench.load --cold                              a long match opened after a restart

The server is pinned to the first core and this script to the second. With thinking bots, all processes use all cores.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from bench.server_process import ApiConnection, ApiTable, ServerProcess


class HttpConnection:
    """A persistent HTTP connection with minimal overhead on the client's side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @staticmethod
    async def open(port: int) -> "HttpConnection":
        return HttpConnection(*await asyncio.open_connection("127.0.0.1", port))

    async def post(self, path: str, token: str, body: dict[str, object]) -> tuple[int, bytes]:
        data = json.dumps(body).encode()
        self.writer.write(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        return status, await self.reader.readexactly(length)

    async def listen(self, path: str, token: str) -> None:
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head

    async def read_event(self) -> dict[str, object]:
        """Return the next event with the state of the table."""
        while True:
            kind = b""
            line = await self.reader.readuntil(b"\n")
            if line.startswith(b"event: "):
                kind = line[7:].strip()
                data = await self.reader.readuntil(b"\n")
                if kind == b"table":
                    found = json.loads(data[6:])
                    assert isinstance(found, dict)
                    return found

    def close(self) -> None:
        self.writer.close()


class Counts:
    """The measured latencies."""

    def __init__(self) -> None:
        self.mover: list[float] = []
        self.other: list[float] = []

    def clear(self) -> None:
        self.mover.clear()
        self.other.clear()

    def report(self, seconds: float, cpu: float) -> str:
        def ms(values: list[float], part: float) -> str:
            ordered = sorted(values)
            return f"{1000 * ordered[min(len(ordered) - 1, int(len(ordered) * part))]:.1f}"

        moves = len(self.mover)
        told = {
            "acknowledged": [ms(self.mover, part) for part in (0.5, 0.99, 1.0)],
            "received by the other seat": [ms(self.other, part) for part in (0.5, 0.99, 1.0)],
        }
        waits = "; ".join(f"{what} p50 {p50}, p99 {p99}, max {most} ms" for what, (p50, p99, most) in told.items())
        rate = f"{moves} moves in {seconds:.1f} s ({moves / seconds:.0f}/s)"
        return f"{rate}, server CPU {cpu:.2f} s: {moves / cpu:.0f} moves per CPU-second; {waits}"


async def play_matches(
    port: int, game_id: str, counts: Counts, pace: float, seed: int, until: float, heard_at: int = 0
) -> None:
    """Play match after match with two seats that listen and move in turn. ``heard_at`` is the port for listening."""
    chance = random.Random(seed)
    if pace:
        await asyncio.sleep(chance.random() * pace)
    while time.monotonic() < until:
        with ApiConnection(port) as caller:
            table = await asyncio.to_thread(ApiTable, caller, game_id, 2)
        poster = await HttpConnection.open(port)
        listener = [await HttpConnection.open(heard_at or port) for _ in range(2)]
        for seat, ear in enumerate(listener):
            await ear.listen(f"{table.url}/events", table.tokens[seat])
        heard = [await ear.read_event() for ear in listener]
        due = time.monotonic()
        while time.monotonic() < until:
            who = heard[0]["who"]
            if who is None:
                break
            assert isinstance(who, int)
            if pace:
                due += pace * (0.5 + chance.random())
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            options = heard[who]["options"]
            assert isinstance(options, list)
            move: dict[str, object] = {"option": chance.choice(options), "version": heard[who]["version"]}
            sent = time.perf_counter()
            status, answer = await poster.post(f"{table.url}/move", table.tokens[who], move)
            acknowledged = time.perf_counter() - sent
            assert status == 200, answer
            heard = [await listener[0].read_event(), await listener[1].read_event()]
            counts.mover.append(acknowledged)
            counts.other.append(time.perf_counter() - sent)
        for wire in (poster, *listener):
            wire.close()


async def measure(server: ServerProcess, args: argparse.Namespace) -> str:
    """Measure the moves after the warm-up. It opens all tables, because a burst of new tables is another load."""
    pace = args.matches / args.rate if args.rate else 0.0
    counts = Counts()
    until = time.monotonic() + args.warm + args.seconds
    matches = [play_matches(server.port, args.game, counts, pace, 100 + i, until) for i in range(args.matches)]
    playing = asyncio.gather(*matches)
    await asyncio.sleep(args.warm)
    counts.clear()
    began, cpu = time.monotonic(), server.cpu_seconds()
    await playing
    return counts.report(time.monotonic() - began, server.cpu_seconds() - cpu)


def open_bot_tables(port: int, game_id: str, tables: int) -> None:
    """Open tables with strong bots only, which think until the server ends."""
    chairs = [{"kind": "bot", "bot": "strong"}] * 3
    with ApiConnection(port) as caller:
        for _ in range(tables):
            status, opened = caller.call("POST", "/api/v1/tables", {"game": game_id, "seats": chairs, "player": "A"})
            assert status == 201, opened


async def measure_idle_viewers(server: ServerProcess, viewers: int) -> str:
    """Measure a number of event streams without events."""
    with ApiConnection(server.port) as caller:
        tables = [await asyncio.to_thread(ApiTable, caller, "evangelists", 2) for _ in range(max(1, viewers // 20))]
    before = server.read_resident_kb()
    wires = []
    for i in range(viewers):
        wire = await HttpConnection.open(server.port)
        table = tables[i % len(tables)]
        await wire.listen(f"{table.url}/events", table.tokens[i % 2])
        wires.append(wire)
    await asyncio.sleep(2)
    cpu = server.cpu_seconds()
    await asyncio.sleep(5)
    used = (server.cpu_seconds() - cpu) / 5
    after = server.read_resident_kb()
    for wire in wires:
        wire.close()
    return f"{viewers} idle viewers: {(after - before) / viewers:.1f} KB each, {100 * used:.1f} % of a core"


def measure_cold_table(server: ServerProcess, game_id: str) -> str:
    """Measure the time to open a long match after a restart."""
    with ApiConnection(server.port) as caller:
        chance = random.Random(4)
        table, moves, options = None, 0, [""]
        while moves < 300:
            table = ApiTable(caller, game_id, 5)
            moves = 0
            who = table.find_asked_seat()
            while who is not None and moves < 320:
                version, options = table.options(who)
                move: dict[str, object] = {"option": chance.choice(options), "version": version}
                status, answer = caller.call("POST", f"{table.url}/move", move, table.tokens[who])
                assert status == 200, answer
                moves += 1
                found = answer["who"]
                who = found if isinstance(found, int) else None
    assert table is not None
    server.stop()
    server.start()
    with ApiConnection(server.port) as caller:
        caller.call("GET", "/api/v1/games")
        began = time.perf_counter()
        status, _ = caller.call("GET", table.url, None, table.tokens[0])
        assert status == 200
        took = time.perf_counter() - began
    return f"a table of {moves} moves opened after a restart in {1000 * took:.0f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="evangelists")
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--warm", type=float, default=3.0)
    parser.add_argument("--rate", type=float, default=0.0, help="moves per second (default: 0, a closed loop)")
    parser.add_argument("--strong", type=int, default=0, help="additional tables with strong bots (default: 0)")
    parser.add_argument("--viewers", type=int, default=0)
    parser.add_argument("--cold", action="store_true")
    args = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), core=None if args.strong else 0).start()
        server.wait_until_idle()
        open_bot_tables(server.port, args.game, args.strong)
        try:
            if args.viewers:
                said = asyncio.run(measure_idle_viewers(server, args.viewers))
            elif args.cold:
                said = measure_cold_table(server, args.game)
            else:
                said = asyncio.run(measure(server, args))
        finally:
            server.stop()
    sys.stdout.write(f"{said}; load average {os.getloadavg()[0]:.1f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
