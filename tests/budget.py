"""What the tests cost in processor time, and that each folder keeps to its budget of ``tests/budget.toml``.

Processor time and not time by the clock: a machine that does something else besides makes no test much slower by it.
Half as much again is still seen where cores share their caches, so a folder above its budget is named, and refused only
at twice of it: no neighbour doubles what a test costs, but a careless loop does.
To look at all processes of a browser costs as much as a small test, so this is done once a file, and what they spent is
laid to its last test. ``TRICLINIUM_COSTS=FILE`` looks after every test and writes what each has cost.
"""

import os
import resource
import time
import tomllib
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BUDGETS = HERE / "budget.toml"
TICK = os.sysconf("SC_CLK_TCK")
REFUSED = 2.0  # times its budget


def spent() -> float:
    """Processor seconds of this process and of all that it started, those that still run too where that can be seen."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(map(seconds_of, descendants(os.getpid())))


def descendants(pid: int) -> Iterator[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return  # it ended meanwhile
    for thread in threads:
        try:
            found = [int(child) for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split()]
        except OSError:
            continue
        for child in found:
            yield child
            yield from descendants(child)


def seconds_of(pid: int) -> float:
    """Processor seconds of a process and of its children that ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(field) for field in fields[11:15]) / TICK


def slowness(reference: float) -> float:
    """How many times as long as the machine of the budgets this one takes for the same work; never below 1."""
    best = min(one_loop() for _ in range(3))
    return max(1.0, best / reference)


def one_loop() -> float:
    begun = time.process_time()
    total = 0
    for i in range(400_000):
        total += i % 7
    return time.process_time() - begun


def overspent(cost: Mapping[str, float], budgets: Mapping[str, float], factor: float, times: float = 1.0) -> list[str]:
    """One sentence for each path above so many times its budget; the longest path that a test lies under counts."""
    paths: dict[str, dict[str, float]] = defaultdict(dict)
    for test, seconds in cost.items():
        under = [path for path in budgets if test.startswith(path)]
        if under:
            paths[max(under, key=len)][test] = seconds
    found = []
    for path, tests in paths.items():
        total, allowed = sum(tests.values()), budgets[path] * factor
        if total > allowed * times:
            slowest = sorted(tests, key=lambda test: -tests[test])[:5]
            named = ", ".join(f"{test} ({tests[test]:.1f})" for test in slowest)
            found.append(
                f"{path} spent {total:.0f} processor seconds and may spend {allowed:.0f} (tests/budget.toml); "
                f"its slowest tests: {named}"
            )
    return found


class Meter:
    """Adds to each report what its phase has cost; the one that hears all reports adds them up."""

    def __init__(self, config: pytest.Config) -> None:
        told = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))
        self.budgets: dict[str, float] = told["seconds"]
        self.counts = not hasattr(config, "workerinput")
        self.loop: float = told["loop"]
        self.factor = slowness(self.loop) if self.counts else 1.0
        self.mark, self.noted = spent(), 0.0  # at the last look at all processes, and what was laid to tests since
        self.own = time.process_time()
        self.looks = True  # at all processes, after this test
        self.cost: dict[str, float] = defaultdict(float)
        self.table = Path(os.environ["TRICLINIUM_COSTS"]) if "TRICLINIUM_COSTS" in os.environ else None

    def pytest_collection_finish(self) -> None:
        self.mark, self.own = spent(), time.process_time()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        self.looks = self.table is not None or nextitem is None or nextitem.path != item.path

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            report.cpu = self.since()  # type: ignore[attr-defined]  # a worker sends it with the rest
        return report

    def since(self) -> float:
        """What was spent since the last test: by this process, or by all if it is time to look at them."""
        own = time.process_time()
        cost, self.own = own - self.own, own
        if not self.looks:
            self.noted += cost
            return cost
        now = spent()
        cost = max(0.0, now - self.mark - self.noted)
        self.mark, self.noted = now, 0.0
        return cost

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":
            return
        cost: float = getattr(report, "cpu", 0.0)
        self.cost[report.nodeid] += cost
        if self.counts and self.table is not None:
            with self.table.open("a", encoding="utf-8") as table:
                table.write(f"{cost:.3f} {report.nodeid}\n")

    def overspent(self, times: float = 1.0) -> list[str]:
        """Long forms may take their time."""
        return [] if "TRICLINIUM_SOAK" in os.environ else overspent(self.cost, self.budgets, self.factor, times)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.counts:
            self.factor = max(self.factor, slowness(self.loop))  # others may have come meanwhile
        if self.counts and session.exitstatus == 0 and self.overspent(REFUSED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        refused = self.overspent(REFUSED)
        for sentence in self.overspent():
            terminalreporter.write_line(sentence, red=sentence in refused, yellow=sentence not in refused)
