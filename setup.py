"""Build script: with TRICLINIUM_NATIVE=1 it builds the compiled wheel, otherwise a plain Python package.

TRICLINIUM_NATIVE=quick compiles everything with little optimisation, for tests. In that mode, TRICLINIUM_UNITS="engine
bots" limits the C compiler to these units, because it takes most of the time. All units are still translated and
checked.

Modules in folders named core, rules or ai are compiled. Code for texts and drawings stays interpreted. All such folders
of one package form a compilation unit. Calls inside a unit are direct, calls between units go through a table, and the
units compile in parallel.
"""

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

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


def measure_source(extension: Extension) -> int:
    """Return the size of the C files of an extension, to which the compile time is roughly proportional."""
    return sum(Path(source).stat().st_size for source in extension.sources if not os.path.isabs(source))


class BuildWithProgress(build_ext):
    """A build that starts with the largest units, so that all processors stay busy, and prints its progress."""

    def build_extensions(self) -> None:
        self.extensions.sort(key=measure_source, reverse=True)
        self.sizes = {extension.name: measure_source(extension) for extension in self.extensions}
        self.size_done = 0
        self.began = time.monotonic()
        self.progress_lock = threading.Lock()
        self.print_progress(f"compiling {len(self.sizes)} modules on {self.parallel} processors")
        super().build_extensions()

    def build_extension(self, ext: Any) -> None:
        super().build_extension(ext)
        with self.progress_lock:
            self.size_done += self.sizes[ext.name]
            if ext.name.endswith("__mypyc"):
                self.print_progress(ext.name.removesuffix("__mypyc"))

    def print_progress(self, text: str) -> None:
        percentage = 100 * self.size_done // sum(self.sizes.values())
        sys.stderr.write(f"{time.monotonic() - self.began:5.0f} s {percentage:3} %  {text}\n")
        sys.stderr.flush()


# The optimisation level of the C compiler. For a game, level 3 takes 1.2 to 1.4 times as long to compile as level 2,
# and the game makes 3% more decisions per second. For the engine, it makes every game 2% faster.
OPTIMISED = {"1": "2", "quick": "0"}
FULLY_OPTIMISED = {"engine__mypyc": "3", "bots__mypyc": "3"}
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

    sys.stderr.write("translating to C\n")
    os.environ["CFLAGS"] = " ".join([os.environ.get("CFLAGS", ""), *FLAGS]).strip()
    modules = [module for unit, _ in units() for module in unit]
    extensions = mypycify(modules, opt_level=OPTIMISED[native], debug_level="0", separate=units())
    for extension in extensions:
        if native == "1" and extension.name in FULLY_OPTIMISED:
            extension.extra_compile_args.append(f"-O{FULLY_OPTIMISED[extension.name]}")  # the last level counts
    if native == "quick" and "TRICLINIUM_UNITS" in os.environ:
        kept = libraries(os.environ["TRICLINIUM_UNITS"].split())
        extensions = [extension for extension in extensions if extension.name in kept]
    setup(
        ext_modules=extensions,
        cmdclass={"build_ext": BuildWithProgress},
        options={"build_ext": {"parallel": os.cpu_count() or 1}},
    )
else:
    setup()
