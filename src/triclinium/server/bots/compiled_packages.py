"""Compiled build for the bot processes.

The server itself runs the Python sources; both exchange only plain records. A build is used only if it was made from
the current sources with this Python version.
"""

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE_ROOT = Path(__file__).parents[2]
SOURCE_SUFFIXES = (".py", ".toml")  # the files that affect how a match runs
COMPILED = "Bots use the compiled build."
NOT_COMPILED = (
    "Bots use the plain build. `make compiled` makes the compiled one in about three minutes, "
    "which searches five times as many positions."
)
STALE_BUILD = (
    "Bots use the plain build, because the compiled one does not match the sources. "
    "`make compiled` makes it again, which searches five times as many positions."
)


def find_packages(folder: Path) -> Path:
    """Return the site-packages folder of a virtual environment."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))


def is_ready(packages: Path) -> bool:
    """Return whether a folder contains a compiled build for this Python version."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return any((packages / "triclinium" / "engine" / "core").glob(f"*{suffix}"))


def is_current(packages: Path) -> bool:
    """Return whether the build was made from the current sources, comparing every file."""
    return _read_sources(PACKAGE_ROOT) == _read_sources(packages / "triclinium")


def _read_sources(package: Path) -> dict[str, bytes]:
    paths = [path for path in package.rglob("*") if path.suffix in SOURCE_SUFFIXES]
    return {str(path.relative_to(package)): path.read_bytes() for path in paths}


def choose_packages(folder: str) -> tuple[str, str]:
    """Return the packages folder for bot processes, and a line for the operator about the build. Both can be ""."""
    if is_ready(PACKAGE_ROOT.parent):
        return "", COMPILED  # this server already runs compiled code
    if not folder:
        return "", ""  # no build was requested
    packages = find_packages(Path(folder))
    if not is_ready(packages):
        return "", NOT_COMPILED
    if not is_current(packages):
        return "", STALE_BUILD
    return str(packages.resolve()), COMPILED


@contextmanager
def prefer_packages(packages: str) -> Iterator[None]:
    """Put a packages folder first on the import path of processes that are started within this context."""
    if not packages:
        yield
        return
    sys.path.insert(0, packages)
    try:
        yield
    finally:
        sys.path.remove(packages)
