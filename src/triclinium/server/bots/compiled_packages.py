"""The compiled build for the bots' processes: the server runs as it is, since all that they exchange are records.

A build is used only where it was made of the sources that run here, and by this Python.
"""

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE_ROOT = Path(__file__).parents[2]
SOURCE_SUFFIXES = (".py", ".toml")  # what decides how a match goes
NOT_COMPILED = "Bots think five times as far after `make compiled`, three minutes once."
STALE_BUILD = "The compiled build is of other sources: `make compiled` makes it anew, and bots think five times as far."


def find_packages(folder: Path) -> Path:
    """Where an environment keeps its packages."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))


def is_ready(packages: Path) -> bool:
    """Whether there is a compiled build for this Python."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return any((packages / "triclinium" / "engine" / "core").glob(f"*{suffix}"))


def is_current(packages: Path) -> bool:
    """Whether the build was made of the sources that run here, file by file."""
    return _read_sources(PACKAGE_ROOT) == _read_sources(packages / "triclinium")


def _read_sources(package: Path) -> dict[str, bytes]:
    paths = [path for path in package.rglob("*") if path.suffix in SOURCE_SUFFIXES]
    return {str(path.relative_to(package)): path.read_bytes() for path in paths}


def choose_packages(folder: str) -> tuple[str, str]:
    """The packages that bots' processes take first, and a line for whoever opens the house; each may be empty."""
    if not folder or is_ready(PACKAGE_ROOT.parent):
        return "", ""  # nobody asks, or this is the compiled build itself
    packages = find_packages(Path(folder))
    if not is_ready(packages):
        return "", NOT_COMPILED
    if not is_current(packages):
        return "", STALE_BUILD
    return str(packages.resolve()), ""


@contextmanager
def prefer_packages(packages: str) -> Iterator[None]:
    """While this lasts, a process that is started finds its modules there: it is handed the path as it is."""
    if not packages:
        yield
        return
    sys.path.insert(0, packages)
    try:
        yield
    finally:
        sys.path.remove(packages)
