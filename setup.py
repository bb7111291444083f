"""Build script: with TRICLINIUM_NATIVE=1 it builds the compiled wheel, otherwise a plain Python package.

TRICLINIUM_NATIVE=quick compiles everything with little optimisation, for tests. In that mode, TRICLINIUM_UNITS="engine
bots" limits the C compiler to these units, because it takes most of the time. All units are still translated and
checked.

Modules in folders named core, rules or ai are compiled. Code for texts and drawings stays interpreted. All such folders
of one package form a compilation unit. Calls inside a unit are direct, calls between units go through a table, and the
units compile in parallel.
"""

import os
from pathlib import Path

from setuptools import setup

PACKAGE = Path("src/triclinium")
COMPILED = ("core", "rules", "ai")


def units() -> list[tuple[list[str], str | None]]:
    """Return the names and modules of the compilation units."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        hot = [place for place, part in enumerate(parts[:-1]) if part in COMPILED]
        if hot and path.stem != "__init__":
            found.setdefault(parts[hot[0] - 1], []).append(str(path))
    return [(modules, unit) for unit, modules in found.items()]


def libraries(wanted: list[str]) -> set[str]:
    """Return the names of the extensions of some units: the shared library of each, and its modules."""
    named = {unit: [".".join(Path(path).with_suffix("").parts[1:]) for path in modules] for modules, unit in units()}
    return {name for unit in wanted for name in (f"{unit}__mypyc", *named[unit])}


OPTIMISED = {"1": "3", "quick": "0"}  # gcc's optimisation level
FLAGS = (
    "-w",  # warnings about generated code help nobody, and they take gcc longer than the translation
    # CFLAGS replaces the flags of the interpreter's own build, so two of them are repeated here.
    "-DNDEBUG",
    "-fwrapv",
    # No other library replaces our functions or calls them by name. These flags add a tenth of speed.
    "-fno-semantic-interposition",
    "-fvisibility=hidden",
    # Round products before additions, as the interpreter does, so that both builds evaluate positions identically.
    "-ffp-contract=off",
)

native = os.environ.get("TRICLINIUM_NATIVE", "0")
if native in OPTIMISED:
    from mypyc.build import mypycify

    os.environ["CFLAGS"] = " ".join([os.environ.get("CFLAGS", ""), *FLAGS]).strip()
    modules = [module for unit, _ in units() for module in unit]
    extensions = mypycify(modules, opt_level=OPTIMISED[native], debug_level="0", separate=units())
    if native == "quick" and "TRICLINIUM_UNITS" in os.environ:
        kept = libraries(os.environ["TRICLINIUM_UNITS"].split())
        extensions = [extension for extension in extensions if extension.name in kept]
    setup(
        ext_modules=extensions,
        options={"build_ext": {"parallel": os.cpu_count() or 1}},
    )
else:
    setup()
