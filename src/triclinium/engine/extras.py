"""Errors for missing optional packages, which name the extra to install."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path


class MissingExtraError(ModuleNotFoundError):
    """Error for an import that needs an extra. The message gives the command that installs it."""


def describe_missing_extra(purpose: str, extra: str) -> str:
    """Return a message that an extra is missing, with the command that installs it from the sources or the index."""
    sources = Path(__file__).parents[3]
    package = f"triclinium[{extra}]"
    from_here = f"{sources}[{extra}]" if (sources / "pyproject.toml").is_file() else package
    return (
        f"{purpose} needs {package}; install it with {shlex.join([sys.executable, '-m', 'pip', 'install', from_here])}"
    )


@contextmanager
def name_extra(extra: str, module: str) -> Iterator[None]:
    """Raise `MissingExtraError` if an import in this context fails because another package is missing."""
    try:
        yield
    except MissingExtraError:
        raise
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("triclinium"):
            raise
        raise MissingExtraError(describe_missing_extra(module, extra), name=missing.name) from None


def require_extra(extra: str, module: str, *packages: str) -> None:
    """Raise `MissingExtraError` if one of these packages is not installed."""
    with name_extra(extra, module):
        for package in packages:
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)
