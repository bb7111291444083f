"""Builds the compiled wheel when TRICLINIUM_NATIVE=1; otherwise the package is plain Python.

TRICLINIUM_NATIVE=quick builds one that is compiled as a whole but optimised little, for tests.

The kernel is one compilation unit, and so is each title: calls inside a unit are direct, calls between units go through
a table, and the units compile side by side. What is hot is listed here; what speaks to people or is drawn for them
(words, views, notation, records, boards) stays interpreted.
"""

import os
from pathlib import Path

from setuptools import setup

KERNEL = ("rng", "chance", "rule", "news", "score", "state", "rollout")
BOTS = ("judge", "fortune", "tree")
SPOKEN = ("__init__", "title", "view", "known", "words", "plain")  # the rooms of a title that stay interpreted
DRAWN = (
    "drawing",
    "chart",
    "gospels",
    "doing",
    "fares",
    "sight",
    "reasons",
    "signs",
    "masonry",
    "crowd",
    "papyrus",
)


def units() -> list[tuple[list[str], str | None]]:
    """The modules that are compiled, unit by unit."""
    package = Path("src/triclinium")
    found: list[tuple[list[str], str | None]] = [
        ([str(package / "kernel" / f"{name}.py") for name in KERNEL], "kernel"),
        ([str(package / "bots" / f"{name}.py") for name in BOTS], "bots"),
    ]
    for folder in sorted((package / "titles").iterdir()):
        hot = [str(path) for path in sorted(folder.glob("**/*.py")) if path.stem not in SPOKEN + DRAWN]
        if hot:
            found.append((hot, folder.name))
    return found


OPTIMISED = {"1": "3", "quick": "1"}  # gcc's -O

native = os.environ.get("TRICLINIUM_NATIVE", "0")
if native in OPTIMISED:
    from mypyc.build import mypycify

    modules = [module for unit, _ in units() for module in unit]
    setup(
        ext_modules=mypycify(modules, opt_level=OPTIMISED[native], debug_level="0", separate=units()),
        options={"build_ext": {"parallel": os.cpu_count() or 1}},
    )
else:
    setup()
