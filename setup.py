"""Builds the compiled wheel when TRICLINIUM_NATIVE=1; otherwise the package is plain Python.

Kernel and rules are one compilation unit: calls between them are native. What is hot is listed here; what speaks to
people (words, views, notation, records) stays interpreted.
"""

import os
from pathlib import Path

from setuptools import setup

KERNEL = ("rng", "rule", "news", "score", "state", "rollout")
BOTS = ("judge", "tree")
# the rooms of a title that stay interpreted: what is told to people, and what is drawn for them
SPOKEN = ("__init__", "title", "view", "words", "plain")
DRAWN = ("drawing", "reasons", "signs", "masonry", "crowd", "papyrus")


def hot_modules() -> list[str]:
    """The modules that are compiled."""
    package = Path("src/triclinium")
    found = [package / "kernel" / f"{name}.py" for name in KERNEL]
    found += [package / "bots" / f"{name}.py" for name in BOTS]
    for folder in sorted((package / "titles").iterdir()):
        found += [path for path in sorted(folder.glob("**/*.py")) if path.stem not in SPOKEN + DRAWN]
    return [str(path) for path in found]


if os.environ.get("TRICLINIUM_NATIVE") == "1":
    from mypyc.build import mypycify

    setup(ext_modules=mypycify(hot_modules(), opt_level="3", debug_level="0"))
else:
    setup()
