"""What failed beside other tests, once more and alone: `python -m tests.again` after a run of pytest that failed.

Three workers share two cores with browsers and servers; a test that waits for one of them may fail there and hold by
itself. It is named all the same, because it hangs on the machine and wants mending. Whatever fails for a reason of its
own fails again, and so does a run with many failures, or one that failed without a failed test.
"""

import json
import sys
from pathlib import Path

import pytest

LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
FEW = 5  # more than these are no accident


def failed(noted: Path = LAST_FAILED) -> list[str]:
    """The tests that pytest noted as failed in its last run."""
    return sorted(json.loads(noted.read_text(encoding="utf-8"))) if noted.exists() else []


def main() -> int:
    tests = failed()
    if not 0 < len(tests) <= FEW:
        return int(pytest.ExitCode.TESTS_FAILED)
    sys.stdout.write("\nOnce more, each alone:\n")
    code = pytest.main(["-n0", "-q", *tests])
    if code == pytest.ExitCode.OK:
        sys.stdout.write("".join(f"hangs on the machine, wants mending: {test}\n" for test in tests))
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
