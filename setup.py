"""Builds the compiled wheel when TRICLINIUM_NATIVE=1; otherwise the package is plain Python.

TRICLINIUM_NATIVE=quick builds one that is compiled as a whole but optimised little, for tests. TRICLINIUM_UNITS="engine
bots" then hands only these units to the C compiler, which takes most of the time; all are translated and checked.

Compiled is what lies in a folder named core, rules or ai; what speaks to people or is drawn for them stays interpreted.
All such folders of one package are one compilation unit: calls inside a unit are direct, calls between units go through
a table, and the units compile side by side.
"""

import os
from pathlib import Path

from setuptools import setup

PACKAGE = Path("src/triclinium")
COMPILED = ("core", "rules", "ai")


def units() -> list[tuple[list[str], str | None]]:
    """The modules that are compiled, unit by unit."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        hot = [place for place, part in enumerate(parts[:-1]) if part in COMPILED]
        if hot and path.stem != "__init__":
            found.setdefault(parts[hot[0] - 1], []).append(str(path))
    return [(modules, unit) for unit, modules in found.items()]


def libraries(wanted: list[str]) -> set[str]:
    """What the extensions of some units are called: the shared library of each, and its modules."""
    named = {unit: [".".join(Path(path).with_suffix("").parts[1:]) for path in modules] for modules, unit in units()}
    return {name for unit in wanted for name in (f"{unit}__mypyc", *named[unit])}


OPTIMISED = {"1": "3", "quick": "0"}  # gcc's -O
FLAGS = (
    "-w",  # nobody reads remarks on generated code, and looking for them takes gcc longer than to translate it
    # What CFLAGS says replaces what the interpreter was built with, so these two of its flags are said again.
    "-DNDEBUG",
    "-fwrapv",
    # Nobody puts another function in place of one of ours, and no other library calls one by name: a tenth more speed.
    "-fno-semantic-interposition",
    "-fvisibility=hidden",
    # A product is rounded before it is added to, as the interpreter does: both builds evaluate alike to the last bit.
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
