"""The compiled build for the bots' processes: the server runs as it is, since all that they exchange are records.

A build is used only where it was made of the sources that run here, and by this Python.
"""

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parents[2]
SAME = (".py", ".toml")  # what decides how a match goes
OFFER = "Bots think five times as far after `make compiled`, three minutes once."
STALE = "The compiled build is of other sources: `make compiled` makes it anew, and bots think five times as far."


def packages_of(folder: Path) -> Path:
    """Where an environment keeps its packages."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))


def is_ready(packages: Path) -> bool:
    """Whether there is a compiled build for this Python."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return any((packages / "triclinium" / "engine" / "core").glob(f"*{suffix}"))


def is_same(packages: Path) -> bool:
    """Whether the build was made of the sources that run here, file by file."""
    return _sources(HERE) == _sources(packages / "triclinium")


def _sources(package: Path) -> dict[str, bytes]:
    found = [path for path in package.rglob("*") if path.suffix in SAME]
    return {str(path.relative_to(package)): path.read_bytes() for path in found}


def chosen(folder: str) -> tuple[str, str]:
    """The packages that bots' processes take first, and a line for whoever opens the house; each may be empty."""
    if not folder or is_ready(HERE.parent):
        return "", ""  # nobody asks, or this is the compiled build itself
    packages = packages_of(Path(folder))
    if not is_ready(packages):
        return "", OFFER
    if not is_same(packages):
        return "", STALE
    return str(packages.resolve()), ""


@contextmanager
def first(packages: str) -> Iterator[None]:
    """While this lasts, a process that is started finds its modules there: it is handed the path as it is."""
    if not packages:
        yield
        return
    sys.path.insert(0, packages)
    try:
        yield
    finally:
        sys.path.remove(packages)
