"""What the home page costs: little more than finding out who asks, however many packages are installed."""

from bench.running import Running
from tests.pace import QUIET
from tests.server.visitor import Visitor
from tests.server.watched import slower

TIMES = 40 if QUIET else 15
BAR = 0.010  # seconds of processor time, on a machine like the one where LOOP was measured
SHARED = 2.0  # what company on the machine may cost


def test_the_house_pages_cost_little(server: Running) -> None:
    with Visitor(server.port) as visitor:

        def each(path: str) -> float:
            for _ in range(5):
                assert visitor.get(path).status == 200
            spent = server.cpu_seconds()
            for _ in range(TIMES):
                visitor.get(path)
            return (server.cpu_seconds() - spent) / TIMES

        for path in ("/", "/new", "/tables", "/api/v1/titles"):
            visitor.get(path)
            server.until_idle()
            pace = slower()
            took = each(path)
            pace = max(pace, slower())
            assert took < BAR * pace * SHARED, f"{path}: {took * 1000:.1f} ms on a machine {pace:.2f} times slower"
